"""A git repository as a source: documents are read from the object store of a shallow bare clone.

There is no work tree, so nothing is checked out, filtered or run (`guards.git`). Each sync compares the tree of the
remote's commit with the known blobs; so the distance between the two commits, a lost clone in `reach.cache`, or an
interrupted sync does not matter. Renames come from git (`diff-tree -M`) if the old commit is available, otherwise from
equal content.

State: `commit`, `branch` (or the tag or commit of `ref`), `licence` if the repository has one."""

from __future__ import annotations

import re
import shutil
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from biblicus.contracts import Given
from biblicus.errors import IngestionError
from biblicus.guards.git import Bounds, Git
from biblicus.models.sources.entries import GitEntry as Options
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.door import Sync, sync_of
from biblicus.sources.naming import POINTER, POINTER_BYTES, name_of
from biblicus.text.citations import page_of

_OURS = "refs/biblicus/synced"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REMOTE_REF = re.compile(r"refs/[^\x00-\x20\x7f]+")
_LICENCE_BYTES = 200_000
_LICENCE_FILE = re.compile(r"(?:LICEN[CS]E|COPYING|UNLICENSE)(?:[.-][A-Za-z0-9._-]{1,20})?", re.IGNORECASE)
_SPDX = re.compile(r"SPDX-License-Identifier:\s*([A-Za-z0-9.+-]{2,40})")
_LICENCE_HEAD = 40_000
_LICENCES = (
    ("AGPL-3.0", "gnu affero general public license version 3"),
    ("LGPL-3.0", "gnu lesser general public license version 3"),
    ("LGPL-2.1", "gnu lesser general public license version 2.1"),
    ("GPL-3.0", "gnu general public license version 3"),
    ("GPL-2.0", "gnu general public license version 2"),
    ("MPL-2.0", "mozilla public license version 2.0"),
    ("EPL-2.0", "eclipse public license - v 2.0"),
    ("Apache-2.0", "apache license version 2.0"),
    ("BSL-1.0", "boost software license - version 1.0"),
    ("CC0-1.0", "cc0 1.0 universal"),
    ("CC-BY-SA-4.0", "attribution-sharealike 4.0 international"),
    ("CC-BY-4.0", "attribution 4.0 international"),
    ("Unlicense", "this is free and unencumbered software released into the public domain"),
    ("ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"),
    ("MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software"),
)
_BSD = "redistribution and use in source and binary forms, with or without modification"
_MODES = {"160": "a submodule", "120": "a symbolic link", "100": ""}
"""Reasons to skip a file by its mode."""
_PACKS = 30
"""Number of packs after which the clone is recreated: it is shallow, and collects unused objects."""


class Blob(NamedTuple):
    """A file of a tree. `reason`: why it is no document, or empty."""

    path: str
    oid: str
    size: int
    reason: str


class Look(NamedTuple):
    """Result of a check of a repository. `problem`: a sync would fail. `note`: useful information."""

    problem: str | None = None
    note: str | None = None


class Tip(NamedTuple):
    """Remote state: the commit, the ref to fetch (or the commit), and its short name."""

    commit: str
    ref: str
    name: str


def build(options: Options, given: Given) -> Repository:
    """Open the clone of a repository. Raises `UrlRefused`, `Unavailable` without git."""
    sync = sync_of(given)
    return Repository(options, sync, _opened(options, sync))


@dataclass
class Repository:
    """A repository at the commit of its branch. A document's id is its path there."""

    entry: Options
    sync: Sync
    git: Git
    _commit: str = ""
    _blobs: Iterator[bytes | None] = field(default_factory=lambda: iter(()))
    _wanted: deque[str] = field(default_factory=deque)

    def list(self, since: State) -> Iterator[Page]:
        """Yield the tree of the commit in one page; nothing if it is the known one. Raises `IngestionError`."""
        tip = _tip(self.git, self.entry.ref)
        if isinstance(tip, str):
            raise IngestionError(self.git.remote, tip, "biblicus check --sources")
        named = {"commit": tip.commit, "branch": tip.name}
        if self.sync.known.is_whole and {**since, **named} == dict(since):
            yield Page()
            return
        _fetch(self.git, tip)
        self._commit = tip.commit
        blobs = self._tree(tip.commit)
        with closing(self.git.blobs(iter(self._wanted.popleft, ""), at_once=1)) as self._blobs:
            yield Page(self._entries(blobs), {**named, **_licence(self.git, blobs)}, complete=True)
        self.git.read("update-ref", _OURS, tip.commit)

    def fetch(self, entry: Listed) -> Document | str:
        oid = entry.etag or ""
        self._wanted.append(oid)
        data = next(self._blobs)
        if data is None:
            raise IngestionError(self.git.remote, "its object is not in the repository")
        if len(data) <= POINTER_BYTES and data.startswith(POINTER):
            return "a pointer to Git LFS, not the file itself"
        return Document(entry.id, data, self._uri(entry.id, self._commit), self._commit, oid)

    # --- the tree ---

    def _tree(self, commit: str) -> dict[str, Blob]:
        """Return the files of a commit. Raises `IngestionError` if there are too many."""
        blobs, most = dict[str, Blob](), 10 * self.sync.reach.documents
        for number, record in enumerate(self.git.records("ls-tree", "-r", "-z", "-l", "--full-tree", commit), 1):
            if number > most:
                raise IngestionError(self.git.remote, f"its tree has more than {most:,} files")
            if number % 1_000 == 0:
                self.sync.call.check()
            head, _, raw = record.partition(b"\t")
            mode, _, oid, size = head.decode("ascii", "replace").split()
            path = name_of(raw)
            blobs[path] = Blob(path, oid, int(size) if size.isdigit() else -1, _MODES.get(mode[:3], "no file"))
        return blobs

    def _entries(self, blobs: Mapping[str, Blob]) -> Sequence[Listed]:
        """Return the entries of a tree. A document that did not change stays pinned to its commit."""
        rows = self.sync.known.rows
        gone = {path for path, row in rows.items() if path not in blobs and not row.gone}
        fresh = {path for path in blobs if path not in rows}
        renames = self._renames(gone, fresh, blobs) if gone and fresh else {}
        entries = []
        for path, blob in blobs.items():
            reason = blob.reason or ("no blob" if blob.size < 0 else "")
            row = rows.get(path)
            uri = None if row is None else row.uri
            if row is not None and self.sync.known.changed_entry:
                uri = self._uri(path, row.ref or "")
            what: Literal["skipped", "here"] = "skipped" if reason else "here"
            was = renames.get(path)
            entries.append(
                Listed(path, blob.oid, path=path, uri=uri, size=blob.size, was=was, what=what, reason=reason)
            )
        return entries

    def _uri(self, path: str, commit: str) -> str:
        web = self.entry.web or (self.entry.url if "://" in self.entry.url else f"file:{self.entry.name}")
        return page_of(web, commit, path, self.entry.links)

    def _renames(self, gone: set[str], fresh: set[str], blobs: Mapping[str, Blob]) -> dict[str, str]:
        """Return the known path of each renamed document: from git, or by equal blobs."""
        renames = {new: old for new, old in self._git_renames() if new in fresh and old in gone}
        by_blob: dict[str, list[str]] = {}
        for path in sorted(gone - set(renames.values())):
            by_blob.setdefault(self.sync.known.rows[path].version or "", []).append(path)
        for path in sorted(fresh - renames.keys()):
            if olds := by_blob.get(blobs[path].oid):
                renames[path] = olds.pop(0)
        return renames

    def _git_renames(self) -> Iterator[tuple[str, str]]:
        """Yield (new, old) of each rename since the last commit; nothing if that commit is not available."""
        old = self.sync.known.state.get("commit", "")
        if not _COMMIT.fullmatch(old) or old == self._commit:
            return
        flags = ("-r", "-z", "-M", "--raw", "--diff-filter=R", "--no-ext-diff", "--no-textconv", "--no-commit-id")
        try:
            records = list(self.git.records("diff-tree", *flags, old, self._commit))
        except IngestionError:
            return
        for head, before, after in zip(records[::3], records[1::3], records[2::3], strict=False):
            if head.startswith(b":"):
                yield name_of(after), name_of(before)


def _opened(entry: Options, sync: Sync) -> Git:
    reach = sync.reach
    remote = str(reach.local) if reach.local else entry.url
    return Git(reach.cache, remote, sync.call, Bounds(reach.total_bytes, reach.seconds), private=reach.private)


def look(entry: Options, sync: Sync) -> Look:
    """Check if the branch or tag exists, and if there are changes. Fetches nothing; raises the errors of a sync."""
    state, tip = sync.known.state, _tip(_opened(entry, sync), entry.ref)
    if isinstance(tip, str):
        return Look(problem=tip)
    if tip.ref == tip.commit:
        return Look()
    synced = state.get("branch")
    if synced and synced != tip.name:
        return Look(note=f"it was synced from {synced}; the next sync takes {tip.name}")
    return Look(note="there is a newer commit") if state.get("commit") != tip.commit else Look()


# --- the remote ---


def _tip(git: Git, ref: str | None) -> Tip | str:
    """Return the remote commit of `ref`, or of the default branch, or why there is none, with one short exchange."""
    if ref is not None and _COMMIT.fullmatch(ref):
        return Tip(ref, ref, ref)
    names = [] if ref is None else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    head, tips = _asked(git, "HEAD", *names, *(f"{name}^{{}}" for name in names[1:]))
    default = head.removeprefix("refs/heads/")
    if ref is None:
        commit = tips.get("HEAD")
        return Tip(commit, head, default) if commit else "it is empty, or its default branch has no commit"
    name = next((name for name in names if name in tips), None)
    if name is None:
        return f"it has no branch or tag {ref}; its default branch is {default}"
    return Tip(tips.get(f"{name}^{{}}", tips[name]), name, ref)


def _asked(git: Git, *wanted: str) -> tuple[str, dict[str, str]]:
    """Return the ref of HEAD, and the commits of the refs found."""
    tips: dict[str, str] = {}
    default = "HEAD"
    for line in git.ask("ls-remote", "--symref", "--", git.url, *wanted).decode("utf-8", "replace").split("\n"):
        value, _, name = line.partition("\t")
        if value.startswith("ref: ") and name == "HEAD" and _REMOTE_REF.fullmatch(value[5:]):
            default = value[5:]
        elif _COMMIT.fullmatch(value):
            tips[name] = value
    return default, tips


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


def _licence(git: Git, blobs: Mapping[str, Blob]) -> Mapping[str, str]:
    """Return the licence of the files at the top; empty if they differ."""
    named = (blob for blob in blobs.values() if "/" not in blob.path and _LICENCE_FILE.fullmatch(blob.path))
    licences = [blob for blob in named if 0 < blob.size < _LICENCE_BYTES]
    texts = git.blobs(blob.oid for blob in licences[:5])
    names = {name for text in texts if text and (name := identify_licence(text.decode("utf-8", "replace")))}
    return {"licence": names.pop()} if len(names) == 1 else {}


def identify_licence(text: str) -> str | None:
    """Return the SPDX identifier of a licence text by its characteristic sentences, or None if unclear."""
    if stated := _SPDX.search(text[:_LICENCE_HEAD]):
        return stated[1]
    flat = " ".join(re.sub(r"[^\w.,/-]+", " ", text[:_LICENCE_HEAD].lower()).split()).replace(", ", " ")
    for name, sentence in _LICENCES:
        if sentence.replace(", ", " ") in flat:
            return name
    if _BSD.replace(", ", " ") in flat:
        promotes = "neither the name of" in flat or "may not be used to endorse or promote" in flat
        return "BSD-3-Clause" if promotes else "BSD-2-Clause"
    return None
