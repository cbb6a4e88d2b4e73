"""Decides which names of a folder are left out: by ignore files, by how they begin, by this machine's user.

A committed file may hide, and take back what a committed file hid; it never uncovers a hidden name, nor what the user's
own git settings hide. Only the user takes hidden names in (`OwnRules.taken_in`). Git's settings (`.git/info/exclude`,
`core.excludesFile`) are read as data; git is not started. `[include]` is followed, `[includeIf]` is not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import catch_warnings

from biblicus.disk import files
from biblicus.disk.files import Stamp, stamp_of
from biblicus.errors import UnsafeInput
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Note
from biblicus.text.paths import from_os

if TYPE_CHECKING:
    from pathspec.pattern import Pattern

IGNORE_FILE = ".biblicusignore"
BY_GIT_SETTINGS = "left out by this machine's git settings"
SYSTEM = frozenset({"Thumbs.db", "desktop.ini", "ehthumbs.db", "__MACOSX"})
_SHOWN = (
    r"\.(?:github|gitlab|gitea|forgejo|circleci|gitlab-ci\.yml|travis\.yml|readthedocs\.ya?ml|pre-commit-config\.yaml"
    r"|env\.(?:example|sample|template|dist))"
)
"""Hidden names of what a repository says of itself: how to contribute and how it is tested stand in folders of the
places where it is developed, and which settings it reads in an example."""
_IGNORE_LIMIT = 1 << 20
_PATTERN_LIMIT = 5_000
"""Patterns of one folder: each is tried on each name below it."""
_COMMENT = "#"
"""In the place of a blank line, and of one that is no pattern: each line has its own, which matches nothing."""
_STAR = "[^/]*"
# Expressions that are compiled when they are first used: a question needs none of them.
_OPEN = r"\[\^/\]\*(?!\?)|\.\+"
"""A part of a pattern's regular expression that can match at many places."""
_OPEN_LIMIT = 3
_VARIABLE = r"\(|\[\^(?!/\])"
"""Patterns that can match a slash or any length."""


class Rules(NamedTuple):
    """The ignore rules of one folder: its path with a trailing slash (empty at the root), its pattern list, the file
    that each pattern stands in, and the lines themselves."""

    base: str
    spec: object
    origins: list[str]
    lines: list[str]


@dataclass(frozen=True)
class OwnRules:
    """This machine's rules for a folder. `tree`: the git work tree that holds it, None where none does. `taken_in`: the
    user's patterns of hidden names, from the folder's root. `excludes`: lines of git's settings of this machine, the
    strongest last; `within`: the folder's path in the work tree, with a trailing slash."""

    tree: Path | None
    taken_in: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    within: str = ""

    @property
    def token(self) -> str:
        """Changes whenever one of the rules does."""
        return repr((self.tree is not None, self.taken_in, self.excludes and (self.within, self.excludes)))

    def takes_in(self, path: str) -> bool:
        """Return true if the user's settings take a hidden name in."""
        return bool(self._taken_in is not None and self._taken_in.match_file(path))

    def leaves_out(self, path: str) -> bool:
        """Return true if git's settings of this machine hide a path; folders end with a slash."""
        return bool(self._excludes is not None and self._excludes.match_file(self.within + path))

    @cached_property
    def _taken_in(self) -> Any:
        lines = [re.sub(r"/\*+$", "", line) for line in self.taken_in]
        return _spec(lines, ["hidden"] * len(lines), "", []) if lines else None

    @cached_property
    def _excludes(self) -> Any:
        lines = self.excludes
        return _spec(lines, ["core.excludesFile"] * len(lines), "", []) if lines else None


def own_rules(root: Path, taken_in: Sequence[str] = (), *, with_excludes: bool = True) -> OwnRules:
    """Read this machine's rules for a folder. Without `with_excludes`, git's settings hide nothing."""
    tree = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if tree is None or not with_excludes:
        return OwnRules(tree, tuple(taken_in))
    within = "" if tree == root else root.relative_to(tree).as_posix() + "/"
    return OwnRules(tree, tuple(taken_in), tuple(local_excludes(tree)), within)


def ignored(raw: str, name: str, is_folder: bool, rules: Sequence[Rules], own: OwnRules) -> str | None:
    """Why a name is left out, or None. Of ignore files the deepest with a matching pattern decides."""
    path = raw + ("/" if is_folder else "")
    for base, spec, origins, _ in reversed(rules):
        verdict = spec.check_file(path[len(base) :])  # type: ignore[attr-defined]  # a pathspec
        if verdict.include:
            return f"ignored by {base}{origins[verdict.index]}"
        if verdict.include is not None:
            break
    if is_hidden(name) and not own.takes_in(path):
        return "hidden"
    if name in SYSTEM or name.startswith("~$"):
        return "system file"
    return BY_GIT_SETTINGS if own.leaves_out(path) else None


def is_hidden(name: str) -> bool:
    """Return true if a name begins with a dot and is none under which a repository describes itself."""
    return name[0] == "." and re.fullmatch(_SHOWN, name) is None


def rules_of(
    entries: Sequence[os.DirEntry[str]], base: str, own: OwnRules, read: dict[str, Stamp], failed: list[Note]
) -> list[Rules]:
    """The rules that a folder's ignore files add. `read` gets their stamps, `failed` each line that is no pattern."""
    names = [".gitignore", IGNORE_FILE] if own.tree is not None else [IGNORE_FILE]
    present = {entry.name: entry for entry in entries if entry.name in names}
    lines: list[str] = []
    origins: list[str] = []
    for name in names:
        if name in present and present[name].is_file(follow_symlinks=False):
            read[from_os(f"{base}{name}")] = stamp_of(present[name].stat(follow_symlinks=False))
            written = _read_rules(present[name].path)
            lines += written
            origins += [name] * len(written)
    if not lines:
        return []
    return [Rules(base, _spec(lines, origins, base, failed), origins, lines)]


def _spec(lines: Sequence[str], origins: Sequence[str], base: str, failed: list[Note]) -> Any:
    """The patterns of some lines, one for each. `failed` gets a note for each line that is no pattern."""
    from pathspec import GitIgnoreSpec  # lazy: most folders have no ignore file

    if len(lines) > _PATTERN_LIMIT:
        raise UnsafeInput(f"{base}{origins[-1]} has more than {_PATTERN_LIMIT} lines.", f"shorten {base}{origins[-1]}")
    patterns: list[Pattern] = []
    for line, origin in zip(lines, origins, strict=True):
        try:
            with catch_warnings(action="ignore"):  # of Python's own regex dialect
                patterns.append(_tame(*GitIgnoreSpec.from_lines([line or _COMMENT]).patterns))
        except ValueError:
            failed.append(Note(path=from_os(f"{base}{origin}"), reason=f"no pattern: {from_os(line)[:80]}"))
            patterns += GitIgnoreSpec.from_lines([_COMMENT]).patterns
    return GitIgnoreSpec(patterns)  # type: ignore[arg-type]  # a tamed one has its groups


def _tame(pattern: Pattern) -> Pattern:
    """The same pattern without runaway backtracking: a committed file must not be able to stop a walk.

    What stands between two stars is matched where it is found first (an atomic group), which decides nothing, as the
    second star takes the rest. Raises `ValueError` where more than that is left open.
    """
    regex: re.Pattern[str] | None = getattr(pattern, "regex", None)
    if regex is None or len(re.findall(_OPEN, regex.pattern)) < _OPEN_LIMIT:
        return pattern
    from pathspec.pattern import RegexPattern

    if _STAR not in regex.pattern:
        raise ValueError("too many wildcards")
    first, *between, last = regex.pattern.split(_STAR)
    fixed = [_STAR + part if re.search(_VARIABLE, part) else f"(?>[^/]*?{part})" for part in between]
    text = first + "".join(fixed) + _STAR + last
    if len(re.findall(_OPEN, text)) > _OPEN_LIMIT:
        raise ValueError("too many wildcards")
    return RegexPattern(re.compile(text), pattern.include)


def _read_rules(path: str) -> list[str]:
    with open(path, "rb") as stream:
        data = stream.read(_IGNORE_LIMIT + 1)
    if len(data) > _IGNORE_LIMIT:
        raise UnsafeInput(f"{path} is larger than {_IGNORE_LIMIT} bytes.", f"shorten {path}")
    return data.decode("utf-8", "surrogateescape").splitlines()


# --- what git's settings of this machine hide -------------------------------------------------------------------------

_SECTION = r"\s*\[\s*([\w.-]+)\s*\](.*)"
_ENTRY = r"\s*([A-Za-z][\w-]*)\s*=(.*)"
_PART = r'"((?:[^"\\]|\\.)*)"|((?:[^"#;\\]|\\.)+)|[#;].*'
_DEPTH = 10
"""How deep one file of settings includes another, as in git."""


def local_excludes(tree: Path) -> list[str]:
    """The patterns that hide files of a work tree on this machine alone, the strongest last."""
    folder = _git_folder(tree)
    lines = [*_lines(_excludes_file(tree, folder)), *_lines(folder / "info" / "exclude")]
    return [line for line in lines if line.strip() and line[0] != "#"]


def _lines(path: str | Path) -> list[str]:
    """The lines of a file; none where it cannot be read."""
    with suppress(OSError, UnsafeInput):
        return files.read(path, limit=files.SMALL).decode("utf-8", "surrogateescape").splitlines()
    return []


def _git_folder(tree: Path) -> Path:
    """The folder that all work trees of a repository share."""
    folder = tree / ".git"
    if (named := next(iter(_lines(folder) if folder.is_file() else ()), "")).startswith("gitdir: "):
        folder = tree / named.removeprefix("gitdir: ")
    shared = next(iter(_lines(folder / "commondir")), "")
    return folder / shared if shared else folder


def _excludes_file(tree: Path, folder: Path) -> str | Path:
    """The file that `core.excludesFile` names; git's usual one where nothing does."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    usual = [os.path.join(home, "git", "config"), os.path.expanduser("~/.gitconfig")]
    own = os.environ.get("GIT_CONFIG_GLOBAL")
    system = () if os.environ.get("GIT_CONFIG_NOSYSTEM") else (os.environ.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig"),)
    named = None
    for settings in (*system, *(usual if own is None else [own]), folder / "config"):
        for key, value in _entries(settings):
            if key == "core.excludesfile":
                named = value
    return tree / os.path.expanduser(named) if named is not None else os.path.join(home, "git", "ignore")


def _entries(path: str | Path, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Each key with its value, in order."""
    section = ""
    for line in _lines(path):
        if heading := re.match(_SECTION, line):
            section, line = heading[1].lower(), heading[2]
        elif line.lstrip().startswith("["):  # of one branch, remote or condition
            section = ""
        if (entry := re.match(_ENTRY, line)) is None:
            continue
        key, value = f"{section}.{entry[1].lower()}", _value(entry[2])
        if key == "include.path" and depth < _DEPTH:
            yield from _entries(os.path.join(os.path.dirname(path), os.path.expanduser(value)), depth + 1)
        yield key, value


def _value(text: str) -> str:
    """A value without quotation marks, escapes and comments."""
    parts = (found[1] if found[1] is not None else found[2] or "" for found in re.finditer(_PART, text.strip()))
    return re.sub(r"\\(.)", r"\1", "".join(parts)).strip()
