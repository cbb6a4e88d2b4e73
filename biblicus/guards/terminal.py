"""Make untrusted text safe to print: nothing moves the cursor, hides text or changes the reading direction.

Control characters become their pictures (`␛`), other unsafe ones their code point (`<U+202E>`), so that they are
visible. Ordinary text in any script stays unchanged, with the invisible characters that its script needs:

* joiners (U+200C, U+200D) between letters of scripts that join (Arabic to Sinhala, Myanmar to Mongolian), and the
  zero-width joiner between parts of an emoji;
* one variation selector after a character, as in emoji; more of them could be a hidden message;
* the soft hyphen: terminals show it as a hyphen."""

from __future__ import annotations

import json
import re
from functools import lru_cache

_JOINING = "\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
_EMOJI = "\u00a9\u00ae\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff"

_UNSAFE = (
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"  # no width
    "\u2028\u2029\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff"  # separators, interlinear marks, noncharacters
    "\ud800-\udfff"
    "\U000e0000-\U000e0fff"  # tags and supplementary variation selectors
    "]"
    f"|(?<![{_JOINING}])\u200c|\u200c(?![{_JOINING}])"
    f"|(?<![{_JOINING}{_EMOJI}])\u200d|\u200d(?![{_JOINING}{_EMOJI}])"
    "|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<![^\\s])[\ufe00-\ufe0f]"
)
_FIRST_PRINTABLE = "\u034f"
"""The first unsafe character that Python considers printable."""
_OURS = str.maketrans("…›", "  ")
"""Safe characters that Biblicus's own output adds."""
_OPERATORS = "\u2061\u2062\u2063\u2064"
"""Invisible operators of formulas, between characters that are shown."""
_UNSAFE_IN_LINES = f"(?![\n\t]|\r\n)(?:{_UNSAFE})"
_compiled = lru_cache(maxsize=2)(re.compile)
"""Compiled on first use: most output is ASCII, and compiling costs 2 % of a cold query."""


def safe(text: str, *, keep_newlines: bool = False) -> str:
    """Return the text with unsafe characters replaced visibly; `keep_newlines` keeps line ends and tabs."""
    if text.isprintable() and (text.isascii() or max(text.translate(_OURS)) < _FIRST_PRINTABLE):
        return text
    return _compiled(_UNSAFE_IN_LINES if keep_newlines else _UNSAFE).sub(_picture, text)


def escaped(document: str) -> str:
    """Return one line of JSON with unsafe characters escaped: visible, and equal when parsed."""
    if document.isascii() and document.isprintable():
        return document
    return _compiled(_UNSAFE).sub(_escape, document)


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def _picture(match: re.Match[str]) -> str:
    return _shown(match[0])


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    code = ord(char)
    if char in _OPERATORS:
        return ""
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"<U+{code:04X}>"
