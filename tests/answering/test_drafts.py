"""A reply is told while it is written: every prefix of it gives a prefix of what it says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.answering.drafts import Draft
from tests.answering.language_models import reply, statement

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.lists(TEXT, max_size=3), st.booleans(), st.integers(1, 9))
def test_every_prefix_tells_a_prefix(texts: list[str], escaped: bool, step: int):
    whole = json.dumps(reply(*(statement(text, (1, "quoted")) for text in texts)), ensure_ascii=escaped)
    draft = Draft()
    last = ""
    for at in range(0, len(whole), step):
        draft.hear(whole[at : at + step])
        assert " ".join(texts).startswith(draft.text)
        assert len(draft.text) >= len(last)
        last = draft.text
    assert last == " ".join(texts)


def test_a_repeated_reply_begins_anew():
    draft = Draft()
    for piece in ('{"statements": [{"text": "Wro', "", '{"statements": [{"text": "Right'):
        draft.hear(piece)
    assert draft.text == "Right"


@pytest.mark.parametrize("text", ["Plain words.", ""])
def test_a_reply_that_is_no_json_is_told_as_it_is(text: str):
    draft = Draft()
    draft.hear(text)
    assert draft.text == text
