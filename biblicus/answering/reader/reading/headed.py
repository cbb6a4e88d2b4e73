"""Splits a text into blocks that do not span headings known from extraction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biblicus.answering.reader.reading.blocks import Block, Kind, blocks
from biblicus.models.extraction import Head, Span


def headed(text: str, media_type: str, heading: str, heads: Sequence[Head]) -> Iterator[Block]:
    """Yield the blocks of a text in ascending order. `heads`: the headings in it, each a label."""
    begin = 0
    for head in heads:
        yield from _moved(blocks(text[begin : head.offset], media_type, heading), begin)
        begin = head.offset
        if head.lines:
            begin = end_of(text, head)
            yield Block(head.offset, begin, Kind.LABEL)
    yield from _moved(blocks(text[begin:], media_type, heading), begin)


def end_of(text: str, head: Head) -> int:
    """Return the end of the last line of a heading."""
    end = head.offset
    for _ in range(head.lines):
        end = text.find("\n", min(end + 1, len(text)))
        if end < 0:
            return len(text)
    return end


def _moved(found: Sequence[Block], by: int) -> Iterator[Block]:
    for block in found:
        header = block.header and Span(block.header.start + by, block.header.end + by)
        yield Block(block.start + by, block.end + by, block.kind, header) if by else block
