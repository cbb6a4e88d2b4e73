"""Axes of `tune`, as they are typed, and the settings drawn from them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.errors import UsageError
from biblicus.measure.space import grid, parse, words
from biblicus.measure.tune import split
from biblicus.models.answers.evaluation import Dataset, JudgedQuestion, Judgement


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=1,2,3", ["1", "2", "3"]),
        ("a=rrf, weighted", ["rrf", "weighted"]),
        ("a=null,0.5", [None, "0.5"]),
        ("a=[x],[x, y]", [["x"], ["x", "y"]]),
        ("a={by: own, share: 0.5}", [{"by": "own", "share": "0.5"}]),
        ("a=1,1,2", ["1", "2"]),
        ("a=0..1:0.25", ["0", "0.25", "0.5", "0.75", "1"]),
        ("a=0..1:0.3", ["0", "0.3", "0.6", "0.9"]),
        ("a=-1..1:1", ["-1", "0", "1"]),
        ("a=1000..3000:1000", ["1000", "2000", "3000"]),
    ],
)
def test_values_and_ranges(text: str, values: list[object]):
    assert list(parse(text).values) == values


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a=",
        "=1",
        "a b=1",
        "a=3..1:1",
        "a=1..1:1",
        "a=0..1:0",
        "a=0..1:0.000001",
        "a=[",
        "a=&x 1",
        "a..b=1",
        "a={x: 1",
    ],
)
def test_what_makes_no_sense_is_refused(text: str):
    with pytest.raises(UsageError):
        parse(text)


def test_a_grid_is_every_combination():
    axes = [parse("a=1,2"), parse("b=x,y,z")]
    found = grid(axes)
    assert len(found) == 6
    assert found[0] == {"a": "1", "b": "x"}
    assert found[1] == {"a": "1", "b": "y"}


def test_settings_are_shown_as_typed():
    (settings,) = grid([parse("a=[x, y]"), parse("b=null"), parse("c={by: rrf}")])
    assert words(settings) == "a=[x, y], b=null, c={by: rrf}"
    assert words({}) == "(as it stands)"


# --- the held-out split ---


def dataset(count: int) -> Dataset:
    return Dataset("d", [JudgedQuestion(f"q{n}", "text", (Judgement("i"),)) for n in range(count)], "")


@given(st.integers(4, 60), st.floats(0.1, 0.9), st.integers(0, 1000))
def test_every_question_is_on_one_side(count: int, holdout: float, seed: int):
    found = dataset(count)
    if not 0 < round(count * holdout) < count:
        return
    chosen, held = split(found, holdout, seed)
    names = [question.question_id for side in (chosen, held) for question in side.questions]
    assert sorted(names) == sorted(question.question_id for question in found.questions)
    assert len(held.questions) == round(count * holdout)


def test_the_order_of_questions_does_not_matter_and_the_seed_does():
    found = dataset(40)
    turned = replace(found, questions=list(reversed(found.questions)))

    def held(data: Dataset, seed: int) -> set[str]:
        return {question.question_id for question in split(data, 0.5, seed)[1].questions}

    assert held(found, 1) == held(turned, 1)
    assert held(found, 1) != held(found, 2)


@pytest.mark.parametrize("holdout", [-0.1, 1.0, 2.0])
def test_a_share_that_is_none_is_refused(holdout: float):
    with pytest.raises(UsageError):
        split(dataset(10), holdout, 0)


def test_too_few_questions_to_hold_some_out_is_refused():
    with pytest.raises(UsageError, match="too few"):
        split(dataset(1), 0.5, 0)
    assert split(dataset(1), 0, 0)[1].questions == []
