"""Decides which names in a folder are left out: by ignore files, as hidden, by this machine's user, or as machine-made.

A committed file may hide names, and include names hidden by committed files; it never includes hidden names, nor names
hidden by the user's git settings. Only the user can include hidden names (`OwnRules.taken_in`). Git's settings
(`.git/info/exclude`, `core.excludesFile`) are parsed; git is not run. `[include]` is followed, `[includeIf]` is not.

Folders that a program creates and can recreate (packages, environments, caches, builds) are skipped only with proof,
never by name alone: a folder `build`, `dist`, `vendor` or `target` may be any folder."""

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
"""Hidden names that describe a repository, and are included.
These are folders of code hosts with contribution and test settings, and example settings."""
_IGNORE_LIMIT = 1 << 20
_PATTERN_LIMIT = 5_000
"""Maximum patterns of a folder: each is matched with each name below it."""
_COMMENT = "#"
"""Replacement for blank lines and invalid patterns: each line has its own, which matches nothing."""
_STAR = "[^/]*"
# Expressions compiled on first use: a query needs none of them.
_OPEN = r"\[\^/\]\*(?!\?)|\.\+"
"""Part of a pattern's regular expression that can match at many positions."""
_OPEN_LIMIT = 3
_VARIABLE = r"\(|\[\^(?!/\])"
"""Patterns that can match a slash or any length."""
VERSION = 1
"""Version of the rule, saved in the catalog; raise it whenever other folders are skipped."""
REASON = "machine-made"
"""Start of the reason for skipping such a folder."""
_ENVIRONMENT = "pyvenv.cfg"
_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
_INSTALLED = frozenset({".bin", ".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml"})
_LOOKED = 50
"""Number of folders in `node_modules` checked for a package."""
_BUILDERS = frozenset({"Cargo.toml", "pom.xml"})


class Rules(NamedTuple):
    """Ignore rules of one folder: its path with a trailing slash (empty at the root), its patterns, their files, and
    their lines."""

    base: str
    spec: object
    origins: list[str]
    lines: list[str]


@dataclass(frozen=True)
class OwnRules:
    """Rules of this machine for a folder.

    `tree`: the git work tree around it, or None. `taken_in`: the user's patterns of included hidden names, from the
    folder's root. `excludes`: lines of this machine's git settings, strongest last; `within`: the folder's path in the
    work tree, with a trailing slash."""

    tree: Path | None
    taken_in: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    within: str = ""

    @property
    def token(self) -> str:
        """Return a text that changes with the rules."""
        return repr((self.tree is not None, self.taken_in, self.excludes and (self.within, self.excludes)))

    def takes_in(self, path: str) -> bool:
        """Check if the user's settings include a hidden name."""
        return bool(self._taken_in is not None and self._taken_in.match_file(path))

    def leaves_out(self, path: str) -> bool:
        """Check if this machine's git settings hide a path; folders end with a slash."""
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
    """Return the reason to skip a name, or None. The deepest ignore file with a matching pattern decides."""
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
    """Check if a name begins with a dot, except names that describe a repository."""
    return name[0] == "." and re.fullmatch(_SHOWN, name) is None


def rules_of(
    entries: Sequence[os.DirEntry[str]], base: str, own: OwnRules, read: dict[str, Stamp], failed: list[Note]
) -> list[Rules]:
    """Return the rules of a folder's ignore files. Adds their stamps to `read`, and invalid lines to `failed`."""
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
    """Return one pattern a line. Adds a note to `failed` for each invalid line."""
    from pathspec import GitIgnoreSpec  # imported late: most folders have no ignore file

    if len(lines) > _PATTERN_LIMIT:
        raise UnsafeInput(f"{base}{origins[-1]} has more than {_PATTERN_LIMIT} lines.", f"shorten {base}{origins[-1]}")
    patterns: list[Pattern] = []
    for line, origin in zip(lines, origins, strict=True):
        try:
            with catch_warnings(action="ignore"):  # warnings of Python's own regex dialect
                patterns.append(_tame(*GitIgnoreSpec.from_lines([line or _COMMENT]).patterns))
        except ValueError:
            failed.append(Note(path=from_os(f"{base}{origin}"), reason=f"no pattern: {from_os(line)[:80]}"))
            patterns += GitIgnoreSpec.from_lines([_COMMENT]).patterns
    return GitIgnoreSpec(patterns)  # type: ignore[arg-type]  # a tamed one has its groups


def _tame(pattern: Pattern) -> Pattern:
    """Return an equivalent pattern without excessive backtracking: a committed file must not be able to block a walk.

    The text between two stars is matched at its first position (an atomic group), which changes no result, as the
    second star matches the rest. Raises `ValueError` if more remains open."""
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


# --- git's settings of this machine -----------------------------------------------------------------------------------

_SECTION = r"\s*\[\s*([\w.-]+)\s*\](.*)"
_ENTRY = r"\s*([A-Za-z][\w-]*)\s*=(.*)"
_PART = r'"((?:[^"\\]|\\.)*)"|((?:[^"#;\\]|\\.)+)|[#;].*'
_DEPTH = 10
"""Maximum depth of includes in settings files, as in git."""


def local_excludes(tree: Path) -> list[str]:
    """Return the patterns that hide files of a work tree on this machine only, strongest last."""
    folder = _git_folder(tree)
    lines = [*_lines(_excludes_file(tree, folder)), *_lines(folder / "info" / "exclude")]
    return [line for line in lines if line.strip() and line[0] != "#"]


def _lines(path: str | Path) -> list[str]:
    """Return the lines of a file; none if it is unreadable."""
    with suppress(OSError, UnsafeInput):
        return files.read(path, limit=files.SMALL).decode("utf-8", "surrogateescape").splitlines()
    return []


def _git_folder(tree: Path) -> Path:
    """Return the folder shared by all work trees of a repository."""
    folder = tree / ".git"
    if (named := next(iter(_lines(folder) if folder.is_file() else ()), "")).startswith("gitdir: "):
        folder = tree / named.removeprefix("gitdir: ")
    shared = next(iter(_lines(folder / "commondir")), "")
    return folder / shared if shared else folder


def _excludes_file(tree: Path, folder: Path) -> str | Path:
    """Return the file given by `core.excludesFile`, or git's default."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    usual = [os.path.join(home, "git", "config"), os.path.expanduser("~/.gitconfig")]
    global_config = os.environ.get("GIT_CONFIG_GLOBAL")
    system = () if os.environ.get("GIT_CONFIG_NOSYSTEM") else (os.environ.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig"),)
    named = None
    for settings in (*system, *(usual if global_config is None else [global_config]), folder / "config"):
        for key, value in _entries(settings):
            if key == "core.excludesfile":
                named = value
    return tree / os.path.expanduser(named) if named is not None else os.path.join(home, "git", "ignore")


def _entries(path: str | Path, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each key with its value, in order."""
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
    """Return a value without quotes, escapes and comments."""
    parts = (match[1] if match[1] is not None else match[2] or "" for match in re.finditer(_PART, text.strip()))
    return re.sub(r"\\(.)", r"\1", "".join(parts)).strip()


def proof_within(base: str, entries: Sequence[os.DirEntry[str]]) -> str | None:
    """Return the proof that a folder is machine-made, from its content. `base`: its path with a trailing slash."""
    name = base.rstrip("/").rpartition("/")[2]
    for entry in entries:
        if entry.name == _ENVIRONMENT:
            return f"{REASON}: a Python environment"
        if entry.name == _TAG and _is_signed(entry):
            return f"{REASON}: a cache"
    if name == "__pycache__" and any(entry.name.endswith(".pyc") for entry in entries):
        return f"{REASON}: compiled Python"
    if name == "node_modules" and any(map(_is_package, entries[:_LOOKED])):
        return f"{REASON}: packages of Node.js"
    return None


def proof_beside(base: str, entries: Sequence[os.DirEntry[str]]) -> str | None:
    """Return the proof that a folder is machine-made, from its neighbours."""
    if base.rstrip("/").rpartition("/")[2] != "target":
        return None
    builder = next((entry.name for entry in entries if entry.name in _BUILDERS), None)
    return f"{REASON}: built from {builder}" if builder else None


def _is_signed(entry: os.DirEntry[str]) -> bool:
    """Check for a cache tag as in https://bford.info/cachedir/."""
    try:
        if not entry.is_file(follow_symlinks=False):
            return False
        with open(entry.path, "rb") as stream:
            return stream.read(len(_SIGNATURE)) == _SIGNATURE
    except OSError:
        return False


def _is_package(entry: os.DirEntry[str]) -> bool:
    """Check if an entry of `node_modules` is a package, a scope of packages, or a file of an installer."""
    if entry.name in _INSTALLED:
        return True
    if not entry.is_dir(follow_symlinks=False):
        return False
    if os.path.lexists(os.path.join(entry.path, "package.json")):
        return True
    try:
        scoped = os.listdir(entry.path) if entry.name.startswith("@") else []
    except OSError:
        return False
    return any(os.path.lexists(os.path.join(entry.path, name, "package.json")) for name in scoped[:_LOOKED])
