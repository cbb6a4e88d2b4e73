"""Questions that ask two things of one: what something is, and then something of it by a pronoun ("What is a winch and
how do I use it?"). English, German, French, Spanish and Russian."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

_LONGEST = 300
"""Characters of a question that may ask two things."""
_FORMS = (
    (
        r"(?:what|who)(?:['’]s|\s+(?:exactly\s+)?(?:is|are))",
        r"(?:,?\s+and|\s*[?;,])(?:\s+then)?\s+",
        r"(?:how|when|where|why|what|which|who|should|can|does?|is|are)\b[^?;]{0,80}?",
        r"\b(?:its?|them|they|their|ones?|(?:my|your|our|a) own)\b",
    ),
    (
        r"was\s+(?:ist|sind)",
        r"(?:,?\s+und|\s*[?;])\s+",
        r"(?:wie|wann|wo|warum|wozu|wofür|welche[nrs]?)\b[^?;]{0,80}?",
        r"\b(?:es|ihn|sie|er|ihm|ihnen)\b",
    ),
    (
        r"qu['’]est[\s-]ce\s+qu(?:e\s|['’])",
        r"(?:,?\s+et|\s*[?;])\s+",
        r"(?:comment|quand|où|pourquoi|à\s+quoi)\b[^?;]{0,80}?",
        r"\b(?:les?\b|la\b|ils?\b|elles?\b|l['’])",
    ),
    (
        r"qu[ée]\s+(?:es|son)",
        r"(?:,?\s+y|\s*[?;])\s+¿?",
        r"(?:cómo|cuándo|dónde|por\s+qué|para\s+qué)\b[^?;]{0,80}?",
        r"(?:\b(?:se|l[oa]s?)\b|(?<=r)l[oa]s?\b|(?=\bsirven?\b|\bfunciona))",
    ),
    (
        r"что\s+такое",
        r"(?:,?\s+и|\s*[?;])\s+",
        r"(?:как|когда|где|зачем|почему|для\s+чего)\b[^?;]{0,80}?",
        r"\b(?:его|её|ее|их|он|она|оно|они|ним|ней|ими)\b",
    ),
)
"""Of each language: what asks what something is, what stands between, what asks on, and how that speaks of it."""
_MAY_ASK_TWO = re.compile(
    r"\W*(?:what|who|was|qu|что).*(?:[?;,]|\s(?:and|und|et|y|и)\s)[^?;,]*\w", re.IGNORECASE | re.DOTALL
)
"""What all that asks two things fits: the forms themselves take longer to make than a question to answer."""

_BETWEEN = re.compile(r"(?:the )?differences? between ", re.IGNORECASE)
_COMPARES = ("ifferen", "ifféren", "iferen", "nterschied", "ompare", "азниц")
_APART = (
    r"(?i)\b(?:(?:differences?|unterschiede?|différences?|diferencias?|diferenças?|differenz[ae]|разниц\w)\s+"
    r"(?:between|zwischen|entre|tra|fra|между)|(?=compare\s))\s*(?:compare\s+)?(?P<one>[^?,;]{2,40}?)"
    r"\s+(?:and|und|et|y|e|и|with|to)\s+(?P<other>[^?,;]{2,40}?)[\s?!.]*$"
)
"""What all have that ask for two things at once, how they differ; and how they ask, compiled when it may be one."""
_THEN = 3
"""Chunks of what tells a second question."""


@cache
def _two() -> re.Pattern[str]:
    return re.compile(
        "|".join(
            rf"(?P<first{at}>\W*{asks}\s*(?P<thing{at}>[^?;]{{2,80}}?)){between}"
            rf"(?P<then{at}>{on})(?P<it{at}>{it})(?P<rest{at}>[^?;]{{0,60}}?)[?.!\s]*$"
            for at, (asks, between, on, it) in enumerate(_FORMS)
        ),
        re.IGNORECASE,
    )


class Two(NamedTuple):
    """What is asked first, and what is asked then, which names the thing itself."""

    first: str
    then: str


@lru_cache(maxsize=256)
def two_of(question: str) -> Two | None:
    """The two questions that one asks; None where it asks one."""
    if len(question) > _LONGEST or not _MAY_ASK_TWO.match(question) or (match := _two().match(question)) is None:
        return None
    first, thing, then, _, rest = (part.strip() for part in match.groups() if part is not None)
    return Two(f"{first}?", f"{' '.join(filter(None, (then, _BETWEEN.sub('', thing), rest)))}?")


def further(question: str) -> list[tuple[str, int]]:
    """What else is asked for beside what a question asks first, each with how many chunks of it are wanted: the second
    question, or what both things are whose difference is asked for."""
    if two := two_of(question):
        return [(two.then, _THEN)]
    may_compare = len(question) <= _LONGEST and any(word in question.lower() for word in _COMPARES)
    apart = re.search(_APART, question) if may_compare else None
    return [(f"What is {side.strip()}?", 1) for side in apart.groups()] if apart else []
