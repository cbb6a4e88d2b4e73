"""JSON documents as readable text, each value after its key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from biblicus.answering.reader.reading import readable as markup

TYPES = ("application/json", "application/ld+json", "application/x-ndjson")
_TOKEN = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?P<names>\s*:)?|(?P<plain>-?\d[\d.eE+-]*|true|false)|[{}]')
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^u])")
_OF_MACHINES = re.compile(r"\s*|\d{10,}(?:\.\d*)?|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|[\da-fA-F]{24,}")
"""Values for machines: a timestamp in seconds, an identifier, an empty string."""
_UNTOLD = frozenset(("text", "textcontent", "content", "body", "message", "msg", "parts", "value", "description"))
"""Keys that add nothing to their value."""
_TOGETHER, _SENTENCE = 40, 12
"""Maximum words of an object that is one record, and of a value that is shown with its key."""


class Value(NamedTuple):
    """A value in a text. `start`, `end`: including key and quotes; `within`: the content; `owner`: number of its
    object."""

    key: str
    start: int
    end: int
    within: tuple[int, int]
    owner: int


class Told(NamedTuple):
    """A separate part of a text. `is_record`: several values of one object."""

    start: int
    end: int
    is_record: bool
    is_text: bool


def told(text: str) -> Iterator[Told]:
    """Yield the parts of a document in ascending order: small objects as one, otherwise each value. A long text has no
    key."""
    of_objects: dict[int, list[Value]] = {}
    nested: set[int] = set()
    for value in _values(text, nested):
        of_objects.setdefault(value.owner, []).append(value)
    parts: list[Told] = []
    for owner, values in of_objects.items():
        length = len(text[values[0].start : values[-1].end].split())
        if owner and owner not in nested and len(values) > 1 and length <= _TOGETHER:
            parts.append(Told(values[0].start, values[-1].end, True, False))
            continue
        for value in values:
            low, high = value.within
            is_text = len(text[low:high].split()) > _SENTENCE
            parts.append(Told(low, high, False, True) if is_text else Told(value.start, value.end, False, False))
    yield from sorted(parts)


def _values(text: str, nested: set[int]) -> Iterator[Value]:
    """Yield the values of a text. `nested`: set to which the numbers of objects with nested objects are added."""
    objects, opened = [0], 0
    key, start = "", -1
    for token in _TOKEN.finditer(text, _first(text)):
        if token[0] == "{":
            nested.add(objects[-1])
            opened += 1
            objects.append(opened)
            key, start = "", -1
        elif token[0] == "}":
            objects = objects[:-1] or [0]
            key, start = "", -1
        elif token["names"]:
            key, start = token["text"], token.start()
        else:
            within = token.span("text") if token["plain"] is None else token.span()
            if not _OF_MACHINES.fullmatch(text, *within):
                yield Value(key, start if start >= 0 else token.start(), token.end(), within, objects[-1])
            key, start = "", -1


def _first(text: str) -> int:
    """Return the offset of the first value, after the end of a string in which the text starts."""
    at = text.find('"') + 1
    return at if at and text[at:].lstrip()[:1] in tuple(",:}]") else 0


def readable(part: str) -> str:
    """Return a part of a document as text: `name: Ada; berth: 7`, with escapes decoded."""
    values = [(value.key, part[slice(*value.within)]) for value in _values(part, set())] if part[:1] == '"' else []
    if not values:
        return _plain(part)
    named = [(key, _plain(value)) for key, value in values if value.strip()]
    return "; ".join(value if not key or key.lower() in _UNTOLD else f"{_plain(key)}: {value}" for key, value in named)


def _plain(text: str) -> str:
    return markup.readable(_ESCAPE.sub(_unescaped, text))


def _unescaped(match: re.Match[str]) -> str:
    try:
        return str(json.loads(f'"{match[0]}"'))
    except ValueError:
        return match[0]
