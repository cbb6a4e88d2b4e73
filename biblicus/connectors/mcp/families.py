"""Other clients' words: names that our tools take beside their own, and tools that a profile of the service offers.

The names are taken, never listed: an agent that is shown our tools pays for ours alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mcp import types

from biblicus.errors import UsageError
from biblicus.service.offers import Offer

Arguments = Mapping[str, Any]
TOOLS_ELSEWHERE: Mapping[str, str] = {
    "list_tree": "knowledge_base_tree",
    "set_weight": "knowledge_base_weight",
}
"""A family's name for a tool of ours, taken where no profile offers a tool of that name."""
_QUERY = {"q": "query", "question": "query", "k": "limit", "top_k": "limit", "tags": "tag"}
_NAMES: Mapping[str, Mapping[str, str]] = {
    "knowledge_base_query": _QUERY,
    "knowledge_base_answer": _QUERY,
    "knowledge_base_tree": {"max_entries": "limit"},
    "knowledge_base_weight": {"doc_id": "target"},
    "knowledge_base_get": {"ref": "items", "refs": "items"},
}
"""By tool: a family's name for what our tool calls otherwise."""
_LISTS = ("tag", "type", "doctype", "language", "path", "items")
"""What our tools take as a list, and others may say as one text."""


def ours(tool: str, arguments: Arguments) -> Arguments:
    """The arguments of one of our tools, by our names. Raises `UsageError` where both names are said."""
    names = _NAMES.get(tool, {})
    renamed: dict[str, Any] = {}
    for name, value in arguments.items():
        own = names.get(name, name)
        if own in renamed or (own != name and own in arguments):
            raise UsageError(f"{name} and {own} are the same here: give one of them.")
        renamed[own] = [value] if own in _LISTS and isinstance(value, str) else value
    return _reference(renamed) if tool == "knowledge_base_get" and "doc_id" in renamed else renamed


def _reference(arguments: dict[str, Any]) -> dict[str, Any]:
    """`doc_id, start, end` as the reference that they mean."""
    document, start, end = (arguments.pop(name, None) for name in ("doc_id", "start", "end"))
    if "items" in arguments:
        raise UsageError("doc_id and items are the same here: give one of them.")
    if start is None and end is None:
        return {**arguments, "items": [document]}
    first = 1 if start is None else start
    return {**arguments, "items": [f"{document}#lines={first}-{first if end is None else end}"]}


class Offered:
    """The tools of a profile, for one server."""

    def __init__(self, offers: Sequence[Offer]) -> None:
        self._offers = offers
        self._by_name = {name: offer for offer in offers for name in (offer.name, *offer.also)}

    def listed(self, scopes: Collection[str]) -> list[types.Tool]:
        """Those that who has these scopes may call."""
        return [_tool(offer) for offer in self._offers if offer.scope in scopes]

    def get(self, name: str) -> Offer | None:
        """The tool of this name."""
        return self._by_name.get(name)


def _tool(offer: Offer) -> types.Tool:
    return types.Tool(
        name=offer.name,
        title=offer.title or None,
        description=offer.summary,
        input_schema=dict(offer.schema),
        annotations=types.ToolAnnotations(
            read_only_hint=offer.scope == "read",
            destructive_hint=offer.scope != "read",
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )
