"""What `eval` reckons: percentiles, costs, which metrics, and documents that are read again."""

import json
from pathlib import Path

import pytest

from biblicus.connectors.python import Corpus
from biblicus.errors import ConfigInvalid, NewerSchema, UsageError
from biblicus.measure import metrics, stored
from biblicus.measure import systems as measuring
from biblicus.measure.evaluate import chosen_metrics
from biblicus.models.requests.query import QueryRequest
from biblicus.search.query import searcher


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.txt").write_text(f"The lamp of the {number} mole.\n\nIt burns oil, {number} litres.")
    (tmp_path / "q.jsonl").write_text('{"query": "lamp mole 3", "relevant": ["3.txt"]}\n')
    made = Corpus.init(folder)
    made.reindex("lexical")
    return made


@pytest.mark.parametrize(
    ("count", "values"), [(1, (1, 1, 1)), (4, (2, 4, 4)), (20, (10, 19, 20)), (101, (51, 96, 100))]
)
def test_percentiles_are_the_nearest_rank(count, values):
    assert tuple(measuring.percentiles("p", range(count, 0, -1)).values()) == values


@pytest.mark.parametrize(
    ("names", "cutoffs", "wanted"),
    [
        ((), (), list(metrics.DEFAULT)),
        (("ndcg", "map@7"), (1, 5), ["map@7", "ndcg@1", "ndcg@5"]),
        (("hit@3", "success@3"), (), ["success@3"]),
        (("map",), (), ["map"]),
        ((), (4,), ["ndcg@4", "recall@4", "precision@4", "map@4", "mrr@4", "success@4"]),
    ],
)
def test_metrics_and_cut_offs(names, cutoffs, wanted):
    assert [metric.name for metric in chosen_metrics(names, cutoffs)] == wanted


def test_a_cut_off_of_nothing_is_refused():
    with pytest.raises(UsageError, match="cut-off"):
        chosen_metrics((), (0,))


def test_a_ranking_begins_with_what_a_query_returns(corpus: Corpus):
    asked = searcher(corpus._asker.corpus)
    query = QueryRequest("lamp mole 3", recipe="lexical", limit=5, max_per_source=1)
    from biblicus.contracts import Call

    shown = [piece.item_id for piece in asked.search(query, Call()).evidence]
    ranked = [item.item_id for item in asked.rank(query, 12, Call())]
    asked.close()
    assert ranked[:5] == shown
    assert len(set(ranked)) == len(ranked) == 12


def test_an_evaluation_reads_back_as_it_was_written(corpus: Corpus, tmp_path: Path):
    found = corpus.evaluate(str(tmp_path / "q.jsonl"))
    written = stored.as_document(found, per_query=True)
    again = stored.read(json.dumps(written).encode(), "f.json")
    assert stored.as_document(again, per_query=True) == written
    for never in (0, -1):
        with pytest.raises(ConfigInvalid, match=f"there is no schema version {never}"):
            stored.read(json.dumps({**written, "schema_version": never}).encode(), "f.json")
    with pytest.raises(ConfigInvalid, match="it has no system"):
        stored.read(json.dumps({**written, "systems": []}).encode(), "f.json")
    (kept,) = (corpus.path / ".biblicus/local/evaluations").glob("*.json")
    assert json.loads(kept.read_text()) == json.loads(json.dumps(written))


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"schema_version": 1}', b'{"schema_version": "1"}', b"\xff"])
def test_what_is_no_evaluation_is_one_line(data):
    with pytest.raises(ConfigInvalid, match=r"f\.json: ") as caught:
        stored.read(data, "f.json")
    assert "\n" not in caught.value.message


def test_a_newer_evaluation_is_refused():
    with pytest.raises(NewerSchema):
        stored.read(b'{"schema_version": 2}', "f.json")


def test_the_oldest_of_many_evaluations_go(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("biblicus.measure.evaluate._KEPT", 2)
    for _ in range(3):
        corpus.evaluate(str(tmp_path / "q.jsonl"))
    assert len(list((corpus.path / ".biblicus/local/evaluations").glob("*.json"))) == 2
