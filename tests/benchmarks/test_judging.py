"""The threshold of the judge's logit: how well it tells answers from none, and where it lies."""

import pytest

from benchmarks.judging import auc, threshold


def test_auc_is_the_share_of_pairs_in_order():
    assert auc([3.0, 1.0], [1.0, -2.0]) == pytest.approx((1 + 1 + 0.5 + 1) / 4)


def test_the_threshold_leaves_few_questions_with_an_answer_below_it():
    answered = [-7.5, -1.5, *[4.0] * 98]
    assert threshold(answered, 0.02) == 4.0
    assert threshold(answered, 0.01) == -2.0
    assert sum(logit < threshold(answered, 0.01) for logit in answered) == 1
