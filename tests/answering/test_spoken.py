"""A reply is told while it is written: every prefix of it gives a prefix of what it says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.answering.spoken import Spoken
from tests.answering.language_models import reply, statement

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.lists(TEXT, max_size=3), st.booleans(), st.integers(1, 9))
def test_every_prefix_tells_a_prefix(texts: list[str], escaped: bool, step: int):
    whole = json.dumps(reply(*(statement(text, (1, "quoted")) for text in texts)), ensure_ascii=escaped)
    spoken = Spoken()
    last = ""
    for at in range(0, len(whole), step):
        spoken.hear(whole[at : at + step])
        assert " ".join(texts).startswith(spoken.text)
        assert len(spoken.text) >= len(last)
        last = spoken.text
    assert last == " ".join(texts)


def test_a_repeated_reply_begins_anew():
    spoken = Spoken()
    for piece in ('{"statements": [{"text": "Wro', "", '{"statements": [{"text": "Right'):
        spoken.hear(piece)
    assert spoken.text == "Right"


@pytest.mark.parametrize("text", ["Plain words.", ""])
def test_a_reply_that_is_no_json_is_told_as_it_is(text: str):
    spoken = Spoken()
    spoken.hear(text)
    assert spoken.text == text
