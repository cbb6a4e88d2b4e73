"""Values as JSON shows them: one form on every surface."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """Dataclasses, tuples and whatever has an `as_object` as JSON values."""
    if hasattr(value, "as_object"):
        return plain(value.as_object())
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def encoded(value: Any) -> bytes:
    """The bytes of `--json`: what `plain` gives, as one line of UTF-8, without making it first."""
    return (json.dumps(value, ensure_ascii=False, default=jsonable) + "\n").encode("utf-8", "backslashreplace")


def jsonable(value: Any) -> Any:
    """What JSON does not know as something that it does: the `default` of `json.dumps`, to the bytes of `plain`."""
    if hasattr(value, "as_object"):
        return value.as_object()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no value of ours")
