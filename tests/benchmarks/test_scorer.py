"""The scorer of ranking quality, against figures worked out by hand."""

import json
from math import log2

import pytest

from benchmarks.quality import Collection, load, ndcg, score

GRADES = {"a": 3, "b": 2, "c": 1}


def test_ndcg_of_a_hand_computed_ranking():
    # c, an unjudged one, a: 1/log2(2) + 0 + 3/log2(4) = 2.5; ideal a, b, c: 3/1 + 2/log2(3) + 1/2 = 4.76186
    assert ndcg(["c", "x", "a"], GRADES) == pytest.approx(2.5 / (3.5 + 2 / log2(3)))
    assert ndcg(["c", "x", "a"], GRADES) == pytest.approx(0.5250, abs=1e-4)


def test_the_ideal_ranking_scores_one_and_an_empty_one_nothing():
    assert ndcg(["a", "b", "c"], GRADES) == pytest.approx(1)
    assert ndcg([], GRADES) == 0


def test_what_comes_after_the_depth_counts_nothing():
    assert ndcg(["x"] * 10 + ["a"], GRADES) == 0
    assert ndcg(["x"] * 9 + ["a"], GRADES) > 0


def test_more_relevant_documents_than_the_depth_still_allow_a_perfect_score():
    grades = {str(number): 1 for number in range(30)}
    assert ndcg([str(number) for number in range(10)], grades) == pytest.approx(1)


def test_a_collection_is_read_with_its_judged_questions_only(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t-1\n1\td2\t0\n9\td1\t1\n")
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "d1", "title": "", "text": "Tides."}) + "\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "tide"}\n{"_id": "2", "text": "moon"}\n')
    collection = load(tmp_path)
    assert collection.judged["1"] == {"d1": 1}
    assert collection.questions == {"1": "tide"}


def test_a_collection_scores_by_the_rank_of_its_judged_documents(tmp_path, monkeypatch):
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    documents = [
        {"_id": "d1", "title": "The Moon", "text": "The moon pulls the tides of the sea twice a day."},
        {"_id": "d2", "title": 'Bread: "plain"', "text": "Flour, water and salt, left to rise for a night."},
        {"_id": "d3", "title": "", "text": "The moon has no weather of its own, and nobody sells bread there."},
    ]
    questions = {"1": "moon tides", "2": "flour and water", "3": "weather"}
    right = {"1": {"d1": 1}, "2": {"d2": 1}, "3": {"d3": 1}}
    assert score(Collection(documents, questions, right), tmp_path / "right") == 1
    wrong = {**right, "1": {"d3": 1}}
    assert score(Collection(documents, questions, wrong), tmp_path / "wrong") == pytest.approx((2 + 1 / log2(3)) / 3)
