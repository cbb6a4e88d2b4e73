"""Reports of an evaluation: a page to look at, Markdown for a pull request, JUnit XML for CI, TREC runs for others.

Everything here gives text; who opens files is the caller's business. Questions, titles and passages are a stranger's:
each format makes them inert in its own way, after `guards.terminal` made control characters visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from biblicus.errors import UsageError
from biblicus.models.answers.evaluation import Evaluation

Passages = Mapping[tuple[str, int, int], str]
"""Text by (item id, start, end)."""

_WRITERS = {
    ".html": "biblicus.evaluation.report.page",
    ".htm": "biblicus.evaluation.report.page",
    ".md": "biblicus.evaluation.report.markdown",
    ".xml": "biblicus.evaluation.report.junit",
    ".json": "biblicus.evaluation.report.document",
}
TREC = (".trec", ".run")
"""One file for each system."""
SUFFIXES = (*_WRITERS, *TREC)


def check_suffix(suffix: str) -> None:
    """Raise `UsageError` for a suffix that no format has."""
    if suffix.lower() not in SUFFIXES:
        raise UsageError(
            f'A report cannot be written as "{suffix or "a file without a suffix"}"; known: {", ".join(SUFFIXES)}.',
            "biblicus eval DATASET --report report.html",
        )


def render(evaluation: Evaluation, suffix: str, passages: Passages | None = None) -> Iterable[str]:
    """The report in the format of a suffix other than those of TREC. `passages`: of items that are shown, if known."""
    check_suffix(suffix)
    writer: Callable[[Evaluation, Passages], Iterable[str]] = import_module(_WRITERS[suffix.lower()]).render
    return writer(evaluation, passages or {})
