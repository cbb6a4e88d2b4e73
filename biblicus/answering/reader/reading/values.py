"""Documents of keys and values (JSON): what they say, each value after its key."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

TYPES = ("application/json", "application/ld+json", "application/x-ndjson")
_TOKEN = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?P<names>\s*:)?|(?P<plain>-?\d[\d.eE+-]*|true|false)|[{}]')
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^u])")
_BETWEEN = re.compile(r"(?=.*[,:])[\s,:{}\[\]\d.+-]*(?:true|false|null)?[\s,:{}\[\]]*")
_LOOKED_AT = 24
"""Values from which it is told whether a text begins within one."""
_OF_MACHINES = re.compile(r"\s*|\d{10,}(?:\.\d*)?|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|[\da-fA-F]{24,}")
"""A moment counted in seconds, an identifier, nothing at all."""
_UNTOLD = frozenset(("text", "textcontent", "content", "body", "message", "msg", "parts", "value", "description"))
"""Keys that tell nothing of their value."""
_TAG = re.compile(
    r"</?(?:p|br|hr|div|ul|ol|li|dl|d[td]|h[1-6]|table|t[rhd]|thead|tbody|pre|blockquote)\b[^<>]{0,200}>", re.IGNORECASE
)
_WITHIN_LINE = re.compile(
    r"</?(?:a|b|i|u|em|strong|code|tt|kbd|var|span|sup|sub|small|font|img)\b[^<>]{0,200}>", re.IGNORECASE
)
"""Tags of HTML in a value: between its blocks, and within a line."""
_TOGETHER, _SENTENCE = 40, 12
"""Words of an object at most that is told as one record, and of a value that is told with its key."""


class Value(NamedTuple):
    """A value in a text, from its key on where it has one. `start`, `end`: with the key and the quotes; `within`: what
    stands between the quotes; `owner`: the object that it is of."""

    key: str
    start: int
    end: int
    within: tuple[int, int]
    owner: int


class Told(NamedTuple):
    """A part of a text that is told by itself. `is_record`: several values of one object."""

    start: int
    end: int
    is_record: bool
    is_text: bool


def told(text: str) -> Iterator[Told]:
    """The parts of a document, ascending: an object of few words as one, of others each value, a long text without its
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
    """The values of a text. `nested` takes the objects that hold others."""
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
    """Where the first value may begin: behind what a text that begins between two quotes ends first."""
    strings = [token["text"] for token in islice(_TOKEN.finditer(text), _LOOKED_AT) if token["text"] is not None]
    between = sum(_BETWEEN.fullmatch(string) is not None for string in strings)
    return text.find('"') + 1 if 2 * between > len(strings) else 0


def readable(part: str) -> str:
    """A part of a document as people read it: `name: Ada; berth: 7`, a text without its escapes."""
    values = [(value.key, part[slice(*value.within)]) for value in _values(part, set())] if part[:1] == '"' else []
    if not values:
        return _plain(part)
    named = [(key, _plain(value)) for key, value in values if value.strip()]
    return "; ".join(value if not key or key.lower() in _UNTOLD else f"{_plain(key)}: {value}" for key, value in named)


def _plain(text: str) -> str:
    text = _ESCAPE.sub(_unescaped, text)
    if "<" in text:
        text = html.unescape(_WITHIN_LINE.sub("", _TAG.sub(" ", text)))
    return " ".join(text.split())


def _unescaped(match: re.Match[str]) -> str:
    try:
        return str(json.loads(f'"{match[0]}"'))
    except ValueError:
        return match[0]
