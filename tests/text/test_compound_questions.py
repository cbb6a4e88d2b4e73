"""Questions that ask two things of one."""

import pytest

from biblicus.text.terms import compound


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is a winch and how do I use it?", [("how do I use a winch?", 3)]),
        ("difference between a hawser and a warp", [("What is a hawser?", 1), ("What is a warp?", 1)]),
        ("Was ist der Unterschied zwischen Tau und Trosse?", [("What is Tau?", 1), ("What is Trosse?", 1)]),
        ("What is a winch?", []),
    ],
)
def test_what_else_is_asked_for(question: str, wanted: list[tuple[str, int]]) -> None:
    assert compound.further(question) == wanted
