"""Golden questions: expected search results as data, and a readable report of failures.

`golden.yml` is a list of questions, each with the expected evidence, or `insufficient evidence` if the corpus must not
claim to answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal
from xml.etree import ElementTree as ET

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from biblicus.guards.terminal import safe
from biblicus.models.evidence import Evidence, Result
from biblicus.models.requests.query import Filters
from biblicus.text.globs import matches_path

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
        named = {"toolkit": self.toolkit, "document": self.document, "contains": self.contains, "url": self.url}
        expectations = ", ".join(f"{name} {value}" for name, value in named.items() if value)
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


def junit(name: str, checked: Sequence[Checked]) -> Iterator[str]:
    """Yield the outcome as JUnit XML with a test case for each question."""
    counts = {"tests": str(len(checked)), "failures": str(sum(not row.holds for row in checked)), "errors": "0"}
    root = ET.Element("testsuites", {"name": "biblicus eval --golden", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": safe(name), **counts})
    for row in checked:
        case = ET.SubElement(suite, "testcase", {"classname": "golden", "name": safe(row.question)})
        if not row.holds:
            failure = ET.SubElement(case, "failure", {"type": "golden", "message": safe(f"expected {row.expected}")})
            failure.text = safe(f"expected: {row.expected}\nfound: {row.found}", keep_newlines=True)
    ET.indent(root)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield ET.tostring(root, encoding="unicode") + "\n"
