"""Short text of a tool's structured reply, for people and logs: one or two lines an entry.

The structured content is complete. `biblicus mcp --text full` also returns all of it as text, for clients without
structured content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
            facts.append(f"{name}: {_pairs(value)}")
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
    return "\n   ".join(filter(None, (head, f"{words} {cited}".strip()))) or _pairs(entry)


def _pairs(value: Mapping[str, Any]) -> str:
    plain = [f"{name}={part}" for name, part in value.items() if isinstance(part, str | int | float)]
    return _cut(", ".join(plain)) or "none"


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
