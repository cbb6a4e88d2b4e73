"""Sentences for somebody who is not at this machine: without its folders."""

from __future__ import annotations

import re

_PLACE = re.compile(r"(?<![\w:/.*])/(?:[^\s/:;,\"'()]+/)+(?=[^\s/:;,\"'()])")
"""The folders of an absolute path, its last part left out; addresses with a scheme stay."""


def without_places(text: str) -> str:
    """A sentence without this machine's folders: `/home/ada/notes/a.md` becomes `a.md`."""
    return _PLACE.sub("", text)
