"""Requests: one class for each operation, the only definition of its parameters.

The fields have their published names. Their descriptions and bounds (`models.fields`) are used by the command line,
HTTP, MCP, the daemon, Python and the reference pages. Each subject has its module, so that a query loads only its
own."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.models.requests import answer, items, measure, query, runs
else:
    __getattr__ = modules_of(__name__)
