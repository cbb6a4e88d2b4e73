"""The judge's score among the others: how much it counts, and that the committed weights are those of the fit."""

import pytest

from benchmarks import judging
from biblicus.contracts import Passage
from biblicus.retrieval.judge import fused


def _order(scores: list[float], logits: list[float], **weights: float) -> list[int]:
    found = fused([Passage(0, "", score) for score in scores], logits, {"score": 1.0, **weights})
    return sorted(range(len(found)), key=lambda at: -found[at])


@pytest.mark.parametrize(
    ("logits", "order"),
    [
        pytest.param([-5.0, 6.0, -5.0], [1, 0, 2], id="far ahead of the second"),
        pytest.param([5.9, 6.0, -5.0], [0, 1, 2], id="as good as the second"),
    ],
)
def test_the_judge_counts_by_the_lead_of_its_best(logits: list[float], order: list[int]) -> None:
    assert _order([9.0, 8.0, 2.0], logits, judge=1.5, lead=4.0) == order


def test_without_a_lead_its_weight_is_what_it_is() -> None:
    assert _order([9.0, 8.9, 2.0], [1.0, 1.4, 0.0], judge=2.0) == [1, 0, 2]


@pytest.mark.long
def test_the_committed_weights_are_those_of_the_fit() -> None:
    assert judging.written(judging.tables()) == judging.WEIGHTS.read_text("utf-8")
