"""Differences of paired systems: the maths, against sums by hand and laws that must hold."""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.measure import comparison
from biblicus.measure.comparison import compare, holm, intervals, randomisation
from biblicus.models.answers.evaluation import Row, System
from tests.sampling import examples


def system(name: str, *columns: list[float], metrics: tuple[str, ...] = ("m",)) -> System:
    rows = [
        Row(f"q{n:04}", f"question {n}", dict(zip(metrics, values, strict=True)), ())
        for n, values in enumerate(zip(*columns, strict=True))
    ]
    return System(name, name, "", "", {}, {}, rows)


def test_a_difference_says_how_often_who_won():
    (found,) = compare([system("a", [0.0, 0.5, 1.0, 0.2]), system("b", [1.0, 0.5, 0.5, 0.4])], ["m"])
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)
    assert found.difference == pytest.approx((1 - 0.5 + 0.2) / 4)
    assert (found.base, found.other, found.metric) == ("a", "b", "m")


def test_rounding_makes_no_winner():
    (found,) = compare([system("a", [0.1 + 0.2, 1.0]), system("b", [0.3, 1.0])], ["m"])
    assert (found.wins, found.losses, found.ties) == (0, 0, 2)
    assert (found.difference, found.p_value, found.low, found.high) == (0, 1, 0, 0)


def test_systems_are_paired_by_question_whatever_the_order():
    a, b = system("a", [0.1, 0.9, 0.4]), system("b", [0.2, 0.8, 0.9])
    shuffled = System("b", "b", "", "", {}, {}, [b.rows[n] for n in (2, 0, 1)])
    assert compare([a, b], ["m"]) == compare([a, shuffled], ["m"])


def test_only_questions_that_both_answered_count():
    a = system("a", [0.0, 0.0, 1.0])
    b = System("b", "b", "", "", {}, {}, system("b", [1.0, 1.0]).rows)
    (found,) = compare([a, b], ["m"])
    assert found.wins + found.losses + found.ties == 2


def test_a_metric_that_one_lacks_is_not_compared():
    assert compare([system("a", [0.1]), system("b", [0.2])], ["other"]) == []
    assert compare([system("a", [0.1])], ["m"]) == []


def by_hand(differences: list[float]) -> float:
    """The randomisation test over every pattern of signs."""
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(found >= abs(sum(differences)) - 1e-9 for found in sums) / len(sums)


@given(st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=9))
@settings(max_examples=examples(60), deadline=None)
def test_small_samples_are_tested_exactly(differences: list[float]):
    assert randomisation(np.array([differences]).T, 0) == [pytest.approx(by_hand(differences))]


def test_large_samples_come_near_the_exact_value():
    draws = random.Random(5)
    differences = [draws.gauss(0.12, 0.4) for _ in range(18)]
    assert len(differences) > comparison.EXACT_UP_TO
    (found,) = randomisation(np.array([differences]).T, 3)
    assert found == pytest.approx(by_hand(differences), abs=0.01)


def test_the_two_sides_mirror_each_other():
    draws = random.Random(2)
    a, b = system("a", [draws.random() for _ in range(50)]), system("b", [draws.random() for _ in range(50)])
    (there,), (back,) = compare([a, b], ["m"]), compare([b, a], ["m"])
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == pytest.approx(back.p_value, abs=0.02)
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.low == pytest.approx(-back.high, abs=0.01)


def test_chance_is_called_chance_about_as_often_as_promised():
    """Of systems that differ by chance alone, about 5 % have p < .05, and 95 % of the intervals hold 0."""
    draws = np.random.default_rng(11)
    table = draws.normal(0, 0.3, size=(60, 400))
    p_values = randomisation(table, 1)
    assert 0.02 < sum(p < 0.05 for p in p_values) / 400 < 0.09
    low, high = intervals(table, 1)
    assert 0.90 < ((low <= 0) & (high >= 0)).mean() < 0.98


def test_a_clear_difference_is_found():
    draws = random.Random(1)
    base = [draws.random() * 0.8 for _ in range(300)]
    (found,) = compare([system("a", base), system("b", [v + draws.gauss(0.05, 0.1) for v in base])], ["m"])
    assert found.p_adjusted < 0.001
    assert 0.03 < found.low < found.difference < found.high < 0.07


def test_holm_against_values_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.6, 0.9]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_and_keeps_the_order(p_values: list[float]):
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    assert all(
        (adjusted[i] <= adjusted[j])
        for i in range(len(p_values))
        for j in range(len(p_values))
        if p_values[i] < p_values[j]
    )


def test_the_correction_counts_everything_compared():
    draws = random.Random(4)
    columns = [[draws.random() for _ in range(40)] for _ in range(6)]
    systems = [system(name, *columns[2 * n : 2 * n + 2], metrics=("m", "n")) for n, name in enumerate("abc")]
    found = compare(systems, ["m", "n"])
    assert [(one.other, one.metric) for one in found] == [("b", "m"), ("b", "n"), ("c", "m"), ("c", "n")]
    assert [one.p_adjusted for one in found] == holm([one.p_value for one in found])


def test_the_same_seed_gives_the_same_figures():
    draws = random.Random(9)
    systems = [system(name, [draws.random() for _ in range(80)]) for name in "ab"]
    assert compare(systems, ["m"], seed=7) == compare(systems, ["m"], seed=7)
    assert compare(systems, ["m"], seed=7) != compare(systems, ["m"], seed=8)
