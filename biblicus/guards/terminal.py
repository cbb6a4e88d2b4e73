"""Text from a stranger, made safe to show: nothing moves the cursor, hides, or turns the reading direction.

Control characters become their pictures (`␛`), the others their code point (`<U+202E>`), so that one sees that
something stood there. Ordinary text in any script stays as it is, with what its writing needs:

* joiners (U+200C, U+200D) between letters of scripts that join (Arabic to Sinhala, Myanmar to Mongolian), and the
  zero-width joiner between parts of an emoji;
* one variation selector after a character it can vary, as in emoji; further ones are a hidden message;
* the soft hyphen: terminals show it as a hyphen.
"""

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
"""The first unsafe character that Python holds to be printable."""
_OURS = str.maketrans("…›", "  ")
"""What our own lines have beside what they show, and is safe."""
_UNSAFE_IN_LINES = f"(?![\n\t]|\r\n)(?:{_UNSAFE})"
_compiled = lru_cache(maxsize=2)(re.compile)
"""On first use: most output is ASCII, and a cold query would spend a fiftieth of its time on them."""


def safe(text: str, *, keep_newlines: bool = False) -> str:
    """The text with every unsafe character replaced visibly; `keep_newlines` keeps ends of lines and tabs."""
    if text.isprintable() and (text.isascii() or max(text.translate(_OURS)) < _FIRST_PRINTABLE):
        return text
    return _compiled(_UNSAFE_IN_LINES if keep_newlines else _UNSAFE).sub(_picture, text)


def escaped(document: str) -> str:
    """JSON in one line in which every unsafe character is its escape: one sees it, and what is read is the same."""
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
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"<U+{code:04X}>"
