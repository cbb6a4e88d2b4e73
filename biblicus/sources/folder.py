"""Walks a folder: which files are candidates for items, which are left out, and why.

Nothing is opened but ignore files. Links are not followed; version-control folders and `.biblicus` are never entered.
Ignore rules are gitignore syntax: `.biblicusignore` anywhere, and `.gitignore` inside a git work tree, because what git
ignores is not in a clone and a corpus must be the same there. The deepest rule wins, `.biblicusignore` over
`.gitignore`, and `!pattern` takes files back in, hidden ones too. Hidden ones are left out, but for those in which a
repository tells of itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from warnings import catch_warnings

from biblicus.disk.files import Stamp, stamp_of
from biblicus.errors import UnsafeInput
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Note
from biblicus.sources.machine_made import proof_beside, proof_within
from biblicus.text.paths import file_of, from_os, to_os

if TYPE_CHECKING:
    from pathspec.pattern import Pattern

SIDECAR = ".biblicus.yml"
IGNORE_FILE = ".biblicusignore"
_NEVER = frozenset({".biblicus", ".git", ".hg", ".svn", ".bzr", "_darcs", "CVS", ".jj", ".fossil-settings"})
_SYSTEM = frozenset({"Thumbs.db", "desktop.ini", "ehthumbs.db", "__MACOSX"})
_SHOWN = re.compile(
    r"\.(?:github|gitlab|gitea|forgejo|circleci|gitlab-ci\.yml|travis\.yml|readthedocs\.ya?ml|pre-commit-config\.yaml"
    r"|env\.(?:example|sample|template|dist))"
)
"""Hidden names of what a repository says of itself: how to contribute and how it is tested stand in folders of the
places where it is developed, and which settings it reads in an example."""
_LITTER = re.compile(r"\.biblicus-tmp-[0-9a-f]{12}")
_IGNORE_LIMIT = 1 << 20
_PATTERN_LIMIT = 5_000
"""Patterns of one folder: each is tried on each name below it."""
_COMMENT = "#"
"""In the place of a blank line, and of one that is no pattern: each line has its own, which matches nothing."""
_STAR = "[^/]*"
_OPEN = re.compile(r"\[\^/\]\*(?!\?)|\.\+")
"""A part of a pattern's regular expression that can match at many places."""
_OPEN_LIMIT = 3
_VARIABLE = re.compile(r"\(|\[\^(?!/\])")
"""What can match a slash or a length of its own choice."""


class _Rules(NamedTuple):
    """The ignore rules of one folder: its path with a trailing slash (empty at the root), its pattern list, the file
    that each pattern stands in, and the lines themselves."""

    base: str
    spec: object
    origins: list[str]
    lines: list[str]


@dataclass(frozen=True)
class Scan:
    """A folder as it stands: raw files and sidecars by relative path, in order; what was left out; stray files.

    `litter`: temporary files of a writer that died. `folders`: each that was listed, by its path with a trailing slash
    (empty at the root), with its stamp from before. `others`: what else decides what is left out: ignore files, and
    files that are too large. `rules`: the ignore rules that hold in a folder, where there are any. `made`: machine-made
    folders, which were not entered. Paths are in stored form (`text.paths`).
    """

    files: dict[str, Stamp]
    sidecars: dict[str, Stamp]
    skipped: list[Note] = field(default_factory=list)
    failed: list[Note] = field(default_factory=list)
    litter: list[str] = field(default_factory=list)
    folders: dict[str, Stamp] = field(default_factory=dict)
    others: dict[str, Stamp] = field(default_factory=dict)
    rules: dict[str, list[_Rules]] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    def leave_out(self, folder: str, proof: str) -> None:
        """Leave a machine-made folder out."""
        self.made.append(folder)
        self.skipped.append(Note(path=folder, reason=proof))

    def ignored(self, path: str) -> tuple[str, str] | None:
        """What of a member's path is left out, by the rules that hold for a file in its place, and why."""
        base = file_of(path).rpartition("/")[0]
        rules = self.rules.get(f"{base}/" if base else "", [])
        parts = path.split("/")
        for depth in range(base.count("/") + bool(base) + 1, len(parts)):
            within, is_folder = "/".join(parts[: depth + 1]), depth < len(parts) - 1
            reason = (
                "system file" if parts[depth] in _NEVER else _ignored(to_os(within), parts[depth], is_folder, rules)
            )
            if reason:
                return within + ("/" if is_folder else ""), reason
        return None

    def rules_digest(self) -> str:
        """Changes whenever an ignore rule does."""
        lines = {rule.base: rule.lines for rules in self.rules.values() for rule in rules}
        return hashlib.sha256(repr(sorted(lines.items())).encode()).hexdigest()[:16] if lines else ""

    def digest(self) -> str:
        """Changes whenever any file's stamp, a name, or what was left out does."""
        digest = hashlib.sha256()
        for part in (self.files, self.sidecars):
            digest.update("\n".join([f"{p}\0{s[0]}\0{s[1]}\0{s[2]}\0{s[3]}" for p, s in part.items()]).encode())
            digest.update(b"\0\0")
        digest.update(repr((self.skipped, self.failed, self.rules_digest())).encode())
        return digest.hexdigest()


def walk(root: Path, *, max_bytes: int, machine_made: bool = False) -> Scan:
    """Every file under `root`, depth first, sorted by path. Files over `max_bytes` are skipped unread.

    `machine_made`: folders that a program made are entered, too.
    """
    scan = _listed(root, [("", [])], max_bytes, machine_made=machine_made)
    return replace(
        scan,
        files=dict(sorted(scan.files.items())),
        sidecars=dict(sorted(scan.sidecars.items())),
        skipped=sorted(scan.skipped, key=lambda note: note.path),
        failed=sorted(scan.failed, key=lambda note: note.path),
    )


def listed_again(
    root: Path, folders: Sequence[str], known: Collection[str], *, max_bytes: int, machine_made: bool = False
) -> Scan:
    """What lies in some folders, and below them in such as are not `known`. Paths in stored form."""
    in_git = in_work_tree(root)
    unused = Scan({}, {})
    stack: list[tuple[str, list[_Rules]]] = []
    for folder in folders:
        base = to_os(folder)
        above = [base[: place + 1] for place, char in enumerate(base[:-1]) if char == "/"]
        rules: list[_Rules] = []
        for parent in ["", *above] if base else []:
            with os.scandir(os.path.join(root, parent)) as listing:
                rules += _rules_of(list(listing), parent, in_git, unused)
        stack.append((base, rules))
    return _listed(root, stack, max_bytes, {to_os(folder) for folder in known}, machine_made=machine_made)


def in_work_tree(root: Path) -> bool:
    """Whether a folder lies in a git work tree, where `.gitignore` counts."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def _listed(
    root: Path,
    stack: list[tuple[str, list[_Rules]]],
    max_bytes: int,
    known: Collection[str] = frozenset(),
    *,
    machine_made: bool,
) -> Scan:
    """The folders of a stack and those below them, but for those that are `known`."""
    scan = Scan({}, {})
    in_git = in_work_tree(root)
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
        rules = rules + _rules_of(entries, base, in_git, scan)
        if rules:
            scan.rules[from_os(base)] = rules
        below: list[tuple[str, list[_Rules]]] = []
        for entry in entries:
            _place(entry, base, rules, scan, below, max_bytes)
        if not machine_made:
            below = [folder for folder in below if not _is_built(folder[0], entries, scan)]
        stack += [folder for folder in below if folder[0] not in known]
    return scan


def _is_built(folder: str, entries: Sequence[os.DirEntry[str]], scan: Scan) -> bool:
    """Whether a folder is machine-made by what lies beside it, and is left out."""
    proof = proof_beside(folder, entries)
    if proof is not None:
        scan.leave_out(from_os(folder), proof)
    return proof is not None


def _place(
    entry: os.DirEntry[str],
    base: str,
    rules: Sequence[_Rules],
    scan: Scan,
    stack: list[tuple[str, list[_Rules]]],
    max_bytes: int,
) -> None:
    """Sort one directory entry into the scan, or onto the stack of folders to enter."""
    name = entry.name
    if name in _NEVER or name == IGNORE_FILE:
        return
    raw = f"{base}{name}"
    if _LITTER.fullmatch(name) and entry.is_file(follow_symlinks=False):
        scan.litter.append(raw)
        return
    is_folder = entry.is_dir(follow_symlinks=False)
    if (rules or name[0] == "." or name in _SYSTEM or name.startswith("~$")) and (
        reason := _ignored(raw, name, is_folder, rules)
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
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        scan.failed.append(Note(path=from_os(raw), reason=(error.strerror or str(error)).lower()))
        return
    path = from_os(raw)
    if not stat.S_ISREG(status.st_mode):
        scan.skipped.append(Note(path=path, reason="not a regular file"))
    elif status.st_size > max_bytes:
        scan.skipped.append(Note(path=path, reason=f"larger than {max_bytes} bytes (max_file_bytes)"))
        scan.others[path] = stamp_of(status)
    else:
        (scan.sidecars if name.endswith(SIDECAR) else scan.files)[path] = stamp_of(status)


def _ignored(raw: str, name: str, is_folder: bool, rules: Sequence[_Rules]) -> str | None:
    """Why a name is left out, or None. The deepest folder with a matching pattern decides."""
    for base, spec, origins, _ in reversed(rules):
        relative = raw[len(base) :] + ("/" if is_folder else "")
        verdict = spec.check_file(relative)  # type: ignore[attr-defined]  # a pathspec, imported where it is made
        if verdict.include is not None:
            return f"ignored by {base}{origins[verdict.index]}" if verdict.include else None
    if _is_hidden(name):
        return "hidden"
    if name in _SYSTEM or name.startswith("~$"):
        return "system file"
    return None


def _is_hidden(name: str) -> bool:
    """Whether a name begins as hidden ones do and is none under which a repository tells of itself."""
    return name[0] == "." and _SHOWN.fullmatch(name) is None


def _rules_of(entries: Sequence[os.DirEntry[str]], base: str, in_git: bool, scan: Scan) -> list[_Rules]:
    """The rules that a folder's ignore files add. A line that is no pattern is a reported failure."""
    names = [".gitignore", IGNORE_FILE] if in_git else [IGNORE_FILE]
    present = {entry.name: entry for entry in entries if entry.name in names}
    lines: list[str] = []
    origins: list[str] = []
    for name in names:
        if name in present and present[name].is_file(follow_symlinks=False):
            scan.others[from_os(f"{base}{name}")] = stamp_of(present[name].stat(follow_symlinks=False))
            written = _read_rules(present[name].path)
            lines += written
            origins += [name] * len(written)
    if not lines:
        return []
    from pathspec import GitIgnoreSpec  # lazy: most folders have no ignore file

    if len(lines) > _PATTERN_LIMIT:
        raise UnsafeInput(f"{base}{origins[-1]} has more than {_PATTERN_LIMIT} lines.", f"shorten {base}{origins[-1]}")
    patterns: list[Pattern] = []
    for line, origin in zip(lines, origins, strict=True):
        try:
            with catch_warnings(action="ignore"):  # of Python's own regex dialect
                patterns.append(_tame(*GitIgnoreSpec.from_lines([line or _COMMENT]).patterns))
        except ValueError:
            scan.failed.append(Note(path=from_os(f"{base}{origin}"), reason=f"no pattern: {from_os(line)[:80]}"))
            patterns += GitIgnoreSpec.from_lines([_COMMENT]).patterns
    return [_Rules(base, GitIgnoreSpec(patterns), origins, lines)]  # type: ignore[arg-type]  # a tamed one has its groups


def _tame(pattern: Pattern) -> Pattern:
    """The same pattern without runaway backtracking: a committed file must not be able to stop a walk.

    What stands between two stars is matched where it is found first (an atomic group), which decides nothing, as the
    second star takes the rest. Raises `ValueError` where more than that is left open.
    """
    regex: re.Pattern[str] | None = getattr(pattern, "regex", None)
    if regex is None or len(_OPEN.findall(regex.pattern)) < _OPEN_LIMIT:
        return pattern
    from pathspec.pattern import RegexPattern

    if _STAR not in regex.pattern:
        raise ValueError("too many wildcards")
    first, *between, last = regex.pattern.split(_STAR)
    fixed = [_STAR + part if _VARIABLE.search(part) else f"(?>[^/]*?{part})" for part in between]
    text = first + "".join(fixed) + _STAR + last
    if len(_OPEN.findall(text)) > _OPEN_LIMIT:
        raise ValueError("too many wildcards")
    return RegexPattern(re.compile(text), pattern.include)


def _read_rules(path: str) -> list[str]:
    with open(path, "rb") as stream:
        data = stream.read(_IGNORE_LIMIT + 1)
    if len(data) > _IGNORE_LIMIT:
        raise UnsafeInput(f"{path} is larger than {_IGNORE_LIMIT} bytes.", f"shorten {path}")
    return data.decode("utf-8", "surrogateescape").splitlines()
