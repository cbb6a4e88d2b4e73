"""Documentation strings of Ansible modules (YAML): headings for the module, its options and return values."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from biblicus.models.extraction import Heading

_BEGINS = re.compile(r"^[ \t]*(DOCUMENTATION|EXAMPLES|RETURN)[ \t]*=[ \t]*[rRuU]?(\"{3}|'{3})", re.MULTILINE)
_NAME = re.compile(
    r"^[ \t]*(?:module|name|lookup|connection|become|callback|inventory|filter|test):[ \t]*([\w.]+)", re.MULTILINE
)
_OPTIONS = re.compile(r"^([ \t]*)options:[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"^([ \t]*)([\w-]+):(?:[ \t].*)?$", re.MULTILINE)


def with_documentation(text: str, found: Sequence[Heading]) -> list[Heading]:
    """Return the definitions of a Python text and the headings in such strings, in ascending order."""
    spans = list(_spans(text)) if "DOCUMENTATION" in text else []
    if not spans:
        return [*found]
    offsets = [heading.offset for heading in found]
    headings = [heading for heading in found if not any(start < heading.offset < end for _, start, _, end in spans)]
    for name, start, begins, end in spans:
        around = found[bisect_right(offsets, start) - 1] if offsets and offsets[0] <= start else Heading(0, 1, "")
        headings += _told(text, name, start, begins, end)
        behind = text.find("\n", end) + 1
        if 0 < behind < len(text) and not any(end <= heading.offset <= behind for heading in found):
            headings.append(Heading(behind, around.level, around.title))
    distinct = {heading.offset: heading for heading in headings}
    return [distinct[at] for at in sorted(distinct)]


def _spans(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield each string's name, the start of its line, its own start, and its end."""
    end = 0
    for match in _BEGINS.finditer(text):
        if match.start() >= end and (closes := text.find(match[2], match.end())) >= 0:
            end = closes
            yield match[1], match.start(), match.end(), closes


def _told(text: str, name: str, start: int, begins: int, end: int) -> Iterator[Heading]:
    if name == "EXAMPLES":
        yield Heading(start, 2, name)
        return
    if name == "RETURN":
        yield Heading(start, 2, name)
        yield from (Heading(at, 3, f"RETURN.{key}") for at, key, _ in _keys(text, begins, end, -1))
        return
    named = _NAME.search(text, begins, end)
    section_name = named[1].rpartition(".")[2] if named else name
    yield Heading(start, 2, section_name)
    if options := _OPTIONS.search(text, begins, end):
        last = options.end()
        for at, key, ends in _keys(text, options.end(), end, len(options[1].expandtabs())):
            last = ends
            yield Heading(at, 2, key)
        if last < end and text[last:end].strip():
            yield Heading(last, 2, name)


def _keys(text: str, begins: int, end: int, around: int) -> Iterator[tuple[int, str, int]]:
    """Yield the keys at the first indentation deeper than `around`: line start, key, end of its block."""
    keys: list[tuple[int, str]] = []
    indent: int | None = None
    stops = end
    for match in _KEY.finditer(text, begins, end):
        wide = len(match[1].expandtabs())
        if wide <= around:
            stops = match.start()
            break
        indent = wide if indent is None else indent
        if wide == indent:
            keys.append((match.start(), match[2]))
    ends = [*(at for at, _ in keys[1:]), stops]
    yield from ((at, key, last) for (at, key), last in zip(keys, ends, strict=False))
