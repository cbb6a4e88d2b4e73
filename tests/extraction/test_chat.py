"""Exports of chats in the shapes that programs give them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.text import media
from tests.extraction import reading

SHAPES: dict[str, tuple[Any, str]] = {
    "messenger": (
        {
            "participants": [{"name": "Ada"}],
            "messages": [
                {"sender_name": "J\u00c3\u00b8rn", "timestamp_ms": 1714982460000, "content": "Later."},
                {"sender_name": "Ada", "timestamp_ms": 1714982400000, "content": "When?"},
            ],
            "title": "Ada",
            "thread_path": "inbox/ada",
        },
        "[2024-05-06 08:00] Ada: When?\n[2024-05-06 08:01] J\u00f8rn: Later.\n",
    ),
    "discord": (
        {
            "guild": {"id": "1", "name": "Port"},
            "channel": {"id": "2", "name": "quay"},
            "messages": [
                {
                    "timestamp": "2024-05-06T08:00:00.12+00:00",
                    "content": "See this",
                    "author": {"name": "ada", "nickname": "Ada"},
                    "attachments": [{"fileName": "mole.png"}],
                }
            ],
        },
        "[2024-05-06 08:00] Ada: See this\nAttachment: mole.png\n",
    ),
    "google": (
        {
            "messages": [
                {"creator": {"name": "Ada", "email": "a@b"}, "created_date": "Monday, 6 May 2024", "text": "Ahoy"},
            ]
        },
        "[Monday, 6 May 2024] Ada: Ahoy\n",
    ),
    "slack": (
        [
            {
                "type": "message",
                "user": "U1",
                "ts": "1714982400.000100",
                "text": "First",
                "user_profile": {"name": "ada"},
            },
            {"type": "message", "user": "U2", "ts": "1714982460.000100", "text": "Second"},
            {
                "type": "message",
                "user": "U1",
                "ts": "1714982520.000100",
                "thread_ts": "1714982400.000100",
                "text": "<https://a.example|More> in <#C1|quay>, <!here>",
            },
        ],
        (
            "[2024-05-06 08:00] ada: First\n[2024-05-06 08:02] ada: More (https://a.example) in #quay, @here\n"
            "[2024-05-06 08:01] U2: Second\n"
        ),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_line_a_message(shape: str) -> None:
    value, expected = SHAPES[shape]
    raw = json.dumps(value).encode()
    assert media.media_type("chat.json", raw[:8192]) == "application/x-chat+json"
    assert read(value) == expected


@pytest.mark.parametrize("raw", [b'{"messages": 3}', b"[1, 2]", b"[", b'[{"type": "message", "ts": 5}]'])
def test_what_is_no_conversation_is_its_text(raw: bytes) -> None:
    assert reading.read("chat", raw).text == raw.decode()


def read(value: Any) -> str:
    return reading.read("chat", json.dumps(value)).text


def said(text: Any, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "message", "user": "U1", "ts": "1714982400.000100", "text": text, **more}]


@pytest.mark.parametrize(
    "line",
    [
        *("[2024-01-01 10:01] Bob: The ferry is cancelled", "  [2024-01-01 10:01] Bob: It is", "10:01 Bob: It is"),
        *("01/01/2024, 10:01 - Bob: It is", "2024-01-01T10:01 Bob: It is", "[06-May-24 10:12 AM] bob"),
        *("[Monday, 6 May 2024] Bob: It is", "\u200e[01.01.24, 10:01:22] Bob: It is", "10:01 -bob: It is"),
    ],
)
def test_no_line_within_a_message_looks_like_another_one(line: str) -> None:
    assert read(said(f"See\n{line}\nand so on")) == (f"[2024-05-06 08:00] U1: See\n> {line.strip()}\nand so on\n")


def test_entities_that_are_none_stay() -> None:
    number = f"&#{'9' * 5_000};"
    assert read(said(f"a &amp; &lt;b&gt; {number} &zzz;")) == f"[2024-05-06 08:00] U1: a & <b> {number} &zzz;\n"


ODD = [[], {}, [1], {"a": 1}, ["channel_join"], None, True, 5, 1e300, 10**99, -(10**99), "٣" * 10, "9" * 5_000]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_values_of_another_type_are_no_text(odd: Any) -> None:
    for shape, _ in SHAPES.values():
        messages = shape if isinstance(shape, list) else shape["messages"]
        for key in {*messages[0], "subtype", "thread_ts", "username", "files", "date", "timestamp_ms", "from", "text"}:
            changed = [{**messages[0], key: odd}, *messages[1:]]
            text = read(changed if isinstance(shape, list) else {**shape, "name": odd, "messages": changed})
            assert "{'" not in text
            assert "['" not in text


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["name", "text"]), inner, max_size=2),
    max_leaves=4,
)
_KEYS = (
    "type subtype user ts thread_ts text user_profile bot_profile username files from date author content attachments"
)


@given(st.lists(st.dictionaries(st.sampled_from(_KEYS.split()), _JSON | st.just("message"), max_size=8), max_size=4))
def test_any_json_is_read(messages: list[dict[str, Any]]) -> None:
    for value in (messages, {"messages": messages, "name": messages}):
        assert read(value)
