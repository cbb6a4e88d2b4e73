"""Replies as agents read them: output budgets, cursors to continue, short texts, and errors whose hints refer to tools.

The structured content is complete. `biblicus mcp --text full` also returns all of it as text, for clients without
structured content. Token counts are estimates. A cursor is opaque and valid only for the same question."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from biblicus.errors import BiblicusError, Cancelled, Unavailable, UsageError
from biblicus.guards.processes import without_folders
from biblicus.guards.terminal import escaped, safe
from biblicus.service.verbs import adapter
from biblicus.text.counting import CHARACTERS_PER_TOKEN, estimate

OUTPUT_TOKENS = 4_000
"""Default output budget of a reply."""
MOST_TOKENS = 50_000
RESERVE = 80
"""Tokens reserved for the reply's own fields."""
OTHER_CURSOR = "the same call without a cursor"


def compact(value: Any) -> str:
    """Return JSON on one line without spaces, with hidden characters escaped: the text besides structured content."""
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def cost(value: Any) -> int:
    """Return the estimated tokens of a value as JSON."""
    return estimate(compact(value))


def least(text: str) -> int:
    """Return a lower bound for the tokens of a text, from its length alone."""
    return len(text) // CHARACTERS_PER_TOKEN


def longest(tokens: int) -> int:
    """Return an upper bound for the characters of a text of this many tokens."""
    return tokens * CHARACTERS_PER_TOKEN


def fitting(entries: Sequence[Any], tokens: int) -> int:
    """Return how many of the first entries fit: at least one, if there are any."""
    left = tokens - RESERVE
    for count, entry in enumerate(entries):
        left -= cost(entry)
        if left < 0:
            return max(count, 1)
    return len(entries)


def cursor(asked: Mapping[str, Any], state: Any) -> str:
    """Return a cursor for continuing this call."""
    return base64.urlsafe_b64encode(compact([_mark(asked), state]).encode()).decode().rstrip("=")


def resumed(asked: Mapping[str, Any], given: str | None, shape: Any) -> Any:
    """Return the cursor's state, converted to `shape`; None without a cursor.

    Raises `UsageError` if it is not from the same call. A cursor proves nothing, so its state is validated too."""
    if given is None:
        return None
    try:
        mark, state = json.loads(base64.urlsafe_b64decode(given + "=" * (-len(given) % 4)))
        place = adapter(shape).validate_python(state)
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError("The cursor is none of this server's.", OTHER_CURSOR) from error
    if mark != _mark(asked):
        raise UsageError("The cursor belongs to a call with other arguments.", OTHER_CURSOR)
    return place


def _mark(asked: Mapping[str, Any]) -> str:
    search_arguments = {
        name: value for name, value in asked.items() if name not in ("cursor", "output_tokens", "detail")
    }
    return hashlib.sha256(json.dumps(search_arguments, sort_keys=True).encode()).hexdigest()[:8]


# --- short texts ---

_NAMES = ("ref", "doc_id", "chunk_id", "item_id", "corpus", "path", "page", "place", "title", "heading", "items")
_NAMED = {"page": "page {}", "items": "items: {}"}
_WORDS = ("text", "snippet", "quote", "message")
_LONGEST = 160
"""Maximum characters of an entry's text."""
_MOST = 10
"""Maximum entries of a list."""


def short(answer: Mapping[str, Any]) -> str:
    """Return the reply in short: its entries, then its other values, one a line."""
    rows: list[str] = []
    facts: list[str] = []
    for name, value in answer.items():
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            rows += [f"{number}. {_entry(entry)}" for number, entry in enumerate(value[:_MOST], 1)]
            rows += [f"… {len(value) - _MOST} more {name}"] if len(value) > _MOST else []
        elif isinstance(value, list):
            facts.append(f"{name}: {', '.join(_cut(str(part)) for part in value[:_MOST]) or 'none'}")
        elif isinstance(value, Mapping):
            facts.append(f"{name}: {_values(value)}")
        elif value not in (None, ""):
            facts.append(f"{name}: {_cut(str(value).lower() if isinstance(value, bool) else str(value))}")
    return "\n".join([*rows, *facts])


def _entry(entry: Mapping[str, Any]) -> str:
    """Return an entry: its name with its references, and the start of its text."""
    if isinstance(entry.get("error"), Mapping):
        return f"{entry.get('item') or entry.get('corpus') or ''} {entry['error'].get('message', '')}".strip()
    names = [_NAMED.get(name, "{}").format(entry[name]) for name in _NAMES if entry.get(name)]
    head = " · ".join(map(_cut, dict.fromkeys(names)))
    words = next((_cut(str(entry[name])) for name in _WORDS if entry.get(name)), "")
    cited = " ".join(f"[{piece.get('ref') or piece.get('doc_id')}]" for piece in entry.get("citations", ()))
    return "\n   ".join(filter(None, (head, f"{words} {cited}".strip()))) or _values(entry)


def _values(value: Mapping[str, Any]) -> str:
    plain = [f"{name}={part}" for name, part in value.items() if isinstance(part, str | int | float)]
    return _cut(", ".join(plain)) or "none"


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


_LONGEST_MESSAGE = 600
_HINTS = {
    "item_not_found": "knowledge_base_list or knowledge_base_tree shows the items",
    "ambiguous_item": "a longer id",
    "out_of_bounds": "other bounds, or the item without them",
    "no_text": "another item",
    "blank_question": "a question in words",
    "corpus_unknown": "knowledge_base_stats names the corpora",
    "usage": "",
    "recipe_not_found": "knowledge_base_stats names the recipes",
    "duplicate": "the item that is there",
    "scope_missing": "ask the user for a token with that scope, or to start: biblicus mcp --allow-ingest",
}
_BUILDS = "knowledge_base_reindex, or ask the user to run: biblicus reindex"


def as_told(error: BiblicusError) -> dict[str, str]:
    """Return `code`, `message` and `hint`: without local paths or hidden characters, and of limited length."""
    hint = _HINTS.get(error.code, error.hint)
    if error.code == "usage" and not error.hint.startswith("biblicus "):
        hint = error.hint
    elif error.hint.startswith("biblicus reindex"):
        hint = _BUILDS
    elif hint.startswith("biblicus "):
        hint = f"ask the user to run: {hint}"
    elif not hint and isinstance(error, Unavailable) and not isinstance(error, Cancelled):
        hint = "the same again in a moment"
    fields = {"code": error.code, "message": error.message, "hint": hint}
    safe_fields = {name: safe(without_folders(text)) for name, text in fields.items()}
    return {
        name: text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 1]}…"
        for name, text in safe_fields.items()
    }
