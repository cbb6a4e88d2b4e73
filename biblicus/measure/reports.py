"""Writes an evaluation to a report file, with the text of the ranked chunks if the runs still exist."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError, UsageError
from biblicus.measure import report
from biblicus.measure.formats.trec_runs import encoded, write_run
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


def write(corpus: CorpusFolder | None, evaluation: Evaluation, path: Path) -> list[Path]:
    """Write the report in the format of the suffix, replacing an existing file. Returns the files. TREC runs of several
    systems become several files, `NAME-SYSTEM.trec`."""
    check(path)
    if path.suffix.lower() not in report.TREC:
        texts = passages(corpus, evaluation) if corpus is not None and path.suffix.lower() not in _WITHOUT_TEXTS else {}
        _write(path, report.render(evaluation, path.suffix, texts))
        return [path]
    written = []
    for system in evaluation.systems:
        name = encoded(system.name).replace("/", "%2F")
        target = path if len(evaluation.systems) == 1 else path.with_name(f"{path.stem}-{name}{path.suffix}")
        _write(target, write_run(system))
        written.append(target)
    return written


def _write(path: Path, parts: Iterable[str]) -> None:
    files.write(path, (part.encode() for part in parts))


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
