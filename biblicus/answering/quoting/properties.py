"""Values of properties: which questions ask for one, and which sentences tell it: `the default timeout is 5000 ms`."""

from __future__ import annotations

import re
from collections.abc import Callable

_ASKED = re.compile(r"\w\s(?:of|for|in|von|de|du|di|del)\s(?:(?:an?|the|each)\s)?\w", re.IGNORECASE)
_TELLS = re.compile(
    r"\s(?:is|are|was|were|ist|sind|est|sont|es|son|è|sono|defaults?\s+to|beträgt)(?=\s)", re.IGNORECASE
)
_VALUE = re.compile(
    r"\s+(?:set\s+to\s+|approximately\s+|about\s+)?[`*\"'“]*(?:\d|true\b|false\b|none\b|null\b)", re.IGNORECASE
)
_BEFORE, _BESIDE = 160, 3
"""Characters before a value at most, and words that may stand beside those of the question."""


def is_asked(subject: str) -> bool:
    """Whether something of a thing is to be told, and not what it is: `the default timeout of a test`."""
    return _ASKED.search(subject) is not None


def tells_value(text: str, subject: frozenset[str], terms: Callable[[str], list[str]]) -> float:
    """How much a sentence tells the value of a property (0-1): `the default timeout for each test is 5000 ms`."""
    for match in _TELLS.finditer(text[:_BEFORE]):
        before = text[: match.start()]
        if _VALUE.match(text, match.end()) and subject <= {*terms(before)}:
            return 1.0 if len(before.split()) <= len(subject) + _BESIDE else 0.8
    return 0.0
