"""The HTTP service: requests to operations, results and errors to JSON. Entry point: `app.application`."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.connectors.http import app, gate, profiles, server, service
else:
    __getattr__ = modules_of(__name__)
