"""The text of a page as extractions have it: what an engine gives, without glyph codes, its lines ended alike."""

from __future__ import annotations

import re

NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")
"""Codes of glyphs without a meaning. U+FFFE is pdfium's mark for a hyphen that it resolved at a line's end."""


def clean(text: str) -> str:
    """A page's text with line feeds alone and no glyph codes, closed by a line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return NOT_TEXT.sub("", text).rstrip() + "\n"
