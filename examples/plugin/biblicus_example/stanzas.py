"""Cuts a text at its blank lines: a stanza a chunk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Chunker, Given
from biblicus.models.extraction import Extraction, Span

_STANZA = re.compile(r"\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")


class Options(BaseModel):
    """`at_least`: lines of the shortest stanza; what is shorter (a title, a name) joins the next one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at_least: Annotated[int, Field(ge=1, le=100)] = 1


class Stanzas:
    """Spans are exact: `extraction.text[start:end]` is the stanza, without the white space around it."""

    fingerprint = "stanzas/1"  # raise it whenever the same text would be cut otherwise

    def __init__(self, options: Options) -> None:
        self._at_least = options.at_least

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        start: int | None = None
        found = [m for m in _STANZA.finditer(extraction.text) if not _masked(m, extraction)]
        for number, match in enumerate(found, 1):
            start = match.start() if start is None else start
            if number == len(found) or extraction.text.count("\n", start, match.end()) + 1 >= self._at_least:
                yield Span(start, match.end())
                start = None


def _masked(match: re.Match[str], extraction: Extraction) -> bool:
    """Front matter is part of the text, but never of a chunk."""
    return any(mask.start < match.end() and match.start() < mask.end for mask in extraction.masked)


def build(options: Options, given: Given) -> Chunker:
    return Stanzas(options)
