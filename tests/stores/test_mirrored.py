"""The copy of a run's tables that a machine keeps of what a database has."""

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biblicus import Corpus
from biblicus.corpus import recipes
from biblicus.corpus.catalog import line_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import RunDamaged, StorageFailed
from biblicus.models.item import Item
from biblicus.models.question import Allow
from biblicus.models.requests.query import Filters
from biblicus.runs.parts import parts
from biblicus.stores.filling import TableWriter
from biblicus.stores.mirrored import FACTS, MirroredTables
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import BASE, ItemRow
from biblicus.text.fitting import fits
from tests.corpus.test_filters import by_item, indexed, items
from tests.folders import write
from tests.sampling import examples
from tests.stores.test_conformance import TEXTS, filled
from tests.stores.test_conformance import store as store
from tests.stores.test_postgres import Database, bound, clone
from tests.stores.test_postgres import database as database


@given(few=st.lists(items, min_size=1, max_size=8), asked=st.builds(Filters, **by_item, **indexed))
@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_filters_mean_what_they_mean_for_items_in_memory(tmp_path: Path, few: Sequence[Item], asked: Filters) -> None:
    (tmp_path / FACTS).write_text("{}", "utf-8")
    (tmp_path / BASE).unlink(missing_ok=True)
    writer = TableWriter(tmp_path / BASE)
    for row, item in enumerate(few):
        facts = (row, item.item_id, item.path, item.language, item.title, line_of(item).decode(), "")
        chunks = [ChunkRow(2 * row + at, row, at, at, at + 1, 1, 1, None, None, "x") for at in range(2)]
        writer.add(ItemRow(*facts, 2, 0, "", None, None), chunks)
    writer.close()
    tables = MirroredTables(tmp_path, {"run_id": "run"})
    allowed, rows = tables.allowed(Allow(asked, None)), [row for row, item in enumerate(few) if fits(item, asked)]
    tables.close()
    assert allowed.items == rows
    assert allowed.chunks == 2 * len(rows)


def mirrors(corpus: Corpus) -> Path:
    return CorpusFolder(corpus.path).local / "mirrors"


def _delete(folder: Path) -> None:
    shutil.rmtree(folder)


def _tear(folder: Path) -> None:
    path = folder / BASE
    path.write_bytes(path.read_bytes()[:5_000])


def _swap(folder: Path) -> None:
    with sqlite3.connect(folder / BASE) as tables:
        tables.execute("UPDATE items SET title = title || 'x'")


def _tear_words(folder: Path) -> None:
    path = next((folder / "lexical").glob("*.store"))
    path.write_bytes(path.read_bytes()[:-1])


def _add(folder: Path) -> None:
    (folder / "more.db").write_bytes(b"more")


@pytest.mark.parametrize("store", ["postgres", "milvus"], indirect=True)
@pytest.mark.parametrize("harm", [_delete, _tear, _tear_words, _swap, _add])
def test_a_mirror_that_is_lost_or_altered_is_fetched_again(
    tmp_path: Path, store: str, harm: Callable[[Path], None]
) -> None:
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        run_id = corpus.reindex().runs[0].manifest.run_id
        expected = [piece.text for piece in corpus.query("gulls fish").evidence]
        harm(mirrors(corpus) / run_id)
    with Corpus.open(corpus.path) as again:
        assert [piece.text for piece in again.query("gulls fish").evidence] == expected
        assert again.check(read_data=True).problems == []


def test_a_clone_fetches_what_it_lacks_and_no_more(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0)
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        bound(monkeypatch, "fetched_runs", corpus.path, tmp_path / "clone")
        first = corpus.reindex().runs[0].manifest.run_id
        with clone(corpus, tmp_path / "clone") as other:
            assert other.query("gulls").evidence
        write(corpus.path, {"new.md": "Nets.\n"})
        second = corpus.reindex().runs[0].manifest.run_id
    shutil.copytree(corpus.path / ".biblicus" / "runs", other.path / ".biblicus" / "runs", dirs_exist_ok=True)
    shutil.copy(corpus.path / ".biblicus" / "catalog.json", other.path / ".biblicus")
    with Corpus.open(other.path) as again:
        assert again.query("nets", run=second).evidence
    mine, others = (mirrors(other) / run for run in (first, second))
    assert (mine / BASE).samefile(others / BASE)
    words = list((mine / "lexical").glob("*.term"))
    assert words
    assert all(path.samefile(others / "lexical" / path.name) for path in words)


def test_a_file_that_is_not_what_was_copied_in_is_refused(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        bound(monkeypatch, "refused_runs", corpus.path)
        corpus.reindex()
        store: Any = CorpusFolder(corpus.path).store
        entry = store.entry(corpus.runs()[-1].run_id)
        shutil.rmtree(mirrors(corpus))
        for name in (BASE, "../tables.db", "../x/y", "lexical/../../x"):
            with pytest.raises(RunDamaged, match="not as it was copied in"):
                store._mirrored({**entry, "files": {**entry["files"], name: "0" * 64}})
        assert list(mirrors(corpus).iterdir()) == []


def test_many_fetch_at_once(tmp_path: Path, database: Database) -> None:
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        corpus.reindex()
    shutil.rmtree(mirrors(corpus))

    def ask(_: int) -> int:
        with Corpus.open(corpus.path) as again:
            return len(again.query("gulls").evidence)

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(ask, range(16))) == {ask(0)} != {0}
    assert len(list(mirrors(corpus).iterdir())) == 1


def test_what_cannot_be_written_beside_the_corpus_is_kept_elsewhere(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        corpus.reindex()
    shutil.rmtree(mirrors(corpus))
    mirrors(corpus).write_text("no folder")
    with Corpus.open(corpus.path) as again:
        assert again.query("gulls").evidence


def test_a_run_stays_where_it_was_opened_when_another_is_kept_elsewhere(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        runs = [corpus.reindex().runs[0].manifest]
        write(corpus.path, {"new.md": "Nets.\n"})
        runs.append(corpus.reindex().runs[0].manifest)
    shutil.rmtree(mirrors(corpus) / runs[1].run_id)
    folder = CorpusFolder(corpus.path)
    store, leg = folder.store, parts(folder, recipes.find(folder, "lexical")).legs["lexical"]
    store.open(runs[0])
    monkeypatch.setattr(
        "biblicus.stores.mirrored.files.make_folder", mock.Mock(side_effect=[StorageFailed("", ""), None])
    )
    store.open(runs[1])
    store.reader(runs[0].run_id, "lexical", leg).close()
