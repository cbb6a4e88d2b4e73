"""Golden questions: searches the present corpus for each, and reports those that miss their expected evidence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from biblicus.config import explain
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, GoldenNotFound, UnsafeInput, UsageError
from biblicus.evaluation import golden
from biblicus.evaluation.golden import Checked, GoldenFile
from biblicus.guards import yaml
from biblicus.models.requests.measure import GoldenRequest
from biblicus.models.requests.query import QueryRequest, filters_of
from biblicus.search.query import searcher

NAME = "golden.yml"
_LIMIT = 1 << 20


@dataclass(frozen=True)
class GoldenReport:
    """Results of the golden questions of a file. `ok`: all hold."""

    ok: bool
    file: str
    golden: Sequence[Checked]


def check_golden(corpus: CorpusFolder, request: GoldenRequest, call: Call) -> GoldenReport:
    """Check all golden questions. `file`: default `.biblicus/datasets/golden.yml`. `reports`: JUnit files (.xml).

    Raises `GoldenNotFound`, `ConfigInvalid`, `NoRun`.
    """
    file, recipe, reports = request.file, request.recipe, [Path(name) for name in request.reports]
    if wrong := [path for path in reports if path.suffix != ".xml"]:
        raise UsageError(f"Golden questions are reported as JUnit (.xml), not {wrong[0].name}.", "--report golden.xml")
    path = Path(file) if file is not None else corpus.datasets / NAME
    questions = read(path, file or f".biblicus/datasets/{NAME}").golden
    asking = searcher(corpus, hold=True)
    try:
        checked = []
        for number, entry in enumerate(questions):
            call.check()
            call.progress("golden", number, len(questions))
            result = asking.search(QueryRequest(entry.question, **filters_of(entry.ask.filters()), recipe=recipe), call)
            checked.append(golden.check(entry, result))
    finally:
        asking.close()
    for report in reports:
        files.write(report, "".join(golden.junit(path.name, checked)).encode())
    return GoldenReport(all(outcome.holds for outcome in checked), path.name, checked)


def read(path: Path, shown: str) -> GoldenFile:
    if not os.path.lexists(path):
        raise GoldenNotFound(shown)
    try:
        data = yaml.read(files.read(path, limit=_LIMIT).decode(), max_bytes=_LIMIT)
        return GoldenFile.model_validate(data)
    except ValidationError as error:
        raise ConfigInvalid(path.name, explain(error, GoldenFile)) from error
    except (BadData, UnsafeInput) as error:
        raise ConfigInvalid(path.name, error.message) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigInvalid(path.name, "It cannot be read.") from error
