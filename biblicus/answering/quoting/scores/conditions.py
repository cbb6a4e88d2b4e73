"""Conditions: what asks what comes of one, and the clauses of a sentence that tell one."""

from __future__ import annotations

import re

_IF = (
    r"if|when(?:ever)?|once|while|after|before|wenn|falls|sobald|nachdem|s['’]il|si|quand|lorsqu(?:e\b|['’])|dès\s+que"
    r"|cuando|se|quando|als|wanneer|zodra|если|когда"
)
ASKED = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|und|y|et|e|а|и)\W+)?(?:"
    r"what(?:['’]s|\s+(?:will|would|does|do|did|is|should|could|can|might|may|exactly))*\s+(?:going\s+to\s+)?"
    r"(?:happen(?:s|ed|ing)?|occurs?)\b(?:\s+to\s+.{1,80}?)?"
    r"|was\s+(?:passiert|geschieht|wird\s+passieren|wird)\b.{0,40}?,?"
    r"|(?:qué|que)\s+(?:pasa(?:rá|ría)?|ocurre|sucede|ocurrirá|sucederá)\b(?:\s+con\s+.{1,60}?)?"
    r"|que\s+(?:se\s+passe(?:ra)?-t-il|va-t-il\s+se\s+passer)|qu['’]arrive-t-il|qu['’]est-ce\s+qui\s+(?:se\s+passe|arrive)"
    r"|(?:che\s+)?cosa\s+(?:succede(?:rà)?|accade|capita)|o\s+que\s+(?:acontece(?:rá)?|ocorre)|wat\s+gebeurt\s+er"
    r"|что\s+(?:произойд[её]т|происходит|случится|будет)(?:\s+с\s+.{1,60}?)?,?"
    r")\s+(?:(?P<if>" + _IF + r")\b|at\b|on\b|during\b|bei(?:m)?\b|al\b|en\s+cas\b|при\b)"
    r"|^\W*what\s+(?P<what_if>if)\s"
    r"|(?:会(?:发生什么|怎么样|怎样|如何)|會(?:發生什麼|怎麼樣)|どうなり?ま?すか)[\s?？!。]*$",
    re.IGNORECASE,
)
"""Asks what comes of something."""
_CLAUSE = re.compile(
    rf"(?<![\w-])(?:(?:{_IF}|as\s+soon\s+as|in\s+case|in\s+the\s+event|unless|until|on|upon)\b"
    r"|(?:при|как\s+только)\b)([^,;:.?!]{3,240})"
    r"|(?:如果|若|当|當|一旦|もし)([^,，;；。]{2,80})|([^,，;；。、]{2,80}?)(?:的话|的話|時は|場合|ときは)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|without|none|neither|nicht|kein\w*|ohne|ne|pas|sans|aucun\w*|sin|não|sem|non|senza|niet|geen"
    r"|zonder|не|нет|без)\b|n['’]t\b|不|没|沒|未|ない|ません",
    re.IGNORECASE,
)


def of(text: str) -> str:
    """The conditions of a sentence: "an error if the file is gone" tells "the file is gone"."""
    return " ; ".join(clause for groups in _CLAUSE.findall(text) for clause in groups if clause)


def is_denied(text: str) -> bool:
    """Whether a clause denies something."""
    return _NOT.search(text) is not None
