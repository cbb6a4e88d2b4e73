"""Evidence and the result that carries it (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from operator import attrgetter
from typing import Any, Literal

from biblicus.models.extraction import Head
from biblicus.models.frozen import dataclass
from biblicus.models.locator import Locator, Spot, locator
from biblicus.models.plain import EXCLUDED, LEFT_OUT, jsonable

Approval = Literal["approved", "pending", "unapproved"]
"""Of evidence from a layer that shows approved bytes alone: `pending`, while the file has an edit that nobody approved;
the evidence is what was approved. `unapproved`: these bytes are not approved, or no longer."""


@dataclass(frozen=True)
class ContentRef:
    """The content of an item that holds no text: what to open, and `reason`: why there is none."""

    path: str
    media_type: str
    bytes: int
    sha256: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """An exact span with provenance, score and hashes. `extraction[span_start:span_end] == text`, always.

    `score` is the engine's own, higher is better; `stage` names the step that gave it and `stage_scores` all steps'.
    `hash` is the sha256 of `text` in UTF-8. Lines count from 1 and are ended by a line feed alone; pages count from 1.
    `locator`: where it stands in the format's own terms. `content_ref`: of an item without text, which was found by its
    name, title, tags or metadata; `text` is empty then. `context`: what the folders above it say. `copies`: paths of
    other items that say the same, copies and older versions among them. `corpus`: what its corpus is called, where
    several were asked. `heading`: the one above the words that the snippet shows; `opening`: the one above the text's
    beginning, not said to others. `spots`: what the locator is told by, and
    `heads`: the headings in it that no mark shows, and `sections`: what those are called that its entry stands in,
    while the evidence is with the corpus; they are not said to others.
    """

    rank: int
    score: float
    corpus_id: str
    item_id: str
    chunk_id: str
    path: str
    source_uri: str
    media_type: str
    text: str
    snippet: str
    stage: str
    stage_scores: Mapping[str, float]
    recipe_id: str
    run_id: str
    hash: str
    item_sha256: str
    extraction_id: str
    span_start: int
    span_end: int
    line_start: int
    line_end: int
    page: int | None = None
    locator: Locator | None = None
    heading: str | None = None
    title: str | None = None
    language: str | None = None
    doctype: str | None = None
    tags: tuple[str, ...] = ()
    toolkit: tuple[str, ...] = ()
    layer: str | None = None
    approval: Approval | None = None
    context: tuple[str, ...] = ()
    citation_url: str | None = None
    stale: bool | None = None
    content_ref: ContentRef | None = None
    copies: tuple[str, ...] = ()
    corpus: str | None = None
    spots: tuple[Spot, ...] = field(default=(), metadata=EXCLUDED)
    heads: tuple[Head, ...] = field(default=(), metadata=EXCLUDED)
    sections: tuple[str, ...] = field(default=(), metadata=EXCLUDED)
    opening: str | None = field(default=None, compare=False, metadata=EXCLUDED)

    @property
    def first_heading(self) -> str:
        """The heading above the beginning of the text; `heading` itself for evidence that came over a wire."""
        return (self.heading if self.opening is None else self.opening) or ""

    def at_opening(self) -> Evidence:
        """The same below its first heading, as an answerer reads it from its beginning on."""
        return self if self.opening is None else replace(self, heading=self.opening or None)

    def with_locator(self, within: Evidence | None) -> Evidence:
        """The same with the locator of its span. `within`: the evidence that it was made of.

        Evidence that came over a wire has no spots: a part of it stands where it does, more than it by its lines.
        """
        span, lines = (self.span_start, self.span_end), (self.line_start, self.line_end)
        known = within.locator if within and not self.spots else None
        if within and known and known.kind not in ("page", "line"):
            inside = within.span_start <= self.span_start and self.span_end <= within.span_end
            return self if inside else replace(self, locator=locator((), None, span, lines))
        return replace(self, locator=locator(self.spots, self.page, span, lines))

    def as_object(self) -> dict[str, Any]:
        """The JSON object, in values that `json.dumps` takes: required fields always, the others where they exist."""
        whole = dict(zip(_REQUIRED, _of_required(self), strict=True))
        whole.update([(name, value) for name, value in zip(_OTHERS, _of_others(self), strict=True) if value])
        for name in _OBJECTS:
            if name in whole:
                whole[name] = jsonable(whole[name])
        return whole


_OBJECTS = ("locator", "content_ref")
_NAMES = tuple(f.name for f in fields(Evidence) if f.metadata != EXCLUDED)
_REQUIRED, _OTHERS = _NAMES[: _NAMES.index("page")], _NAMES[_NAMES.index("page") :]
_of_required, _of_others = attrgetter(*_REQUIRED), attrgetter(*_OTHERS)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A hit that the budget left out or shortened, and why."""

    chunk_id: str
    path: str
    reason: str

    def as_object(self) -> dict[str, str]:
        """The JSON object; made by hand, as a question may drop a hundred."""
        return {"chunk_id": self.chunk_id, "path": self.path, "reason": self.reason}


@dataclass(frozen=True)
class Rarity:
    """How rare the words of a question are among the chunks of a run. `weights`: the idf of each of its terms that a
    chunk holds; of a word's forms in several languages all have that of the most frequent. `rarest`: of a word that no
    chunk holds."""

    weights: Mapping[str, float]
    rarest: float

    def of(self, term: str) -> float:
        """What a term weighs."""
        return self.weights.get(term, self.rarest)


@dataclass(frozen=True)
class Likeness:
    """How like a question texts are, by the model of one of a run's legs. `of`: the cosine (0-1) of each text;
    `languages`: those that the model knows, None where it does not tell. It asks an open run: of one that is handed to
    another process nothing is left."""

    of: Callable[[Sequence[str]], Sequence[float]]
    languages: frozenset[str] | None = None

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return nothing_left, ()


@dataclass(frozen=True)
class Judged:
    """The judge of a run, for one question. `of`: how well each (breadcrumb, text) answers it, higher is better. Like
    `Likeness` it asks an open run."""

    of: Callable[[Sequence[tuple[str, str]]], Sequence[float]]

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return nothing_left, ()


def nothing_left() -> None:
    """What is left in another process of what asks an open run."""


@dataclass(frozen=True)
class Pending:
    """How many files are new, changed or gone since the run: what a reindex would bring in. `walked` is false where
    looking took too long: the counts are then of what is known to differ, and None where nothing is."""

    new: int | None = None
    changed: int | None = None
    removed: int | None = None
    walked: bool = True

    @property
    def count(self) -> int:
        """All of them."""
        return (self.new or 0) + (self.changed or 0) + (self.removed or 0)

    @property
    def sentence(self) -> str:
        """What a person is told, with what to type; empty where nothing is pending."""
        kinds = (("new", self.new), ("changed", self.changed), ("removed", self.removed))
        parts = [f"{count} {kind}" for kind, count in kinds if count]
        if not parts:
            return ""
        least = "" if self.walked else "at least "
        if not self.changed and not self.removed:
            is_not = "file is not" if self.new == 1 else "files are not"
            return f"{least}{self.new} {is_not} indexed yet: biblicus reindex".capitalize()
        files = "file" if self.count == 1 else "files"
        return f"Not indexed yet: {least}{', '.join(parts)} {files}: biblicus reindex"


NOT_WALKED = Pending(walked=False)
"""What is said where nobody knows."""


@dataclass(frozen=True)
class Result:
    """What a query returns. `budget`: `asked`, `used`, `dropped[]`. `timings`: ms by step. `as_of`: UTC of the run.

    `support`: of each leg, the bounded measure (0-1) of how much of the question the best chunks hold, which decides
    `insufficient`; empty where an older service answered. `leg_weights`: what each leg counted, where the question
    said so. `notes`: what was done otherwise than the recipe says, and why. `rerank`: where the recipe reranks,
    `done`, or `late`, `busy` or `none`, where the order is the one before. `resolved`: where it does, all that decided
    the order beside run and question: the recipe, the models by fingerprint, and of how many of the run's chunks the
    vectors could count. `pending`: how the folder stands against
    the run; no digest holds it, and None says that nobody looked.
    """

    query: str
    corpus_id: str
    run_id: str
    recipe_id: str
    index_version: str
    weights_digest: str | None
    as_of: str
    evidence: Sequence[Evidence]
    insufficient: bool
    budget: Mapping[str, Any]
    timings: Mapping[str, float]
    support: Mapping[str, float] = field(default_factory=dict)
    leg_weights: Mapping[str, float] = field(default_factory=dict, metadata=LEFT_OUT)
    notes: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    rerank: Literal["done", "late", "busy", "none"] | None = field(default=None, metadata=LEFT_OUT)
    resolved: Mapping[str, str] = field(default_factory=dict, metadata=LEFT_OUT)
    rarity: Rarity | None = field(default=None, compare=False, metadata=EXCLUDED)
    """Of the question's words, while the result is with the corpus; it is not said to others."""
    unknown_names: Sequence[str] = field(default=(), compare=False, metadata=EXCLUDED)
    """Names of the question that no document has, while the result is with the corpus; `notes` has them for others."""
    meant: str = field(default="", compare=False, metadata=EXCLUDED)
    """The question without slips of the hand, while the result is with the corpus."""
    likeness: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """A `Likeness` to the question, or None; a schema knows no functions. While the result is with the corpus."""
    judged: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """A `Judged`, where the recipe has a judge who had time, or None. While the result is with the corpus."""
    whole: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """What reads the extraction that a piece is of, as a `Whole`, or None. While the result is with the corpus."""
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)

    @property
    def texts(self) -> tuple[Evidence, ...]:
        """The evidence that is text: what can be quoted."""
        return tuple(piece for piece in self.evidence if piece.content_ref is None)

    def as_object(self) -> dict[str, Any]:
        """The JSON object of `query --json`, in values that `json.dumps` takes."""
        pending = {"pending": jsonable(self.pending)} if self.pending else {}
        return {
            **{name: getattr(self, name) for name in _AS_IT_IS},
            **{name: value for name in _WHERE_SAID if (value := getattr(self, name))},
            **pending,
            "evidence": [piece.as_object() for piece in self.evidence],
        }


_WHERE_SAID = ("leg_weights", "notes", "rerank", "resolved")
_BY_HAND = (*_WHERE_SAID, "evidence", "rarity", "unknown_names", "meant", "likeness", "judged", "whole", "pending")
_AS_IT_IS = tuple(f.name for f in fields(Result) if f.name not in _BY_HAND)
