"""Names used by other MCP servers for our tools and parameters, and tools added by a profile of the service.

They are accepted but not listed, to save tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mcp import types

from biblicus.errors import UsageError
from biblicus.service.offers import Offer

Arguments = Mapping[str, Any]
TOOLS_ELSEWHERE: Mapping[str, str] = {"list_tree": "knowledge_base_tree", "set_weight": "knowledge_base_weight"}
"""Tool names of other servers, accepted if no profile has a tool of that name."""
_QUERY = {"q": "query", "question": "query", "k": "limit", "top_k": "limit", "tags": "tag"}
_NAMES: Mapping[str, Mapping[str, str]] = {
    "knowledge_base_query": _QUERY,
    "knowledge_base_answer": _QUERY,
    "knowledge_base_tree": {"max_entries": "limit"},
    "knowledge_base_weight": {"doc_id": "target"},
    "knowledge_base_get": {"ref": "items", "refs": "items"},
}
"""Parameter names of other servers, by tool."""
_LISTS = ("tag", "type", "doctype", "language", "path", "items")
"""List parameters that may be given as a single text."""


def ours(tool: str, arguments: Arguments) -> Arguments:
    """Return the arguments with our names. Raises `UsageError` if both names are given."""
    names = _NAMES.get(tool, {})
    renamed: dict[str, Any] = {}
    for name, value in arguments.items():
        our_name = names.get(name, name)
        if our_name in renamed or (our_name != name and our_name in arguments):
            raise UsageError(f"{name} and {our_name} are the same here: give one of them.")
        renamed[our_name] = [value] if our_name in _LISTS and isinstance(value, str) else value
    return _reference(renamed) if tool == "knowledge_base_get" and "doc_id" in renamed else renamed


def _reference(arguments: dict[str, Any]) -> dict[str, Any]:
    document, start, end = (arguments.pop(name, None) for name in ("doc_id", "start", "end"))
    if "items" in arguments:
        raise UsageError("doc_id and items are the same here: give one of them.")
    if start is None and end is None:
        return {**arguments, "items": [document]}
    first = 1 if start is None else start
    return {**arguments, "items": [f"{document}#lines={first}-{first if end is None else end}"]}


class Offered:
    """Tools of a profile, for one server."""

    def __init__(self, offers: Sequence[Offer]) -> None:
        self._offers = offers
        self._by_name = {name: offer for offer in offers for name in (offer.name, *offer.also)}

    def listed(self, scopes: Collection[str]) -> list[types.Tool]:
        """Return the tools allowed by these scopes."""
        return [_tool(offer) for offer in self._offers if offer.scope in scopes]

    def get(self, name: str) -> Offer | None:
        return self._by_name.get(name)


def _tool(offer: Offer) -> types.Tool:
    return types.Tool(
        name=offer.name,
        title=offer.title or None,
        description=offer.summary,
        input_schema=dict(offer.schema),
        annotations=hints(offer.scope, replaces=offer.scope != "read"),
    )


def hints(scope: str, *, replaces: bool) -> types.ToolAnnotations:
    """Return what a client may assume of a tool."""
    return types.ToolAnnotations(
        read_only_hint=scope == "read", destructive_hint=replaces, idempotent_hint=True, open_world_hint=False
    )
