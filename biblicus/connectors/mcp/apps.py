"""Evidence as a view in the client (MCP Apps, `io.modelcontextprotocol/ui`): passages, and their page marked.

Only clients that declare the extension get the view's address with a tool, so that others pay no token for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.context import ServerRequestContext

EXTENSION = "io.modelcontextprotocol/ui"
ADDRESS = "ui://biblicus/evidence"
MEDIA_TYPE = "text/html;profile=mcp-app"
SETTINGS = {EXTENSION: {"mimeTypes": [MEDIA_TYPE]}}
"""Capabilities of this server."""
_TOOLS = ("knowledge_base_query", "knowledge_base_get")
_META = {"ui": {"resourceUri": ADDRESS}}


def with_view(tools: Sequence[types.Tool], ctx: ServerRequestContext[Any, Any]) -> list[types.Tool]:
    """Return the tools; those that show evidence have the view if the client can show it."""
    capabilities = ctx.session.client_capabilities
    settings = ((capabilities and capabilities.extensions) or {}).get(EXTENSION, {})
    shown = settings.get("mimeTypes")
    if not isinstance(shown, list) or MEDIA_TYPE not in shown:
        return list(tools)
    return [tool.model_copy(update={"meta": _META}) if tool.name in _TOOLS else tool for tool in tools]


def view() -> types.ReadResourceResult:
    """Return the view as a resource. It loads nothing, so the client's strictest policy holds."""
    html = Path(__file__).with_name("evidence.html").read_text("utf-8")
    meta = {"ui": {"prefersBorder": True}}
    contents = types.TextResourceContents(uri=ADDRESS, mime_type=MEDIA_TYPE, text=html, _meta=meta)
    return types.ReadResourceResult(contents=[contents])
