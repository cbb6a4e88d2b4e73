"""A persona: an answering style with manual corpus, recipe and limits; its plan and its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from biblicus.models.answers.answer import Answer
from biblicus.models.digest import digest
from biblicus.models.evidence import Evidence
from biblicus.models.plain import EXCLUDED, LEFT_OUT

NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"

Word = Annotated[str, Field(min_length=1, max_length=80)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Focus(_Section):
    """Topics of a persona. `entities`: kinds of things, such as `vessel`. `relations`: between them, such as `moored
    at`."""

    entities: Annotated[tuple[Word, ...], Field(max_length=40)] = ()
    relations: Annotated[tuple[Word, ...], Field(max_length=40)] = ()


class PersonaBudget(_Section):
    """Evidence that the persona reads for one answer; the request's own smaller limits apply too.

    `items`, `tokens`, `characters`, `per_source`: of the research evidence, as in a recipe, whose value is the default.
    `manual`: pieces of the manual corpus."""

    items: Annotated[int, Field(ge=1, le=100)] | None = None
    tokens: Annotated[int, Field(ge=1, le=100_000)] | None = None
    characters: Annotated[int, Field(ge=1, le=400_000)] | None = None
    per_source: Annotated[int, Field(ge=1, le=100)] | None = None
    manual: Annotated[int, Field(ge=1, le=10)] = 3


class PersonaLimits(_Section):
    """Limits of one answer. They can only tighten the user's limits.

    `queries`: to the research corpus, including the question's own. `seconds`: for the whole answer. `requests`: to a
    language model. `output_tokens`: of each of its replies."""

    queries: Annotated[int, Field(ge=1, le=12)] = 4
    seconds: Annotated[float, Field(gt=0, le=3_600)] | None = None
    requests: Annotated[int, Field(ge=1, le=50)] | None = None
    output_tokens: Annotated[int, Field(ge=64, le=32_000)] | None = None


class Persona(_Section):
    """Content of `.biblicus/personas/<id>.yml`.

    `id`: its identifier, also the file's name. `name`, `description`: for people. `manual_corpus`: a corpus that
    describes how this persona works: a path relative to the corpus's folder, or `corpus://NAME` from the user's places.
    `recipe`: default recipe. `layer`: the only layer for its answers. `style`, `system`: instructions for a language
    model; without one they have no effect. `focus`: its topics. `budget`, `limits`: of one answer."""

    id: Annotated[str, Field(pattern=NAME)]
    name: Annotated[str, Field(min_length=1, max_length=120)]
    description: Annotated[str, Field(max_length=2_000)] = ""
    manual_corpus: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    recipe: Annotated[str, Field(pattern=NAME)] | None = None
    layer: Annotated[str, Field(pattern=NAME)] | None = None
    style: Annotated[str, Field(max_length=2_000)] = ""
    system: Annotated[str, Field(max_length=8_000)] = ""
    focus: Focus = Field(default_factory=Focus)
    budget: PersonaBudget = Field(default_factory=PersonaBudget)
    limits: PersonaLimits = Field(default_factory=PersonaLimits)

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object of `personas show`, with its digest."""
        return {**self.model_dump(mode="json"), "digest": self.digest}

    @cached_property
    def digest(self) -> str:
        """Return a digest of the file's content, 12 hexadecimal digits, which answers contain."""
        # keep the digest of personas from before layers existed
        unsaid = {"layer"} if self.layer is None else set[str]()
        return digest(self.model_dump(mode="json", exclude=unsaid), 12)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan. `manual`: rank of the manual snippet that it comes from."""

    text: str
    manual: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Approach to a question.

    `entity_types`, `relations`: relevant ones. `search_hints`: further queries to the research corpus. `graph_helps`:
    the answer depends on relations between several things. `by`: `manual` (the question's terms and the manual's words)
    or `llm`. `prompt`: id of the model's prompt. `note`: why the available model did not make the plan."""

    steps: tuple[PlanStep, ...] = ()
    entity_types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    search_hints: tuple[str, ...] = ()
    graph_helps: bool = False
    by: Literal["manual", "llm"] = "manual"
    prompt: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class PlanQuery:
    """A query to the research corpus. `origin`: `question`, `plan`, or `graph` (the caller's hook).

    `found`: number of pieces returned. `kept`: those that are in the evidence."""

    text: str
    origin: Literal["question", "plan", "graph"]
    found: int
    kept: int


@dataclass(frozen=True, slots=True)
class Assessment:
    """Counts that describe the quality of the evidence.

    `strength`: the answer's `evidence_strength` as a word. `pieces`, `sources`: of the evidence. `cited_sources`: cited
    items. `stale`: pieces whose item has changed since. `terms`, `missing`: the question's terms, and those in no
    piece."""

    strength: Literal["none", "weak", "fair", "strong"]
    pieces: int
    sources: int
    cited_sources: int
    stale: int
    terms: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaAnswer(Answer):
    """A persona's answer, with how it was made.

    `by`: the persona; the JSON has its id and digest. `manual`: snippets of the manual corpus (another `corpus_id`) for
    the plan; statements do not cite them. `ontology_context`, `graph_context`: passed through from the caller.
    `unused`: keys of the persona without effect, because no language model was used."""

    by: Persona = field(metadata=EXCLUDED)
    persona_digest: str
    plan: Plan
    manual: Sequence[Evidence]
    queries: Sequence[PlanQuery]
    assessment: Assessment
    unused: tuple[str, ...] = ()
    ontology_context: Any = field(default=None, metadata=LEFT_OUT)
    graph_context: Any = field(default=None, metadata=LEFT_OUT)

    @classmethod
    def of(cls, answer: Answer, by: Persona, **approach: Any) -> PersonaAnswer:
        """Return the answer with how the persona made it."""
        values = {entry.name: getattr(answer, entry.name) for entry in fields(Answer)} | {"persona": by.id}
        return cls(**values, by=by, persona_digest=by.digest, **approach)

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Self:
        """Create an answer from its JSON object; of the persona only the id is known."""
        by = {"id": value["persona"], "name": value["persona"]}
        # with slots the class is created twice, so a bare super() fails
        return super(PersonaAnswer, cls).from_object({**value, "by": by})


AnyAnswer = PersonaAnswer | Answer
"""Return type of `answer`."""
