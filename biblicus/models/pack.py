"""Context packs: evidence as numbered text for a prompt, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from biblicus.errors import UsageError
from biblicus.models.evidence import Dropped, Evidence

Format = Literal["markdown", "xml", "json", "plain"]
Order = Literal["rank", "source", "document"]
FORMATS: tuple[str, ...] = get_args(Format)
ORDERS: tuple[str, ...] = get_args(Order)
ESTIMATE = "estimate"
"""The tokenizer that needs no model: from characters (`biblicus.text.tokens`)."""


@dataclass(frozen=True, slots=True)
class PackPolicy:
    """How a pack is made.

    `tokens`: what the whole text may count, heads and fences included. `order`: by rank; by source (the items by their
    best rank, each in its own order); or by document (path, then place). `neighbours`: paragraphs to add on each side
    of what was found, while there is room. `share`: how much of `tokens` one item may take. `tokenizer`: who counts.
    """

    tokens: int = 4000
    format: Format = "markdown"
    order: Order = "rank"
    neighbours: int = 1
    share: float = 1.0
    tokenizer: str = ESTIMATE

    def __post_init__(self) -> None:
        """Raises `UsageError` for what no pack can be made by."""
        wrong = {
            f"tokens is at least 1, not {self.tokens}": self.tokens < 1,
            f"neighbours is at least 0, not {self.neighbours}": self.neighbours < 0,
            f"share is above 0 and at most 1, not {self.share}": not 0 < self.share <= 1,
            f"format is {', '.join(FORMATS)}, not {self.format}": self.format not in FORMATS,
            f"order is {', '.join(ORDERS)}, not {self.order}": self.order not in ORDERS,
        }
        for sentence, holds in wrong.items():
            if holds:
                raise UsageError(f"A pack's {sentence}.", "biblicus context --help")


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered piece of a pack, which answers cite by its number.

    `piece` is evidence: an exact span, with its own text, lines and hash; rank, score and chunk are those of the best
    of `chunks`, the ranked chunks that it was made of. `shortened`: it ends before they do. `widened`: neighbours
    stand around them.
    """

    number: int
    piece: Evidence
    chunks: tuple[str, ...]
    shortened: bool = False
    widened: bool = False

    def as_object(self) -> dict[str, Any]:
        """The JSON object: evidence, which `verify` proves, and what the entry adds to it."""
        return {
            "number": self.number,
            **self.piece.as_object(),
            "chunks": list(self.chunks),
            "shortened": self.shortened,
            "widened": self.widened,
        }


@dataclass(frozen=True, slots=True)
class Pack:
    """Evidence made ready for a prompt. `text`: what to put there; it says so where there is no piece.

    `marker`: stands in every head, and in no document. `tokens`: of `text`, counted by `policy.tokenizer`.
    `dropped`: what was found and is not in `text`, or only in part, with the reason.
    """

    question: str
    text: str
    marker: str
    entries: tuple[Entry, ...]
    dropped: tuple[Dropped, ...]
    tokens: int
    policy: PackPolicy
    corpus_id: str
    run_id: str
    recipe_id: str
    index_version: str
    insufficient: bool
    timings: Mapping[str, float]

    def as_object(self) -> dict[str, Any]:
        """The JSON object of `context --json`."""
        return {
            "query": self.question,
            "format": self.policy.format,
            "text": self.text,
            "marker": self.marker,
            "entries": [entry.as_object() for entry in self.entries],
            "dropped": [{"chunk_id": one.chunk_id, "path": one.path, "reason": one.reason} for one in self.dropped],
            "budget": {
                "tokens": self.policy.tokens,
                "used": self.tokens,
                "tokenizer": self.policy.tokenizer,
                "share": self.policy.share,
                "neighbours": self.policy.neighbours,
                "order": self.policy.order,
            },
            "corpus_id": self.corpus_id,
            "run_id": self.run_id,
            "recipe_id": self.recipe_id,
            "index_version": self.index_version,
            "insufficient": self.insufficient,
            "timings": dict(self.timings),
        }
