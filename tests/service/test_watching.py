"""A folder is followed: what changes is found, in whatever way it changes."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from watchfiles import Change

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.errors import LockTimeout
from biblicus.models.requests.query import QueryRequest
from biblicus.runs.reindex import ReindexReport, index_changes
from biblicus.service import watching
from biblicus.service.askers.here import Here
from biblicus.service.verbs import QUERY

PATIENCE = 60


class Followed:
    """A corpus and who follows it. `until` waits for reports, and asks after each."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asker = folder, Here(find(folder))
        self.reports: list[ReindexReport] = []
        self._news = threading.Condition()
        self.watcher = watching.Watcher(self.asker, self._told)

    def _told(self, report: ReindexReport) -> None:
        with self._news:
            self.reports.append(report)
            self._news.notify_all()

    def until(self, holds: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(holds, PATIENCE), self.reports

    def found(self, words: str) -> set[str]:
        result = self.asker.ask(QUERY, QueryRequest(words), Call())
        return {piece.path for piece in result.evidence}


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    folder = tmp_path / "harbour"
    Corpus.init(folder).close()
    (folder / "tides.txt").write_text("The moon pulls tides.", "utf-8")
    made = Followed(folder)
    made.watcher.start()
    made.until(lambda: bool(made.reports))
    yield made
    made.watcher.stop()
    made.asker.close()


def test_what_is_there_is_indexed_and_what_comes_too(followed: Followed) -> None:
    assert followed.found("moon") == {"tides.txt"}
    (followed.folder / "deep" / "er").mkdir(parents=True)
    (followed.folder / "deep" / "er" / "gulls.md").write_text("Gulls follow boats.", "utf-8")
    followed.until(lambda: followed.found("gulls") == {"deep/er/gulls.md"})


def test_edits_renames_of_trees_and_removals_are_followed(followed: Followed) -> None:
    tree = followed.folder / "notes"
    tree.mkdir()
    for number in range(50):
        (tree / f"{number}.txt").write_text(f"Rope number {number} rots.", "utf-8")
    followed.until(lambda: len(followed.asker.catalog(followed.asker.corpus).items) == 51)
    tree.rename(followed.folder / "kept")
    followed.until(lambda: all(path.startswith("kept/") for path in followed.found("rope")))
    (followed.folder / "tides.txt").write_text("The sun pulls tides.", "utf-8")
    followed.until(lambda: followed.found("sun") == {"tides.txt"})
    shutil.rmtree(followed.folder / "kept")
    followed.until(lambda: len(followed.asker.catalog(followed.asker.corpus).items) == 1)


def _finds(followed: Followed, number: int) -> bool:
    return f"{number}.txt" in followed.found(f"{number}")


def test_of_the_runs_in_a_row_few_stay(followed: Followed) -> None:
    for number in range(6):
        (followed.folder / f"{number}.txt").write_text(f"Buoy {number} blinks.", "utf-8")
        followed.until(partial(_finds, followed, number))
    assert len(list(followed.folder.glob(".biblicus/runs/*.json"))) <= 3


def test_what_fails_is_tried_again(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []
    index = index_changes

    def failing_once(*asked: object) -> ReindexReport:
        tries.append(asked)
        if len(tries) == 1:
            raise LockTimeout(1.0)
        return index(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(watching, "index_changes", failing_once)
    (followed.folder / "gulls.txt").write_text("Gulls follow boats.", "utf-8")
    followed.until(lambda: followed.found("gulls") == {"gulls.txt"})
    assert len(tries) >= 2


def test_what_lies_in_the_corpus_own_folder_is_no_change(followed: Followed) -> None:
    counts = followed.watcher._counts
    root = str(followed.folder)
    assert counts(Change.added, f"{root}/a/b.txt")
    assert not counts(Change.added, f"{root}/.biblicus/local/x")
    assert not counts(Change.modified, f"{root}/deep/.git/index")
