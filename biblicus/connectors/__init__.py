"""Interfaces to Biblicus: each parses a request, calls one operation and shows the result."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.connectors import cli, http, mcp, web
else:
    __getattr__ = modules_of(__name__)
