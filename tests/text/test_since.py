"""Questions for the version that something came with."""

from __future__ import annotations

import pytest

from biblicus.text.terms import since


@pytest.mark.parametrize(
    ("question", "what", "how"),
    [
        ("Which version added the winch?", "the winch", "came"),
        ("In which version was dark mode removed?", "dark mode", "went"),
        ("Seit welcher Version gibt es die Winde?", "die Winde", "came"),
        ("When was the anchor renamed?", "the anchor", "changed"),
    ],
)
def test_what_is_asked_for(question: str, what: str, how: str) -> None:
    asked = since.asked(question)
    assert asked is not None
    assert (asked.what, asked.how) == (what, how)


@pytest.mark.parametrize("question", ["Which version is newest?", "When was x" + 100_000 * " " + "y added?", ""])
def test_what_asks_for_none(question: str) -> None:
    assert since.asked(question) is None
