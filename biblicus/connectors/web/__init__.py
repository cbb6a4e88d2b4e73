"""The web page: search, reader, answers, conversation and corpus in a browser, served with the HTTP service."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.connectors.web import pages
else:
    __getattr__ = modules_of(__name__)
