"""Strict YAML: every scalar stays text as written; surprising features are refused.

Anchors, aliases, tags, merge keys, duplicate or non-text keys, deep nesting and big documents do not belong in front
matter; each is refused with its line. Only null (`~`, `null`, nothing) is not text.

libyaml's events are read one by one without building a tree, so a refusal costs no more than the text before it.
This is also faster than PyYAML's own C loader."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import yaml
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from biblicus.errors import BadData

_ESCAPE = re.compile(r"\\(?:U([0-9A-F]{8})|.)")
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_QUOTED = r""""[ !#-\[\]-~]*+"|'[ -&(-~]*+'"""
_PLAIN = r"[A-Za-z0-9](?:[ -\"$-9;-~]++|:(?=[!-~]))*+"
_LIST = rf"\[ *+((?:(?:{_QUOTED})(?: *+, *+(?:{_QUOTED}))*+)?) *+\]"
_FLAT = re.compile(rf"([A-Za-z][\w.-]{{0,60}}):(?: ++(?:({_PLAIN})|({_QUOTED})|{_LIST}))? *+\n", re.ASCII)
"""A common line of front matter, in ASCII: a key with plain text, quoted text, or a list of quoted texts."""
_ITEM = re.compile(_QUOTED)


class YamlRefused(BadData):
    """The document is no YAML, or uses a refused feature. `line` counts from 1."""

    def __init__(self, cause: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {cause}." if line else f"{cause[:1].upper()}{cause[1:]}.")
        self.line = line


def read(text: str, *, max_bytes: int = 65_536, max_depth: int = 20) -> object:
    """Parse a document into dicts, lists, texts and None; an empty one is None. Raises `YamlRefused`."""
    if len(text) > max_bytes or (not text.isascii() and len(text.encode("utf-8", "replace")) > max_bytes):
        raise YamlRefused(f"it is larger than {max_bytes:,} bytes")
    if (values := flat(text)) is not None:
        return values
    try:
        return _Reader(text, max_depth).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise YamlRefused(error.problem or "not YAML", mark.line + 1 if mark else None) from error
    except yaml.reader.ReaderError as error:
        raise YamlRefused("a control character is not allowed", _line_of_byte(text, error.position)) from error
    except UnicodeEncodeError as error:
        raise YamlRefused("half of a surrogate pair is not allowed", text.count("\n", 0, error.start) + 1) from error


def flat(text: str) -> dict[str, object] | None:
    """Parse a document of `_FLAT` lines only, in a tenth of the time. Return None if it needs the full parser."""
    at = 4 if text.startswith("---\n") else 0
    values: dict[str, object] = {}
    while at < len(text):
        line = _FLAT.match(text, at)
        if line is None:
            return None
        key, plain, quoted, several = line.groups()
        if key in values or key in _NULLS:
            return None
        if plain is not None:
            plain = plain.rstrip(" ")
            values[key] = None if plain in _NULLS else plain
        elif quoted is not None:
            values[key] = quoted[1:-1]
        elif several is not None:
            values[key] = [item[1:-1] for item in _ITEM.findall(several)]
        else:
            values[key] = None
        at = line.end()
    return values or None


def write(data: object) -> str:
    """Return a YAML document for `data`: key order and Unicode are kept, texts quoted only if needed.

    Numbers and booleans are written plainly, so `read` returns them as text. Raises `YamlRefused` for data that `read`
    would refuse."""
    try:
        text = yaml.dump(
            _plain(data, 0), Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=False, width=120
        )
    except UnicodeEncodeError as error:
        raise YamlRefused("half of a surrogate pair is not allowed") from error
    value = read(text)
    # libyaml escapes characters beyond the BMP (emoji, rare ideographs); keep them readable
    readable = _ESCAPE.sub(_unescaped, text) if "\\U" in text else text
    return readable if readable is text or read(readable) == value else text


class _Reader:
    """Reads the events of one document once."""

    def __init__(self, text: str, max_depth: int) -> None:
        self._next: Callable[[], Any] = CParser(text).get_event
        self._max_depth = max_depth

    def document(self) -> object:
        self._next()  # the start of the stream
        event = self._next()
        if type(event) is StreamEndEvent:
            return None
        if type(event) is DocumentStartEvent and (event.version or event.tags):
            _refuse(event, "directives are not accepted")
        value = self._value(self._next(), 0)
        event = self._next()
        if type(event) is DocumentEndEvent:
            event = self._next()
        if type(event) is not StreamEndEvent:
            _refuse(event, "there is more than one document")
        return value

    def _value(self, event: Any, depth: int) -> object:
        kind = type(event)
        if kind is AliasEvent:
            _refuse(event, "aliases (*name) are not accepted")
        if event.anchor is not None:
            _refuse(event, "anchors (&name) are not accepted")
        if event.tag is not None:
            _refuse(event, "tags (!name) are not accepted")
        if kind is ScalarEvent:
            text = event.value
            return None if text in _NULLS and not event.style else text
        if depth == self._max_depth:
            _refuse(event, f"it is nested deeper than {self._max_depth} levels")
        return self._mapping(depth + 1) if kind is MappingStartEvent else self._sequence(depth + 1)

    def _mapping(self, depth: int) -> dict[str, object]:
        values: dict[str, object] = {}
        while type(event := self._next()) is not MappingEndEvent:
            if type(event) is not ScalarEvent:
                _refuse(event, "a key must be a text")
            key = self._value(event, depth)
            if not isinstance(key, str):
                _refuse(event, "a key must be a text")
            if key in values:
                _refuse(event, f'the key "{key[:40]}" stands twice')
            if key == "<<" and not event.style:
                _refuse(event, "merge keys (<<) are not accepted")
            values[key] = self._value(self._next(), depth)
        return values

    def _sequence(self, depth: int) -> list[object]:
        values: list[object] = []
        while type(event := self._next()) is not SequenceEndEvent:
            values.append(self._value(event, depth))
        return values


class _Dumper(yaml.CSafeDumper):
    """Writes an object again when it occurs twice, where PyYAML would write an alias."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _plain(data: object, depth: int) -> Any:
    """Return the data as types that the dumper supports. The depth is bounded, so that a cycle ends."""
    if data is None or type(data) in (str, int, float, bool):
        return data
    if depth > 20:
        raise YamlRefused("it is nested deeper than 20 levels")
    if isinstance(data, Mapping):
        if not all(type(key) is str for key in data):
            raise YamlRefused("a key must be a text")
        return {key: _plain(value, depth + 1) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value, depth + 1) for value in data]
    raise YamlRefused(f"{type(data).__name__} is no YAML data")


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[0]


def _refuse(event: Any, cause: str) -> NoReturn:
    raise YamlRefused(cause, event.start_mark.line + 1)


def _line_of_byte(text: str, position: int) -> int:
    return text.encode("utf-8", "replace").count(b"\n", 0, position) + 1
