"""Split items into chunks, in this process or in helpers: rows for the tables, and ranked text for the legs."""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from biblicus import plugins
from biblicus.chunking.boundaries import in_words, is_bare_heading
from biblicus.config import Settings
from biblicus.contracts import Call, Chunker, RankedChunk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.examine import DECODED
from biblicus.corpus.extracted.extractions import Extractions, Outcome, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.guards.side_by_side import Work
from biblicus.models.extraction import CAPTION, ENTRY, Extraction, Head, Heading, NoExtraction, Span
from biblicus.models.item import Item
from biblicus.models.locator import kept_beside, sections_of, touched
from biblicus.models.recipe import Choice
from biblicus.runs.parts import CHUNKING_VERSION
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import ItemRow
from biblicus.text import media
from biblicus.text.counting import estimate
from biblicus.text.fitting import toolkits_of
from biblicus.text.links import also_called
from biblicus.text.paths import folder_of
from biblicus.text.terms import analysis, identifiers

_LINE = 400
"""Maximum characters of a line besides the words of a heading; a longer line says more than the heading."""
_BEFORE = 20
"""Maximum letters of a number before the words of a heading (`Chapter 12: `)."""
_NAMES = 64
"""Maximum number of an entry's names on consecutive lines."""
_CUT = 300
"""Maximum length of a stored heading in characters."""
_VALUED = 3
"""Maximum words of a name and its values: `flush zone [view]`."""
_NUMERAL = 4
"""Maximum letters of a number without digits (`VIII`)."""
_OPENS, _CLOSES = re.compile(r"[(\[{<]"), (")", "]", "}", ">")
_TYPE = re.compile(r" ?(?:->|→|:) (?:\w{1,40} )?\w{1,40}(?: \(\w{1,40}\))?$")
"""Type annotations of entries: `speed : integer`, `haul(boat) -> bool`."""
_CODE = ("code", "tree-sitter")
"""Extractors whose headings are names of definitions, stored with the module's name."""


class Cutter:
    """Turns items into rows."""

    def __init__(self, chunkers: Mapping[str, Chunker], extractions: Extractions) -> None:
        self._chunkers = chunkers
        self._extractions = extractions

    def cut(self, item: Item, record: str, row: int, first_chunk: int) -> tuple[ItemRow, list[ChunkRow]]:
        """Return the item's row and its chunks' rows, numbered from `row` and `first_chunk`."""
        return self._pieces(item, self._extractions.outcome(raw_of(item)), record, row, first_chunk)

    def cut_here(self, item: Item) -> tuple[ItemRow, list[ChunkRow]] | None:
        """Like `cut`, numbered from 0 and without a record; None if it needs a guarded worker."""
        outcome = self._extractions.get(raw_of(item))
        return None if outcome is None else self._pieces(item, outcome, "", 0, 0)

    def cut_from(self, item: Item, given: bytes | Extraction | None) -> tuple[ItemRow, list[ChunkRow]] | None:
        """Like `cut_here`, of a file's bytes or its extraction; None if they are not its own."""
        outcome: Outcome | None = given if isinstance(given, Extraction) else None
        if isinstance(given, bytes) and hashlib.sha256(given).hexdigest() == item.sha256:
            outcome = self._extractions.get(raw_of(item), given)
        return None if outcome is None else self._pieces(item, outcome, "", 0, 0)

    def _pieces(
        self, item: Item, outcome: Outcome, record: str, row: int, first_chunk: int
    ) -> tuple[ItemRow, list[ChunkRow]]:
        raw = raw_of(item)
        key = self._extractions.extraction_id(raw)
        identity = (row, item.item_id, item.path, item.language, item.title, record, key)
        if isinstance(outcome, NoExtraction):
            mark = ("!" if outcome.is_failure else "-") + outcome.sentence
            return ItemRow(*identity, 0, 0, _EMPTY, mark, None), []
        headings = heads(outcome, is_marked=not media.shows_no_headings(item.media_type))
        numbers: list[Span] = []
        chunker = self._chunkers.get(item.doctype) or self._chunkers["default"]
        spans = in_words(outcome.text, chunker.chunk(outcome), numbers)
        module = module_of(item.path) if outcome.headings and is_code(item) else ""
        chunks, tokens, digest = chunk_rows(outcome, spans, row, first_chunk, headings, module)
        note = f"-columns of numbers: {len(numbers)} passages of numbers alone are not searched" if numbers else None
        return ItemRow(*identity, len(chunks), tokens, digest, note if chunks else "-empty", None), chunks


def is_code(item: Item) -> bool:
    """Return true if an item's headings are names of definitions."""
    return media.choose(item.media_type) in _CODE


def module_of(path: str) -> str:
    """Return the module name that qualifies a source file's definitions: its name, or its folder's for `__init__`."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "__main__") and folder else stem


_EMPTY = hashlib.sha256(b"").hexdigest()


def heads(extraction: Extraction, *, is_marked: bool = False) -> list[Head]:
    """Return the headings with the number of lines that show each; with 0 lines the heading's words are kept.
    `is_marked`: the text shows its headings, so that only captions of tables and what resumes after these count."""
    headings: list[Head] = []
    is_after = False
    over = ""  # argument of `_heading_over` for text right after it
    for heading in extraction.headings:
        over = heading.title if heading.title or heading.level <= 1 else over
        was_after, is_after = is_after, heading.level == CAPTION
        if is_marked and not (is_after or was_after):
            continue
        lines = _lines_of(extraction.text, heading)
        headings.append(Head(heading.offset, heading.level, lines, "" if lines else over))
    return headings


def _lines_of(text: str, heading: Heading) -> int:
    """Return the number of lines, from the heading's offset, that show only the heading's words.
    The first may have a number before them, the last a usage after them; an entry may have several names, one a
    line."""
    title, at, most, is_entry = heading.title, heading.offset, len(heading.title) + _LINE, heading.level >= ENTRY
    target, is_spelled = _letters(title) or _signs(title), any(map(str.isalnum, title))
    letters, first = "", 0
    for lines in range(1, _NAMES + 1 if target else 0):
        end = text.find("\n", at, at + most)
        line = text[at : end if end >= 0 else at + most]
        if not line.strip() or (end < 0 and at + most < len(text)):
            break
        name = _letters(unused := _without_use(line, is_entry))
        candidate = letters + name
        letters += _letters(line) if is_spelled else _signs(line)
        first = first or len(letters)
        is_first = is_entry and lines == 1
        if is_first and _names(line) == title:
            return lines  # `-slow N, -s` of `-slow, -s`
        if candidate == target or _ends(letters, target, first) or (len(title) >= _CUT and letters.startswith(target)):
            return lines
        is_named = name and (target.endswith(name) or (unused != line and name.endswith(target)))
        if is_first and is_named and not target.startswith(letters):
            return lines  # `rest()` of `Winch.rest`, `class Winch()` of `Winch`
        if len(letters) > len(target) + _BEFORE:
            break
        at += len(line) + 1
    return 0


def _names(line: str) -> str:
    """Return the comma-separated names of a line, without a word for the value after each."""
    parts = [part.split(" ") for part in line.strip().split(", ")]
    return "" if any(len(part) > _VALUED for part in parts) else ", ".join(part[0] for part in parts)


def _without_use(line: str, is_entry: bool) -> str:
    """Return a line without brackets at its end and, for an entry, without its type."""
    line = _TYPE.sub("", line.rstrip()) if is_entry else line
    opens = _OPENS.search(line) if line.rstrip(" .*+?…,;:|").endswith(_CLOSES) else None
    return line[: opens.start()] if opens else line


def _ends(shown: str, wanted: str, first: int) -> bool:
    """Return true if the letters end with those of the heading, after at most a number in the `first` line."""
    before = shown.removesuffix(wanted)
    is_number = before[-1:].isdigit() or len(before) <= _NUMERAL
    return before != shown and len(before) < first and is_number


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _signs(text: str) -> str:
    """Return the visible characters of a text except dashes between names: `!` and `~` have no letters."""
    return "".join(text.replace("–", " ").split())


def chunk_rows(
    extraction: Extraction, spans: Iterable[Span], item: int, first: int, known: Sequence[Head] = (), module: str = ""
) -> tuple[list[ChunkRow], int, str]:
    """Return rows for spans of an extraction, their estimated tokens, and a digest over spans and texts.
    `known`: headings with their lines (see `heads`). `module`: qualifies the headings of definitions."""
    text, pages, headings = extraction.text, extraction.pages, extraction.headings
    line, counted = 1, 0  # the line of the offset up to which newlines are counted
    offsets = [heading.offset for heading in headings]
    parents = _parents(headings)
    rows: list[ChunkRow] = []
    digest = hashlib.sha256()
    tokens = 0
    for ordinal, (start, end) in enumerate(spans):
        piece = text[start:end]
        line += text.count("\n", counted, start) if start >= counted else -text.count("\n", start, counted)
        counted = start
        page = bisect_right(pages, start) if pages else None
        at = _entry_at(text, headings, bisect_right(offsets, start) - 1, end)
        heading = _qualified(module, _heading_over(headings, at))
        begins = at >= 0 and headings[at].level >= ENTRY and headings[at].offset >= start
        over = _over(headings, parents, at) if begins else ()
        below = [
            (headings[inner].offset - start, _qualified(module, _heading_over(headings, inner)) or "")
            for inner in range(at + 1, bisect_left(offsets, end))
        ]
        spots = kept_beside(start, touched(extraction.spots, start, end), _within(known, start, end), [*below, *over])
        place = (start, end, line, line + text.count("\n", start, end - 1))
        rows.append(ChunkRow(first + ordinal, item, ordinal, *place, page, heading, piece, spots))
        digest.update(digested(start, end, piece))
        tokens += estimate(piece)
    return rows, tokens, digest.hexdigest()


def _qualified(module: str, heading: str | None) -> str | None:
    return ".".join(filter(None, (module, heading))) if module else heading


def _within(known: Sequence[Head], start: int, end: int) -> Sequence[Head]:
    return known[bisect_left(known, (start,)) : bisect_left(known, (end,))]


def _parents(headings: Sequence[Heading]) -> list[int]:
    """Return the index of each heading's parent heading, or -1."""
    parents: list[int] = []
    around: list[int] = []
    for at, heading in enumerate(headings):
        within = [place for place in around if headings[place].level < heading.level]
        parents.append(within[-1] if within else -1)
        around = [*within, at] if heading.title else around
    return parents


def _over(headings: Sequence[Heading], parents: Sequence[int], at: int) -> tuple[str, ...]:
    """Return the titles of the sections above a heading, the outermost first."""
    over: list[str] = []
    while (at := parents[at]) >= 0:
        over.append(headings[at].title)
    return tuple(reversed(over))


def _entry_at(text: str, headings: Sequence[Heading], at: int, end: int) -> int:
    """Return the entry heading that a chunk starts with, if only headings precede its text; else `at`."""
    below = at
    while 0 <= below < len(headings) - 1 and headings[below].level < ENTRY:
        begins = headings[below + 1].offset
        if begins >= end or not is_bare_heading(text, headings[below].offset, begins):
            return at
        below += 1
    return below if below >= 0 and headings[below].level >= ENTRY else at


def _heading_over(headings: Sequence[Heading], at: int) -> str | None:
    """Return the text of the heading above the text after heading `at`, or None."""
    while at >= 0 and not headings[at].title and headings[at].level > 1:
        at -= 1
    return (headings[at].title or None) if at >= 0 else None


def digested(start: int, end: int, piece: str) -> bytes:
    raw = piece.encode()
    return b"%d:%d:%d\n%b" % (start, end, len(raw), raw)


def ranked(
    chunks: Iterable[ChunkRow], item_of: Callable[[int], Item], contexts: Mapping[str, str]
) -> Iterator[RankedChunk]:
    """Yield chunks as legs see them; they come item by item. `item_of`: item of a row number. `contexts`: ranked
    context of each folder."""
    for row, group in groupby(chunks, key=attrgetter("item")):
        item, item_chunks = item_of(row), list(group)
        shared = _Shared(
            is_code(item),
            tuple(map(identifiers.toolkit_term, toolkits_of(item))),
            f"{contexts.get(folder_of(item.path), '')} {also_called(item.metadata)}".strip(),
            len(item_chunks) - 1,
        )
        for chunk in item_chunks:
            yield _ranked(item, chunk, shared)


class _Shared(NamedTuple):
    """Data that the chunks of an item share.

    `about`: terms of its toolkits. `said`: its folder's context and its other names. `others`: number of its other
    chunks."""

    is_code: bool
    about: tuple[str, ...]
    said: str
    others: int


def _ranked(item: Item, chunk: ChunkRow, shared: _Shared) -> RankedChunk:
    """Return a chunk with the title and heading to rank with it, unless its text shows them, and its folder's
    context."""
    context, heading, text = item.title, chunk.heading, chunk.text
    if heading and heading != context and heading not in text[: len(heading) + 16]:
        context = f"{context}\n{heading}"
    if shared.said:
        context = f"{context}\n{shared.said}"
    of_item = item.language, item.media_type, item.doctype, item.tags, item.path, shared.about, item.title
    sections = () if shared.is_code else sections_of(chunk.spots)
    return RankedChunk(chunk.row, chunk.item, context, text, *of_item, heading or "", shared.others, sections)


class OtherVersions(Exception):
    """A remote worker has another version of something that affects the result."""


@dataclass(frozen=True)
class Cutting:
    """Task of chunking for helpers: each item of a batch becomes a plain tuple, with `make`'s results.

    For local helpers a batch has catalog lines; the result is None if the text must come from a guarded worker.
    `versions`: for remote workers, which have no files and settings, versions of everything that affects the result. A
    batch then has catalog lines with the file's bytes or its extracted text; None for items chunked locally."""

    corpus: CorpusFolder
    chunking: Mapping[str, Choice]
    extraction: Mapping[str, Choice]
    make: Callable[[RankedChunk], Any]
    contexts: Mapping[str, str]
    versions: Mapping[str, str] | None = None

    def far(self, chunkers: Mapping[str, Chunker], max_text_bytes: int) -> Cutting:
        """Return the task for remote workers: it tells them no path and no other setting."""
        corpus = CorpusFolder(Path(os.devnull, "far"))
        corpus.__dict__.update(settings=Settings(max_text_bytes=max_text_bytes), config=self.corpus.config)
        return replace(self, corpus=corpus, versions=_versions(chunkers))

    def begin(self, kept: dict[str, Any]) -> Work:
        """Return the work function. Raises `OtherVersions` if this worker would give another result."""
        chunkers = {key: plugins.chosen("chunking", choice) for key, choice in self.chunking.items()}
        extractions = kept.get(DECODED)
        if extractions is None or self.extraction or self.versions is not None:
            extractions = Extractions(self.corpus, Call(), dict(self.extraction))
        cutter = Cutter(chunkers, extractions)
        if (expected := self.versions) is None:
            return lambda lines: [self._row(item, cutter.cut_here(item)) for item in catalogs.parse_lines(lines)]
        now = _versions(chunkers)
        if differing := sorted(name for name in {*now, *expected} if now.get(name) != expected.get(name)):
            raise OtherVersions(f"its workers have other versions of {', '.join(differing)}")

        def cut(sent: Sequence[tuple[bytes, Any]]) -> list[tuple[Any, ...] | None]:
            items = catalogs.parse_lines([line for line, _ in sent])
            return [self._row(item, cutter.cut_from(item, given)) for item, (_, given) in zip(items, sent, strict=True)]

        return cut

    def _row(self, item: Item, cut: tuple[ItemRow, list[ChunkRow]] | None) -> tuple[Any, ...] | None:
        """Return a chunked item as plain values."""
        if cut is None:
            return None
        row, chunks = cut
        documents = [self.make(chunk) for chunk in ranked(chunks, lambda number: item, self.contexts)]
        facts = (row.language, row.title, row.extraction_id, row.tokens, row.digest, row.note)
        return facts, [tuple(chunk[2:]) for chunk in chunks], documents


def _versions(chunkers: Mapping[str, Chunker]) -> dict[str, str]:
    """Return the versions of everything that affects chunking and analysis."""
    import tantivy  # lazy: it analyses text, which few commands do

    chunker_versions = {f"chunking.{key}": chunker.fingerprint for key, chunker in chunkers.items()}
    return {
        **chunker_versions,
        "chunks": CHUNKING_VERSION,
        "analysis": analysis.VERSION,
        "tantivy": str(vars(tantivy)["__version__"]),
    }
