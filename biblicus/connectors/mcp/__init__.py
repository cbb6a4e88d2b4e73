"""The Model Context Protocol: tools and resources for agents, over standard input and output or on the service."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.connectors.mcp import mount, stdio
else:
    __getattr__ = modules_of(__name__)
