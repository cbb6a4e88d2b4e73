"""Output budgets of replies, and cursors to continue.

Token counts are estimates. A cursor is opaque and valid only for the same question."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from biblicus.errors import UsageError
from biblicus.guards.terminal import escaped
from biblicus.service.verbs import adapter
from biblicus.text.tokens import CHARACTERS_PER_TOKEN, estimate

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
