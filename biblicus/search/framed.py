"""Pieces that a question points at by file and line: what a stack, a compiler or a search names comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from biblicus.contracts import Hit
from biblicus.models.question import Allow
from biblicus.models.requests.query import Filters
from biblicus.retrieval.fusion import Fused
from biblicus.search.opened_run import OpenRun
from biblicus.stores.packing import ChunkRow
from biblicus.text.globs import fits_path
from biblicus.text.terms import frames
from biblicus.text.terms.frames import Frame

FRAME = "frame"
"""The stage in which what a question points at comes first."""
_MOST = 3
"""Pieces of one question."""
CHUNKS = 2_000
"""Of files of one name, at most."""
_STEP = 0.01
"""By what share of the best score each of them is above the next."""

Search = Callable[[Allow], Mapping[str, Sequence[Hit]]]
"""The hits of each leg among what is allowed."""


def first(run: OpenRun, question: str, ranked: list[Fused], allow: Allow | None, search: Search) -> list[Fused]:
    """Ranked chunks, those in front that the question points at: the innermost call's first, up to `_MOST`."""
    rows: list[int] = []
    for frame in frames.of(question):
        if len(rows) == _MOST:
            break
        row = _row_of(run, frame, allow, search)
        if row is not None and row not in rows:
            rows.append(row)
    if not rows:
        return ranked
    known = {entry.row: entry.stages for entry in ranked}
    best = max((entry.score for entry in ranked), default=1.0)
    scores = [best * (1 + _STEP * (len(rows) - at)) for at in range(len(rows))]
    pointed_at = [
        Fused(row, score, {**known.get(row, {}), FRAME: score}) for row, score in zip(rows, scores, strict=True)
    ]
    return [*pointed_at, *(entry for entry in ranked if entry.row not in rows)]


def _row_of(run: OpenRun, frame: Frame, allow: Allow | None, search: Search) -> int | None:
    """The chunk that a frame points at: of the file whose path shares most with it, the one with its line, or, where
    the file has changed since, the function's."""
    filters = allow.filters if allow else Filters()
    of_name = Allow(replace(filters, path=(f"**/{_literal(frame.path[-1])}",)), allow.item_rows if allow else None)
    hits = [hit.row for of_leg in search(of_name).values() for hit in of_leg]
    places = run.tables.places(hits)
    shared = {
        row: frame.shared(place.path)
        for row, place in places.items()
        if not filters.path or fits_path(place.path, filters.path)
    }
    most = max(shared.values(), default=0)
    rows = [row for row in dict.fromkeys(hits) if most and shared.get(row) == most]
    if frame.line is None or not rows:
        return rows[0] if rows else None
    chunks = run.tables.chunks(rows)
    may_be_of_another = most == 1 < len(frame.path) and frame.name.isidentifier()  # a library's `utils.py` is not ours
    if may_be_of_another and not any(frame.name in chunk.text for chunk in chunks.values()):
        return None
    return min(rows, key=lambda row: _distance(chunks[row], frame, rows.index(row)))


def _distance(chunk: ChunkRow, frame: Frame, rank: int) -> tuple[int, int, int]:
    """How far a chunk is from what a frame points at; the first by rank of equals is nearest."""
    assert frame.line is not None
    begin, end = chunk.line_start, chunk.line_start + chunk.text.count("\n")
    lines = max(begin - frame.line, frame.line - end, 0)
    if not frame.name:
        return (0, lines, rank)
    is_function = (chunk.heading or "").replace("::", ".").split(".")[-1].strip("()") == frame.name
    has_name = is_function or frame.name in chunk.text
    return (0 if has_name and not lines else 1 if is_function else 2, lines, rank)


def _literal(name: str) -> str:
    """A name as a glob that nothing else fits."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
