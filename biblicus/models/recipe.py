"""A recipe: a named, validated configuration with a `build` and a `query` section (DESIGN §1, §2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Annotated, Any, Literal

from biblicus.models.digest import digest
from biblicus.models.frozen import dataclass
from biblicus.models.item import DOCTYPES
from biblicus.models.records import Bounds, Record
from biblicus.models.weights import WeightRules

Choice = dict[str, Any]
"""A plug-in's options, including the key that names it (`by`, `engine`)."""


BUILD_ID_LENGTH = 12
"""Number of hexadecimal digits."""

LegName = Annotated[str, Bounds(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
"""Leg names are also folder names, so untrusted recipes must match this pattern."""


@dataclass(frozen=True, kw_only=True)
class Build(Record):
    """Everything that determines the content of a run.

    `extraction`: extractor name to its options; `ocr`: an engine (`engine`) for scans, with its options; `stt`: the
    name of one of the user's transcribers (`transcriber`) for recordings. `chunking`: doctype (or `default`) to a
    chunker (`by`) with options. `legs`: leg name to its engine (`engine`) with options. `contexts`: the contexts of
    folders are only `shown` with hits, or also `ranked` with titles."""

    extraction: dict[str, Choice] = field(default_factory=dict)
    chunking: dict[str, Choice]
    legs: Annotated[dict[LegName, Choice], Bounds(min_length=1)]
    contexts: Literal["shown", "ranked"] = "shown"

    def model_dump(self, *, mode: Literal["python", "json"] = "python") -> dict[str, Any]:
        """Return the section without a default `contexts`, so that older builds keep their ids."""
        section = super().model_dump(mode=mode)
        if self.contexts == "shown":
            section.pop("contexts", None)
        return section


@dataclass(frozen=True, kw_only=True)
class Fusion(Record):
    """Combination of the rankings of several legs.

    `by`: `weighted` is the mean of the legs' scores, scaled from each leg's floor (0) to its best (1), by weight and by
    the leg's reliability for this question (see `retrieval.fusion`); `rrf` adds weight / (k + rank) (reciprocal rank
    fusion: Cormack, Clarke, Büttcher 2009); `sum` adds weight · score, unscaled; `min-max` adds weight · share, scaled
    from each leg's worst candidate (0) to its best (1). `weights`: by leg, default 1; a request can override them
    (`leg_weights`). `k`: of `rrf`; a larger value reduces the advantage of the first ranks."""

    by: Literal["weighted", "rrf", "sum", "min-max"] = "weighted"
    weights: dict[LegName, Annotated[float, Bounds(ge=0, le=1_000)]] = field(default_factory=dict)
    k: Annotated[int, Bounds(ge=1, le=10_000)] = 60


@dataclass(frozen=True, kw_only=True)
class Retrieve(Record):
    """First stage of a query.

    `legs`: legs of the run to use; `null` means all. `candidates`: chunks requested from each at first; more are
    fetched while the budget has room. `fusion`: for two or more legs."""

    legs: Annotated[tuple[LegName, ...], Bounds(min_length=1)] | None = None
    candidates: Annotated[int, Bounds(ge=1, le=10_000)] = 20
    fusion: Fusion = field(default_factory=Fusion)


@dataclass(frozen=True, kw_only=True)
class FilterSection(Record):
    """`near_duplicates`: leave out a chunk if this share of its words is in a better one; `null`: never."""

    near_duplicates: Annotated[float, Bounds(gt=0, le=1)] | None = None


@dataclass(frozen=True, kw_only=True)
class BudgetSection(Record):
    """Default limits of a result; `null` means no limit.

    `items`: pieces of evidence. `tokens`: of all texts, estimated from characters. `characters`: of all texts.
    `per_source`: pieces from one item."""

    items: Annotated[int, Bounds(ge=1, le=1_000)] = 10
    tokens: Annotated[int, Bounds(ge=1)] | None = 4000
    characters: Annotated[int, Bounds(ge=1)] | None = None
    per_source: Annotated[int, Bounds(ge=1)] | None = 3


@dataclass(frozen=True, kw_only=True)
class QuerySection(Record):
    """Everything that determines a result for a given run. Changes never need a reindex.

    Order of the stages: retrieve, rerank, weights, filter, budget. `rerank`: a reranker (`by`) with its options;
    `null`: none. `weights`: by kind of item, in addition to `weights.yml`. `threshold`: for each leg, the share (0–1)
    of the question that must be covered, or its result is insufficient; with several legs, the mean of share /
    threshold decides."""

    retrieve: Retrieve = field(default_factory=Retrieve)
    rerank: Choice | None = None
    weights: WeightRules = field(default_factory=WeightRules)
    filter: FilterSection = field(default_factory=FilterSection)
    threshold: dict[str, Annotated[float, Bounds(ge=0, le=1)]] = field(default_factory=dict)
    budget: BudgetSection = field(default_factory=BudgetSection)


@dataclass(frozen=True, kw_only=True)
class Recipe(Record):
    """A recipe. Use `corpus.recipes` to create one with all plug-in options filled in.

    `name`: its identifier, also the file's name. `description`: for people; not part of its identity."""

    name: Annotated[str, Bounds(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
    description: str = ""
    build: Build
    query: QuerySection = field(default_factory=QuerySection)

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object of `recipes show`, with the derived ids."""
        return {**self.model_dump(), "build_id": self.build_id, "recipe_id": self.recipe_id}

    @cached_property
    def build_id(self) -> str:
        return digest(self.build.model_dump(), BUILD_ID_LENGTH)

    @cached_property
    def recipe_id(self) -> str:
        content = self.model_dump()
        del content["description"]
        return f"{self.name}-{digest(content, 8)}"


MULTILINGUAL = "multilingual"
"""Recipe for languages that the model of `hybrid` cannot read."""
WORDS, JUDGED, MEANING, AUTO = "lexical", "judged", "meaning", "auto"
"""Recipes for words alone, words with the judge, both with meaning, and the best available of these."""
MEMOS = "memos"
"""Recipe of the family `memos`; its windows are settings."""
_CHUNKING = {"default": {"by": "paragraphs"}, "code": {"by": "definitions"}, "notebook": {"by": "cells"}}
_WINDOWS = {"by": "sentences", "sentences": 3, "overlap": 1, "paragraphs": True}
_WEIGHTED = {"by": "min-max", "weights": {"lexical": 0.4, "vector": 0.6}}


def _built_in(
    name: str,
    description: str,
    *,
    words: str | None = "tantivy",
    embedder: str | None = None,
    windows: Mapping[str, Any] | None = None,
    fusion: Mapping[str, Any] | None = None,
    is_judged: bool = False,
    vector_threshold: float = 0.35,
) -> Mapping[str, Any]:
    """Return a recipe as a user would write it. `words`, `embedder`: of its legs."""
    leg = "scan" if words == "rank-bm25" else "lexical"
    legs = {leg: {"engine": words}} if words else {}
    legs |= {"vector": {"engine": "hnsw", "embedder": embedder}} if embedder else {}
    query: dict[str, Any] = {"threshold": {leg: 0.3 if leg != "vector" else vector_threshold for leg in legs}}
    if words and embedder:
        query["retrieve"] = {"candidates": 100, **({"fusion": fusion} if fusion else {})}
    if is_judged:
        query["rerank"] = {"by": "judge"}
    chunking = {**_CHUNKING, "default": windows} if windows else _CHUNKING
    return {"name": name, "description": description, "build": {"chunking": chunking, "legs": legs}, "query": query}


# fmt: off
BUILT_IN: Mapping[str, Mapping[str, Any]] = {recipe["name"]: recipe for recipe in (
    _built_in("lexical", "BM25 over a persisted index (tantivy), stemmed by language."),
    _built_in(JUDGED, "As lexical, the best candidates read by the judge; needs the extra [meaning].", is_judged=True),
    _built_in(MEANING, "As hybrid-int8, the best candidates read by the judge; needs the extra [meaning].",
              embedder="minilm-int8", is_judged=True),
    _built_in("vector", "Nearest sentences by meaning: cosine of MiniLM vectors; needs the extra [minilm].",
              words=None, embedder="minilm", vector_threshold=0.3),
    _built_in("hybrid", "Words and meaning together: lexical and vector, fused; needs the extra [minilm].",
              embedder="minilm"),
    _built_in(MULTILINGUAL,
              "As hybrid, by a model of a hundred languages (multilingual-e5-small); needs the extra [e5].",
              embedder="e5"),
    _built_in("hybrid-int8", "As hybrid, by the same model in eight bits: half the time, no torch; needs [meaning].",
              embedder="minilm-int8"),
    _built_in("multilingual-int8",
              "As multilingual; texts are embedded in eight bits, in half the time; needs [e5] and [int8].",
              embedder="e5-int8"),
    _built_in("hybrid-sum", "As hybrid, but the plain weighted sum of the scores as the legs give them.",
              embedder="minilm", fusion={"by": "sum", "weights": {"lexical": 0.02, "vector": 0.98}}),
    _built_in("hybrid-alpha",
              "Windows of three sentences; .6 of meaning and .4 of words, each from worst to best candidate.",
              embedder="minilm", windows=_WINDOWS, fusion=_WEIGHTED),
    _built_in(MEMOS, "Windows of six sentences; .6 of meaning and .4 of words; read by the judge; needs [meaning].",
              embedder="minilm-int8", windows={**_WINDOWS, "sentences": 6}, fusion=_WEIGHTED, is_judged=True),
    _built_in("scan", "BM25 computed just in time over the live files (rank-bm25); for small corpora.",
              words="rank-bm25"),
)}
# fmt: on
"""The built-in recipes, as a user would write them."""

CHUNKING_KEYS = ("default", *DOCTYPES)
