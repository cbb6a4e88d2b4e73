"""Reads meanings from docstrings: "`key`: meaning." and "`a`, `b`: meaning." are the house's way to document fields."""

from __future__ import annotations

import re

_KEYS = r"(?:`\w+`(?:, )?)+: "
_ENTRY = re.compile(rf"({_KEYS})(.+?)(?=\s{_KEYS}|$)")


def fields(cls: type) -> dict[str, str]:
    """The documented fields of a class and of what it inherits from: name to meaning, one sentence or more."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        text = " ".join((base.__dict__.get("__doc__") or "").split())
        for names, meaning in _ENTRY.findall(text):
            shown = meaning.strip().rstrip(".;")
            for name in re.findall(r"`(\w+)`", names):
                found[name] = f"{shown[:1].upper()}{shown[1:]}."
    return found


def between(written: str, page: str, begin: str, end: str, generated: str) -> str:
    """A page with what is generated between two of its lines."""
    before, began, rest = written.partition(begin)
    _, ended, after = rest.partition(end)
    if not began or not ended:
        raise ValueError(f"{page} lacks the lines {begin} and {end}")
    return f"{before}{begin}\n\n{generated}\n{end}{after}"
