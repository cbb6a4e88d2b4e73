"""Strict JSON: bounded size, nesting and numbers; no duplicate keys or text that parsers read differently."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from biblicus.errors import BadData

_LONGEST_INTEGER = 100
"""Digits of an integer. Python's own limit is 4,300; real data needs a few dozen."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonRefused(BadData):
    """The document is no JSON (RFC 8259), repeats a key or exceeds a limit."""

    def __init__(self, cause: str) -> None:
        super().__init__(f"{cause[:1].upper()}{cause[1:]}.")


def read(raw: bytes | str, *, max_bytes: int) -> Any:
    """Parse a document into Python values. Bytes must be UTF-8, with or without a BOM. Raises `JsonRefused`."""
    text = _text(raw, max_bytes)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_float,
        )
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise JsonRefused(f"line {error.lineno}, column {error.colno}: {error.msg.lower()}") from error
    except RecursionError as error:
        raise JsonRefused("it is nested too deep") from error
    except UnicodeEncodeError as error:
        raise JsonRefused("it holds half of a surrogate pair") from error
    return value


def _text(raw: bytes | str, max_bytes: int) -> str:
    """Check the size and return the decoded document."""
    too_large = JsonRefused(f"it is larger than {max_bytes:,} bytes")
    if len(raw) > max_bytes:
        raise too_large
    try:
        if isinstance(raw, bytes):
            return raw.decode("utf-8-sig")
        if not raw.isascii() and len(raw.encode()) > max_bytes:
            raise too_large
    except UnicodeError as error:
        raise JsonRefused("it is not UTF-8 text") from error
    return raw.removeprefix("\ufeff")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise JsonRefused(f'the key "{twice[:40]}" stands twice in one object')
    return members


def _constant(name: str) -> NoReturn:
    raise JsonRefused(f"{name} is no JSON number")


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise JsonRefused(f"a number has more than {_LONGEST_INTEGER} digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise JsonRefused(f"the number {digits[:40]} is out of range")
    return value
