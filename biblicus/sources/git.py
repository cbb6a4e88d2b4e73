"""A git repository as a source: documents are read from the object store of a shallow bare clone.

There is no work tree, so nothing is checked out, filtered or run (`guards.git`). Each sync compares the tree of the
remote's commit with the known blobs; so the distance between the two commits, a lost clone in `reach.cache`, or an
interrupted sync does not matter. Renames come from git (`diff-tree -M`) if the old commit is available, otherwise from
equal content.

State: `commit`, `branch` (or the tag or commit of `ref`), `licence` if the repository has one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from biblicus.contracts import Call
from biblicus.errors import IngestionError
from biblicus.guards.git import Bounds, Git
from biblicus.models.sources.entries import GitEntry
from biblicus.models.sources.syncing import Change, Document, Known, Reach, Row, State
from biblicus.sources.trees import POINTER, POINTER_BYTES, Names, name_of, unsafe, unwanted
from biblicus.text.citations import page_of
from biblicus.text.licences import NAMED, identify

_OURS = "refs/biblicus/synced"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REMOTE_REF = re.compile(r"refs/[^\x00-\x20\x7f]+")
_LICENCE_BYTES = 200_000
_PACKS = 30
"""Number of packs after which the clone is recreated: it is shallow, and collects unused objects."""


class Blob(NamedTuple):
    """A file of a tree."""

    path: str
    oid: str
    size: int


class Look(NamedTuple):
    """Result of a check of a repository. `problem`: a sync would fail. `note`: useful information."""

    problem: str | None = None
    note: str | None = None


class Tip(NamedTuple):
    """Remote state: the commit, the ref to fetch (or the commit), and its short name."""

    commit: str
    ref: str
    name: str


@dataclass
class _Listing:
    """A tree, sorted into documents and skipped files."""

    blobs: dict[str, Blob]
    skipped: list[Change]
    licences: list[Blob]


def sync(entry: GitEntry, known: Known, reach: Reach, call: Call) -> Generator[Change, None, State]:
    """Yield the differences from the known state to the remote's commit (`models.sources.syncing`).

    Raises `IngestionError`, `UrlRefused`; `Unavailable` without git."""
    remote = str(reach.local) if reach.local else entry.url
    git = Git(reach.cache, remote, call, Bounds(reach.total_bytes, reach.seconds), private=reach.private)
    tip = _tip(git, entry.ref)
    named = {"commit": tip.commit, "branch": tip.name}
    if known.is_whole and {**known.state, **named} == dict(known.state):
        return known.state
    _fetch(git, tip)
    listing = _listing(git, tip.commit, entry, reach, call)
    yield from listing.skipped
    state = {**named, **_licence(git, listing)}
    web = entry.web or (entry.url if "://" in entry.url else f"file:{entry.name}")
    yield from _Comparing(git, entry, known, listing, tip.commit, web, reach).changes()
    git.read("update-ref", _OURS, tip.commit)
    return state


def look(entry: GitEntry, known: Known, reach: Reach, call: Call) -> Look:
    """Check if the branch or tag exists, and if there are changes. Fetches nothing; raises the errors of `sync`."""
    remote = str(reach.local) if reach.local else entry.url
    git = Git(reach.cache, remote, call, Bounds(reach.total_bytes, reach.seconds), private=reach.private)
    if entry.ref is not None and _COMMIT.fullmatch(entry.ref):
        return Look()
    default, tips = _asked(git, "HEAD", *_names(entry.ref))
    main = (default or "HEAD").removeprefix("refs/heads/")
    tip = _named(tips, entry.ref) if entry.ref else Tip(tips.get("HEAD", ""), default or "HEAD", main)
    if tip is None or not tip.commit:
        wanted = f"branch or tag {entry.ref}" if entry.ref else "commit on its default branch"
        return Look(problem=f"it has no {wanted}; its default branch is {main}")
    synced = known.state.get("branch")
    if synced and synced != tip.name:
        return Look(note=f"it was synced from {synced}; the next sync takes {tip.name}")
    return Look(note="there is a newer commit") if known.state.get("commit") != tip.commit else Look()


# --- the remote ---


def _tip(git: Git, ref: str | None) -> Tip:
    """Return the remote commit of `ref`, or of the default branch, with one short exchange."""
    if ref is not None and _COMMIT.fullmatch(ref):
        return Tip(ref, ref, ref)
    default, tips = _asked(git, *(_names(ref) or ["HEAD"]))
    if ref is None:
        if "HEAD" not in tips:
            raise IngestionError(git.remote, "it is empty, or its default branch has no commit")
        return Tip(tips["HEAD"], default or "HEAD", (default or "HEAD").removeprefix("refs/heads/"))
    if (tip := _named(tips, ref)) is None:
        raise IngestionError(git.remote, f"it has no branch or tag {ref}", "biblicus check --sources")
    return tip


def _names(ref: str | None) -> list[str]:
    """Return the possible full names of a branch or tag."""
    return [] if ref is None else [f"refs/heads/{ref}", f"refs/tags/{ref}", f"refs/tags/{ref}^{{}}"]


def _asked(git: Git, *wanted: str) -> tuple[str | None, dict[str, str]]:
    """Return the ref of HEAD, and the commits of the refs found."""
    tips: dict[str, str] = {}
    default = None
    for line in git.ask("ls-remote", "--symref", "--", git.url, *wanted).decode("utf-8", "replace").split("\n"):
        value, _, name = line.partition("\t")
        if value.startswith("ref: ") and name == "HEAD" and _REMOTE_REF.fullmatch(value[5:]):
            default = value[5:]
        elif _COMMIT.fullmatch(value):
            tips[name] = value
    return default, tips


def _named(tips: Mapping[str, str], ref: str) -> Tip | None:
    """Return the branch of this name, or the tag."""
    name = next((name for name in _names(ref)[:2] if name in tips), None)
    return Tip(tips.get(f"{name}^{{}}", tips[name]), name, ref) if name else None


def _fetch(git: Git, tip: Tip) -> None:
    """Fetch the commit, without its history, to the bare clone."""
    format_ = "sha256" if len(tip.commit) == 64 else "sha1"
    packs = git.folder / "objects" / "pack"
    if packs.is_dir() and sum(1 for path in packs.glob("*.pack")) > _PACKS:
        shutil.rmtree(git.folder)
    git.make(format_)
    words = ("--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--force")
    more = ("--no-auto-maintenance", "--no-show-forced-updates")
    git.fetch("fetch", *words, *more, "--", git.url, f"+{tip.ref}:refs/biblicus/fetched")
    fetched = git.read("rev-parse", "--verify", "--end-of-options", "refs/biblicus/fetched^{commit}").decode().strip()
    if fetched != tip.commit:
        raise IngestionError(git.remote, "it changed while it was read")


# --- the tree ---


def _listing(git: Git, commit: str, entry: GitEntry, reach: Reach, call: Call) -> _Listing:
    """Return the files of a commit. Raises `IngestionError` if the tree or its documents exceed the limits."""
    listing, names = _Listing({}, [], []), Names()
    total = 0
    for seen, record in enumerate(git.records("ls-tree", "-r", "-z", "-l", "--full-tree", commit), 1):
        if seen > 10 * reach.documents:
            raise IngestionError(git.remote, f"its tree has more than {10 * reach.documents:,} files")
        if seen % 1_000 == 0:
            call.check()
        head, _, raw = record.partition(b"\t")
        mode, _, oid, size = head.decode("ascii", "replace").split()
        blob = Blob(name_of(raw), oid, int(size) if size.isdigit() else -1)
        if "/" not in blob.path and NAMED.fullmatch(blob.path) and 0 < blob.size < _LICENCE_BYTES:
            listing.licences.append(blob)
        reason = _left_out(mode, blob, entry, reach) or names.clash(blob.path)
        if reason is None:
            listing.blobs[blob.path] = blob
            total += blob.size
        elif reason != _BY_GLOB:
            listing.skipped.append(Change("skipped", blob.path, reason=reason))
        if len(listing.blobs) > reach.documents:
            raise IngestionError(git.remote, f"it has more than {reach.documents:,} documents", "include or exclude")
        if total > reach.total_bytes:
            raise IngestionError(git.remote, f"its documents have more than {reach.total_bytes:,} bytes")
    return listing


_BY_GLOB = "left out by a glob"


def _left_out(mode: str, blob: Blob, entry: GitEntry, reach: Reach) -> str | None:
    """Return the reason to skip a file of the tree; None if it may be a document."""
    if (chosen := unwanted(blob.path, entry.include, entry.exclude)) is not None:
        return chosen or _BY_GLOB
    if mode == "160000":
        return "a submodule"
    if mode == "120000":
        return "a symbolic link"
    if not mode.startswith("100"):
        return "no file"
    if reason := unsafe(blob.path):
        return reason
    if blob.size > reach.file_bytes:
        return f"larger than {reach.file_bytes:,} bytes"
    return "empty" if blob.size == 0 else "no blob" if blob.size < 0 else None


def _licence(git: Git, listing: _Listing) -> Mapping[str, str]:
    """Return the licence of the files at the top; empty if they differ."""
    texts = git.blobs(blob.oid for blob in listing.licences[:5])
    licences = {name for text in texts if text and (name := identify(text.decode("utf-8", "replace")))}
    return {"licence": licences.pop()} if len(licences) == 1 else {}


# --- the difference ---


@dataclass
class _Comparing:
    """Comparison of the tree with the known state. `web`: the base of the documents' addresses."""

    git: Git
    entry: GitEntry
    known: Known
    listing: _Listing
    commit: str
    web: str
    reach: Reach

    def changes(self) -> Iterator[Change]:
        """Yield the differences, removals first."""
        blobs, rows = self.listing.blobs, self.known.rows
        gone = {origin for origin, row in rows.items() if origin not in blobs and not row.gone}
        fresh = {path for path in blobs if path not in rows}
        renames = self._renames(gone, fresh) if gone and fresh else {}
        for origin in sorted(gone - set(renames.values())):
            yield Change("gone", origin)
        wanted = [blob for path, blob in blobs.items() if path in fresh or self._differs(rows[path], blob)]
        texts = self.git.blobs(blob.oid for blob in wanted)
        for done, (blob, data) in enumerate(zip(wanted, texts, strict=True)):
            self.git.call.progress("documents", done, len(wanted))
            yield self._found(blob, data, renames.get(blob.path))

    def _differs(self, row: Row, blob: Blob) -> bool:
        """Check if a known document must be read again: changed bytes, a missing copy, or another address."""
        if row.version != blob.oid or row.gone or row.origin in self.known.absent:
            return True
        return self.known.changed_entry and row.uri != self._uri(row.origin, row.ref or "")

    def _found(self, blob: Blob, data: bytes | None, was: str | None) -> Change:
        if data is None:
            return Change("failed", blob.path, reason="its object is not in the repository")
        if len(data) <= POINTER_BYTES and data.startswith(POINTER):
            return Change("skipped", blob.path, reason="a pointer to Git LFS, not the file itself")
        document = Document(blob.path, data, self._uri(blob.path, self.commit), self.commit, blob.oid)
        return Change("found", blob.path, document, was)

    def _uri(self, path: str, commit: str) -> str:
        return page_of(self.web, commit, path, self.entry.links)

    def _renames(self, gone: set[str], fresh: set[str]) -> dict[str, str]:
        """Return the known origin of each renamed document: from git, or by equal blobs."""
        renames = {new: old for new, old in self._told_by_git() if new in fresh and old in gone}
        by_blob: dict[str, list[str]] = {}
        for origin in sorted(gone - set(renames.values())):
            by_blob.setdefault(self.known.rows[origin].version or "", []).append(origin)
        for path in sorted(fresh - renames.keys()):
            if olds := by_blob.get(self.listing.blobs[path].oid):
                renames[path] = olds.pop(0)
        return renames

    def _told_by_git(self) -> Iterator[tuple[str, str]]:
        """Yield (new, old) of each rename since the last commit; nothing if that commit is not available."""
        old = self.known.state.get("commit", "")
        if not _COMMIT.fullmatch(old) or old == self.commit:
            return
        flags = ("-r", "-z", "-M", "--raw", "--diff-filter=R", "--no-ext-diff", "--no-textconv", "--no-commit-id")
        try:
            records = list(self.git.records("diff-tree", *flags, old, self.commit))
        except IngestionError:
            return
        for head, before, after in zip(records[::3], records[1::3], records[2::3], strict=False):
            if head.startswith(b":"):
                yield name_of(after), name_of(before)
