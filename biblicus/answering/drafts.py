"""Live preview of a model's answer: the statements' texts, taken from incomplete JSON.

The text is a draft; only the complete reply is checked against the evidence.
"""

from __future__ import annotations

import json
import re

_TEXT = re.compile(r'"text"\s*:\s*"')
_ESCAPE = 6
"""Length of the longest escape sequence that may be incomplete, plus one."""


class Draft:
    """Collects a reply piece by piece."""

    def __init__(self) -> None:
        self._heard = ""

    def hear(self, piece: str) -> None:
        """Add the next piece; an empty one restarts the reply."""
        self._heard = self._heard + piece if piece else ""

    @property
    def text(self) -> str:
        """The statements so far, separated by blanks; a reply that is no JSON is returned unchanged."""
        if self._heard.lstrip()[:1] not in ("{", "`", "<", ""):
            return self._heard
        return " ".join(_decoded(self._heard, match.end()) for match in _TEXT.finditer(self._heard))


def _decoded(heard: str, start: int) -> str:
    """Return the JSON string that begins at `start` as far as it is received."""
    end = start
    while end < len(heard) and heard[end] != '"':
        end += 2 if heard[end] == "\\" else 1
    for cut in range(_ESCAPE):  # the last piece may end inside an escape sequence
        try:
            text = str(json.loads(f'"{heard[start : max(start, min(end, len(heard)) - cut)]}"', strict=False))
        except ValueError:
            continue
        return text[:-1] if "\ud800" <= text[-1:] <= "\udbff" else text
    return ""
