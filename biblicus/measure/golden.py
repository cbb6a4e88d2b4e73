"""Golden questions: expected search results as data. Checks each, and reports those that miss their evidence.

`golden.yml` is a list of questions, each with the expected evidence, or `insufficient evidence` if the corpus must not
claim to answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal
from xml.etree import ElementTree as ET

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from biblicus.config import explain
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, GoldenNotFound, UnsafeInput, UsageError
from biblicus.guards import yaml
from biblicus.guards.terminal import safe
from biblicus.measure.report import junit
from biblicus.models.evidence import Evidence, Result
from biblicus.models.requests.measure import GoldenRequest
from biblicus.models.requests.query import Filters, QueryRequest, filters_of
from biblicus.search.query import searcher
from biblicus.text.fitting import matches_path

NAME = "golden.yml"
_LIMIT = 1 << 20
Words = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
INSUFFICIENT = "insufficient evidence"
_SHOWN = 120


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Frozen):
    """Requirements that one of the first `within` pieces must all meet.

    `toolkit`: its toolkit; `document`: its path, glob or id; `contains`: words in its text in any case; `url`: its
    citation URL, with `*` as wildcard.
    """

    toolkit: Words | None = None
    document: Words | None = None
    contains: Words | None = None
    url: Words | None = None
    within: Annotated[int, Field(ge=1, le=100)] = 3

    @model_validator(mode="after")
    def _something(self) -> Expected:
        if not (self.toolkit or self.document or self.contains or self.url):
            raise ValueError("an expectation names a toolkit, document, contains or url")
        return self

    def __str__(self) -> str:
        expectations = ", ".join(f"{name} {value}" for name, value in self if value and name != "within")
        return f"{expectations}, within the first {self.within}"


class Asked(_Frozen):
    """Filters of a golden question, one value each."""

    toolkit: Words | None = None
    category: Words | None = None
    source: Words | None = None
    doctype: Words | None = None
    path: Words | None = None

    def filters(self) -> Filters:
        """Return the filters for a query."""
        named: dict[str, Any] = {name: (value,) for name, value in self if value is not None}
        return Filters(**named)


class Golden(_Frozen):
    """A golden question. `ask`: its filters. `expect`: the expected evidence, or `insufficient evidence`."""

    question: Words
    ask: Asked = Field(default_factory=Asked)
    expect: Expected | Literal["insufficient evidence"]


class GoldenFile(_Frozen):
    """The content of `golden.yml`."""

    golden: Annotated[tuple[Golden, ...], Field(min_length=1, max_length=2_000)]


@dataclass(frozen=True)
class Checked:
    """A checked golden question. `expected`, `found`: sentences; `holds`: True if they agree."""

    question: str
    holds: bool
    expected: str
    found: str


def check(golden: Golden, result: Result) -> Checked:
    """Return the result of a golden question for a search result."""
    if isinstance(golden.expect, str):
        return Checked(golden.question, result.insufficient, golden.expect, _found(result, 1))
    expected = golden.expect
    holds = any(_fits(expected, piece) for piece in result.evidence[: expected.within])
    return Checked(golden.question, holds, str(expected), _found(result, expected.within))


def _fits(expected: Expected, piece: Evidence) -> bool:
    document, contains = expected.document, expected.contains
    return (
        (expected.toolkit is None or expected.toolkit in piece.toolkit)
        and (document is None or document == piece.item_id or matches_path(piece.path, [document]))
        and (contains is None or " ".join(contains.split()).casefold() in " ".join(piece.text.split()).casefold())
        and (expected.url is None or fnmatchcase(piece.citation_url or "", expected.url))
    )


def _found(result: Result, count: int) -> str:
    """Return the first pieces of a result with their positions, as text."""
    pieces = [_shown(piece) for piece in result.evidence[:count]]
    if result.insufficient:
        return "; ".join([INSUFFICIENT, *pieces])
    return "; ".join(pieces) or "nothing"


def _shown(piece: Evidence) -> str:
    text = " ".join(piece.text.split())
    excerpt = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    named = f" ({', '.join(piece.toolkit)})" if piece.toolkit else ""
    return f'{piece.citation_url or f"{piece.path}:{piece.line_start}"}{named} "{excerpt}"'


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
    with closing(searcher(corpus, hold=True)) as asking:
        checked = []
        for number, entry in enumerate(questions):
            call.check()
            call.progress("golden", number, len(questions))
            result = asking.search(QueryRequest(entry.question, **filters_of(entry.ask.filters()), recipe=recipe), call)
            checked.append(check(entry, result))
    for report in reports:
        files.write(report, "".join(_junit(path.name, checked)).encode())
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


def _junit(name: str, checked: Sequence[Checked]) -> Iterable[str]:
    suite = ET.Element("testsuite", {"name": safe(name)})
    for row in checked:
        case = ET.SubElement(suite, "testcase", {"classname": "golden", "name": safe(row.question)})
        if not row.holds:
            failure = ET.SubElement(case, "failure", {"type": "golden", "message": safe(f"expected {row.expected}")})
            failure.text = safe(f"expected: {row.expected}\nfound: {row.found}", keep_newlines=True)
    return junit.document("biblicus eval --golden", suite)
