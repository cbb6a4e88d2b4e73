"""Exports of chats in the shapes that programs give them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.extraction import chat
from biblicus.models.extraction import Extraction
from biblicus.text import media

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
    read = chat.build(chat.Options(), Given()).extract(raw, MediaHint("", "application/x-chat+json"))
    assert isinstance(read, Extraction)
    assert read.text == expected


@pytest.mark.parametrize("raw", [b'{"messages": 3}', b"[1, 2]", b"[", b'[{"type": "message", "ts": 5}]'])
def test_what_is_no_conversation_is_its_text(raw: bytes) -> None:
    read = chat.build(chat.Options(), Given()).extract(raw, MediaHint("", "application/x-chat+json"))
    assert isinstance(read, Extraction)
    assert read.text == raw.decode()
