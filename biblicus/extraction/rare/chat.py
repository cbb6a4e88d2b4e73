"""Extractor of chats exported as JSON (Slack, Telegram, Messenger, Discord, Google Chat).

Each message is a line with time and author: `[2024-05-06 09:41] Ada Stone: Ahoy`. Lines within a message that look like
the start of another get a `>`. Slack's user codes are replaced by names that the same file gives. Replies follow the
message they answer. Times without a zone are UTC.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, clean, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.guards import json
from biblicus.models.extraction import Extraction, NoExtraction

_MOST_BYTES = 256 << 20
_SLACK_MARK = re.compile(r"<(?P<kind>[@#!]?)(?P<what>[^<>|\s]{1,2000})(?:\|(?P<called>[^<>]{0,1000}))?>")
_EMOJI = re.compile(r"(?<![\w:])[ \t]?:[a-z+-][a-z0-9_+-]{1,40}:(?!\w)")
_TELLS_NOTHING = frozenset(
    (
        *("channel_join", "channel_leave", "group_join", "group_leave", "channel_archive", "bot_add", "bot_remove"),
        *("reminder_add", "pinned_item", "unpinned_item", "channel_convert_to_private", "tombstone", "huddle_thread"),
    )
)
"""Slack message subtypes that no person writes."""
_SECONDS = re.compile(r"[0-9]{9,11}(?:\.[0-9]*)?")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});")
_TIMED = re.compile(
    r"[\W_]{0,3}(?:\w{1,9}[./-]\w{1,9}[./-]\w{1,9}?(?:T|\W{1,3}))?\d{1,2}:\d\d"
    r"|\W{0,3}\[[^\[\]\n]{1,60}\][^:\n]{1,300}:"
)
"""The beginning of a line that could be a message: a time, or something in brackets and a name."""


class _Message(NamedTuple):
    """A message. `at`: its time as text."""

    at: str
    who: str
    text: str


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the messages; JSON of another structure is plain text."""
    title, messages = _read(json.read(text, max_bytes=_MOST_BYTES))
    composer = Composer()
    day = ""
    for message in messages:
        if message.at[:10] != day:
            composer.gap()
            day = message.at[:10]
        lines = [line.strip() for line in clean(message.text).split("\n") if line.strip()]
        if lines and (who := folded(message.who)):
            within = (f"> {line}" if _TIMED.match(line) else line for line in lines[1:])
            composer.line("\n".join([f"[{message.at}] {who}: {lines[0]}", *within]))
    otherwise = Extraction(text, warnings=warnings)
    return composer.extraction(title=title, titled=False, warnings=warnings, otherwise=otherwise)


build = of_text("chat/1", _extract)


def _read(value: Any) -> tuple[str, list[_Message]]:
    """Return the title of a conversation and its messages in reading order."""
    if isinstance(value, list):
        return "", list(_slack([entry for entry in value if isinstance(entry, dict)]))
    if not isinstance(value, dict):
        return "", []
    title = _of(value, "name", "title") or _of(value.get("channel"), "name")
    written = [entry for entry in _listed(value, "messages") if isinstance(entry, dict)]
    messages = [message for entry in written if (message := _message(entry)) is not None]
    if "participants" in value and "thread_path" in value:  # Messenger: last message first, bytes as characters
        messages = [entry._replace(who=_letters(entry.who), text=_letters(entry.text)) for entry in reversed(messages)]
        title = _letters(title)
    return folded(title), messages


def _message(one: Mapping[str, Any]) -> _Message | None:
    """Return a message of Telegram, Messenger, Discord or Google Chat, or None for service messages."""
    if one.get("type") == "service":
        return None
    author = _of(one.get("author"), "nickname", "name") or _of(one.get("creator"), "name", "email")
    who = _of(one, "from", "sender_name") or author
    when = one.get("date") or one.get("timestamp_ms") or one.get("timestamp") or one.get("created_date")
    text = _joined(one.get("text")) or _joined(one.get("content"))
    names = [_of(file, "fileName", "name", "export_name") for file in _listed(one, "attachments", "attached_files")]
    names += [_of(one, "file_name")]
    return _Message(_moment(when), who, _with_files(text, names)) if who else None


def _slack(written: Sequence[Mapping[str, Any]]) -> Iterator[_Message]:
    """Yield the messages of a Slack channel's day, each followed by its replies."""
    names = {
        _of(entry, "user"): name for entry in written if (name := _of(entry.get("user_profile"), "real_name", "name"))
    }
    messages: dict[str, list[_Message]] = {}
    for entry in written:
        if entry.get("type") != "message" or _of(entry, "subtype") in _TELLS_NOTHING:
            continue
        user = _of(entry, "user")
        who = names.get(user) or _of(entry, "username") or _of(entry.get("bot_profile"), "name") or user
        files = [_of(file, "title", "name") for file in _listed(entry, "files")]
        ts = _of(entry, "ts")
        message = _Message(_moment(ts), who, _with_files(_plain(_of(entry, "text"), names), files))
        messages.setdefault(_of(entry, "thread_ts") or ts, []).append(message)
    for thread in sorted(messages):
        yield from messages[thread]


def _plain(text: str, names: Mapping[str, str]) -> str:
    """Return a Slack text without markup: names for user codes, labels for links."""

    def shown(match: re.Match[str]) -> str:
        what, label = match["what"], match["called"]
        if match["kind"] == "@":
            return f"@{label or names.get(what, what)}"
        if match["kind"] == "!":
            return label or f"@{what.partition('^')[0]}"
        if match["kind"] == "#":
            return f"#{label or what}"
        return f"{label} ({what})" if label and label not in what else what

    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), _SLACK_MARK.sub(shown, _EMOJI.sub("", text)))


def _joined(text: Any) -> str:
    """Return a text that may be stored as a list of plain and formatted parts."""
    if isinstance(text, list):
        return "".join(part if isinstance(part, str) else _of(part, "text") for part in text)
    return _written(text)


def _with_files(text: str, names: Sequence[str]) -> str:
    return "\n".join([text, *(f"Attachment: {name}" for name in names if name)]).strip()


def _listed(one: Mapping[str, Any], *keys: str) -> Iterator[Any]:
    for key in keys:
        yield from value if isinstance(value := one.get(key), list) else ()


def _of(value: Any, *keys: str) -> str:
    """Return the first non-empty text under the keys of an object, or an empty string."""
    texts = (_written(value.get(key)) for key in keys) if isinstance(value, dict) else ()
    return next(filter(None, texts), "")


def _written(value: Any) -> str:
    """Return a string or a number as text; empty for any other value."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _moment(when: Any) -> str:
    """Return a time as `2024-05-06 09:41`, or unchanged if its format is unknown."""
    written = _written(when).strip()
    seconds = float(written) if _SECONDS.fullmatch(written) else None
    if seconds is None and written and isinstance(when, int | float):
        seconds = when / 1000
    try:
        if seconds is not None:
            return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
        return datetime.fromisoformat(written).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return folded(written)[:60]


def _letters(text: str) -> str:
    """Decode text whose characters are the bytes of UTF-8."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
