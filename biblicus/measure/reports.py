"""Writes an evaluation to a report file, with the text of the ranked chunks if the runs still exist."""

from __future__ import annotations

from pathlib import Path

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError, UsageError
from biblicus.measure import report
from biblicus.measure.report.findings import Findings
from biblicus.models.answers.evaluation import Evaluation
from biblicus.runs import manifests as runs

Span = tuple[str, int, int]
"""Item id, start, end."""
_WITHOUT_TEXTS = (".xml", ".json")
"""Formats without texts of passages."""


def check(path: Path) -> None:
    """Raise `UsageError` before any measurement if the report cannot be written to `path`."""
    report.check_suffix(path.suffix)
    if not path.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} for the report.", f"mkdir -p {path.parent}")
    if path.is_dir():
        raise UsageError(
            f"{path} is a folder, not a file for the report.", f"biblicus eval DATASET --report {path}.html"
        )


def write(corpus: CorpusFolder | None, evaluation: Evaluation, path: Path) -> None:
    """Write the report in the format of the suffix, replacing an existing file."""
    check(path)
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
    tables = corpus.store.open(runs.read(corpus, run_id))
    texts = {}
    try:
        names = {item_id for item_id, _, _ in spans}
        items = {row.row: row.item_id for row in tables.all_items() if row.item_id in names}
        for chunk in tables.all_chunks():
            key = (items.get(chunk.item, ""), chunk.start, chunk.end)
            if key in spans:
                texts[key] = chunk.text
    finally:
        tables.close()
    return texts
