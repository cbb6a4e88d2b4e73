"""What sets two things apart, and what only names both."""

import pytest

from biblicus.answering.quoting.contrasting import contrasts, sets_apart
from biblicus.answering.quoting.question_terms import question_terms, terms_in


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("In old books hawser and cable are told first, whereas in new ones hawsers and cables are told last.", 0.0),
        ("A cable or a hawser is tied here, unlike in the south.", 0.0),
        ("A hawser is thick, whereas a cable is long.", 1.0),
        ("Hawser and cable differ in their weight.", 1.0),
        ("A hawser is thick, but a cable is long.", 0.7),
        ("While a hawser is thick, a cable is long.", 0.7),
        ("A hawser is tied to a cable by the mate instead of the cook.", 0.4),
        ("A hawser is thick, but long.", 0.7),
        ("A hawser holds more boats than a cable.", 0.7),
    ],
)
def test_how_much_a_sentence_sets_two_sides_apart(text: str, worth: float) -> None:
    question = question_terms("What is the difference between a hawser and a cable?", "english")
    assert sets_apart(text, question.form.sides, lambda side: terms_in(side, question)) == worth


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("It compares the new file to the old one and writes a set of differences.", 0.0),
        ("The main differences are few.", 1.0),
        ("These differ.", 0.7),
    ],
)
def test_how_much_a_sentence_contrasts(text: str, worth: float) -> None:
    assert contrasts(text) == worth
