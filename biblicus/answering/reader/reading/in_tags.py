"""HTML headings and MDX parameters in Markdown, as blocks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from biblicus.models.extraction import Span
from biblicus.text.terms import headlines, parameters

_ONLY_TAGS = re.compile(r"(?:[^\w<]|<[^<>]*>)*\Z")


class Lines(NamedTuple):
    """The blocks on some lines up to the line `last`: spans with their kinds; empty at the end of a component."""

    last: int
    parts: list[tuple[Span, str]]


def in_tags(text: str, lines: Sequence[Span]) -> dict[int, Lines]:
    """Return the blocks by the line at which each starts."""
    begins = [span.start for span in lines]

    def line_of(offset: int) -> int:
        return bisect_right(begins, offset) - 1

    held: dict[int, Lines] = {}
    for at, middle, _, _ in headlines.tagged(text):
        last = line_of(middle - 1)
        end = lines[last].end
        middle = end if _ONLY_TAGS.match(text, middle, end) else middle
        rest = [(Span(middle, end), "prose")] if middle < end else []
        held[line_of(at)] = Lines(last, [(Span(at, middle), "heading"), *rest])
    described = parameters.parameters(text)
    for at, one in enumerate(described):
        beyond = described[at + 1].start if at + 1 < len(described) else len(text)
        head = (Span(one.start, one.head), "fact" if parameters.said(text[one.start : one.head]) else "marks")
        if one.text is not None:
            last = line_of(one.text.end)
            end = min(one.end, lines[last].end, beyond)
            parts = [head, (one.text, "prose"), (Span(one.text.end, end), "marks")]
        else:
            last = line_of(one.head - 1)
            end = lines[last].end
            closes = text.find("</", one.head, end)
            parts = [head, (Span(one.head, closes if closes >= 0 else end), "prose")]
        apart: list[tuple[Span, str]] = []
        for span, kind in parts:
            if text[span.start : span.end].strip():
                apart += [(Span(span.start, span.start), ""), (span, kind), (Span(span.end, span.end), "")]
        held.setdefault(line_of(one.start), Lines(last, apart))
    return held
