"""How something is written is told from what it is."""

import pytest

from biblicus.answering.quoting.entries import is_syntax


@pytest.mark.parametrize(
    ("reads", "is_one"),
    [
        ("Grammar: forward ( first | only );", True),
        ("Grammar: forward ( first )", True),
        ("Grammar: forward first;", False),
        ("Grammar: forward ( first", False),
        ("Grammar: (", False),
        ("Grammar: forward " + "(" * 400_000, False),
        ("forward ( first )", False),
    ],
)
def test_what_signs_stand_in_is_how_it_is_written(reads: str, is_one: bool):
    assert is_syntax(reads, "forward") is is_one
