"""What measuring answers reckons: containment, sources, AUC, calibration."""

import pytest

from biblicus.measure import answer_metrics as answers
from biblicus.measure.answer_metrics import Cited


@pytest.mark.parametrize(
    ("answer", "gold", "held"),
    [
        ("It was lit in 1842.", "1842", True),
        ("It was lit in 1842.", "184", False),
        ("It was lit in 1842.", "Lit  in", True),
        ("The harbours.", "harbour", False),
        ("灯塔建于一八四二年。", "一八四二年", True),
        ("Straße und Weg", "STRASSE", True),
        ("16 000 boats", "000 boats", True),
        ("", "1842", False),
    ],
)
def test_a_gold_answer_stands_in_an_answer_as_words(answer, gold, held):
    assert answers.holds(answer, [gold]) is held


def test_sources_are_counted_by_span_where_spans_are_judged():
    cited = [Cited("a", 0, 10, True), Cited("a", 50, 60, True), Cited("b", 0, 5, False)]
    found = answers.scored("x", [], cited, ["a", "c"], {"a": [(5, 8), (90, 95)]})
    assert found["citation_precision"] == pytest.approx(1 / 3)
    assert found["citation_recall"] == pytest.approx(1 / 3)
    assert found["citations_verified"] == pytest.approx(2 / 3)
    assert found["answer_right"] == 1.0


def test_an_empty_answer_has_no_precision_and_no_recall():
    found = answers.scored("", ["1842"], [], ["a"], {})
    assert found == {"answer_right": 0.0, "answered": 0.0, "citation_recall": 0.0, "answer_gold": 0.0}


def test_auc_is_that_of_ranks_with_ties_half():
    assert answers.auc([0.9, 0.5], [0.5, 0.1]) == pytest.approx(0.875)
    assert answers.auc([1.0], [0.0]) == 1.0
    assert answers.auc([0.0, 0.0], [0.0]) == 0.5
    assert answers.auc([0.3], []) is None


def test_calibration_counts_every_answer_once():
    bins = answers.calibration([(0.2, 0.0), (0.39, 1.0), (0.8, 1.0), (1.0, 1.0)])
    assert [(one.low, one.count, one.right) for one in bins] == [(0.2, 2, 0.5), (0.8, 2, 1.0)]
    assert answers.calibration_error(bins) == pytest.approx((2 * 0.205 + 2 * 0.1) / 4)
    assert answers.calibration_error([]) is None
