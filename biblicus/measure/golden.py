"""Golden questions: asks each one of the corpus as it is, and says which no longer find what they must."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from biblicus.config import explain
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, GoldenNotFound, UnsafeInput, UsageError
from biblicus.evaluation import golden
from biblicus.evaluation.golden import Checked, GoldenFile
from biblicus.guards import yaml
from biblicus.models.question import Query
from biblicus.search.query import searcher

NAME = "golden.yml"
_LIMIT = 1 << 20


@dataclass(frozen=True)
class GoldenReport:
    """What came of the golden questions of a file."""

    file: str
    checked: Sequence[Checked]

    @property
    def ok(self) -> bool:
        return all(one.holds for one in self.checked)

    def as_object(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "file": self.file,
            "golden": [
                {"question": one.question, "holds": one.holds, "expected": one.expected, "found": one.found}
                for one in self.checked
            ],
        }


def check_golden(
    place: CorpusFolder, call: Call, *, file: str | None = None, recipe: str | None = None, reports: Sequence[Path] = ()
) -> GoldenReport:
    """Ask every golden question. `file`: of your own; else `.biblicus/datasets/golden.yml`. `reports`: JUnit (.xml).

    Raises `GoldenNotFound`, `ConfigInvalid`, `NoRun`.
    """
    if wrong := [path for path in reports if path.suffix != ".xml"]:
        raise UsageError(f"Golden questions are reported as JUnit (.xml), not {wrong[0].name}.", "--report golden.xml")
    path = Path(file) if file is not None else place.datasets / NAME
    questions = _read(path, file or f".biblicus/datasets/{NAME}").golden
    toolkits = _toolkits(place)
    asking = searcher(place, hold=True)
    try:
        checked = []
        for number, one in enumerate(questions):
            call.check()
            call.progress("golden", number, len(questions))
            result = asking.search(Query(one.question, one.ask.filters(), recipe=recipe), call)
            checked.append(golden.check(one, result, toolkits))
    finally:
        asking.close()
    for report in reports:
        files.write(report, "".join(golden.junit(path.name, checked)).encode())
    return GoldenReport(path.name, checked)


def _read(path: Path, shown: str) -> GoldenFile:
    if not os.path.lexists(path):
        raise GoldenNotFound(shown)
    try:
        found = yaml.read(files.read(path, limit=_LIMIT).decode(), max_bytes=_LIMIT)
        return GoldenFile.model_validate(found)
    except ValidationError as error:
        raise ConfigInvalid(path.name, explain(error, GoldenFile)) from error
    except (BadData, UnsafeInput) as error:
        raise ConfigInvalid(path.name, error.message) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigInvalid(path.name, "It cannot be read.") from error


def _toolkits(place: CorpusFolder) -> Mapping[str, Sequence[str]]:
    """Of each item that has any, by its id."""
    found: dict[str, Sequence[str]] = {}
    for item in catalog_of(place).items.values():
        said = item.metadata.get("toolkit")
        if said:
            found[item.item_id] = [str(one) for one in (said if isinstance(said, list) else [said])]
    return found
