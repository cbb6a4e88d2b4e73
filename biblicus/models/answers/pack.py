"""Context packs: evidence as numbered text for a prompt, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from biblicus.models.evidence import Dropped, Evidence, Pending
from biblicus.models.plain import LEFT_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Evidence):
    """One numbered piece of a pack, which answers cite by its number.

    It is evidence: an exact span with its own text, lines and hash; rank, score and chunk are those of the best of
    `chunks`, its ranked chunks. `shortened`: it ends before they do. `widened`: neighbouring text was added."""

    number: int
    chunks: tuple[str, ...]
    shortened: bool = False
    widened: bool = False

    @classmethod
    def of(cls, piece: Evidence, **said: Any) -> Entry:
        """Create an entry from a piece of evidence."""
        return cls(**{entry.name: getattr(piece, entry.name) for entry in fields(Evidence)}, **said)

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object: evidence, which `verify` can check, with the entry's own fields."""
        entry_fields = {"chunks": list(self.chunks), "shortened": self.shortened, "widened": self.widened}
        return {"number": self.number, **Evidence.as_object(self), **entry_fields}


@dataclass(frozen=True, slots=True)
class PackBudget:
    """Budget of a pack, and the tokens it used (`used`) by its tokenizer."""

    tokens: int
    used: int
    tokenizer: str
    share: float
    neighbours: int
    order: str


@dataclass(frozen=True, slots=True)
class Pack:
    """Evidence prepared for a prompt. `text`: the text for the prompt, with a note if there is no evidence.

    `marker`: random text in every head, so that documents cannot fake a head. `dropped`: evidence missing in `text`, in
    whole or in part, with the reason. `pending`: changes in the folder since the run."""

    query: str
    format: str
    text: str
    marker: str
    entries: tuple[Entry, ...]
    dropped: tuple[Dropped, ...]
    budget: PackBudget
    corpus_id: str
    run_id: str
    recipe_id: str
    index_version: str
    insufficient: bool
    timings: Mapping[str, float]
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)
