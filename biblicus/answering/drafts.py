"""What a model says, while it says it: the texts of its statements, taken out of JSON that is not yet whole.

For a person who waits. What is shown so is a draft: only the whole reply is held against the evidence.
"""

from __future__ import annotations

import json
import re

_TEXT = re.compile(r'"text"\s*:\s*"')
_ESCAPE = 6
"""Characters of the longest escape that may not be whole, and one."""


class Draft:
    """Hears a reply piece by piece."""

    def __init__(self) -> None:
        self._heard = ""

    def hear(self, piece: str) -> None:
        """The next piece; an empty one begins anew."""
        self._heard = self._heard + piece if piece else ""

    @property
    def text(self) -> str:
        """The statements so far, separated by blanks; a reply that is no JSON as it is."""
        if self._heard.lstrip()[:1] not in ("{", "`", "<", ""):
            return self._heard
        return " ".join(_decoded(self._heard, match.end()) for match in _TEXT.finditer(self._heard))


def _decoded(heard: str, start: int) -> str:
    """The JSON string that begins at `start`, as far as it goes."""
    end = start
    while end < len(heard) and heard[end] != '"':
        end += 2 if heard[end] == "\\" else 1
    for cut in range(_ESCAPE):  # the last piece may end within an escape
        try:
            text = str(json.loads(f'"{heard[start : max(start, min(end, len(heard)) - cut)]}"', strict=False))
        except ValueError:
            continue
        return text[:-1] if "\ud800" <= text[-1:] <= "\udbff" else text
    return ""
