"""A folder is followed: what changes is found, in whatever way it changes."""

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import watchfiles
from watchfiles import Change

from biblicus import Corpus
from biblicus.connectors.daemon.server import Server
from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import LockTimeout
from biblicus.runs.reindex import index_changes
from biblicus.runs.reports import ReindexReport
from biblicus.runs.vectors import embed_words
from biblicus.service import watching
from biblicus.service.askers.daemon import address
from biblicus.service.watching import Intervals
from tests.folders import corpus_of
from tests.followed import PATIENCE, Followed, followed_from_now


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    folder = tmp_path / "harbour"
    Corpus.init(folder).close()
    (folder / "tides.txt").write_text("The moon pulls tides.", "utf-8")
    yield from followed_from_now(folder)


@pytest.mark.skipif(not auto.are_installed(), reason="the extra [meaning] is not installed")
def test_meaning_follows_words_in_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_MEANING", "auto")
    begun, may_go_on = threading.Event(), threading.Event()

    def slowly(corpus: CorpusFolder, call: Call) -> bool:
        begun.set()
        assert may_go_on.wait(PATIENCE)
        return embed_words(corpus, call)

    monkeypatch.setattr(watching, "embed_words", slowly)
    Corpus.init(tmp_path).close()
    (tmp_path / "tides.txt").write_text("The moon pulls tides.", "utf-8")
    made = Followed(tmp_path)
    made.watcher.start()
    try:
        made.until(lambda: bool(made.reports))
        assert begun.wait(PATIENCE)
        (tmp_path / "gulls.md").write_text("Gulls follow boats.", "utf-8")
        made.until(lambda: made.found("gulls") == {"gulls.md"})  # by words, while nothing is embedded
        assert {run.manifest.recipe["name"] for report in made.reports for run in report.runs} == {"judged"}
        may_go_on.set()
        made.until(lambda: made.reports[-1].runs[0].manifest.recipe["name"] == "meaning")
        assert made.reports[-1].runs[0].manifest.counts["items"] == 2
    finally:
        may_go_on.set()
        made.watcher.stop()
        made.asker.close()


def _failing_once(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """The calls of what indexes changes, the first of which fails."""
    tries: list[Call] = []

    def failing_once(corpus: CorpusFolder, call: Call) -> ReindexReport:
        tries.append(call)
        if len(tries) == 1:
            raise LockTimeout(1.0)
        return index_changes(corpus, call)

    monkeypatch.setattr(watching, "index_changes", failing_once)
    return tries


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
    tries = _failing_once(monkeypatch)
    (followed.folder / "gulls.txt").write_text("Gulls follow boats.", "utf-8")
    followed.until(lambda: followed.found("gulls") == {"gulls.txt"})
    assert len(tries) >= 2


def test_what_lies_in_the_corpus_own_folder_is_no_change(followed: Followed) -> None:
    counts = followed.watcher._counts
    root = str(followed.folder)
    assert counts(Change.added, f"{root}/a/b.txt")
    assert not counts(Change.added, f"{root}/.biblicus/local/x")
    assert not counts(Change.modified, f"{root}/deep/.git/index")


def test_where_the_system_does_not_tell_the_folder_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    watch = watchfiles.watch

    def noted(*words: Any, force_polling: bool | None, **settings: Any) -> Any:
        asked.append(force_polling)
        return watch(*words, force_polling=force_polling, **settings)

    monkeypatch.setattr(watching, "watch", noted)
    monkeypatch.setattr(watching, "is_own", lambda root: False)
    monkeypatch.setattr(watching, "POLLED", 50)
    Corpus.init(tmp_path / "harbour").close()
    made = Followed(tmp_path / "harbour")
    made.watcher.start()
    made.until(lambda: bool(made.reports))
    (made.folder / "gulls.md").write_text("Gulls follow boats.", "utf-8")
    made.until(lambda: made.found("gulls") == {"gulls.md"})
    assert asked == [True]
    made.watcher.stop()
    made.asker.close()


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder that the corpus `harbour` follows every hour."""
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "rule.md").write_text("Boats keep right.", "utf-8")
    with Corpus.init(tmp_path / "harbour") as corpus:
        corpus.add_source(str(rules), name="rules", allow_local=True, every="1h")
    return rules


def test_a_source_is_synced_when_it_is_due(tmp_path: Path, rules: Path) -> None:
    with Corpus.open(tmp_path / "harbour") as corpus:
        corpus.add_source(str(tmp_path / "harbour" / ".." / "rules"), name="never", allow_local=True)
    made = Followed(tmp_path / "harbour")
    intervals = Intervals(made.asker)
    assert intervals.due(0.0) == ["rules"]
    report = intervals.sync_due(0.0, Call())
    assert report
    assert [entry["path"] for entry in report.added] == ["imports/rules/rule.md"]
    assert made.found_paths() == {"imports/rules/rule.md"}
    assert intervals.due(3_599.0) == []
    assert intervals.due(3_600.0) == ["rules"]
    (rules / "more.md").write_text("Boats keep left.", "utf-8")
    intervals.sync_due(3_600.0, Call())
    assert made.found_paths() == {"imports/rules/rule.md", "imports/rules/more.md"}
    shutil.rmtree(rules)
    intervals.sync_due(7_200.0, Call())  # what goes wrong ends nothing
    assert intervals.due(7_201.0) == []
    made.asker.close()


@pytest.mark.parametrize("fails_first", [False, True])
def test_what_a_sync_brings_is_told_with_what_is_indexed(
    tmp_path: Path, rules: Path, monkeypatch: pytest.MonkeyPatch, fails_first: bool
) -> None:
    if fails_first:
        _failing_once(monkeypatch)
    made = Followed(tmp_path / "harbour")
    made.watcher.start()
    made.until(lambda: bool(made.reports))
    made.watcher.stop()
    made.asker.close()
    assert [entry["path"] for entry in made.reports[0].refresh.added] == ["imports/rules/rule.md"]
    assert made.reports[0].refresh.unchanged == 0


def test_the_daemon_follows_what_it_is_asked_about(tmp_path: Path) -> None:
    corpus_of(tmp_path / "harbour", {"tides.txt": "The moon pulls tides."})
    server = Server(address(), 60, watch=True)
    asker = server.asker(tmp_path / "harbour")
    (watcher,) = server._watchers.values()
    assert watcher._thread is not None
    assert watcher._thread.is_alive()
    assert server.asker(tmp_path / "harbour") is asker
    server.close(tmp_path / "harbour", asker)
    assert not server._watchers
    assert not watcher._thread.is_alive()
    unwatched = Server(address(), 60)
    unwatched.asker(tmp_path / "harbour").close()
    assert not unwatched._watchers
