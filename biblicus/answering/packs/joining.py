"""Merges overlapping or adjacent chunks of an item into exact spans."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Head
from biblicus.models.locator import Spot

_GAP = 64
"""Maximum white space characters between two adjacent chunks."""


class Home(NamedTuple):
    """The text around a piece: its page, slide or item as extracted. `start`: its offset in the item; `spots`, `heads`:
    spots and headings in it."""

    text: str
    start: int
    spots: Sequence[Spot] = ()
    heads: Sequence[Head] = ()


Around = Callable[[Evidence], Home | None]
"""Returns the home of a piece, or None if it is unavailable."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A span of merged chunks. `piece`: the best-ranked of its `parts`, with the span's text, lines and hash."""

    piece: Evidence
    parts: tuple[Evidence, ...]
    shortened: bool = False
    widened: bool = False


def join(pieces: Iterable[Joined], around: Around) -> list[Joined]:
    """Merge pieces that overlap or have only white space between; the result is sorted by rank."""
    homes: dict[tuple[str, ...], list[Joined]] = {}
    for joined in pieces:
        piece = joined.piece
        region = piece.locator.region if piece.locator else ()
        homes.setdefault((piece.item_id, piece.extraction_id, str(piece.page), *region), []).append(joined)
    chunks = [joined for group in homes.values() for joined in _joined(group, around)]
    return sorted(chunks, key=lambda joined: joined.piece.rank)


def spanned(
    piece: Evidence, text: str, start: int, line: int, spots: Iterable[Spot] = (), heads: Iterable[Head] = ()
) -> Evidence:
    """Return the piece with another span: `text` from offset `start` on `line`. `spots`, `heads`: added to its own."""
    spanned_piece = replace(
        piece,
        text=text,
        hash=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        span_start=start,
        span_end=start + len(text),
        line_start=line,
        line_end=line + text.count("\n", 0, max(len(text) - 1, 0)),
        spots=tuple(sorted({*piece.spots, *spots})),
        heads=tuple(head for head in sorted({*piece.heads, *heads}) if start <= head.offset < start + len(text)),
    )
    return spanned_piece.with_locator(piece)


def _joined(group: Sequence[Joined], around: Around) -> list[Joined]:
    """Return the merged spans of one home in ascending order."""
    done: list[Joined] = []
    for one in sorted(group, key=lambda one: (one.piece.span_start, one.piece.span_end)):
        between = _between(done[-1].piece, one.piece, around) if done else None
        if between is None:
            done.append(one)
        else:
            done[-1] = _one(done[-1], one, between)
    return done


def _one(first: Joined, second: Joined, between: str) -> Joined:
    a, b = first.piece, second.piece
    ahead = a.span_end + len(between) - b.span_start
    best, worse = (first, second) if a.rank <= b.rank else (second, first)
    text, more = a.text + between + b.text[ahead:], worse.piece
    return Joined(
        spanned(best.piece, text, a.span_start, a.line_start, more.spots, more.heads),
        (*best.parts, *worse.parts),
        (second if b.span_end >= a.span_end else first).shortened,
        first.widened or second.widened,
    )


def _between(a: Evidence, b: Evidence, around: Around) -> str | None:
    """Return the white space between spans `a` and `b`, or None if they are apart or their overlap differs."""
    gap = b.span_start - a.span_end
    if gap <= 0:
        shared = min(a.span_end, b.span_end) - b.span_start
        return "" if a.text[b.span_start - a.span_start :][:shared] == b.text[:shared] else None
    if gap > _GAP:
        return None
    if not a.text.endswith("\n") and b.line_start - a.line_end == gap:
        return "\n" * gap  # as many lines as characters: only line feeds are between
    home = around(a)
    if home is None:
        return None
    between = home.text[a.span_end - home.start : b.span_start - home.start]
    return between if len(between) == gap and not between.strip() else None
