"""A question as an answerer reads it: its words as terms of a language, and what kind of words its answer needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from biblicus.text import analysis

MOST_WORDS = 64
"""Distinct words of a question that are looked for."""

_ENDINGS = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """`terms`: the question's distinct content words as `stemmer` makes them, in order; all words where there are no
    others. `kinds`: what kinds of words answer it: `number`, `time`, `name`, `reason`."""

    terms: tuple[str, ...]
    stemmer: str
    kinds: frozenset[str]


@lru_cache(maxsize=256)
def asked(question: str, stemmer: str) -> Asked:
    """The question for texts that are analysed with this stemmer."""
    text = _ENDINGS.sub("", analysis.normalised(question))
    ranked = analysis.ranked("", text)
    terms = analysis.analyzer(stemmer).analyze(ranked)
    plain = analysis.plain_analyzer().analyze(ranked)
    content = set(analysis.plain_analyzer(stemmer).analyze(ranked))
    kept = [term for term, word in zip(terms, plain, strict=True) if word in content] or terms
    return Asked(tuple(dict.fromkeys(kept))[:MOST_WORDS], stemmer, kinds(question))


def stemmer_for(language: str | None, others: Sequence[str | None]) -> str:
    """The stemmer for a text of this language; where it is not known, that of the texts beside it, else English."""
    for code in (language, *others):
        if (stemmer := analysis.stemmer_of(code)) is not None:
            return stemmer
    return "english"


def kinds(question: str) -> frozenset[str]:
    """The kinds of words that the question asks for, by its question words; empty where none tells."""
    text = " ".join(question.lower().split())
    return frozenset(kind for kind, pattern in _ASKED if pattern.search(text))


def _pattern(spaced: str, unspaced: str = "") -> re.Pattern[str]:
    found = "|".join(re.escape(words).replace(r"\ ", " ") for words in spaced.split("|"))
    return re.compile(rf"\b(?:{found})\b" + (f"|{unspaced}" if unspaced else ""))


# English, German, Dutch, French, Spanish, Portuguese, Italian, Russian; then Chinese and Japanese.
_ASKED = (
    (
        "number",
        _pattern(
            "how many|how much|how long|how far|how old|how large|how big|how tall|how high|how fast|how often|"
            "how deep|what percentage|what percent|what number|what proportion|what fraction|what amount|what size|"
            "what temperature|wie viele|wie viel|wieviel|wieviele|wie lange|wie oft|wie weit|wie alt|wie hoch|wie groß|wie tief|"
            "welcher anteil|welchen anteil|prozent|hoeveel|hoe lang|hoe oud|hoe groot|combien|quel pourcentage|"
            "cuánto|cuánta|cuántos|cuántas|qué porcentaje|quanto|quanta|quanti|quante|quantos|quantas|"
            "сколько|каков процент|какой процент",
            "多少|几|幾|多长|多大|多高|多远|百分之|いくつ|何人|何本|いくら",
        ),
    ),
    (
        "time",
        _pattern(
            "when|what year|which year|what date|what day|what month|what century|what decade|what time|how long ago|"
            "in what years|wann|welchem jahr|welches jahr|welchem datum|welchem jahrhundert|seit wann|wanneer|"
            "welk jaar|quand|quelle année|quelle date|cuándo|qué año|quando|que ano|che anno|"
            "когда|каком году|какой год|какого года|в каком веке|какого числа",
            "何时|什么时候|什么时间|哪一年|哪年|哪天|几年|いつ|何年",
        ),
    ),
    (
        "name",
        _pattern(
            "who|whom|whose|where|which|what city|what country|what state|what company|what team|what person|what name|"
            "what is the name|what was the name|wer|wem|wen|wessen|wo|wohin|woher|wie heißt|wie hieß|welche stadt|"
            "welches land|wie|waar|qui|où|quién|quiénes|dónde|quem|onde|chi|dove|"
            "кто|кого|кому|кем|чей|где|куда|откуда|как зовут|как называется",
            "谁|誰|哪里|哪儿|哪个|哪位|在哪|叫什么|だれ|どこ",
        ),
    ),
    (
        "reason",
        _pattern(
            "why|what causes|what caused|warum|weshalb|wieso|waarom|pourquoi|por qué|perché|почему|зачем",
            "为什么|为何|なぜ",
        ),
    ),
)  # fmt: skip
