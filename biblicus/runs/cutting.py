"""Cuts items into chunks: their rows for the tables, and what legs see of them. In this process or in helpers."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from biblicus import plugins
from biblicus.chunking.structure import in_words, is_bare_heading
from biblicus.config import CorpusConfig, Settings
from biblicus.contracts import Call, Chunker, RankedChunk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.examine import DECODED
from biblicus.corpus.extracted.extractions import Extractions, Outcome, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.guards.side_by_side import Work
from biblicus.models.extraction import ENTRY, Extraction, Head, Heading, NoExtraction, Span
from biblicus.models.item import Item
from biblicus.models.locator import kept_beside, sections_of, touched
from biblicus.models.recipe import Choice
from biblicus.runs.parts import CHUNKING_VERSION
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import ItemRow
from biblicus.text import media
from biblicus.text.fitting import toolkits_of
from biblicus.text.links import also_called
from biblicus.text.paths import folder_of
from biblicus.text.terms import analysis, identifiers
from biblicus.text.tokens import estimate

_LINE = 400
"""Characters of a line beside the words of a heading at most: what is longer says more."""
_BEFORE = 20
"""Letters of a number before the words of a heading at most (`Chapter 12: `)."""
_NAMES = 64
"""Names of an entry below each other at most."""
_CUT = 300
"""Characters of a heading, of which the rest is not kept."""
_VALUED = 3
"""Words of a name with what its values are called at most: `flush zone [view]`."""
_NUMERAL = 4
"""Those of one without digits (`VIII`)."""
_OPENS, _CLOSES = re.compile(r"[(\[{<]"), (")", "]", "}", ">")
_TYPE = re.compile(r" ?(?:->|→|:) (?:\w{1,40} )?\w{1,40}(?: \(\w{1,40}\))?$")
"""What a name is or gives, as entries have it: `speed : integer`, `haul(boat) -> bool`."""
_CODE = ("code", "tree-sitter")
"""The extractors whose headings are names in a file: rows have them with the module's."""


class Cutter:
    """Turns items into rows."""

    def __init__(self, chunkers: Mapping[str, Chunker], extractions: Extractions) -> None:
        self._chunkers = chunkers
        self._extractions = extractions

    def cut(self, item: Item, record: str, row: int, first_chunk: int) -> tuple[ItemRow, list[ChunkRow]]:
        """The item's row and its chunks' rows, numbered from `row` and `first_chunk`."""
        return self._pieces(item, self._extractions.outcome(raw_of(item)), record, row, first_chunk)

    def cut_here(self, item: Item) -> tuple[ItemRow, list[ChunkRow]] | None:
        """The same, numbered from 0 and without a record, if that needs no guarded worker."""
        outcome = self._extractions.get(raw_of(item))
        return None if outcome is None else self._pieces(item, outcome, "", 0, 0)

    def cut_from(self, item: Item, outcome: Outcome) -> tuple[ItemRow, list[ChunkRow]]:
        """The same of what was extracted already."""
        return self._pieces(item, outcome, "", 0, 0)

    def _pieces(
        self, item: Item, outcome: Outcome, record: str, row: int, first_chunk: int
    ) -> tuple[ItemRow, list[ChunkRow]]:
        raw = raw_of(item)
        key = self._extractions.extraction_id(raw)
        seen = (row, item.item_id, item.path, item.language, item.title, record, key)
        if isinstance(outcome, NoExtraction):
            mark = ("!" if outcome.is_failure else "-") + outcome.sentence
            return ItemRow(*seen, 0, 0, _EMPTY, mark, None), []
        known = heads(outcome) if media.shows_no_headings(item.media_type) else ()
        numbers: list[Span] = []
        chunker = self._chunkers.get(item.doctype) or self._chunkers["default"]
        spans = in_words(outcome.text, chunker.chunk(outcome), numbers)
        module = module_of(item.path) if outcome.headings and is_code(item) else ""
        chunks, tokens, digest = chunk_rows(outcome, spans, row, first_chunk, known, module)
        note = f"-columns of numbers: {len(numbers)} passages of numbers alone are not searched" if numbers else None
        return ItemRow(*seen, len(chunks), tokens, digest, note if chunks else "-empty", None), chunks


def is_code(item: Item) -> bool:
    """Whether the headings of an item are names of definitions."""
    return media.choose(item.media_type) in _CODE


def module_of(path: str) -> str:
    """What a source file's definitions are qualified by: its name, or its folder's where that stands for it."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "__main__") and folder else stem


_EMPTY = hashlib.sha256(b"").hexdigest()


def heads(extraction: Extraction) -> list[Head]:
    """The headings as they stand in the text; those whose words do not stand there are where a part starts."""
    known: list[Head] = []
    over = ""  # what `_heading_over` says of a text right behind it
    for heading in extraction.headings:
        over = heading.title if heading.title or heading.level <= 1 else over
        lines = _lines_of(extraction.text, heading)
        known.append(Head(heading.offset, heading.level, lines, "" if lines else over))
    return known


def _lines_of(text: str, heading: Heading) -> int:
    """How many lines show no more than the words of a heading, from the one where it starts on: the first perhaps
    behind a number, the last perhaps with how it is used; several names of an entry stand below each other."""
    title, at, most, is_entry = heading.title, heading.offset, len(heading.title) + _LINE, heading.level >= ENTRY
    wanted, is_spelled = _letters(title) or _signs(title), any(map(str.isalnum, title))
    shown, first = "", 0
    for lines in range(1, _NAMES + 1 if wanted else 0):
        end = text.find("\n", at, at + most)
        line = text[at : end if end >= 0 else at + most]
        if not line.strip() or (end < 0 and at + most < len(text)):
            break
        name = _letters(unused := _without_use(line, is_entry))
        called = shown + name
        shown += _letters(line) if is_spelled else _signs(line)
        first = first or len(shown)
        is_first = is_entry and lines == 1
        if is_first and _names(line) == title:
            return lines  # `-slow N, -s` of `-slow, -s`
        if called == wanted or _ends(shown, wanted, first) or (len(title) >= _CUT and shown.startswith(wanted)):
            return lines
        is_named = name and (wanted.endswith(name) or (unused != line and name.endswith(wanted)))
        if is_first and is_named and not wanted.startswith(shown):
            return lines  # `rest()` of `Winch.rest`, `class Winch()` of `Winch`
        if len(shown) > len(wanted) + _BEFORE:
            break
        at += len(line) + 1
    return 0


def _names(line: str) -> str:
    """The names that a line lists, each perhaps with a word for its value behind it."""
    parts = [part.split(" ") for part in line.strip().split(", ")]
    return "" if any(len(part) > _VALUED for part in parts) else ", ".join(part[0] for part in parts)


def _without_use(line: str, is_entry: bool) -> str:
    """What a line calls by its name, without the brackets behind it, and in an entry without what it is or gives."""
    line = _TYPE.sub("", line.rstrip()) if is_entry else line
    opens = _OPENS.search(line) if line.rstrip(" .*+?…,;:|").endswith(_CLOSES) else None
    return line[: opens.start()] if opens else line


def _ends(shown: str, wanted: str, first: int) -> bool:
    """Whether letters end with those of a heading, which begin in the `first` line, perhaps behind a number."""
    before = shown.removesuffix(wanted)
    is_number = before[-1:].isdigit() or len(before) <= _NUMERAL
    return before != shown and len(before) < first and is_number


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _signs(text: str) -> str:
    """All that is seen of a text but the dashes between names: `!` and `~` have no letters."""
    return "".join(text.replace("–", " ").split())


def chunk_rows(
    extraction: Extraction, spans: Iterable[Span], item: int, first: int, known: Sequence[Head] = (), module: str = ""
) -> tuple[list[ChunkRow], int, str]:
    """Rows for an extraction's spans, their tokens (estimate), and the digest over spans and texts. `known`: headings
    that the text does not show. `module`: qualifies all headings, which are names of definitions."""
    text, pages, headings = extraction.text, extraction.pages, extraction.headings
    line, counted = 1, 0  # the line of the offset up to which line feeds are counted
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
    """For each heading the place of the one that it stands in; -1 for what stands in none."""
    parents: list[int] = []
    around: list[int] = []
    for at, heading in enumerate(headings):
        within = [place for place in around if headings[place].level < heading.level]
        parents.append(within[-1] if within else -1)
        around = [*within, at] if heading.title else around
    return parents


def _over(headings: Sequence[Heading], parents: Sequence[int], at: int) -> tuple[str, ...]:
    """What the sections are called that a heading stands in, the outermost first."""
    over: list[str] = []
    while (at := parents[at]) >= 0:
        over.append(headings[at].title)
    return tuple(reversed(over))


def _entry_at(text: str, headings: Sequence[Heading], at: int, end: int) -> int:
    """The entry that a text up to `end` starts with, if only headings stand before its own; else the heading `at`."""
    below = at
    while 0 <= below < len(headings) - 1 and headings[below].level < ENTRY:
        begins = headings[below + 1].offset
        if begins >= end or not is_bare_heading(text, headings[below].offset, begins):
            return at
        below += 1
    return below if below >= 0 and headings[below].level >= ENTRY else at


def _heading_over(headings: Sequence[Heading], at: int) -> str | None:
    """The words of the heading that a text stands under, which starts behind the one at `at`."""
    while at >= 0 and not headings[at].title and headings[at].level > 1:
        at -= 1
    return (headings[at].title or None) if at >= 0 else None


def digested(start: int, end: int, piece: str) -> bytes:
    raw = piece.encode()
    return b"%d:%d:%d\n%b" % (start, end, len(raw), raw)


def ranked(
    chunks: Iterable[ChunkRow], item_of: Callable[[int], Item], contexts: Mapping[str, str]
) -> Iterator[RankedChunk]:
    """What a leg sees of chunks that come item by item. `item_of`: the item of a row. `contexts`: what is ranked of
    what folders say."""
    for row, group in groupby(chunks, key=attrgetter("item")):
        item, own = item_of(row), list(group)
        shared = _Shared(
            is_code(item),
            tuple(map(identifiers.toolkit_term, toolkits_of(item))),
            f"{contexts.get(folder_of(item.path), '')} {also_called(item.metadata)}".strip(),
            len(own) - 1,
        )
        for chunk in own:
            yield _ranked(item, chunk, shared)


class _Shared(NamedTuple):
    """What the chunks of an item have in common. `about`: terms for its toolkits; `said`: of its folder, and its
    other names; `others`: how many it has beside each."""

    is_code: bool
    about: tuple[str, ...]
    said: str
    others: int


def _ranked(item: Item, chunk: ChunkRow, shared: _Shared) -> RankedChunk:
    """A chunk with the title and heading that are ranked with it, where the text does not show them, and with what is
    said of its folder."""
    context, heading, text = item.title, chunk.heading, chunk.text
    if heading and heading != context and heading not in text[: len(heading) + 16]:
        context = f"{context}\n{heading}"
    if shared.said:
        context = f"{context}\n{shared.said}"
    return RankedChunk(
        chunk.row,
        chunk.item,
        context,
        text,
        item.language,
        item.media_type,
        item.doctype,
        item.tags,
        item.path,
        shared.about,
        item.title,
        heading or "",
        shared.others,
        () if shared.is_code else sections_of(chunk.spots),
    )


@dataclass(frozen=True)
class Cutting:
    """The task of cutting, for helpers: each item of a batch of catalog lines as a plain tuple, with what `make` makes
    of its chunks; None where its text must come from a guarded worker."""

    corpus: CorpusFolder
    chunking: Mapping[str, Choice]
    extraction: Mapping[str, Choice]
    make: Callable[[RankedChunk], Any]
    contexts: Mapping[str, str]

    def begin(self, kept: dict[str, Any]) -> Work:
        extractions = kept.get(DECODED)
        if extractions is None or self.extraction:
            extractions = Extractions(self.corpus, Call(), dict(self.extraction))
        chunkers = {key: plugins.chosen("chunking", choice) for key, choice in self.chunking.items()}
        cutter = Cutter(chunkers, extractions)
        return lambda lines: [self._row(cutter, item) for item in catalogs.parse_lines(lines)]

    def _row(self, cutter: Cutter, item: Item) -> tuple[Any, ...] | None:
        cut = cutter.cut_here(item)
        return None if cut is None else _plain(item, *cut, self.make, self.contexts)


def _plain(
    item: Item,
    row: ItemRow,
    chunks: Sequence[ChunkRow],
    make: Callable[[RankedChunk], Any],
    contexts: Mapping[str, str],
) -> tuple[Any, ...]:
    """An item that was cut, as plain values."""
    made = [make(chunk) for chunk in ranked(chunks, lambda number: item, contexts)]
    facts = (row.language, row.title, row.extraction_id, row.tokens, row.digest, row.note)
    return facts, [tuple(chunk[2:]) for chunk in chunks], made


class OtherVersions(Exception):
    """Where a task is done, something that decides its outcome is not as it is here."""


@dataclass(frozen=True)
class FarCutting:
    """The task of cutting where neither files nor settings of this machine are: batches of catalog lines, each with the
    bytes of its file or the text that a guarded worker gave; None for what is cut here.

    `versions`: what decides the outcome, here; `config` and `max_text_bytes`: what extracting asks of a corpus.
    """

    config: CorpusConfig
    max_text_bytes: int
    chunking: Mapping[str, Choice]
    extraction: Mapping[str, Choice]
    make: Callable[[RankedChunk], Any]
    versions: Mapping[str, str]
    contexts: Mapping[str, str]

    @classmethod
    def of(
        cls,
        corpus: CorpusFolder,
        chunking: Mapping[str, Choice],
        chunkers: Mapping[str, Chunker],
        extractions: Extractions,
        make: Callable[[RankedChunk], Any],
        contexts: Mapping[str, str],
    ) -> FarCutting:
        limit = corpus.settings.max_text_bytes
        return cls(corpus.config, limit, chunking, extractions.options, make, _versions(chunkers), contexts)

    def begin(self, kept: dict[str, Any]) -> Work:
        """The work. Raises `OtherVersions`, which would give another outcome."""
        chunkers = {key: plugins.chosen("chunking", choice) for key, choice in self.chunking.items()}
        if (own := _versions(chunkers)) != self.versions:
            differing = sorted(name for name in {*own, *self.versions} if own.get(name) != self.versions.get(name))
            raise OtherVersions(f"its workers have other versions of {', '.join(differing)}")
        folder = kept["folder"] = TemporaryDirectory(prefix="biblicus-")
        corpus = CorpusFolder(Path(folder.name))
        corpus.__dict__.update(settings=Settings(max_text_bytes=self.max_text_bytes), config=self.config)
        extractions = Extractions(corpus, Call(), dict(self.extraction))
        cutter = Cutter(chunkers, extractions)

        def cut(sent: Sequence[tuple[bytes, Any]]) -> list[tuple[Any, ...] | None]:
            items = catalogs.parse_lines([line for line, _ in sent])
            return [self._row(cutter, extractions, item, given) for item, (_, given) in zip(items, sent, strict=True)]

        return cut

    def _row(self, cutter: Cutter, extractions: Extractions, item: Item, given: Any) -> tuple[Any, ...] | None:
        outcome: Outcome | None = given if isinstance(given, Extraction) else None
        if isinstance(given, bytes) and hashlib.sha256(given).hexdigest() == item.sha256:
            outcome = extractions.get(raw_of(item), given)
        return None if outcome is None else _plain(item, *cutter.cut_from(item, outcome), self.make, self.contexts)


def _versions(chunkers: Mapping[str, Chunker]) -> dict[str, str]:
    """What decides how an extraction is cut and analysed."""
    import tantivy  # lazy: it analyses, and few commands do

    own = {f"chunking.{key}": chunker.fingerprint for key, chunker in chunkers.items()}
    return {
        **own,
        "chunks": CHUNKING_VERSION,
        "analysis": analysis.VERSION,
        "tantivy": str(vars(tantivy)["__version__"]),
    }
