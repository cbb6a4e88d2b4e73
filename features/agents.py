"""The way an agent uses a corpus: the tools of the MCP server, asked by the SDK's own client."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.models.sources.readers import Reader
from biblicus.service.corpora import Corpora
from biblicus.service.verbs import Scope
from features.surfaces import Outcome

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_LISTS = ("tag", "type", "doctype", "language", "path", "where")


class Agent:
    """Each act is a conversation of its own. `scopes`: what the agent was allowed to do. `reader`: who it is for."""

    name = "MCP"

    def __init__(self, scopes: frozenset[Scope] = frozenset({"read"}), reader: Reader | None = None) -> None:
        self.scopes, self.reader = scopes, reader

    def do(self, folder: Path, verb: str, *words: str, **options: Any) -> Outcome:
        from mcp import types  # lazy, as the server itself: half a second that only these scenarios need

        tool, arguments = _asked(verb, words, options)
        result = asyncio.run(self._call(folder, f"knowledge_base_{tool}", arguments))
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        if result.is_error:
            return Outcome(error=json.loads(content.text)["error"])
        found = result.structured_content
        if verb == "get":
            (found,) = found["results"]
            return Outcome(error=found["error"]) if "error" in found else Outcome(found)
        return Outcome(found)

    async def _call(self, folder: Path, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        from mcp import Client

        from biblicus.connectors.mcp.server import Client as Asker
        from biblicus.connectors.mcp.server import server
        from biblicus.connectors.mcp.stdio import LIMITS
        from biblicus.service.admission import Admission

        corpora, admission = Corpora.open([str(folder)]), Admission(LIMITS)
        try:
            async with Client(server(corpora, lambda ctx: Asker(self.scopes, reader=self.reader), admission)) as client:
                return await client.call_tool(tool, arguments)
        finally:
            admission.close()
            corpora.close()

    def close(self) -> None:
        """Nothing is held open."""


def _asked(verb: str, words: tuple[str, ...], options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments. What other surfaces say by an option or a word, a reference says here.

    `read` is the tool as agents use it, many texts in pages; `get` gives one text, as other surfaces do.
    """
    given = {name: [value] if name in _LISTS and isinstance(value, str) else value for name, value in options.items()}
    if verb == "get":
        part = next((f"#{name}={value}" for name, value in given.items()), "")
        return "get", {"items": [words[0] + part], "detail": "full"}
    if verb == "query":
        if "weight" in given:
            given["leg_weights"] = [given.pop("weight")]
        return "query", {"query": " ".join(words), "detail": "full", "output_tokens": 20_000, **given}
    if verb == "list":
        return "list", {"detail": "full", **given}
    return ("get" if verb == "read" else verb), given
