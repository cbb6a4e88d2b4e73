"""Texts as PostgreSQL takes them: it holds every character but NUL."""

from __future__ import annotations

_MARK = "\ufdd0"
"""No character, by Unicode's own word."""


def taken(text: str) -> str:
    """A text without NUL, from which `given_back` makes the same again."""
    if "\0" in text or _MARK in text:
        return text.replace(_MARK, _MARK + "1").replace("\0", _MARK + "0")
    return text


def given_back(text: str) -> str:
    return text.replace(_MARK + "0", "\0").replace(_MARK + "1", _MARK) if _MARK in text else text
