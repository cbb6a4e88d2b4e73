"""Streams text files as numbered lines within limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards import json

LONGEST = 16 << 20
"""Maximum bytes of a line, far above any document of common collections."""


def numbered(blocks: Iterable[bytes], where: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers from 1. Raises `ConfigInvalid`."""
    for number, part in enumerate(_split(blocks, where), 1):
        try:
            line = (part.removeprefix(b"\xef\xbb\xbf") if number == 1 else part).decode().rstrip("\r")
        except UnicodeDecodeError as error:
            raise invalid(where, number, "it is not UTF-8 text") from error
        if line and not line.isspace():
            yield number, line


def _split(blocks: Iterable[bytes], where: str) -> Iterator[bytes]:
    rest, number = b"", 0
    for block in blocks:
        *parts, rest = (rest + block).split(b"\n")
        number += len(parts)
        yield from parts
        if len(rest) > LONGEST:
            raise invalid(where, number + 1, f"it is longer than {LONGEST:,} bytes")
    yield rest


def objects(blocks: Iterable[bytes], where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects of a file with one in each line."""
    for number, line in numbered(blocks, where):
        try:
            value = json.read(line, max_bytes=LONGEST)
        except BadData as error:
            raise invalid(where, number, error.message[:1].lower() + error.message[1:].rstrip(".")) from error
        if not isinstance(value, dict):
            raise invalid(where, number, "expected a JSON object")
        yield number, value


def text_of(line: dict[str, Any], key: str, where: str, number: int, *, blank: bool = False) -> str:
    """Return a required text field; numbers become their digits, as some collections have numeric ids."""
    value = line.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not (blank or value.strip()):
        raise invalid(where, number, f'"{key}" must be a text' + ("" if blank else " that is not blank"))
    return value


def invalid(where: str, number: int, cause: str) -> ConfigInvalid:
    """Return the error for a line."""
    return ConfigInvalid(where, f"line {number}: {cause}.")
