"""Notes on evidence: written, listed where their words stand now, removed and exported.

A note's file is written once, so branches merge. A removed note leaves an empty object: git would take a deleted file
and a similar new one for a rename, which conflicts with a deletion on another branch."""

from __future__ import annotations

import functools
import json
import shlex
from bisect import bisect_right
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of, named
from biblicus.corpus.editorial.approvals import now_of, shown_on
from biblicus.corpus.editorial.notes import REMOVED, Note, file_of, note_ids, read
from biblicus.corpus.extracted.extractions import of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import get, present
from biblicus.disk import files
from biblicus.editorial.promote import who
from biblicus.errors import ConfigInvalid, ItemNotFound, NoteNotFound, UsageError
from biblicus.models.extraction import Extraction
from biblicus.models.frozen import dataclass
from biblicus.models.item import Item
from biblicus.models.plain import LEFT_OUT, made_of
from biblicus.models.requests.items import GetRequest
from biblicus.models.requests.notes import AddNoteRequest, ExportNotesRequest, NotesRequest, RemoveNoteRequest
from biblicus.text.anchoring import place_of, quote_of, spans_of
from biblicus.text.counting import LineIndex
from biblicus.text.terms.analysis import stemmer_of, terms

NoteStatus = Literal["ok", "moved", "lost", "missing"]
"""`ok`: the words stand at their span; `moved`: elsewhere in the item; `lost`: nowhere for sure. `missing`: no item."""


@dataclass(frozen=True, kw_only=True)
class PlacedNote:
    """A note where its words stand now. The span and lines are those of the note where it is lost or missing."""

    note_id: str
    item_id: str
    path: str
    status: NoteStatus
    text: str
    quote: str
    by: str = field(default="", metadata=LEFT_OUT)
    created: str
    hash: str
    span_start: int
    span_end: int
    line_start: int | None = field(default=None, metadata=LEFT_OUT)
    line_end: int | None = field(default=None, metadata=LEFT_OUT)
    page: int | None = field(default=None, metadata=LEFT_OUT)
    heading: str | None = field(default=None, metadata=LEFT_OUT)
    title: str = field(default="", metadata=LEFT_OUT)


@dataclass(frozen=True)
class NoteList:
    """Notes, by path and place. `problems`: files that are no notes."""

    notes: tuple[PlacedNote, ...]
    problems: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)


@dataclass(frozen=True)
class ExportedNotes:
    """Notes as a Markdown document."""

    text: str
    count: int


def add(corpus: CorpusFolder, request: AddNoteRequest, call: Call) -> PlacedNote:
    """Write a note. Raises `ItemNotFound`, `NoText`, and `UsageError` for words that do not stand there once."""
    excerpt = get(corpus, GetRequest(request.item), call)
    path, size = excerpt.path, len(excerpt.text)
    start, end = request.span or _span_of(excerpt.text, request.quote or "", path)
    quote = quote_of(excerpt.text, start, end)
    if not quote.exact.strip() or end > size:
        raise UsageError(f"There are no words at {start}:{end} of {path}, which has {size} characters.", _get(path))
    note = Note(
        item_id=excerpt.item_id,
        path=path,
        text=request.text,
        by=request.by if request.by is not None else "" if call.guest else who(),
        created=now_of(call),
        start=start,
        item_sha256=excerpt.item_sha256,
        **quote._asdict(),
    )
    with corpus.writing(call):
        files.make_folder(corpus.home / "notes")
        document = json.dumps(note.annotation(), ensure_ascii=False, indent=1) + "\n"
        files.write(file_of(corpus, note.note_id), document.encode("utf-8", "surrogatepass"))
    return _Places(corpus, call).placed(note)


def list_notes(corpus: CorpusFolder, request: NotesRequest, call: Call) -> NoteList:
    """Return notes in the order of paths and places. Raises `ItemNotFound`, `ConfigInvalid`."""
    places = _Places(corpus, call)
    item = named(places.catalog, request.item) if request.item else None
    is_shown = shown_on(corpus, request.layer, call)
    notes, problems = [], []
    for note_id in note_ids(corpus):
        call.check()
        try:
            note = read(corpus, note_id)
        except ConfigInvalid as error:
            problems.append(error.message)
            continue
        of = places.item_of(note)
        if (of == item if item else True) and (is_shown(of) if of else not request.layer) and _fits(note, request, of):
            notes.append(places.placed(note))
    ordered = sorted(notes, key=lambda note: (note.path, note.span_start, note.note_id))
    return NoteList(tuple(ordered), tuple(problems))


def remove(corpus: CorpusFolder, request: RemoveNoteRequest, call: Call) -> PlacedNote:
    """Delete a note, and return it. Raises `NoteNotFound`."""
    with corpus.writing(call):
        if request.note not in note_ids(corpus):
            raise NoteNotFound(request.note)
        note = _Places(corpus, call).placed(read(corpus, request.note))
        files.write(file_of(corpus, request.note), REMOVED)
    return note


def export(corpus: CorpusFolder, request: ExportNotesRequest, call: Call) -> ExportedNotes:
    """Return notes as Markdown: quotations with footnotes, or a list with links of Obsidian."""
    notes_request = NotesRequest(request.query, item=request.item, layer=request.layer)
    notes = list_notes(corpus, notes_request, call).notes
    if request.form == "obsidian":
        return ExportedNotes("".join(_linked(note) for note in notes), len(notes))
    quotations = [_quotation(note, number) for number, note in enumerate(notes, 1)]
    places = [f"[^{number}]: {_place(note)}\n" for number, note in enumerate(notes, 1)]
    return ExportedNotes("".join([*quotations, *places]), len(notes))


def _span_of(text: str, words: str, path: str) -> tuple[int, int]:
    """Return the only span of the words; white space may differ."""
    spans = list(spans_of(text, words))
    if not spans:
        raise UsageError(f"These words stand nowhere in {path}.", _get(path))
    if len(spans) > 1:
        lines = ", ".join(f"{LineIndex(text).line_range(*span)[0]}" for span in spans[:5])
        raise UsageError(
            f"These words stand {len(spans)} times in {path}: on lines {lines}{', …' if len(spans) > 5 else ''}. "
            "Quote more of the words around them, or give their span.",
            f"{_get(path)} --json",
        )
    return spans[0]


def _get(path: str) -> str:
    return f"biblicus get {shlex.quote(path)}"


def _fits(note: Note, request: NotesRequest, item: Item | None) -> bool:
    """Return true if the note and its quoted words contain every word of the query, in any inflection."""
    words = f"{note.text} {note.exact} {note.by}"
    stemmer = stemmer_of((item.language if item else None) or "en") or ""
    query_terms = terms(request.query, stemmer, stemmer) or terms(request.query, stemmer)
    return {*query_terms} <= {*terms(words, stemmer)}


class _Places:
    """Places of notes in the present items. Loads each item once."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._corpus = corpus
        self.catalog = catalog_of(corpus)
        self._extractions = of_default_recipe(corpus, call)
        self._text_of = functools.cache(self._text)

    def item_of(self, note: Note) -> Item | None:
        """Return the item by its id, which survives renames, else by its path."""
        path = self.catalog.paths.get(note.item_id, note.path)
        return self.catalog.items.get(path)

    def placed(self, note: Note) -> PlacedNote:
        """Return a note with its present place."""
        item = self.item_of(note)
        text = self._text_of(item.path) if item else None
        status: NoteStatus = "missing" if text is None else "lost"
        start = note.start
        where: dict[str, Any] = {}
        if text is not None:
            sha256, extraction, index = text
            is_there = extraction.text.startswith(note.exact, note.start)
            place = note.start if is_there and sha256 == note.item_sha256 else place_of(extraction.text, note.quote)
            if place is not None:
                status, start = ("ok" if place == note.start else "moved"), place
                first, last = index.line_range(place, place + len(note.exact))
                page = bisect_right(extraction.pages, place) or None
                heading = next((head for head in reversed(extraction.headings) if head.offset <= place), None)
                where = {"line_start": first, "line_end": last, "page": page, "heading": heading and heading.title}
        return made_of(
            PlacedNote,
            item,
            note,
            title=item.title if item else "",
            status=status,
            quote=note.exact,
            span_start=start,
            span_end=start + len(note.exact),
            **where,
        )

    def _text(self, path: str) -> tuple[str, Extraction, LineIndex] | None:
        """Return the bytes' digest and the text of an item; None if it is gone or has no text."""
        try:
            raw = present(self._corpus, self.catalog.items[path])
        except ItemNotFound:
            return None
        outcome = self._extractions.outcome(raw)
        return (raw.sha256, outcome, LineIndex(outcome.text)) if isinstance(outcome, Extraction) else None


# --- Markdown


def _place(note: PlacedNote) -> str:
    if note.line_start is None:
        return f"{note.path} ({note.status})"
    lines = f"{note.line_start}" + (f"-{note.line_end}" if note.line_end != note.line_start else "")
    return f"{note.path}:{lines}" + (f", page {note.page}" if note.page else "")


def _quotation(note: PlacedNote, number: int) -> str:
    quoted = "\n".join(f"> {line}" for line in note.quote.splitlines())
    return f"{quoted}\n> [^{number}]\n\n{_said(note)}\n\n"


def _linked(note: PlacedNote) -> str:
    part = f"#page={note.page}" if note.page else f"#{note.heading}" if note.heading else ""
    name = Path(note.path).stem
    words = " ".join(note.quote.split())
    return f"- [[{note.path}{part}|{name}]] “{words}” {_said(note)}\n"


def _said(note: PlacedNote) -> str:
    """Return the comment with its author and day."""
    lost = f", {note.status}" if note.status in ("lost", "missing") else ""
    return f"{note.text.strip()} ({', '.join(filter(None, (note.by, note.created[:10])))}{lost})"
