"""Files that helpers read, cut and analyse make the same run as files that this process does."""

import json
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus import examine
from biblicus.guards import side_by_side as helpers

TEXTS = {
    "tides.md": "---\ntags: [sea]\n---\n# Tides\n\nThe moon pulls `readTideGauge` up.\n\n## Ebb\n\nIt falls.\n",
    "de/flut.md": "# Die Flut\n\nDer Mond zieht das Wasser an und die Flut steigt zweimal am Tag an den Küsten.\n",
    "gauge.py": "class Gauge:\n    def read(self):\n        return 1\n",
    "empty.txt": "",
    "broken.pdf": "no pdf",
    "table.csv": "port,height\nEmden,3\n",
}


def built(folder: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a fresh run's manifest says, and what three questions find."""
    monkeypatch.setenv("BIBLICUS_WORKERS", str(workers))
    for number in range(30):
        for name, text in TEXTS.items():
            path = folder / f"{number:02}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + (f"Number {number}.\n" if text else ""), encoding="utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        (run,) = (folder / ".biblicus" / "runs").glob("*.json")
        manifest = json.loads(run.read_bytes())
        hits = {
            question: [(e.path, e.span_start, e.text, e.score) for e in corpus.query(question, limit=40).evidence]
            for question in ("tide gauge", "flut", "where is Gauge.read defined")
        }
    kept = ("corpus_digest", "chunks_digest", "index_version", "counts", "languages", "skipped", "failed")
    return {name: manifest[name] for name in kept}, hits


def test_many_files_make_the_same_run_in_helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    here = built(tmp_path / "here", monkeypatch, 1)
    monkeypatch.setattr(helpers, "_MANY_FILES", 20)
    monkeypatch.setattr(examine, "_BATCH_FILES", 7)
    assert built(tmp_path / "helpers", monkeypatch, 3) == here


def test_texts_whose_helper_died_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    here = built(tmp_path / "here", monkeypatch, 1)
    monkeypatch.setattr(helpers, "_MANY_FILES", 20)
    begin, tasks = helpers._Helper.begin, list[object]()

    def deadly(helper: helpers._Helper, task: helpers.Task) -> None:
        if tasks and type(tasks[-1]) is not type(task):  # between reading and cutting
            helper._process.kill()
            helper._process.join()
        tasks.append(task)
        begin(helper, task)

    monkeypatch.setattr(helpers._Helper, "begin", deadly)
    assert built(tmp_path / "helpers", monkeypatch, 2) == here
    assert len({type(task) for task in tasks}) == 2
