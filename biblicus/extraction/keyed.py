"""Headings of YAML, of JSON with one key a line, and of configuration files such as INI.

They name API operations and schemas (OpenAPI), Kubernetes objects, Compose services, workflow jobs and commented
settings, also commented-out ones (`#port 1883`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from biblicus.models.extraction import ENTRY, SAID, Heading

_MOST = 20_000
_FEWEST = 3
"""Minimum number of commented settings for a file to have headings."""
_KEY = re.compile(
    r"(?P<indent>[ \t]*(?:-[ \t]+)?)(?P<quote>[\"']?)"
    r"(?P<key>[^\s\"'#,\[\]{}&*!|>%@`][^\"'\n]{0,200}?)(?P=quote)[ \t]*:(?=\s|$)[ \t]*(?P<value>[^\n]*)"
)
_INI = re.compile(
    r"\[{1,2}(?P<section>[^\[\]\n]{1,120})\]|(?P<indent>[ \t]*)"
    r"(?:[#;]{1,2}[ \t]?(?=[\w.-]+[ \t]*=)|[#;](?=[\w.-]+(?:[ \t]+[^\s.,;:]+){0,4}[ \t]*$))?"
    r"(?P<key>[A-Za-z][\w./-]{1,60}(?::[\w./-]{1,60})*)(?:[ \t]*[=:]|[ \t]+(?=\S)|[ \t]*$)(?P<value>[^\n]*)"
)
_DOCUMENT = re.compile(r"---(?:[ \t]|$)")
_COMMENT = re.compile(r"[ \t]*[#;](?!!)[ \t]*(?P<said>.*)")
_TELLS = 16
"""Minimum letters of a comment that describes a setting."""
_SCALAR = re.compile(r"(?:[^\n#]*[ \t])?[|>][+-]?\d?[ \t]*$")
_METHODS = frozenset(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"])
_NAMED = frozenset(("definitions", "parameters", "responses", "securityDefinitions", "securitySchemes"))


class _Line(NamedTuple):
    """A line with a key. `begins`: start of the comment above; `keys`: the path of keys down to this one; `told`: text
    of the comment."""

    start: int
    begins: int
    keys: tuple[str, ...]
    value: str
    told: str


def headings(text: str) -> list[Heading]:
    """Return the headings of a document by its kind; none if its kind is unknown."""
    documents = [list(_lines(text, start, end)) for start, end in _documents(text)]
    first = {line.keys[0]: line.value for lines in documents for line in lines if len(line.keys) == 1}
    read = next((read for keys, read in _KINDS if keys <= first.keys()), _settings)
    named = [heading for lines in documents for heading in read(lines)][:_MOST]
    return named if read is not _settings or len(named) >= _FEWEST else []


def of_api(text: str) -> list[Heading]:
    """Return the headings of an API description in JSON with one key a line."""
    return list(_of_api(list(_lines(text, 0, len(text)))))[:_MOST]


def of_settings(text: str) -> list[Heading]:
    """Return the commented settings of a configuration file under their sections: `client.port`."""
    named = list(_settings(list(_lines(text, 0, len(text), _INI))))[:_MOST]
    return named if len(named) >= _FEWEST else []


def _documents(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each document in a YAML stream."""
    begin = start = 0
    for line in text.split("\n"):
        if start and _DOCUMENT.match(line):
            yield begin, start
            begin = start
        start += len(line) + 1
    yield begin, len(text)


def _lines(text: str, start: int, end: int, key: re.Pattern[str] = _KEY) -> Iterator[_Line]:
    """Yield the lines with a key, without those inside block texts."""
    keys: list[tuple[int, str]] = []
    text_within: int | None = None  # indentation of the key of a block text
    begins, above_it = -1, list[str]()
    for line in text[start:end].split("\n"):
        here, start = start, start + len(line) + 1
        indent = len(line) - len(line.lstrip())
        if text_within is not None and (not line.strip() or indent > text_within):
            continue
        text_within = None
        match = key.match(line)
        if match is None and (comment := _COMMENT.match(line)):
            begins = here if begins < 0 else begins
            above_it.append(comment["said"])
            continue
        if match and match["key"] is None:
            keys = [(-1, match["section"])]
        elif match:
            within = len(match["indent"])
            while keys and keys[-1][0] >= within:
                keys.pop()
            keys.append((within, match["key"].strip()))
            above = here if begins < 0 else begins
            yield _Line(
                here, above, tuple(key for _, key in keys), match["value"].strip(" \t,\"'{["), " ".join(("", *above_it))
            )
            text_within = indent if _SCALAR.match(match["value"]) else None
        begins, above_it = -1, []


def _of_api(lines: Sequence[_Line]) -> Iterator[Heading]:
    """Yield the operations of an API with their names, and its schemas, parameters and other components."""
    path: _Line | None = None
    for at, line in enumerate(lines):
        whose, *below = line.keys
        if whose in ("paths", "webhooks") and len(below) == 1:
            path = line
        elif whose in ("paths", "webhooks") and len(below) == 2 and below[1].lower() in _METHODS:
            named = next(
                (inner_line.value for inner_line in _within(lines, at) if inner_line.keys[-1] == "operationId"), ""
            )
            operation = f"{below[1].upper()} {below[0]}"
            begins = path.begins if path else line.begins
            yield Heading(begins, ENTRY, f"{operation} – {named}" if named else operation)
            path = None
        elif (whose == "components" and len(below) == 2) or (whose in _NAMED and len(below) == 1):
            yield Heading(line.begins, SAID, below[-1])


def _within(lines: Sequence[_Line], at: int) -> Iterator[_Line]:
    """Yield the lines one level below a line."""
    keys = lines[at].keys
    for line in islice(lines, at + 1, None):
        if line.keys[: len(keys)] != keys:
            return
        if len(line.keys) == len(keys) + 1:
            yield line


def _of_object(lines: Sequence[_Line]) -> Iterator[Heading]:
    """Yield a heading of a Kubernetes object from its kind and name."""
    values = {line.keys: line.value for line in reversed(lines) if len(line.keys) < 3}
    name = " ".join(filter(None, (values.get(("kind",)), values.get(("metadata", "name")))))
    if lines and name:
        yield Heading(lines[0].begins, 2, name)


def _parts_of(whose: str) -> Callable[[Sequence[_Line]], Iterator[Heading]]:
    """Return a reader that yields a heading for each key directly below a top-level key."""

    def named(lines: Sequence[_Line]) -> Iterator[Heading]:
        for line in lines:
            if line.keys[0] == whose and len(line.keys) == 2:
                yield Heading(line.begins, ENTRY, line.keys[1])

    return named


def _settings(lines: Sequence[_Line]) -> Iterator[Heading]:
    """Yield the settings with a comment, under their paths: `image.tag`."""
    for line in lines:
        if sum(map(str.isalpha, line.told)) >= _TELLS:
            yield Heading(line.begins, ENTRY, ".".join(line.keys))


_KINDS: Sequence[tuple[frozenset[str], Callable[[Sequence[_Line]], Iterator[Heading]]]] = (
    (frozenset(("openapi", "paths")), _of_api),
    (frozenset(("openapi", "webhooks")), _of_api),
    (frozenset(("openapi", "components")), _of_api),
    (frozenset(("swagger", "paths")), _of_api),
    (frozenset(("apiVersion", "kind")), _of_object),
    (frozenset(("jobs", "on")), _parts_of("jobs")),
    (frozenset(("services",)), _parts_of("services")),
)
"""Top-level keys that identify a kind of document, with its reader."""
