"""Headings of package manifests (`pyproject.toml`, `Cargo.toml`, `package.json`), in words that people search for.

Examples: supported language versions, maintainers, entry points, scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from biblicus.models.extraction import ENTRY, SAID, Heading, named

_MOST = 2_000
_IN_TOML = re.compile(r"^\[(?:project|package|tool\.poetry(?:\.dependencies)?)\][ \t]*(?:#.*)?$", re.MULTILINE)
_IN_JSON = re.compile(
    r"^[ \t]{1,8}\"name\"[ \t]*:[^{}]*?^[ \t]{1,8}\"(?:version|private|scripts)\"[ \t]*:", re.MULTILINE
)
_BEGINNING = 20_000
_SECTION = re.compile(r"^\[{1,2}([\w.\"' -]{1,120})\]{1,2}[ \t]*(?:#.*)?$")
_SET = re.compile(r"^([\w-]{1,60})[ \t]*=")
_KEY = re.compile(r"^([ \t]+)\"([^\"\n]{1,80})\"[ \t]*:")
_DEPENDENCIES, _PYTHON = "tool.poetry.dependencies", re.compile(r"^python[ \t]*=")
"""Poetry's table of dependencies, and its line with the required Python versions."""
_OF_A_PACKAGE = ("project", "package", "tool.poetry")

_NAMES: Mapping[str, tuple[str, ...]] = {
    "requires-python": (
        "Python versions supported",
        "Python versions needed",
        "minimum Python version",
        "requires-python",
    ),
    "rust-version": (
        "Rust versions supported",
        "minimum supported Rust version",
        "MSRV",
        "rust-version",
    ),
    "engines": ("Node versions supported", "Node versions needed", "minimum Node version", "engines"),
    "authors": ("authors", "maintainers"),
    "author": ("author", "maintainers"),
    "contributors": ("contributors",),
    "maintainers": ("maintainers",),
    "license": ("license",),
    "version": ("version",),
    "dependencies": ("dependencies",),
    "devDependencies": ("development dependencies", "devDependencies"),
    "peerDependencies": ("peer dependencies", "peerDependencies"),
    "optional-dependencies": ("optional dependencies", "extras", "optional-dependencies"),
    "dependency-groups": ("dependency groups",),
    "build-system": ("build system",),
    "scripts": ("scripts", "entry points", "commands"),
    "gui-scripts": ("gui-scripts", "entry points"),
    "entry-points": ("entry points",),
    "main": ("main", "entry point"),
    "bin": ("bin", "commands"),
    "exports": ("exports",),
    "features": ("features",),
    "urls": ("urls", "links"),
    "repository": ("repository",),
    "homepage": ("homepage",),
    "edition": ("edition",),
    "classifiers": ("classifiers",),
    "keywords": ("keywords",),
    "description": ("description",),
}
"""Keys of manifests, with the words people use in questions."""


def of_toml(text: str) -> list[Heading]:
    """Return the headings of a TOML manifest; none for other files."""
    return list(_of_toml(text))[:_MOST] if _IN_TOML.search(text) else []


def of_json(text: str) -> list[Heading]:
    """Return the headings of a JSON manifest with one key a line; none for other files."""
    return list(_of_json(text))[:_MOST] if _IN_JSON.search(text, 0, _BEGINNING) else []


def _of_toml(text: str) -> Iterator[Heading]:
    whose, start = "", 0
    for line in text.split("\n"):
        here, start = start, start + len(line) + 1
        if section := _SECTION.match(line):
            whose = section[1].strip()
            key = whose.partition(".")[2] if whose.startswith("project.") else whose
            yield Heading(here, ENTRY if key in _NAMES else 2, named(_NAMES.get(key, (whose,))))
        elif whose == _DEPENDENCIES and _PYTHON.match(line):
            yield Heading(here, SAID, named(_NAMES["requires-python"]))
        elif whose in _OF_A_PACKAGE and (sets := _SET.match(line)):
            yield Heading(here, SAID, named(_NAMES.get(sets[1], (sets[1],))))


def _of_json(text: str) -> Iterator[Heading]:
    outer, are_scripts, start = 0, False, 0
    for line in text.split("\n"):
        here, start = start, start + len(line) + 1
        if (match := _KEY.match(line)) is None:
            continue
        outer = outer or len(match[1])
        if len(match[1]) == outer:
            are_scripts = match[2] == "scripts"
            yield Heading(here, SAID, named(_NAMES.get(match[2], (match[2],))))
        elif are_scripts:
            yield Heading(here, SAID, named((f"npm run {match[2]}", f"{match[2]} script")))
