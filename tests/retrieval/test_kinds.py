"""A page comes before what contains the same words and is about it."""

import pytest

from biblicus.contracts import Call
from biblicus.models.question import Question


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("how does the winch wind", [1, 0]),
        ("how do I test the winch", [1, 0]),
    ],
)
def test_a_page_comes_before_its_test(read, chunk, question, order):
    chunks = [
        chunk(0, "winch winds winch", path="tests/winch.py"),
        chunk(1, "the winch winds", path="winch.py"),
    ]
    hits = read(chunks).search(Question(question, {"en": 1.0}), None, 2, Call())
    assert [hit.row for hit in hits] == order


def test_the_best_are_found_behind_many_that_are_worth_less(read, chunk):
    tests = [chunk(row, "winch winch rope", path=f"tests/{row}.py") for row in range(100)]
    pages = [chunk(100 + row, "the winch", path=f"{row}.md") for row in range(3)]
    hits = read([*tests, *pages]).search(Question("winch", {"en": 1.0}), None, 3, Call())
    assert [hit.row for hit in hits] == [100, 101, 102]
