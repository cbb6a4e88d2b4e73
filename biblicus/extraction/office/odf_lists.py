"""Lists of OpenDocument, which give their items and headings numbers and bullets (ODF 1.3, part 3, §5.3 and §16.30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import BULLET
from biblicus.extraction.kit.list_numbers import LEVELS, Level, ListNumbers
from biblicus.extraction.office.ooxml import whole

LISTS = frozenset(("list", "ordered-list", "unordered-list"))
_STYLES = frozenset(("list-style", "outline-style"))
_KINDS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1": "decimal"}


class _Open(NamedTuple):
    """An open list. `key`: of its numbers, which several lists share if they continue each other."""

    style: str
    key: str
    level: int


class Lists:
    """Counts the items of a document's lists, and its headings. `roots`: of the styles, the most specific last."""

    def __init__(self, *roots: Element) -> None:
        self._styles = {
            style.get("name", "") if style.tag == "list-style" else "": dict(_levels(style))
            for root in roots
            for style in root.iter()
            if style.tag in _STYLES
        }
        self._numbers = ListNumbers()
        self._open: list[_Open] = []
        self._keys: dict[str, str] = {}  # by id of a list, and by style the key of the last list

    @contextmanager
    def within(self, node: Element) -> Iterator[None]:
        """Count the items inside as those of the list `node`."""
        style = node.get("style-name", "")
        if self._open:
            above = self._open[-1]
            key, level = (above.key if style in ("", above.style) else f"{above.key}/{style}"), above.level + 1
            style = style or above.style
        else:
            before = node.get("continue-list") or (style if node.get("continue-numbering") == "true" else "")
            key, level = self._keys.get(before) or f"{len(self._keys)} {style}", 0
        self._keys[node.get("id") or key] = self._keys[style] = key
        self._open.append(_Open(style, key, level))
        try:
            yield
        finally:
            self._open.pop()

    def label(self, item: Element) -> str:
        """Count an item of the innermost list and return its number, or `-` for a bullet."""
        if not self._open:
            return BULLET
        style, key, level = self._open[-1]
        return self._numbers.label(key, self._styles.get(style, {}), level, _start(item))

    def number(self, heading: Element, level: int) -> str:
        """Count a heading outside lists and return its number; empty if the outline has none. `level`: from 1."""
        levels = self._styles.get("", {})
        if level - 1 not in levels or heading.get("is-list-header") == "true":
            return ""
        return self._numbers.label("", levels, level - 1, _start(heading)).strip(BULLET)


def _start(node: Element) -> int | None:
    return whole(node.get("start-value"), 1) if "start-value" in node.attrib else None


def _levels(style: Element) -> Iterator[tuple[int, Level]]:
    """Yield the levels of a list style or the outline, from 0. Numbers of upper levels precede that of the level."""
    kinds: dict[int, str] = {}
    for node in style:
        level = whole(node.get("level")) - 1
        if not 0 <= level < LEVELS:
            continue
        kinds[level] = _kind(node.attrib) if "num-format" in node.attrib else "bullet"
        shown = range(max(0, level + 1 - whole(node.get("display-levels"), 1)), level + 1)
        places = [f"%{at + 1}" for at in shown if kinds.get(at) not in ("none", "bullet")]
        text = f"{node.get('num-prefix', '')}{'.'.join(places)}{node.get('num-suffix', '')}"
        yield level, Level(kinds[level], text, whole(node.get("start-value"), 1))


def _kind(attributes: Mapping[str, str]) -> str:
    form = attributes["num-format"]
    return _KINDS.get(form, "decimal") if form else "none"
