"""Metrics equal those of pytrec_eval, which binds trec_eval itself."""

import struct
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.errors import UsageError
from biblicus.measure import metrics
from biblicus.models.answers.evaluation import RankedItem
from tests.sampling import examples

pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec-eval-terrier is not installed")

IDS = [f"d{number}" for number in range(30)]
NAMES = {
    "ndcg@5": "ndcg_cut_5",
    "ndcg@10": "ndcg_cut_10",
    "ndcg": "ndcg",
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "precision@5": "P_5",
    "precision@10": "P_10",
    "map@5": "map_cut_5",
    "map@10": "map_cut_10",
    "map": "map",
    "mrr": "recip_rank",
    "success@5": "success_5",
    "hit@10": "success_10",
}
MEASURES = {"ndcg_cut.5,10", "ndcg", "recall.5,10", "P.5,10", "map_cut.5,10", "map", "recip_rank", "success.5,10"}
grades = st.dictionaries(st.sampled_from(IDS), st.integers(-2, 4), min_size=1).filter(
    lambda judged: max(judged.values()) >= 0  # with negative grades alone the oracle reads beyond its own memory
)
scores = st.dictionaries(
    st.sampled_from(IDS), st.sampled_from([0.0, 0.1, 0.5, 0.5000000001, 1.0, 2.5, -1.0]), min_size=1
)


def item(name: str, start: int = 0, end: int = 10) -> RankedItem:
    return RankedItem(name, f"{name}.txt", 1.0, f"{name}:0", start, end)


def in_trec_order(scores: Mapping[str, float]) -> list[str]:
    """trec_eval's order: by score in single precision, ties by descending id."""
    return sorted(
        scores, key=lambda name: (struct.unpack("f", struct.pack("f", scores[name])), name.encode()), reverse=True
    )


@settings(max_examples=examples(150), deadline=None)
@given(grades, scores)
def test_every_metric_is_that_of_trec_eval(judged, run):
    oracle = pytrec_eval.RelevanceEvaluator({"q": judged}, MEASURES).evaluate({"q": run})
    ranking = [item(name) for name in in_trec_order(run)]
    ours = metrics.score([metrics.parse(name) for name in NAMES], ranking, judged, {})
    for name, theirs in NAMES.items():
        assert ours[metrics.parse(name).name] == pytest.approx(oracle["q"][theirs], abs=1e-9), name


@given(grades, scores, st.integers(1, 12))
def test_the_cut_off_of_mrr_is_that_of_a_shorter_run(judged, run, k):
    ranked = in_trec_order(run)
    short = {name: float(-place) for place, name in enumerate(ranked[:k])}
    oracle = pytrec_eval.RelevanceEvaluator({"q": judged}, {"recip_rank"}).evaluate({"q": short})
    assert metrics.reciprocal_rank(ranked, judged, k) == pytest.approx(oracle["q"]["recip_rank"], abs=1e-9)


@given(grades, scores, st.integers(1, 40))
def test_every_metric_lies_between_0_and_1(judged, run, k):
    ranked = in_trec_order(run)
    functions = (metrics.ndcg, metrics.recall, metrics.precision, metrics.average_precision, metrics.success)
    assert all(0 <= function(ranked, judged, k) <= 1 + 1e-12 for function in functions)


def test_nothing_relevant_scores_nothing():
    for name in NAMES:
        metric = metrics.parse(name)
        assert metrics.score([metric], [item("a")], {"a": 0, "b": -1}, {}) == {metric.name: 0.0}


@pytest.mark.parametrize(
    ("piece", "wanted"),
    [
        ((0, 10), 0.0),  # before it
        ((0, 110), 0.0),  # holds 10 of 40
        ((0, 120), 1.0),  # holds half
        ((90, 150), 1.0),  # holds all
        ((105, 108), 1.0),  # lies within
        ((135, 160), 0.0),  # holds 5
        ((140, 160), 0.0),  # begins where it ends
    ],
)
def test_a_piece_answers_where_it_holds_half_of_the_span(piece, wanted):
    assert metrics.span_success([item("x"), item("a", *piece)], {"a": [(100, 140)]}, 2) == wanted


def test_a_span_counts_only_among_the_first_k():
    assert metrics.span_success([item("x"), item("a")], {"a": [(0, 10)]}, 1) == 0.0


def test_a_metric_of_spans_is_absent_without_spans():
    assert metrics.score([metrics.parse("span_success@10")], [item("a")], {"a": 1}, {}) == {}


def test_a_mean_is_over_the_rows_that_have_it():
    assert metrics.means([{"a": 1.0, "b": 1.0}, {"a": 0.0}]) == {"a": 0.5, "b": 1.0}


@pytest.mark.parametrize(
    ("name", "canonical", "k"),
    [("NDCG@10", "ndcg@10", 10), ("hit@3", "success@3", 3), ("p@5", "precision@5", 5), ("map", "map", 1000)],
)
def test_names(name, canonical, k):
    assert (metrics.parse(name).name, metrics.parse(name).k) == (canonical, k)


@pytest.mark.parametrize("name", ["ndcg@0", "ndcg@", "ndcg@-1", "ndcg@99999", "ndcg @10", "", "f1@10", "ndcg@10@10"])
def test_names_that_are_none(name):
    with pytest.raises(UsageError, match="There is no metric"):
        metrics.parse(name)
