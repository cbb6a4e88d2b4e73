"""Notes on the page: beside their item, among the results of a question, and all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import QueryParams

from biblicus.connectors.web.asking import Asked, item_address
from biblicus.connectors.web.marking import span_of
from biblicus.errors import ReaderLimited, UsageError
from biblicus.service.verbs import ADD_NOTE, NOTES, REMOVE_NOTE

_SHOWN = 3
"""Maximum number of notes among results."""
_LONGEST = 2_000
_LEFT_OUT = {"title": "", "line_start": None, "by": ""}


class Part(NamedTuple):
    """Part of a comment; `link`: it is the address of a web page."""

    text: str
    link: bool = False


def listed(asked: Asked, *, corpus: str | None = None, **request: Any) -> list[dict[str, Any]]:
    """Return notes with the address of their words; none where the corpus has readers, who are not shown notes."""
    corpus_field = {"corpus": corpus or asked.word("corpus") or None}
    try:
        notes = asked.ask(NOTES, corpus=corpus, **request, layer=asked.words.getlist("layer"))["notes"]
    except ReaderLimited:
        return []
    return [
        _LEFT_OUT | note | {"address": _address(note, corpus_field), "parts": list(_parts(note["text"]))}
        for note in notes
    ]


def about(asked: Asked, question: str, corpus: str) -> list[dict[str, Any]]:
    """Return the notes that have the question's words, or stand on them."""
    several = len(asked.names) > 1
    return listed(asked, corpus=corpus if several else None, query=question[:_LONGEST])[:_SHOWN]


def _address(note: Mapping[str, Any], own: Mapping[str, str | None]) -> str | None:
    if note["status"] == "missing":
        return None
    if note["status"] == "lost":
        return item_address(note["item_id"], **own)
    span = f"{note['span_start']}-{note['span_end']}"
    return item_address(note["item_id"], **own, page=note.get("page"), span=span, hash=note["hash"][:16]) + "#mark"


def _parts(text: str) -> Iterator[Part]:
    """Yield a comment in parts. Addresses of web pages are links, which nothing follows before somebody clicks."""
    for line in text.splitlines(keepends=True):
        for number, word in enumerate(line.split(" ")):
            if number:
                yield Part(" ")
            yield Part(word, _is_link(word.strip()))


def _is_link(word: str) -> bool:
    try:
        parts = urlsplit(word)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and word.isprintable()


def every(asked: Asked) -> dict[str, Any]:
    """Return the values of the page with all notes, or those with the words of the address."""
    return {"notes": listed(asked, query=asked.word("q")), "query": asked.word("q")}


def written(asked: Asked, fields: QueryParams) -> str:
    """Write a note on a span or on quoted words. Return the address of the words."""
    where: dict[str, Any] = {"span": span_of(fields.get("span"))}
    if words := fields.get("quote", "").strip():
        where = {"quote": words}
    text = fields.get("text", "").strip()
    if not text:
        raise UsageError("Write what you want to note.")
    by = {"by": fields["by"].strip()} if fields.get("by", "").strip() else {}
    note = asked.ask(ADD_NOTE, item=fields.get("item", ""), text=text, **where, **by)
    return str(_address(note, {"corpus": asked.word("corpus") or None}))


def removed(asked: Asked, fields: QueryParams) -> str:
    """Delete a note. Return the address of its item, or of all notes where that is gone."""
    note = asked.ask(REMOVE_NOTE, note=fields.get("note", ""))
    return asked.address("/corpus/notes") if note["status"] == "missing" else asked.item_address(note["item_id"])
