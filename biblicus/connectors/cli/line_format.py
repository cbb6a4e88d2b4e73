"""Evidence as lines for pipes and quickfix lists: a template with the names of evidence's fields in braces."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.errors import BiblicusError, UsageError
from biblicus.guards.terminal import safe
from biblicus.models.evidence import Evidence

if TYPE_CHECKING:
    from biblicus.connectors.cli.commands import Given
    from biblicus.models.evidence import Result

NAMED: Mapping[str, str] = {
    "vimgrep": "{file}:{line}:{column}:{snippet}",
    "grep": "{file}:{line}:{snippet}",
    "paths": "{file}",
}
"""Templates that editors and pipes read, by name."""
_EXAMPLE = "--format '{path}:{line_start}: {snippet}'"
_PARTS = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|\\t|\\n|[{}]")
_LITERALS = {"{{": "{", "}}": "}", "\\t": "\t", "\\n": "\n"}
_LEFT_OUT = ("stage_scores", "spots")
"""Fields that are no single value."""


def template(text: str) -> str:
    """The template of this name, or the text itself. Raises `UsageError` where it is none."""
    made = NAMED.get(text, text)
    parts = list(_PARTS.finditer(made))
    if any(part[0] in "{}" for part in parts):
        raise UsageError(f'"{text}" has a {{ or }} that stands alone; {{{{ and }}}} print one.', _EXAMPLE)
    names = [part[1] for part in parts if part[1] is not None]
    known = [*(name for name in _names() if name not in _LEFT_OUT), "file", "line", "column"]
    if unknown := next((name for name in names if name not in known), None):
        raise UsageError(f'There is no field "{unknown}" of evidence; known: {", ".join(known)}.', _EXAMPLE)
    if not names:
        raise UsageError(f'"{text}" names no field and none of {", ".join(NAMED)}.', _EXAMPLE)
    return made


def lines(result: Result, given: Given, text: str) -> Iterator[str]:
    """A line a piece in rank order; of `paths` each once."""
    root = _root(given)
    made = (_PARTS.sub(partial(_part, values=_values(piece, root)), template(text)) for piece in result.evidence)
    return iter(dict.fromkeys(made)) if text == "paths" else made


def _names() -> list[str]:
    return [entry.name for entry in fields(Evidence)]


def _part(match: re.Match[str], values: Callable[[str], Any]) -> str:
    return _LITERALS.get(match[0]) or _shown(values(match[1]))


def _shown(value: Any) -> str:
    """A value on one line, without what would move a cursor; nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return safe(", ".join(value))
    if isinstance(value, float):
        return f"{value:g}"
    return safe(" ".join(str(getattr(value, "label", value)).splitlines()))


def _values(piece: Evidence, root: Path | None) -> Callable[[str], Any]:
    """What gives a field's value, or one of those that only lines have."""

    def value(name: str) -> Any:
        if name == "file":
            return _file(piece.path, root)
        if name in ("line", "column"):
            return _place(piece)[name == "column"]
        return getattr(piece, name)

    return value


def _root(given: Given) -> Path | None:
    """Where the corpus is, if it is on this machine."""
    from biblicus.corpus.folder import find
    from biblicus.service.places import folder_of

    try:
        return find(folder_of(given.corpus)).root
    except BiblicusError:
        return None


def _file(path: str, root: Path | None) -> str:
    """The file as a program started here opens it; the item's path where there is no such file."""
    if root is None or not os.path.lexists(root / path):
        return path
    return os.path.relpath(root / path)


def _place(piece: Evidence) -> tuple[int, int]:
    """The line where the snippet begins, and the byte of that line, both from 1, as quickfix lists count them."""
    words = piece.snippet.strip("…").split()
    match = re.search(r"\s+".join(map(re.escape, words)), piece.text) if words else None
    before = piece.text[: match.start()] if match else ""
    return piece.line_start + before.count("\n"), len(before.rpartition("\n")[2].encode("utf-8", "replace")) + 1
