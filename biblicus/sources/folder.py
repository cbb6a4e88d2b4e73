"""Walks a folder to find candidate files for items, and skipped files with the reason.

Only ignore files and git's settings are opened. Links are not followed; version-control folders and `.biblicus` are
never entered. Ignore rules have gitignore syntax: `.biblicusignore` anywhere, and `.gitignore` in a git work tree, so
that a corpus is the same in every clone. The deepest rule wins, `.biblicusignore` over `.gitignore`, and `!pattern`
includes files again. Hidden files are skipped, except those that describe a repository and those included by this
machine's user (`ignoring`)."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Sequence
from dataclasses import field, replace
from pathlib import Path

from biblicus.disk import system
from biblicus.disk.files import Stamp, stamp_of
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Note
from biblicus.sources.ignoring import (
    IGNORE_FILE,
    SYSTEM,
    OwnRules,
    Rules,
    ignored,
    proof_beside,
    proof_within,
    rules_of,
)
from biblicus.text.paths import file_of, from_os, to_os, whole_of

SIDECAR = ".biblicus.yml"
NEVER = frozenset({".biblicus", ".git", ".hg", ".svn", ".bzr", "_darcs", "CVS", ".jj", ".fossil-settings"})
_LITTER = re.compile(r"\.biblicus-tmp-[0-9a-f]{12}")


@dataclass(frozen=True)
class Scan:
    """State of a folder: raw files and sidecars by relative path, in order; skipped files; stray files.

    `litter`: temporary files left by a crashed writer. `folders`: each listed folder, by its path with a trailing slash
    (empty at the root), with its stamp from before. `others`: other files that affect the result: ignore files, and
    files that are too large. `rules`: ignore rules by folder, if any; `own`: those of this machine. `made`:
    machine-made folders, which were not entered. Paths are in stored form (`text.paths`)."""

    files: dict[str, Stamp]
    sidecars: dict[str, Stamp]
    skipped: list[Note] = field(default_factory=list)
    failed: list[Note] = field(default_factory=list)
    litter: list[str] = field(default_factory=list)
    folders: dict[str, Stamp] = field(default_factory=dict)
    others: dict[str, Stamp] = field(default_factory=dict)
    rules: dict[str, list[Rules]] = field(default_factory=dict)
    own: OwnRules = OwnRules(None)
    made: list[str] = field(default_factory=list)

    def leave_out(self, folder: str, proof: str) -> None:
        """Skip a machine-made folder."""
        self.made.append(folder)
        self.skipped.append(Note(path=folder, reason=proof))

    def ignored(self, path: str) -> tuple[str, str] | None:
        """Return the ignored part of a member's path and the reason, by the rules for a file in its place."""
        base = file_of(path).rpartition("/")[0]
        rules = self.rules.get(f"{base}/" if base else "", [])
        parts = path.split("/")
        for depth in range(base.count("/") + bool(base) + 1, len(parts)):
            within, is_folder = "/".join(parts[: depth + 1]), depth < len(parts) - 1
            reason = (
                "system file"
                if parts[depth] in NEVER
                else ignored(to_os(within), parts[depth], is_folder, rules, self.own)
            )
            if reason:
                return within + ("/" if is_folder else ""), reason
        return None

    def rules_digest(self) -> str:
        """Return a digest of the ignore rules."""
        lines = {rule.base: rule.lines for rules in self.rules.values() for rule in rules}
        rules = repr((sorted(lines.items()), self.own.excludes, self.own.taken_in))
        return hashlib.sha256(rules.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def digest(self) -> str:
        """Return a digest of all file stamps, names, and skipped files."""
        digest = hashlib.sha256()
        for part in (self.files, self.sidecars):
            digest.update("\n".join([f"{p}\0{s[0]}\0{s[1]}\0{s[2]}\0{s[3]}" for p, s in part.items()]).encode())
            digest.update(b"\0\0")
        digest.update(repr((self.skipped, self.failed, self.rules_digest())).encode())
        return digest.hexdigest()


def walk(root: Path, own: OwnRules, *, max_bytes: int, machine_made: bool = False) -> Scan:
    """Return every file under `root`, depth first, sorted by path. Files over `max_bytes` are skipped unread.

    `machine_made`: also enter machine-made folders."""
    scan = _listed(root, own, [("", [])], max_bytes, machine_made=machine_made)
    return replace(
        scan,
        files=dict(sorted(scan.files.items())),
        sidecars=dict(sorted(scan.sidecars.items())),
        skipped=sorted(scan.skipped, key=lambda note: note.path),
        failed=sorted(scan.failed, key=lambda note: note.path),
    )


def listed_again(
    root: Path,
    own: OwnRules,
    folders: Sequence[str],
    known: Collection[str],
    *,
    max_bytes: int,
    machine_made: bool = False,
) -> Scan:
    """List some folders, and subfolders that are not `known`. Paths in stored form."""
    stack: list[tuple[str, list[Rules]]] = []
    for folder in folders:
        base = to_os(folder)
        above = [base[: place + 1] for place, char in enumerate(base[:-1]) if char == "/"]
        rules: list[Rules] = []
        for parent in ["", *above] if base else []:
            with os.scandir(os.path.join(root, parent)) as listing:
                rules += rules_of(list(listing), parent, own, {}, [])
        stack.append((base, rules))
    return _listed(root, own, stack, max_bytes, {to_os(folder) for folder in known}, machine_made=machine_made)


def _listed(
    root: Path,
    own: OwnRules,
    stack: list[tuple[str, list[Rules]]],
    max_bytes: int,
    known: Collection[str] = frozenset(),
    *,
    machine_made: bool,
) -> Scan:
    """List the folders of a stack and their subfolders, except `known` ones."""
    scan = Scan({}, {}, own=own)
    while stack:
        base, rules = stack.pop()
        where = os.path.join(root, base) if base else root
        try:
            scan.folders[from_os(base)] = stamp_of(os.stat(where, follow_symlinks=False))
            with os.scandir(where) as listing:
                entries = list(listing)
        except OSError as error:
            scan.failed.append(Note(path=from_os(base) or ".", reason=(error.strerror or str(error)).lower()))
            continue
        if base and not machine_made and (proof := proof_within(base, entries)):
            scan.leave_out(from_os(base), proof)
            continue
        rules = rules + rules_of(entries, base, own, scan.others, scan.failed)
        if rules:
            scan.rules[from_os(base)] = rules
        below: list[tuple[str, list[Rules]]] = []
        names = {entry.name for entry in entries}
        for entry in entries:
            if whole_of(entry.name) in names:
                scan.skipped.append(
                    Note(path=from_os(f"{base}{entry.name}"), reason="all its rows stand in the _all.csv beside it")
                )
                continue
            _place(entry, base, rules, scan, below, max_bytes)
        if not machine_made:
            below = [folder for folder in below if not _is_built(folder[0], entries, scan)]
        stack += [folder for folder in below if folder[0] not in known]
    return scan


def _is_built(folder: str, entries: Sequence[os.DirEntry[str]], scan: Scan) -> bool:
    """Check if neighbouring files prove that a folder is machine-made, and skip it then."""
    proof = proof_beside(folder, entries)
    if proof is not None:
        scan.leave_out(from_os(folder), proof)
    return proof is not None


def _place(
    entry: os.DirEntry[str],
    base: str,
    rules: Sequence[Rules],
    scan: Scan,
    stack: list[tuple[str, list[Rules]]],
    max_bytes: int,
) -> None:
    """Sort one directory entry into the scan, or onto the stack of folders to enter."""
    name = entry.name
    if name in NEVER or name == IGNORE_FILE:
        return
    raw = f"{base}{name}"
    if _LITTER.fullmatch(name) and entry.is_file(follow_symlinks=False):
        scan.litter.append(raw)
        return
    is_folder = entry.is_dir(follow_symlinks=False)
    if (rules or scan.own.excludes or name[0] == "." or name in SYSTEM or name.startswith("~$")) and (
        reason := ignored(raw, name, is_folder, rules, scan.own)
    ):
        if name not in (".gitignore", ".gitattributes", ".gitmodules", ".gitkeep"):
            scan.skipped.append(Note(path=from_os(raw) + ("/" if is_folder else ""), reason=reason))
        return
    if is_folder:
        stack.append((f"{raw}/", list(rules)))
        return
    if entry.is_symlink():
        scan.skipped.append(Note(path=from_os(raw), reason="symbolic link"))
        return
    try:
        status = system.status_of(entry)
    except OSError as error:
        scan.failed.append(Note(path=from_os(raw), reason=(error.strerror or str(error)).lower()))
        return
    path = from_os(raw)
    if not stat.S_ISREG(status.st_mode):
        scan.skipped.append(Note(path=path, reason="not a regular file"))
    elif system.is_elsewhere(status):
        scan.skipped.append(Note(path=path, reason="only in the cloud, not on this machine"))
    elif status.st_size > max_bytes:
        scan.skipped.append(Note(path=path, reason=f"larger than {max_bytes} bytes (max_file_bytes)"))
        scan.others[path] = stamp_of(status)
    else:
        (scan.sidecars if name.endswith(SIDECAR) else scan.files)[path] = stamp_of(status)
