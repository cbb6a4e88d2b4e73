"""Reports: an evaluation written to a file, with the text of what was ranked where the runs are still here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError, UsageError
from biblicus.evaluation import report
from biblicus.evaluation.report.findings import Findings
from biblicus.evaluation.trec_runs import encoded, write_run
from biblicus.models.answers.evaluation import Evaluation
from biblicus.runs import manifests as runs

Span = tuple[str, int, int]
"""Item id, start, end."""


def check(path: Path) -> None:
    """Raise `UsageError` where no report can be written to `path`, before anything is measured for it."""
    report.check_suffix(path.suffix)
    if not path.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} for the report.", f"mkdir -p {path.parent}")
    if path.is_dir():
        raise UsageError(
            f"{path} is a folder, not a file for the report.", f"biblicus eval DATASET --report {path}.html"
        )


def write(corpus: CorpusFolder | None, evaluation: Evaluation, path: Path) -> list[Path]:
    """Write the report in the format of the suffix; an existing one is replaced. Returns the files.

    TREC runs of several systems are as many files, `NAME-SYSTEM.trec`.
    """
    check(path)
    if path.suffix.lower() not in report.TREC:
        texts = passages(corpus, evaluation) if corpus is not None and path.suffix != ".xml" else {}
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
    """Text of the items that the report shows, from the runs that ranked them; what is gone stays out."""
    wanted: dict[str, set[Span]] = {}
    for system, item in Findings(evaluation).shown_items():
        wanted.setdefault(system.run_id, set()).add((item.item_id, item.start, item.end))
    texts: dict[Span, str] = {}
    for run_id, spans in wanted.items():
        try:
            texts.update(_from_run(corpus, run_id, spans - texts.keys()))
        except (BiblicusError, OSError, ValueError):
            continue  # a run from elsewhere or pruned since: the report does without its text
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
