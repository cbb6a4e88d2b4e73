"""Stored evaluations and their reports: as JSON documents, in a short list, and with the texts of the ranked chunks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import (
    BadData,
    BiblicusError,
    ConfigInvalid,
    EvaluationNotFound,
    NewerSchema,
    UnsafeInput,
    UsageError,
)
from biblicus.guards import json as guarded_json
from biblicus.measure import report
from biblicus.measure.report.findings import Findings
from biblicus.models.answers.evaluation import Evaluation
from biblicus.models.digest import digest
from biblicus.models.fields import NoRequest, worded
from biblicus.models.plain import plain, revived
from biblicus.models.requests.measure import EvaluationRequest
from biblicus.runs import manifests as runs

_KIND = "evaluations"

SCHEMA_VERSION = 1
LARGEST = 256 << 20
"""Maximum bytes of an evaluation document; larger files are refused."""
TOP = 10
"""Number of items kept of each ranking."""

Span = tuple[str, int, int]
"""Item id, start, end."""
_WITHOUT_TEXTS = (".xml", ".json")
"""Formats without texts of passages."""


@dataclass(frozen=True, slots=True)
class StoredSystem:
    """A measured recipe or run, without its questions."""

    name: str
    run_id: str
    metrics: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """Summary of a stored evaluation. `problem`: reason if it cannot be read."""

    name: str
    dataset: str = ""
    created_at: str = ""
    questions: int = 0
    systems: tuple[StoredSystem, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class StoredEvaluations:
    """The stored evaluations, newest first."""

    evaluations: tuple[StoredEntry, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of a ranked item: its best chunk."""

    item_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """A stored evaluation. `passages`: texts for its report, as far as the runs still exist."""

    name: str
    evaluation: Evaluation
    passages: tuple[Passage, ...]


def list_evaluations(corpus: CorpusFolder, request: NoRequest, call: Call) -> StoredEvaluations:
    """Return all stored evaluations; an unreadable one has a `problem`."""
    entries = []
    for path in sorted(corpus.evaluations.glob("*.json"), reverse=True):
        call.check()
        entries.append(_entry(corpus, path))
    return StoredEvaluations(tuple(entries))


def _entry(corpus: CorpusFolder, path: Path) -> StoredEntry:
    """Return a cached summary; stored evaluations never change."""
    key = digest(["evaluation in short/1", path.name, path.stat().st_size], 32)
    if (cached := corpus.kept.get(_KIND, key, {str: object})) is not None:
        with suppress(BadData):
            return revived(StoredEntry, cached)
    try:
        evaluation = read(files.read(path, limit=LARGEST), path.name)
    except (BadData, OSError, UnsafeInput) as error:
        return StoredEntry(path.stem, problem=str(error))
    systems = tuple(StoredSystem(system.name, system.run_id, system.metrics) for system in evaluation.systems)
    entry = StoredEntry(path.stem, evaluation.dataset, evaluation.created_at, evaluation.questions, systems)
    corpus.kept.put(_KIND, key, json.dumps(plain(entry)).encode())
    return entry


def evaluation(corpus: CorpusFolder, request: EvaluationRequest, call: Call) -> StoredEvaluation:
    """Return a stored evaluation. Raises `EvaluationNotFound`, `ConfigInvalid`."""
    path = next((candidate for candidate in corpus.evaluations.glob("*.json") if candidate.stem == request.name), None)
    if path is None:
        raise EvaluationNotFound(request.name)
    stored_evaluation = read(files.read(path, limit=LARGEST), path.name)
    texts = passages(corpus, stored_evaluation)
    return StoredEvaluation(path.stem, stored_evaluation, tuple(Passage(*span, text) for span, text in texts.items()))


def as_document(evaluation: Evaluation, *, per_query: bool) -> dict[str, Any]:
    """Return the document. `per_query`: include a row for each question, for comparison by question."""
    document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, **plain(evaluation)}
    for system in document["systems"]:
        rows = system.pop("rows")
        if per_query:
            system["rows"] = [_row(row) for row in rows]
    return document


def render(evaluation: Evaluation, passages: Mapping[tuple[str, int, int], str]) -> Iterator[str]:
    """Yield the JSON report, as `--baseline FILE` reads it, without passage texts."""
    yield json.dumps(as_document(evaluation, per_query=True), ensure_ascii=False, indent=1) + "\n"


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the first items of its ranking, and the fields of a procedure if they have a value."""
    fields = {name: value for name, value in row.items() if value or name not in ("answer", "violations", "problem")}
    return {**fields, "ranking": row["ranking"][:TOP]}


def read(raw: bytes, where: str) -> Evaluation:
    """Return the evaluation in a document. Raises `ConfigInvalid`, `NewerSchema`; `where` names the file."""
    try:
        document = guarded_json.read(raw, max_bytes=LARGEST)
    except BadData as error:
        raise ConfigInvalid(where, error.message) from error
    if not isinstance(document, Mapping) or not isinstance(version := document.get("schema_version"), int):
        raise ConfigInvalid(where, "it is no evaluation.", "biblicus eval DATASET --json --per-query > FILE")
    if version > SCHEMA_VERSION:
        raise NewerSchema(where, version, SCHEMA_VERSION)
    if version < 1:
        raise ConfigInvalid(where, f"there is no schema version {version}.")
    data = {key: value for key, value in document.items() if key != "schema_version"}
    try:
        evaluation = TypeAdapter(Evaluation).validate_python(data)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, _short(problem["loc"])))
        raise ConfigInvalid(where, f"{place}: {worded(problem)}.") from error
    if not evaluation.systems:
        raise ConfigInvalid(where, "it has no system.")
    return evaluation


def _short(location: Iterable[int | str]) -> list[int | str]:
    return list(location)[:6]


def check_report(path: Path) -> None:
    """Raise `UsageError` before any measurement if the report cannot be written to `path`."""
    report.check_suffix(path.suffix)
    if not path.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} for the report.", f"mkdir -p {path.parent}")
    if path.is_dir():
        raise UsageError(
            f"{path} is a folder, not a file for the report.", f"biblicus eval DATASET --report {path}.html"
        )


def write_report(corpus: CorpusFolder | None, evaluation: Evaluation, path: Path) -> None:
    """Write the report in the format of the suffix, replacing an existing file."""
    check_report(path)
    texts = passages(corpus, evaluation) if corpus is not None and path.suffix.lower() not in _WITHOUT_TEXTS else {}
    files.write(path, (part.encode() for part in report.render(evaluation, path.suffix, texts)))


def passages(corpus: CorpusFolder, evaluation: Evaluation) -> dict[Span, str]:
    """Return the text of the items in the report from the runs that ranked them, as far as they exist."""
    spans_by_run: dict[str, set[Span]] = {}
    for system, item in Findings(evaluation).shown_items():
        spans_by_run.setdefault(system.run_id, set()).add((item.item_id, item.start, item.end))
    texts: dict[Span, str] = {}
    for run_id, spans in spans_by_run.items():
        try:
            texts.update(_from_run(corpus, run_id, spans - texts.keys()))
        except (BiblicusError, OSError, ValueError):
            continue  # a run of another corpus, or pruned: its text is omitted
    return texts


def _from_run(corpus: CorpusFolder, run_id: str, spans: set[Span]) -> dict[Span, str]:
    if not runs.is_run_id(run_id) or not corpus.store.holds(run_id):
        return {}
    texts = {}
    with closing(corpus.store.open(runs.read(corpus, run_id))) as tables:
        names = {item_id for item_id, _, _ in spans}
        items = {row.row: row.item_id for row in tables.all_items() if row.item_id in names}
        for chunk in tables.all_chunks():
            key = (items.get(chunk.item, ""), chunk.start, chunk.end)
            if key in spans:
                texts[key] = chunk.text
    return texts
