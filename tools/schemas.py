"""docs/schemas/*.json: JSON Schemas of what programs read from Biblicus, on standard output and on disk.

What the package models itself is taken from there. The reports that a command puts together are modelled here, and a
test holds real output against them with no room for a field that is not described.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from biblicus.corpus.catalog import Latest
from biblicus.models.answers.answer import Answer, CitedEvidence, LeftOut, Statement
from biblicus.models.answers.evaluation import (
    Difference,
    Evaluation,
    Gate,
    ProcedureQuestion,
    ProcedureReply,
    ProcedureUsage,
    RankedItem,
    Row,
    System,
    Violation,
)
from biblicus.models.answers.pack import Entry, Pack, PackBudget
from biblicus.models.answers.persona import (
    AnyAnswer,
    Focus,
    Persona,
    PersonaAnswer,
    PersonaBudget,
    PersonaLimits,
)
from biblicus.models.event import Event
from biblicus.models.evidence import Dropped, Evidence, Result
from biblicus.models.item import Item
from biblicus.models.manifest import Built, Manifest, Note
from biblicus.models.reading import Status, Verdict
from biblicus.models.recipe import Recipe
from biblicus.models.sources.entries import SourceList
from tools import doctext

EVIDENCE_PAGE = Path(__file__).resolve().parents[1] / "docs" / "evidence.md"
_ROW = re.compile(r"^\| `(\w+)` \| (.+?) \|$", re.MULTILINE)


class Asked(BaseModel):
    """The budget in force: the query's own bounds, else the recipe's. null: no bound."""

    items: int
    tokens: int | None
    characters: int | None
    per_source: int | None


class Used(BaseModel):
    """What the evidence comes to. Tokens are an estimate from characters."""

    items: int
    tokens: int
    characters: int


class BudgetReport(BaseModel):
    """What was asked, what was used, and what was left out or shortened, with the bound that did it."""

    asked: Asked
    used: Used
    dropped: list[Dropped]


class Change(BaseModel):
    """An item that was added, changed or removed."""

    item_id: str
    path: str


class Renamed(Change):
    """An item whose file was found under another path."""

    before: str = Field(alias="from")


class Duplicate(BaseModel):
    """A source that was left out, and the item that already holds the same."""

    path: str
    of: str


class Ingested(BaseModel):
    """`biblicus ingest --json`. `unchanged`: a count. `ms`: how long it took."""

    added: list[Change]
    changed: list[Change]
    renamed: list[Renamed]
    removed: list[Change]
    unchanged: int
    duplicates: list[Duplicate]
    skipped: list[Note]
    failed: list[Note]
    warnings: list[Note]
    ms: float


class Run(BaseModel):
    """One recipe's run. `timings`: ms by step. `differs`: why the run before does not stand for the corpus."""

    run_id: str
    recipe_id: str
    build_id: str
    index_version: str
    built: Built | Literal["unchanged"]
    items: int
    chunks: int
    tokens: int
    skipped: list[Note]
    failed: list[Note]
    timings: dict[str, float]
    differs: list[str] | None = None


class Reindexed(BaseModel):
    """`biblicus reindex --json`. `unavailable`: recipes that lack something here, with the error; others were built."""

    refresh: Ingested
    runs: list[Run]
    unavailable: list[dict[str, str]]
    ms: float


class Listed(BaseModel):
    """`biblicus list --json`: items as in the catalog."""

    items: list[Item]


class Verified(BaseModel):
    """`biblicus verify --json`. `ok`: all hold. `counts`: by status. `evidence`: one verdict a piece, in order."""

    ok: bool
    counts: dict[Status, int]
    evidence: list[Verdict]


class CatalogDocument(BaseModel):
    """`.biblicus/catalog.json`: the header, written as the first line, then one item a line, sorted by path."""

    schema_version: int
    corpus_id: str
    latest: dict[str, Latest]
    corpus_digest: str
    folder_rules: int = 0
    latest_run_id: str = ""
    digest: str = ""
    items: list[Item]


class ErrorObject(BaseModel):
    """What went wrong. `hint`: the next command to type, or a short remedy."""

    code: str
    message: str
    hint: str


class ErrorLine(BaseModel):
    """The last line of standard error where a command with `--json` fails."""

    error: ErrorObject


_PUBLISHED: dict[str, Any] = {
    "answer": AnyAnswer,
    "catalog": CatalogDocument,
    "context": Pack,
    "error": ErrorLine,
    "evaluation": Evaluation,
    "event": Event,
    "evidence": Evidence,
    "ingest": Ingested,
    "item": Item,
    "list": Listed,
    "manifest": Manifest,
    "persona": Persona,
    "procedure-question": ProcedureQuestion,
    "procedure-reply": ProcedureReply,
    "query": Result,
    "recipe": Recipe,
    "reindex": Reindexed,
    "sources": SourceList,
    "verify": Verified,
}
_DESCRIBED = {
    cls.__name__: cls
    for cls in (
        Evidence,
        Result,
        Item,
        Manifest,
        Recipe,
        Persona,
        Focus,
        PersonaBudget,
        PersonaLimits,
        Verdict,
        Dropped,
        Ingested,
        Run,
        Verified,
        ErrorObject,
        Evaluation,
        System,
        Row,
        RankedItem,
        Difference,
        Gate,
        Violation,
        ProcedureQuestion,
        ProcedureReply,
        ProcedureUsage,
        Pack,
        PackBudget,
        Entry,
        Answer,
        PersonaAnswer,
        Statement,
        LeftOut,
        CitedEvidence,
    )
}


def documents() -> dict[str, str]:
    """Every schema as text, by name."""
    evidence = dict(_ROW.findall(EVIDENCE_PAGE.read_text(encoding="utf-8")))
    return {name: _text(_schema(model, evidence)) for name, model in _PUBLISHED.items()}


def _schema(model: Any, evidence: Mapping[str, str]) -> dict[str, Any]:
    schema = TypeAdapter(model).json_schema(mode="serialization")
    if model is Result:
        budget = TypeAdapter(BudgetReport).json_schema(ref_template="#/$defs/{model}")
        schema["$defs"] |= budget.pop("$defs")
        schema["properties"]["budget"] = budget
    if model is Evaluation:
        schema["properties"] = {"schema_version": {"type": "integer"}, **schema["properties"]}
        schema["required"] = ["schema_version", *schema["required"]]
    for part in (schema, *schema.get("$defs", {}).values()):
        cls = _DESCRIBED.get(part.get("title", ""))
        known = doctext.fields(cls) if cls else {}
        if cls in (Evidence, Result, Entry, CitedEvidence):
            known |= evidence
        _polish(part, known)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _polish(part: dict[str, Any], known: Mapping[str, str]) -> None:
    """Say what a field means where that is written somewhere; drop titles that only repeat its name."""
    if "description" in part:
        part["description"] = " ".join(part["description"].split())
    for name, field in part.get("properties", {}).items():
        field.pop("title", None)
        if name in known and "$ref" not in field:
            field["description"] = known[name]


def _text(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
