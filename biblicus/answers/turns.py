"""Follow-up questions in conversations: rewrites them as independent questions, deterministically and without a model.

A question is a follow-up if it starts with a continuation ("and", "what about"), has a pronoun, or has hardly any
content word. A part that starts with the same preposition replaces that of the previous turn ("and for a month?"),
otherwise it is appended; a question with a pronoun gets content words of the previous turn added.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biblicus.answering.planner import terms_of
from biblicus.text.languages import detect

_MOST_WORDS = 8
"""Maximum words of the previous turn that are added."""
_GOES_ON = re.compile(
    r"\s*(?:(?:and|but|so|or|und|aber|et|mais|y|pero|e|ma|en|maar)\s+)?(?:(?:what|how)\s+about|was\s+ist\s+mit|wie\s+"
    r"steht\s+es\s+mit|qu['’]en\s+est-il\s+de|qué\s+hay\s+de)\s+|\s*(?:and|but|und|aber|et|mais|y|pero|e|ma|en|maar)\s+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|does|do|did|can|could|has|have|will|wer|was|wann|"
    r"wo|warum|wie|welche[rsn]?|ist|sind|hat|kann|qui|que|quand|où|pourquoi|comment|quel(?:le)?s?)\b",
    re.IGNORECASE,
)
_STANDS_FOR = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|one|ones|there|then|same|"
    r"er|ihn|ihm|sie|ihr|ihre[nmrs]?|sein(?:e[nmrs]?)?|dies(?:e[nmrs]?)?|davon|dafür|damit|dort|"
    r"il|elle|ils|elles|son|sa|ses|leur|celui|celle|cela|ça|ello|su|sus|ese|esa|eso)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"(?:for|in|on|at|of|by|with|without|from|to|under|over|after|before|during|since|until|per|"
    r"für|im|am|auf|bei|mit|ohne|von|zu|unter|über|nach|vor|während|seit|bis|pour|dans|avec|sans|de|para|en|con|sin)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[\s?!.]+\Z")


@dataclass(frozen=True, slots=True)
class Turn:
    """A question, and the question it was rewritten as."""

    question: str
    asked: str


def asked_as(question: str, before: Turn | None) -> str:
    """Return the rewritten question after the previous turn, or the question itself if it is no follow-up."""
    if before is None:
        return question
    opening = _GOES_ON.match(question)
    rest = question[opening.end() :].strip() if opening else question.strip()
    if opening and rest and not _ASKS.match(rest):
        return _gone_on(rest, before.asked)
    telling = terms_of(rest, detect(rest))
    if not (opening or _STANDS_FOR.search(rest) or len(telling) < 2):
        return question
    words = [word for word in terms_of(before.asked, detect(before.asked)) if word not in telling][:_MOST_WORDS]
    return f"{question.strip()} ({', '.join(words)})" if words else question


def _gone_on(rest: str, before: str) -> str:
    """Return the previous turn with the new part, replacing a part with the same preposition or appended."""
    preposition = _PREPOSITION.match(rest)
    if preposition is None:
        return f"{before.strip()} {rest}"
    same = [match.start() for match in re.finditer(rf"\b{re.escape(preposition[0])}\b", before, re.IGNORECASE)]
    if not same:
        return f"{_END.sub('', before)} {rest}"
    part = rest[preposition.end() :]
    length = len(_END.sub("", part).split())
    following = before[same[-1] + len(preposition[0]) :]
    words = list(re.finditer(r"\S+", following))
    remainder = following[words[length - 1].end() :] if 0 < length <= len(words) else ""
    end = remainder if remainder.strip(" ?!.") else "?"
    return f"{before[: same[-1]]}{_END.sub('', rest)}{end}"


def turn_of(value: Mapping[str, Any]) -> Turn:
    """Return a turn from its stored form. Raises `KeyError`, `TypeError`."""
    question, full_question = value["question"], value["asked"]
    if not isinstance(question, str) or not isinstance(full_question, str):
        raise TypeError("a turn's texts are no texts")
    return Turn(question, full_question)
