"""Copies: the same attachment of forty mails is evidence once; the rest is passed over, and named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from biblicus.models.evidence import Dropped
from biblicus.retrieval.budget import Candidate
from biblicus.text.paths import is_member


def without_copies(candidates: Iterable[Candidate], copies: list[Dropped]) -> Iterator[Candidate]:
    """The candidates without members whose bytes a better one has; those are added to `copies`. Equal files of the
    folder stay: who keeps two wants to be told of both."""
    met: set[tuple[str, int]] = set()
    for candidate in candidates:
        content = candidate.chunk
        place = content.row.extraction_id, content.chunk.start
        if is_member(candidate.path) and place in met:
            copies.append(Dropped(candidate.chunk_id, candidate.path, "duplicate"))
            continue
        met.add(place)
        yield candidate
