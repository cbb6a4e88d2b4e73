"""Limits a result to a budget: candidates are added by rank until a limit is reached; the last may be cut.

Candidates after that are not read, so that a result depends on the order only and not on how many were fetched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from biblicus.models.evidence import Dropped, Evidence
from biblicus.models.frozen import dataclass
from biblicus.models.question import Budget
from biblicus.text.counting import estimate, reach

_WORTH_IT = 120
"""Minimum remaining characters for a shortened chunk, except the first."""


class Candidate(NamedTuple):
    """A ranked chunk that may become evidence. `source`: what `per_source` counts, the item's id. `tokens`: estimate
    for `text`. `item` and `chunk` are the caller's data and are passed through."""

    text: str
    tokens: int
    source: str
    chunk_id: str
    path: str
    score: float
    item: int
    chunk: Any = None

    @property
    def length(self) -> int:
        """Characters of its text."""
        return len(self.text)

    def read(self) -> Candidate:
        """Return the candidate with its text loaded."""
        return self


class _Left(NamedTuple):
    """The remaining budget, None if unlimited. `is_all`: True if nothing is kept yet."""

    tokens: int | None
    characters: int | None
    is_all: bool


@dataclass(frozen=True)
class Spent:
    """The result of applying a budget. `kept`: in order; the last may be cut at its end.

    `used`: `items`, `tokens`, `characters`. `dropped`: candidates that were left out, with the name of the limit, or
    with `:shortened` if cut. `filled`: True if no further candidate could be kept.
    """

    kept: tuple[Candidate, ...]
    used: dict[str, int]
    dropped: tuple[Dropped, ...]
    filled: bool


def spend(candidates: Iterable[Candidate], budget: Budget) -> Spent:
    """Apply the budget. The first candidate is always kept, at least in part."""
    selected: list[Candidate] = []
    dropped: list[Dropped] = []
    tokens = characters = 0
    sources: dict[str, int] = {}
    for candidate in candidates:
        if len(selected) >= budget.items:
            dropped.append(_dropped(candidate, "items"))
            break
        of_source = sources.get(candidate.source, 0)
        if budget.per_source is not None and of_source >= budget.per_source:
            dropped.append(_dropped(candidate, "per_source"))
            continue
        candidate = candidate.read()
        left = _Left(
            budget.tokens and budget.tokens - tokens, budget.characters and budget.characters - characters, not selected
        )
        fitting, limit = _fitted(candidate, left)
        if fitting is not None:
            selected.append(fitting)
            tokens += fitting.tokens
            characters += len(fitting.text)
            sources[candidate.source] = of_source + 1
        if limit:
            dropped.append(_dropped(candidate, f"{limit}:shortened" if fitting else limit))
            break
    used = {"items": len(selected), "tokens": tokens, "characters": characters}
    met = bool(dropped) and dropped[-1].reason != "per_source"
    return Spent(tuple(selected), used, tuple(dropped), met or len(selected) >= budget.items)


def _dropped(candidate: Candidate, reason: str) -> Dropped:
    return Dropped(candidate.chunk_id, candidate.path, reason)


def _fitted(candidate: Candidate, left: _Left) -> tuple[Candidate | None, str]:
    """Return the part of the candidate that fits, and the limit it reached (empty if all fits)."""
    text = candidate.text
    rooms = []
    if left.tokens is not None and candidate.tokens > left.tokens:
        rooms.append((reach(text, 0, len(text), left.tokens), "tokens"))
    if left.characters is not None:
        rooms.append((left.characters, "characters"))
    room, limit = min(rooms, default=(len(text), ""))
    if room >= len(text):
        return candidate, ""
    if not left.is_all and room < _WORTH_IT:
        return None, limit
    return _shortened(candidate, max(room, 1)), limit


def _shortened(candidate: Candidate, room: int) -> Candidate:
    """Return the candidate's beginning of at most `room` characters, up to a sentence end if possible."""
    from biblicus.text.sentences import cut  # lazy: most results fit their budget

    text = candidate.text[: cut(candidate.text, room)].rstrip() or candidate.text[:room]
    return Candidate(text, estimate(text), *candidate[2:])


class Within(NamedTuple):
    """Evidence within a budget. `kept`: re-ranked pieces with their index in the list; `dropped`: indices of those left
    out or cut, with the reason (see `Spent`)."""

    kept: list[tuple[int, Evidence]]
    used: dict[str, int]
    dropped: list[tuple[int, str]]


def within(pieces: Sequence[Evidence], budget: Budget) -> Within:
    """Apply the budget to ordered evidence, for example of several fused results."""
    candidates = [
        Candidate(
            piece.text,
            estimate(piece.text),
            f"{piece.corpus_id} {piece.item_id}",
            str(place),
            piece.path,
            piece.score,
            place,
        )
        for place, piece in enumerate(pieces)
    ]
    spent = spend(candidates, budget)
    pairs = [
        (candidate.item, replace(_beginning(pieces[candidate.item], candidate.text), rank=rank))
        for rank, candidate in enumerate(spent.kept, 1)
    ]
    return Within(pairs, spent.used, [(int(dropped.chunk_id), dropped.reason) for dropped in spent.dropped])


def _beginning(piece: Evidence, text: str) -> Evidence:
    """Return the piece, or its beginning if the budget cut it."""
    if text == piece.text:
        return piece
    return replace(
        piece,
        text=text,
        hash=hashlib.sha256(text.encode()).hexdigest(),
        span_end=piece.span_start + len(text),
        line_end=piece.line_start + text.count("\n"),
    )
