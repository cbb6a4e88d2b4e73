"""A persona: who answers, with which manual corpus, recipe, style and limits. Its plan, and the answer it comes to."""

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
    """What this persona looks at first. `entities`: kinds of things, as `vessel`. `relations`: how they belong
    together, as `moored at`."""

    entities: Annotated[tuple[Word, ...], Field(max_length=40)] = ()
    relations: Annotated[tuple[Word, ...], Field(max_length=40)] = ()


class PersonaBudget(_Section):
    """What the persona reads for one answer; where the asker says less, less counts.

    `items`, `tokens`, `characters`, `per_source`: of the research evidence, as in a recipe; where one is missing, the
    recipe's counts. `manual`: pieces of the manual corpus.
    """

    items: Annotated[int, Field(ge=1, le=100)] | None = None
    tokens: Annotated[int, Field(ge=1, le=100_000)] | None = None
    characters: Annotated[int, Field(ge=1, le=400_000)] | None = None
    per_source: Annotated[int, Field(ge=1, le=100)] | None = None
    manual: Annotated[int, Field(ge=1, le=10)] = 3


class PersonaLimits(_Section):
    """Bounds on one answer. They tighten what the user allows and never loosen it.

    `queries`: to the research corpus, the question's own included. `seconds`: for the whole answer. `requests`: to a
    language model. `output_tokens`: of each of its replies.
    """

    queries: Annotated[int, Field(ge=1, le=12)] = 4
    seconds: Annotated[float, Field(gt=0, le=3_600)] | None = None
    requests: Annotated[int, Field(ge=1, le=50)] | None = None
    output_tokens: Annotated[int, Field(ge=64, le=32_000)] | None = None


class Persona(_Section):
    """`.biblicus/personas/<id>.yml`.

    `id`: how it is asked for; the file is named likewise. `name`, `description`: for people. `manual_corpus`: how this
    persona works, a corpus: a relative path from the corpus's folder, or `corpus://NAME` from the user's own places.
    `recipe`: by name, where the asker names none. `layer`: the only one that it answers from. `style`, `system`: how a
    language model is to write and what it is to mind; without a model they change nothing. `focus`: what it looks at.
    `budget`, `limits`: what it may use.
    """

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
        """The JSON object of `personas show`: with the digest of all that the file says."""
        return {**self.model_dump(mode="json"), "digest": self.digest}

    @cached_property
    def digest(self) -> str:
        """Of all that the file says: 12 hex digits, told in answers."""
        unsaid = {"layer"} if self.layer is None else set[str]()  # personas from before there were layers stay the same
        return digest(self.model_dump(mode="json", exclude=unsaid), 12)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan. `manual`: the rank of the manual snippet that it comes from."""

    text: str
    manual: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is approached.

    `entity_types`, `relations`: those that matter here. `search_hints`: what is asked of the research corpus beside the
    question. `graph_helps`: whether the answer hangs on how several things belong together. `by`: `manual`, the
    question's terms and the manual's own words; or `llm`. `prompt`: names the prompt that the model got. `note`: why
    the plan is not by the model that was there.
    """

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
    """A query to the research corpus. `origin`: `question`, `plan`, or `graph` (a hook of the caller's).

    `found`: pieces that it gave. `kept`: those of them that stand in the evidence.
    """

    text: str
    origin: Literal["question", "plan", "graph"]
    found: int
    kept: int


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the evidence is worth, counted and not guessed.

    `strength`: the answer's `evidence_strength` in a word. `pieces`, `sources`: of the evidence. `cited_sources`: items
    that the answer cites. `stale`: pieces whose item has changed since. `terms`, `missing`: the question's terms, and
    those that no piece holds.
    """

    strength: Literal["none", "weak", "fair", "strong"]
    pieces: int
    sources: int
    cited_sources: int
    stale: int
    terms: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaAnswer(Answer):
    """An answer as a persona gave it, and how the persona came to it.

    `by`: the persona, of which the JSON shows id and digest. `manual`: the snippets that the plan was made from,
    evidence of the manual corpus (another `corpus_id`); no statement cites them. `ontology_context`, `graph_context`:
    what the caller handed in, passed through. `unused`: keys of the persona that had no effect, since no language model
    was asked.
    """

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
        """The answer with how the persona came to it."""
        own = {entry.name: getattr(answer, entry.name) for entry in fields(Answer)} | {"persona": by.id}
        return cls(**own, by=by, persona_digest=by.digest, **approach)

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Self:
        """From its JSON object: of the persona there is the id."""
        by = {"id": value["persona"], "name": value["persona"]}
        return super(PersonaAnswer, cls).from_object({**value, "by": by})  # slots: the class was made twice


AnyAnswer = PersonaAnswer | Answer
"""What `answer` returns: with a persona also how it came to the answer."""
