"""Source code: definitions as headings with qualified names."""

from __future__ import annotations

from biblicus.models.extraction import Heading


def add_definition(headings: list[Heading], begin: int, name: str) -> None:
    """Append the heading of a qualified name, or replace one that begins there. Code outside definitions has the empty
    name."""
    heading = Heading(begin, name.count(".") + 2 if name else 1, name)
    if headings[-1].offset >= begin:
        headings[-1] = heading
    else:
        headings.append(heading)
