"""Requests about notes on evidence."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from biblicus.errors import UsageError
from biblicus.models.fields import ITEM, LAYERS, Request, doc, option, term

MOST_CHARACTERS = 10_000
"""Maximum characters of a comment."""
FORMS = ("footnotes", "obsidian")
"""Forms of exported notes."""


def _only(name: str, other: str, kind: str) -> dict[str, Any]:
    properties = {name: {"type": kind}, other: {"type": "null"}}
    return {"type": "object", "required": [name], "properties": properties}


class NotesRequest(Request):
    """List notes, and where their words stand now."""

    query: str = field(
        default="", kw_only=False, metadata=term("Only notes with these words in the comment or the quotation.")
    )
    item: str | None = option(None, term("Only notes on this item, by id or path.", min_length=1))
    layer: tuple[str, ...] = option((), LAYERS)


class ExportNotesRequest(NotesRequest):
    """Write notes as a Markdown document."""

    form: str = option(
        "footnotes", "The format: footnotes, which `verify --citations` checks, or links for Obsidian.", choices=FORMS
    )


class AddNoteRequest(Request):
    """Write a note on exact words of an item."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {
        **Request.__pydantic_config__,
        "json_schema_extra": {"anyOf": [_only("quote", "span", "string"), _only("span", "quote", "array")]},
    }

    item: str = field(kw_only=False, metadata=ITEM)
    text: str = field(kw_only=False, metadata=doc("The comment, plain text.", min_length=1, max_length=MOST_CHARACTERS))
    quote: str | None = option(
        None, "The quoted words; they must occur once in the item.", min_length=1, max_length=100_000
    )
    span: tuple[int, int] | None = option(
        None, "Instead of the words: their start and end in characters, from 0, end excluded."
    )
    by: str | None = option(None, term("The author's name, not verified. Default: the logged-in user."))

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.quote is None) == (self.span is None):
            raise UsageError("Give the words with quote, or their span.", 'biblicus note add ITEM TEXT --quote "WORDS"')


class RemoveNoteRequest(Request):
    """Delete a note."""

    note: str = field(kw_only=False, metadata=doc("The note's id.", pattern="^[0-9a-f]{16}$"))
