"""Copies: the same attachment of forty mails is evidence once, and so is a page that is there in two formats; the rest
is passed over, and named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from biblicus.models.evidence import Dropped
from biblicus.retrieval.budget import Candidate
from biblicus.text.paths import is_member

_SAME = 0.8
"""The share of a text's runs of words that others hold: then they say the same."""


def without_copies(candidates: Iterable[Candidate], copies: list[Dropped]) -> Iterator[Candidate]:
    """The candidates without members whose bytes a better one has, and without what a better one of a file that only
    its extension tells apart (`deck.pptx`, `deck.pdf`) says, too; those are added to `copies`. Equal files of other
    names stay: who keeps two wants to be told of both."""
    met: set[tuple[str, int]] = set()
    named: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        content = candidate.chunk
        place = content.row.extraction_id, content.chunk.start
        name = candidate.path.rpartition(".")[0]
        before = named.setdefault(name, [])
        others = [other for other in before if other.source != candidate.source] if name and before else []
        if (is_member(candidate.path) and place in met) or (others and _is_said(candidate, others)):
            copies.append(Dropped(candidate.chunk_id, candidate.path, "duplicate"))
            continue
        met.add(place)
        before.append(candidate)
        yield candidate


def _is_said(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether the others together say what this one does."""
    from biblicus.retrieval.duplicates import shingles  # lazy: few pages are there twice

    own = shingles(candidate.text)
    theirs = frozenset[int]().union(*(shingles(other.text) for other in others))
    return len(own & theirs) >= _SAME * len(own)
