"""What the gate leaves out is spread evenly, and a row that fails is named."""

import inspect

import pytest

from tests import sampling
from tests.sampling import by_turns, crossed, each, examples, some


@pytest.fixture
def in_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "IS_LONG", False)


@pytest.mark.usefixtures("in_gate")
def test_the_gate_takes_every_row_with_a_share_of_the_columns() -> None:
    assert some("abcdefg", 3) == ["a", "d", "g"]
    assert crossed("abcd", "xyz") == [("a", "x"), ("b", "y"), ("c", "z"), ("d", "x")]
    assert crossed("ab", "xyz", each=2) == [("a", "x"), ("a", "y"), ("b", "z"), ("b", "x")]
    assert [*by_turns("xy", 2), *by_turns("xy", 5)] == ["x", "y"]
    assert [examples(most) for most in (400, 60, 3)] == [67, 10, 1]


def test_the_long_run_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "IS_LONG", True)
    assert some("abc", 3) == ["a", "b", "c"]
    assert sorted(crossed("ab", "xyz")) == [(row, column) for row in "ab" for column in "xyz"]
    assert by_turns("xy", 2) == "xy"
    assert examples(400) == 400


def test_all_rows_are_tried_and_those_that_fail_are_named() -> None:
    seen: list[tuple[int, int, str]] = []

    @each("one, other", [(1, 1), pytest.param(1, 2, id="odd"), (2, 2), (2, 1)])
    def test(one: int, other: int, fixture: str) -> None:
        seen.append((one, other, fixture))
        assert one == other

    assert list(inspect.signature(test).parameters) == ["fixture"]
    with pytest.raises(ExceptionGroup, match="2 of 4 rows fail") as failed:
        test(fixture="warm")
    assert [error.__notes__ for error in failed.value.exceptions] == [
        ["with {'one': 1, 'other': 2}"],
        ["with {'one': 2, 'other': 1}"],
    ]
    assert seen == [(1, 1, "warm"), (1, 2, "warm"), (2, 2, "warm"), (2, 1, "warm")]


def test_a_table_without_rows_fails() -> None:
    with pytest.raises(AssertionError, match="no rows"):
        each("word", [])(lambda word: None)()
