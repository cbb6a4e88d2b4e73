"""Whether the passages that documents quote still stand in the items that they cite."""

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
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.locator import find
from biblicus.models.reading import Quotation, Quotations
from biblicus.models.requests.runs import VerifyCitationsRequest
from biblicus.text.lines import LineIndex
from biblicus.text.paths import from_os, to_os
from biblicus.text.quoted import Quoted, Target, quoted

_SHOWN = 60
_PAGE = re.compile(r"page (\d{1,9})")
_PICTURED = re.compile(r"<U\+(?:00AD|200[BCD]|2060|FEFF)>")
"""What stands in what we print for characters that a quotation may lack."""
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = "*_`'"
_ORDER = ("ok", "moved", "stale", "missing")
_WEB = ("http://", "https://", "git+")


def verify_citations(corpus: CorpusFolder, request: VerifyCitationsRequest, call: Call) -> Quotations:
    """Look for each quoted passage in the item that its citation names. What cites no item is passed over.

    A passage that stands elsewhere in the item has moved, and holds. Raises `SourceNotFound`, `UnsafeInput`.
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
    return Quotations.of(tuple(quotations), checker.unread)


def _documents(names: Sequence[str]) -> Iterator[str]:
    """The files named, and the Markdown files of folders."""
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
    """Whether a file is, or lies in, what programs keep for themselves."""
    return any(part.startswith(".") for part in parts)


class _Text:
    """What an item holds, made ready for quotations."""

    def __init__(self, extraction: Extraction) -> None:
        self.extraction = extraction
        self.lined = Lined(extraction.text)

    @cached_property
    def index(self) -> LineIndex:
        return LineIndex(self.extraction.text)

    @cached_property
    def bare(self) -> Lined:
        """Without Markdown's own characters, which who quotes may leave out or add."""
        return Lined(_bare(self.extraction.text))

    def find(self, words: str, lines: tuple[int, int] | None) -> tuple[int, int] | None:
        """The lines that the words stand on now."""
        words = _PICTURED.sub("", words)
        plain = _ESCAPE.sub(r"\1", words)
        for wanted in dict.fromkeys((words, plain)):
            if (place := self.lined.find(wanted, lines)) is not None:
                return place
        return self.bare.find(_bare(plain), lines)

    def lines_of(self, target: Target) -> tuple[int, int] | None:
        """The lines of the place that is cited; None where it says none, or there is none such."""
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
    """Reads each item once. `unread`: how many quotations nothing can be said of."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self.corpus = corpus
        self.catalog: Catalog = catalog_of(corpus)
        self.extractions = of_default_recipe(corpus, call)
        self.texts: dict[str, _Text | None] = {}
        self.unread = 0

    def judge(self, name: str, base: str, passage: Quoted) -> Quotation | None:
        """What is to be said of a passage: by the best of its citations. None where they cite no item."""
        outcomes = [made for targets in passage.citations if (made := self._judge(name, base, passage, targets))]
        return min(outcomes, key=lambda made: _ORDER.index(made.status), default=None)

    def _judge(self, name: str, base: str, passage: Quoted, targets: Sequence[Target]) -> Quotation | None:
        words = " ".join(passage.words.split()).strip('"“”„«»')
        words = words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
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
        place = text.find(passage.words, lines)
        if place is None:
            reason = f"{item.path} does not say “{words}”"
            return Quotation(name, passage.line, words, "stale", item.path, reason)
        if lines is not None and not (lines[0] <= place[0] <= lines[1]):
            reason = f"“{words}” stands on line {place[0]} of {item.path}, not {lines[0]}"
            return Quotation(name, passage.line, words, "moved", item.path, reason, place[0])
        return Quotation(name, passage.line, words, "ok", item.path, f"it stands in {item.path}", place[0])

    def _item(self, target: Target, base: str) -> Item | None:
        """The item that a citation names: by its path, its id or the address that it is from."""
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
        """The paths of items that came from somewhere, by the addresses that citations give."""
        known: dict[str, str] = {}
        for path, item in self.catalog.items.items():
            if item.source.uri.startswith(_WEB):
                for end in ("", "?plain=1", "?display=source"):
                    known.setdefault(item.source.uri + end, path)
        return known

    def _is_file(self, target: Target, base: str) -> bool:
        """Whether there is such a file, which is no item."""
        return any(os.path.isfile(self.corpus.root / to_os(path)) for path in _paths(target, base))

    def _text(self, item: Item) -> _Text | None:
        """An item's text; None where it has none. Raises `ItemNotFound`."""
        if item.path not in self.texts:
            outcome = self.extractions.outcome(present(self.corpus, item))
            self.texts[item.path] = _Text(outcome) if isinstance(outcome, Extraction) else None
        return self.texts[item.path]


def _paths(target: Target, base: str) -> list[str]:
    """The paths of a corpus that a name may mean: links count from the document's folder, what we print from the
    corpus."""
    name = target.name.removeprefix("./")
    from_document = os.path.normpath(base + name) if name else ""
    paths = [from_document, name] if target.is_relative else [name, from_document]
    return [path.lstrip("/") for path in paths if path and not path.startswith("..")]
