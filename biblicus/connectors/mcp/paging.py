"""What fits into an answer, and the cursor to go on from: an agent pays for every token that it is given.

Tokens are an estimate. A cursor is opaque and holds for the same question only.
"""

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
"""What an answer holds at most, unless the call says otherwise."""
MOST_TOKENS = 50_000
RESERVE = 80
"""Tokens that the answer's own fields take, beside its entries."""
OTHER_CURSOR = "the same call without a cursor"


def compact(value: Any) -> str:
    """JSON in one line without spaces, in which nothing hides: the text that stands beside structured content."""
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def cost(value: Any) -> int:
    """Tokens (estimate) of a value as JSON."""
    return estimate(compact(value))


def least(text: str) -> int:
    """Tokens that a text costs at least, told without looking at it."""
    return len(text) // CHARACTERS_PER_TOKEN


def longest(tokens: int) -> int:
    """Characters that no text within these tokens exceeds."""
    return tokens * CHARACTERS_PER_TOKEN


def fitting(entries: Sequence[Any], tokens: int) -> int:
    """How many of the first entries fit; one at least, where there is one."""
    left = tokens - RESERVE
    for count, entry in enumerate(entries):
        left -= cost(entry)
        if left < 0:
            return max(count, 1)
    return len(entries)


def cursor(asked: Mapping[str, Any], state: Any) -> str:
    """Where to go on with what was asked."""
    return base64.urlsafe_b64encode(compact([_mark(asked), state]).encode()).decode().rstrip("=")


def resumed(asked: Mapping[str, Any], given: str | None, shape: Any) -> Any:
    """The state that a cursor holds, of this type; None without one.

    Raises `UsageError` where it is not from the same call: a cursor proves nothing, so its state is checked too.
    """
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
    kept = {name: value for name, value in asked.items() if name not in ("cursor", "output_tokens", "detail")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:8]
