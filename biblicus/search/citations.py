"""Verifies that passages quoted in documents still occur in the cited items."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from biblicus.answering.quotations import Lined
from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.extracted.extractions import of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import present
from biblicus.disk import files, system
from biblicus.errors import ItemNotFound, SourceNotFound
from biblicus.extraction.kit.characters import in_markup
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.locator import find
from biblicus.models.reading import Quotation, Quotations
from biblicus.models.requests.runs import VerifyCitationsRequest
from biblicus.search.quoted import Quoted, Target, quoted
from biblicus.text.counting import LineIndex
from biblicus.text.paths import from_os, to_os

_SHOWN = 60
_PAGE = re.compile(r"page (\d{1,9})")
_PICTURED = re.compile(r"<U\+(?:00AD|200[BCD]|2060|FEFF)>")
"""Visible placeholders in output for characters that a quotation may lack."""
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = "*_`'"
_ORDER = ("ok", "moved", "stale", "missing")
_WEB = ("http://", "https://", "git+")


def verify_citations(corpus: CorpusFolder, request: VerifyCitationsRequest, call: Call) -> Quotations:
    """Check each quoted passage against the item that its citation names; other quotations are skipped.

    A passage that is elsewhere in the item has moved and is valid. Raises `SourceNotFound`, `UnsafeInput`.
    """
    checker = _Checker(corpus, call)
    quotations: list[Quotation] = []
    for name in _documents(request.files):
        document = files.read(name, limit=corpus.settings.max_text_bytes).decode("utf-8", "replace")
        above = system.below(Path(name).resolve().parent, corpus.root)
        base = "" if above == "." else f"{from_os(above)}/"
        for passage in quoted(document.replace("\r\n", "\n")):
            call.check()
            if (quotation := checker.judge(name, base, passage)) is not None:
                quotations.append(quotation)
    return Quotations.of(tuple(quotations), checker.unread, tuple(checker.unknown), strict=request.strict)


def _documents(names: Sequence[str]) -> Iterator[str]:
    """Yield the given files, and the Markdown files of given folders."""
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = ((inner, inner.relative_to(path).parts) for inner in path.rglob("*.md"))
            yield from sorted(str(inner) for inner, parts in inside if inner.is_file() and not _is_hidden(parts))
        elif path.exists():
            yield name
        else:
            raise SourceNotFound(name, "biblicus verify --citations FILE.md")


def _is_hidden(parts: Sequence[str]) -> bool:
    """Return True if a path has a hidden component."""
    return any(part.startswith(".") for part in parts)


class _Text:
    """An item's text, prepared for quotation searches."""

    def __init__(self, extraction: Extraction) -> None:
        self.extraction = extraction
        self.lined = Lined(extraction.text)

    @cached_property
    def index(self) -> LineIndex:
        return LineIndex(self.extraction.text)

    @cached_property
    def bare(self) -> Lined:
        """The text without Markdown markup, which quotations may omit or add."""
        return Lined(_bare(self.extraction.text))

    def find(self, words: str, lines: tuple[int, int] | None) -> tuple[int, int] | None:
        """Return the current lines of the words, or None."""
        words = _PICTURED.sub("", words)
        plain = _ESCAPE.sub(r"\1", words)
        for spelling in dict.fromkeys((words, plain)):
            if (place := self.lined.find(spelling, lines)) is not None:
                return place
        return self.bare.find(_bare(plain), lines)

    def lines_of(self, target: Target) -> tuple[int, int] | None:
        """Return the cited lines, or None if the citation has no valid position."""
        text = self.extraction.text
        if target.span is not None and target.span[0] < target.span[1] <= len(text):
            return self.index.line_range(*target.span)
        if target.lines is not None:
            return target.lines
        span = find(self.extraction.spots, target.label, len(text)) if target.label and self.extraction.spots else None
        if span is None and (page := _PAGE.fullmatch(target.label)) is not None:
            pages, number = self.extraction.pages, int(page[1])
            if not 1 <= number <= len(pages):
                return None
            span = pages[number - 1], pages[number] if number < len(pages) else len(text)
        return self.index.line_range(*span) if span and span[0] < span[1] else None


def _bare(text: str) -> str:
    text = _LINK.sub(r"\1", text) if "](" in text else text
    for mark in _MARKUP:
        text = text.replace(mark, "")
    return text


class _Checker:
    """Loads each item once. `unread`: number of quotations that could not be checked. `unknown`: those whose citations
    have no known form."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self.corpus = corpus
        self.catalog: Catalog = catalog_of(corpus)
        self.extractions = of_default_recipe(corpus, call)
        self.texts: dict[str, _Text | None] = {}
        self.unread = 0
        self.unknown: list[Quotation] = []

    def judge(self, name: str, base: str, passage: Quoted) -> Quotation | None:
        """Return the result for a passage by its best citation, or None if no citation names an item."""
        before = self.unread
        outcomes = [made for targets in passage.citations if (made := self._judge(name, base, passage, targets))]
        if not outcomes and self.unread == before:
            words = _shortened(passage.words)
            reason = f"what follows “{words}” names no item in a form that is known here"
            self.unknown.append(Quotation(name, passage.line, words, "unknown", "", reason))
        return min(outcomes, key=lambda made: _ORDER.index(made.status), default=None)

    def _judge(self, name: str, base: str, passage: Quoted, targets: Sequence[Target]) -> Quotation | None:
        words = _shortened(passage.words)
        cited = next(((target, item) for target in targets if (item := self._item(target, base))), None)
        if cited is None:
            missing = next((target.name for target in targets if target.is_definite), None)
            if any(self._is_file(target, base) for target in targets):
                self.unread += 1
                return None
            if missing is None:
                return None
            reason = f'there is no item "{missing}", which is cited for “{words}”'
            return Quotation(name, passage.line, words, "missing", missing, reason)
        target, item = cited
        try:
            text = self._text(item)
        except ItemNotFound:
            reason = f"the file of {item.path}, which is cited for “{words}”, is gone"
            return Quotation(name, passage.line, words, "missing", item.path, reason)
        if text is None:
            self.unread += 1
            return None
        lines = text.lines_of(target)
        place = text.find(passage.words, lines) or text.find(in_markup(passage.words), lines)
        if place is None:
            reason = f"{item.path} does not say “{words}”"
            return Quotation(name, passage.line, words, "stale", item.path, reason)
        if lines is not None and not (lines[0] <= place[0] <= lines[1]):
            reason = f"“{words}” stands on line {place[0]} of {item.path}, not {lines[0]}"
            return Quotation(name, passage.line, words, "moved", item.path, reason, place[0])
        return Quotation(name, passage.line, words, "ok", item.path, f"it stands in {item.path}", place[0])

    def _item(self, target: Target, base: str) -> Item | None:
        """Return the item that a citation names by path, id or source URL."""
        if target.name.startswith(_WEB):
            path = self._addresses.get(target.name)
            return self.catalog.items[path] if path is not None else None
        for path in _paths(target, base):
            if path in self.catalog.items:
                return self.catalog.items[path]
        path = self.catalog.paths.get(target.name)
        return self.catalog.items[path] if path is not None else None

    @cached_property
    def _addresses(self) -> dict[str, str]:
        """Paths of items by source URL in the forms used in citations."""
        paths: dict[str, str] = {}
        for path, item in self.catalog.items.items():
            if item.source.uri.startswith(_WEB):
                for end in ("", "?plain=1", "?display=source"):
                    paths.setdefault(item.source.uri + end, path)
        return paths

    def _is_file(self, target: Target, base: str) -> bool:
        """Return True if the target is a file but no item."""
        return any(os.path.isfile(self.corpus.root / to_os(path)) for path in _paths(target, base))

    def _text(self, item: Item) -> _Text | None:
        """Return an item's text, or None if it has none. Raises `ItemNotFound`."""
        if item.path not in self.texts:
            outcome = self.extractions.outcome(present(self.corpus, item))
            self.texts[item.path] = _Text(outcome) if isinstance(outcome, Extraction) else None
        return self.texts[item.path]


def _shortened(words: str) -> str:
    """Return the first words of a quotation, without its marks."""
    words = " ".join(words.split()).strip('"“”„«»')
    return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"


def _paths(target: Target, base: str) -> list[str]:
    """Return the paths in the corpus that a name may mean. Links are relative to the document's folder, citations
    printed by Biblicus to the corpus."""
    name = target.name.removeprefix("./")
    from_document = os.path.normpath(base + name) if name else ""
    paths = [from_document, name] if target.is_relative else [name, from_document]
    return [path.lstrip("/") for path in paths if path and not path.startswith("..")]
