"""Reports of an evaluation: HTML page, Markdown for pull requests, JUnit XML for CI, JSON.

All functions return text; the caller opens files. Questions, titles and passages are untrusted: each format escapes
them, after `guards.terminal` has made control characters visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from biblicus.errors import UsageError
from biblicus.models.answers.evaluation import Evaluation

Passages = Mapping[tuple[str, int, int], str]
"""Text by (item id, start, end)."""

_WRITERS = {
    ".html": "biblicus.measure.report.page",
    ".htm": "biblicus.measure.report.page",
    ".md": "biblicus.measure.report.markdown",
    ".xml": "biblicus.measure.report.junit",
    ".json": "biblicus.measure.stored",
}


def check_suffix(suffix: str) -> None:
    """Raise `UsageError` for an unknown suffix."""
    if suffix.lower() not in _WRITERS:
        raise UsageError(
            f'A report cannot be written as "{suffix or "a file without a suffix"}"; known: {", ".join(_WRITERS)}.',
            "biblicus eval DATASET --report report.html",
        )


def render(evaluation: Evaluation, suffix: str, passages: Passages | None = None) -> Iterable[str]:
    """Return the report in the format of a suffix. `passages`: texts of displayed items, if known."""
    check_suffix(suffix)
    writer: Callable[[Evaluation, Passages], Iterable[str]] = import_module(_WRITERS[suffix.lower()]).render
    return writer(evaluation, passages or {})
