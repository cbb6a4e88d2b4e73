"""Stored evaluations: a short list, and one of them with the texts for its report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, EvaluationNotFound, UnsafeInput
from biblicus.measure import reports
from biblicus.measure.report import record
from biblicus.models.answers.evaluation import Evaluation
from biblicus.models.digest import digest
from biblicus.models.fields import NoRequest
from biblicus.models.plain import plain, revived
from biblicus.models.requests.measure import EvaluationRequest

_KIND = "evaluations"


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
        evaluation = record.read(files.read(path, limit=record.LARGEST), path.name)
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
    stored_evaluation = record.read(files.read(path, limit=record.LARGEST), path.name)
    texts = reports.passages(corpus, stored_evaluation)
    return StoredEvaluation(path.stem, stored_evaluation, tuple(Passage(*span, text) for span, text in texts.items()))
