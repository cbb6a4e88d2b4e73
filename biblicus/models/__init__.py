"""The data types of Biblicus: frozen dataclasses; pydantic models where data is read from disk or network."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.models import answers, question, reading, requests, sources
else:
    __getattr__ = modules_of(__name__)
