"""Evidence and items as lines for pipes and quickfix lists: templates with field names in braces."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from biblicus import service
from biblicus.connectors.cli import output
from biblicus.corpus.folder import VAULT, find
from biblicus.errors import BiblicusError, UsageError
from biblicus.guards.terminal import safe
from biblicus.models.evidence import Evidence
from biblicus.models.item import Item
from biblicus.text.anchoring import spans_of
from biblicus.text.paths import is_member, to_os

if TYPE_CHECKING:
    from biblicus.connectors.cli.front.commands import Given


@dataclass(frozen=True)
class Kind:
    """A type that lines can show.

    `named`: predefined templates by name. `own`: extra names for lines. `left_out`: fields that are no single value."""

    of: type
    thing: str
    example: str
    named: Mapping[str, str]
    own: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Return the names allowed in braces."""
        return [*(entry.name for entry in fields(self.of) if entry.name not in self.left_out), *self.own]


EVIDENCE = Kind(
    Evidence,
    "evidence",
    "--format '{path}:{line_start}: {snippet}'",
    {"vimgrep": "{file}:{line}:{column}:{snippet}", "grep": "{file}:{line}:{snippet}", "paths": "{file}"},
    ("file", "line", "column", "obsidian"),
    ("stage_scores", "spots"),
)
ITEMS = Kind(
    Item,
    "an item",
    "--format '{path}: {title}'",
    {"vimgrep": "{file}:1:1:{title}", "grep": "{file}:1:{title}", "paths": "{file}"},
    ("file", "obsidian"),
    ("source", "metadata"),
)
_PARTS = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|\\t|\\n|[{}]")
_LITERALS = {"{{": "{", "}}": "}", "\\t": "\t", "\\n": "\n"}
_FILES = ("file", "path")


def template(kind: Kind, given: Given) -> str | None:
    """Return the requested template, or None. Raises `UsageError` for an invalid one."""
    text, example = given.own.format, kind.example
    if text is None:
        if given.own.null:
            raise UsageError("--null is said of lines.", f"biblicus {given.command.words} … -0 --format paths")
        return None
    if given.common.json:
        raise UsageError("Give --json or --format, not both.", f"biblicus {given.command.words} … --format paths")
    full_template: str = kind.named.get(text, text)
    parts = list(_PARTS.finditer(full_template))
    if any(part[0] in "{}" for part in parts):
        raise UsageError(f'"{text}" has a {{ or }} that stands alone; {{{{ and }}}} print one.', example)
    names = [part[1] for part in parts if part[1] is not None]
    if unknown := next((name for name in names if name not in kind.names), None):
        field_names = ", ".join(kind.names)
        raise UsageError(f'There is no field "{unknown}" of {kind.thing}; known: {field_names}.', example)
    if not names:
        raise UsageError(f'"{text}" names no field and none of {", ".join(kind.named)}.', example)
    return full_template


def write(kind: Kind, things: Iterable[Any], given: Given) -> None:
    """Print a line for each object in order; with `paths` without duplicates."""
    text = template(kind, given)
    assert text is not None
    rows = _lines(things, text, root_of(given), exact=given.own.null and not output.is_terminal())
    for row in dict.fromkeys(rows) if given.own.format == "paths" else rows:
        if given.own.null:
            output.record(row)
        else:
            output.raw(row)


def _lines(things: Iterable[Any], text: str, root: Path | None, *, exact: bool) -> Iterator[str]:
    for thing in things:
        yield _PARTS.sub(partial(_part, values=_values(thing, root, exact=exact)), text)


def _part(match: re.Match[str], values: Callable[[str], str]) -> str:
    return _LITERALS.get(match[0]) or values(match[1])


def _shown(value: Any) -> str:
    """Return a value on one line without control characters; empty for None."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return safe(", ".join(value))
    if isinstance(value, float):
        return f"{value:g}"
    return safe(" ".join(str(getattr(value, "label", value)).splitlines()))


def _values(thing: Any, root: Path | None, *, exact: bool) -> Callable[[str], str]:
    """Return a function that gives a named value. `exact`: file names as bytes, unmodified."""

    def value(name: str) -> str:
        if name in _FILES:
            path = _file(thing.path, root) if name == "file" else thing.path
            return path if exact else _shown(path)
        if name == "obsidian":
            return obsidian(root, thing.path) or ""
        if name in ("line", "column"):
            return str(_place(thing)[name == "column"])
        return _shown(getattr(thing, name))

    return value


def root_of(given: Given) -> Path | None:
    """Return the root of the corpus if it is on this machine."""

    try:
        return find(service.places.folder_of(given.corpus)).root
    except BiblicusError:
        return None


def _file(path: str, root: Path | None) -> str:
    """Return the file relative to the current folder; the item's path if the file does not exist."""
    named = to_os(path)
    if root is None or not os.path.lexists(root / named):
        return named
    return os.path.relpath(root / named)


def obsidian(root: Path | None, path: str) -> str | None:
    """Return the link that opens a file in Obsidian if it is in a vault, a folder with `.obsidian`."""
    if root is None or is_member(path):
        return None
    file = root / to_os(path)
    vault = next((folder for folder in file.parents if (folder / VAULT).is_dir()), None)
    if vault is None:
        return None
    name = os.fsencode(file.relative_to(vault)).removesuffix(b".md")
    return f"obsidian://open?vault={quote(os.fsencode(vault.name), safe='')}&file={quote(name, safe='')}"


def _place(piece: Evidence) -> tuple[int, int]:
    """Return the line of the snippet's beginning and the byte column, both from 1, as in quickfix lists."""
    start, _ = next(spans_of(piece.text, piece.snippet.strip("…")), (0, 0))
    before = piece.text[:start]
    return piece.line_start + before.count("\n"), len(before.rpartition("\n")[2].encode("utf-8", "replace")) + 1
