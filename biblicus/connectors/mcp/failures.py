"""Errors for agents: the usual code and message, with hints that refer to tools."""

from __future__ import annotations

from biblicus.errors import BiblicusError, Cancelled, Unavailable
from biblicus.guards.folders import without_folders
from biblicus.guards.terminal import safe

_LONGEST = 600
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
        hint = "the same in a moment"
    fields = {"code": error.code, "message": error.message, "hint": hint}
    shown = {name: safe(without_folders(text)) for name, text in fields.items()}
    return {name: text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for name, text in shown.items()}
