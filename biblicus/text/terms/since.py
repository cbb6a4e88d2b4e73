"""Questions for the version that something came with, went with or changed in: "Which version added the winch?"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_CAME = (
    r"add(?:s|ed)?|introduc(?:e|es|ed)|support(?:s|ed)?|implement(?:s|ed)?|br(?:ing|ings|ought)|eingeführt|hinzugefügt"
    r"|verfügbar|ajouté\w*|introduit\w*|añadi\w*|добавлен\w*|появил\w*"
)
_WENT = r"remov(?:e|es|ed)|dropp?(?:s|ed)?|deprecat(?:e|es|ed)|entfernt|supprimé\w*|eliminad\w*|удал[её]н\w*"
_CHANGED = r"chang(?:e|es|ed)|fix(?:es|ed)?|renam(?:e|es|ed)|geändert|behoben|umbenannt"
_VERBS = rf"(?P<verb{{0}}>{_CAME}|{_WENT}|{_CHANGED})"
_NUMBER = r"(?:version|release)s?"
_ASKS = re.compile(
    rf"\W*(?:in\s+|since\s+|from\s+|with\s+)?(?:which|what)\s+(?:[\w.-]+\s+)?{_NUMBER}\s+(?:of\s+[\w.-]+\s+)?(?:has\s+)?"
    rf"(?:first\s+)?{_VERBS.format(1)}\s+(?P<what1>.+?)\W*\Z"
    rf"|\W*(?:in|since|from|with|as\s+of)\s+(?:which|what)\s+{_NUMBER}\s+(?:was|were|is|are|did|does)\s+(?P<what2>.+?)"
    rf"\s+(?:first\s+)?(?:{_VERBS.format(2)}|available|there|possible|appear\w*)\W*\Z"
    rf"|\W*(?:in|seit|ab|mit)\s+welcher\s+version\s+(?:gibt\s+es|wurden?|ist|sind)\s+(?P<what3>.+?)"
    rf"(?:\s+{_VERBS.format(3)})?\W*\Z",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"\W*(?:when\s+(?:was|were)\s+(?P<what1>.+?)\s+(?:first\s+)?{_VERBS.format(1)}|since\s+when\s+(?:is|are|does|do"
    rf"|has|have)\s+(?P<what2>.+?)(?:\s+(?:{_VERBS.format(2)}|available|there|exist\w*))?)\W*\Z",
    re.IGNORECASE,
)
"""The same, where a day may be asked for as well."""

_LONGEST = 300
"""Characters of a question that is read for that."""


class Since(NamedTuple):
    """`what`: what came, went or changed; `how`: which of these, `verb`: in the word of the question, if it has one.
    `by_version`: whether a version is asked for in so many words."""

    what: str
    how: str
    verb: str
    by_version: bool


@lru_cache(maxsize=256)
def asked(question: str) -> Since | None:
    """What a question wants to know the version of; None where it asks for none, or is too long to."""
    if len(question) > _LONGEST:
        return None
    by_version = _ASKS.match(question)
    match = by_version or _WHEN.match(question)
    if match is None:
        return None
    parts = {name[:-1]: value for name, value in match.groupdict().items() if value}
    verb = parts.get("verb", "")
    went = re.fullmatch(_WENT, verb, re.IGNORECASE)
    changed = re.fullmatch(_CHANGED, verb, re.IGNORECASE)
    how = "went" if went else "changed" if changed else "came"
    return Since(parts["what"].strip(), how, verb.lower(), by_version is not None)
