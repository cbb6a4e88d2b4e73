"""Conversations kept as notes."""

import pytest

from biblicus.answers import conversations
from biblicus.guards import yaml


@pytest.mark.parametrize(
    "question", ["the boat\x92s berth", "a\x7fb", "a\ufffeb", 'so "called"', "a \\ b", "# - x: y", "青銅 😀", "a\x01b"]
)
def test_whatever_was_asked_the_note_says_that_it_is_a_conversation(question: str) -> None:
    _, front, _ = conversations.head(question).split("---\n")
    assert yaml.read(front) == {"title": question, "doctype": "conversation"}
