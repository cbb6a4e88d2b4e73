"""Evidence, and the result that contains it (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from operator import attrgetter
from typing import Any, Literal

from biblicus.models.extraction import Head
from biblicus.models.frozen import dataclass
from biblicus.models.locator import Locator, Spot, locator
from biblicus.models.plain import EXCLUDED, LEFT_OUT, jsonable, shown_fields

Approval = Literal["approved", "pending", "unapproved"]
"""Approval of evidence from a layer that shows only approved bytes. `pending`: the file has an unapproved edit; the
evidence is the approved text. `unapproved`: the bytes are not, or no longer, approved."""


@dataclass(frozen=True)
class ContentRef:
    """Reference to the content of an item without text. `reason`: why it has none."""

    path: str
    media_type: str
    bytes: int
    sha256: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """An exact span with provenance, score and hashes. `extraction[span_start:span_end] == text`, always.

    `score` is the engine's own, higher is better; `stage` is the step that gave it and `stage_scores` has all steps.
    `hash` is the sha256 of `text` in UTF-8. Lines count from 1 and end with a line feed only; pages count from 1.
    `locator`: position in the format's own terms. `content_ref`: of an item without text, found by its name, title,
    tags or metadata; `text` is empty then. `context`: of the folders above it. `copies`: paths of other items with the
    same text, including older versions. `corpus`: name of its corpus, if several were queried. `heading`: above the
    words in the snippet. `date`: of the item, a day, month or year. Internal fields, not in the JSON: `opening`, the
    heading above the beginning of the text; `spots`, for the locator; `heads`, headings inside it that no mark shows;
    `sections`, titles of the sections above its entry."""

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
    date: str | None = None
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
        """Return the heading above the beginning of the text; `heading` for evidence from another service."""
        return (self.heading if self.opening is None else self.opening) or ""

    def at_opening(self) -> Evidence:
        """Return the evidence with its first heading as `heading`, for answerers, which read from the beginning."""
        return self if self.opening is None else replace(self, heading=self.opening or None)

    def with_locator(self, within: Evidence | None) -> Evidence:
        """Return the evidence with the locator of its span. `within`: the evidence it was made from.

        Evidence from another service has no spots: a part of it keeps its locator; a larger span is located by its
        lines."""
        span, lines = (self.span_start, self.span_end), (self.line_start, self.line_end)
        source_locator = within.locator if within and not self.spots else None
        if within and source_locator and source_locator.kind not in ("page", "line"):
            inside = within.span_start <= self.span_start and self.span_end <= within.span_end
            return self if inside else replace(self, locator=locator((), None, span, lines))
        return replace(self, locator=locator(self.spots, self.page, span, lines))

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object: required fields always, others if they have a value."""
        values = dict(zip(_REQUIRED, _of_required(self), strict=True))
        values.update([(name, value) for name, value in zip(_OTHERS, _of_others(self), strict=True) if value])
        for name in _OBJECTS:
            if name in values:
                values[name] = jsonable(values[name])
        return values


_OBJECTS = ("locator", "content_ref")
_NAMES = tuple(f.name for f in fields(Evidence) if f.metadata != EXCLUDED)
_REQUIRED, _OTHERS = _NAMES[: _NAMES.index("page")], _NAMES[_NAMES.index("page") :]
_of_required, _of_others = attrgetter(*_REQUIRED), attrgetter(*_OTHERS)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A hit that the budget left out or shortened, with the reason."""

    chunk_id: str
    path: str
    reason: str

    def as_object(self) -> dict[str, str]:
        """Return the JSON object; faster than a general conversion, since a query may drop a hundred."""
        return {"chunk_id": self.chunk_id, "path": self.path, "reason": self.reason}


@dataclass(frozen=True)
class Rarity:
    """Rarity of a question's words in a run.

    `weights`: idf of each term that a chunk contains; a word's forms in several languages all have that of the most
    frequent. `rarest`: idf of a word in no chunk."""

    weights: Mapping[str, float]
    rarest: float

    def of(self, term: str) -> float:
        """Return the weight of a term."""
        return self.weights.get(term, self.rarest)


@dataclass(frozen=True)
class Likeness:
    """Similarity of texts to a question, by the embedder of a leg.

    `of`: cosine (0-1) of each text. `languages`: of the model; None if unknown. It refers to an open run, so pickling
    it for another process gives None."""

    of: Callable[[Sequence[str]], Sequence[float]]
    languages: frozenset[str] | None = None

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return nothing_left, ()


@dataclass(frozen=True)
class Judged:
    """The judge of a run for one question. `of`: score of each (breadcrumb, text), higher is better.
    Like `Likeness`, it refers to an open run."""

    of: Callable[[Sequence[tuple[str, str]]], Sequence[float]]

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return nothing_left, ()


def nothing_left() -> None:
    """Return None, as the unpickled value of an object that refers to an open run."""


@dataclass(frozen=True)
class Pending:
    """Numbers of files that are new, changed or removed since the run.

    `walked`: false if the check was given up; the counts are then lower bounds, or None if nothing is known."""

    new: int | None = None
    changed: int | None = None
    removed: int | None = None
    walked: bool = True

    @property
    def count(self) -> int:
        """Return the sum of the counts."""
        return (self.new or 0) + (self.changed or 0) + (self.removed or 0)

    @property
    def sentence(self) -> str:
        """Return a sentence for people with the command to type; empty if nothing is pending."""
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
"""Value for an unknown state."""


@dataclass(frozen=True)
class Result:
    """Result of a query. `budget`: `asked`, `used`, `dropped[]`. `timings`: ms by step. `as_of`: UTC of the run.

    `support`: for each leg, the share (0-1) of the question that the best chunks cover, which determines
    `insufficient`; empty from an older service. `leg_weights`: of each leg, if the request set them. `notes`:
    deviations from the recipe, with reasons. `rerank`: if the recipe reranks, `done`, or `late`, `busy` or `none` if
    the order is the previous one. `resolved`: if it reranks, everything else that determined the order: the recipe,
    model fingerprints, and the number of chunks with vectors. `pending`: changes in the folder since the run, not part
    of any digest; None: not checked."""

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
    """Rarity of the question's words. Not in the JSON."""
    unknown_names: Sequence[str] = field(default=(), compare=False, metadata=EXCLUDED)
    """Names of the question that no document has, while the result is with the corpus; `notes` has them for others."""
    calibration: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """Calibration of the recipe's answers, or None, while the result is with the corpus."""
    meant: str = field(default="", compare=False, metadata=EXCLUDED)
    """The question with spelling corrected. Not in the JSON."""
    likeness: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """A `Likeness` to the question, or None; typed `Any`, since a schema has no functions. Not in the JSON."""
    judged: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """A `Judged`, if the recipe's judge had time, or None. Not in the JSON."""
    whole: Any = field(default=None, compare=False, metadata=EXCLUDED)
    """A `Whole`, which reads a piece's whole extraction, or None. Not in the JSON."""
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)

    @property
    def texts(self) -> tuple[Evidence, ...]:
        """Return the evidence with text, which can be quoted."""
        return tuple(piece for piece in self.evidence if piece.content_ref is None)

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object of `query --json`."""
        document = shown_fields(self)
        evidence = [piece.as_object() for piece in document.pop("evidence")]
        pending = {"pending": jsonable(self.pending)} if self.pending else {}
        return {**document, **pending, "evidence": evidence}
