"""Query plan without a model: the question's terms and the manual's own words; deterministic.

Steps are list items of the manual's snippets, or their headings. Search hints are the question's terms with emphasised
words of a snippet (`code`, *emphasis*, "quotes"), or with its heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from biblicus.models.answers.persona import Persona, Plan, PlanStep
from biblicus.models.evidence import Evidence
from biblicus.text.terms import analysis, wrapping
from biblicus.text.terms.folding import likeness

MOST_STEPS = 8
_STEP_LENGTH = 240
_STRESSED_LENGTH = 40
_MOST_STRESSED = 4
_MOST_TERMS = 24
_LEAST = 0.2
"""Minimum weight of a word that is searched for."""

_ITEM = re.compile(r"[ \t]{0,8}(?:[-*+•]|\d{1,2}[.)])[ \t]+(\S.*)")
_STRESSED = re.compile(
    r"`([^`\n]{2,40})`|\*\*([^*\n]{2,40})\*\*|(?<![\w*])\*([^*\s][^*\n]{1,39})\*(?![\w*])|(?<!\w)_([^_\n]{2,40})_(?!\w)"
    r"|\"([^\"\n]{2,40})\"|“([^”\n]{2,40})”|„([^“”\n]{2,40})[“”]|«([^»\n]{2,40})»|「([^」\n]{2,40})」"
)
_MARKUP = re.compile(r"[#*`_~|<>\[\]]+")


@dataclass(frozen=True, slots=True)
class Brief:
    """Input of a plan. `terms`: of the question. `manual`: snippets by rank. `hints`: maximum number of hints.
    `ontology`: the caller's domain description, for a model."""

    question: str
    terms: tuple[str, ...]
    persona: Persona
    manual: Sequence[Evidence]
    language: str | None = None
    hints: int = 3
    ontology: object = None


def terms_of(question: str, language: str | None) -> tuple[str, ...]:
    """Return the distinct content words of a question in lower case, or all words if there are no others. Words that
    only frame a question (`how long`) are left out if others remain."""
    text = analysis.normalised(question)
    words = analysis.plain_analyzer().analyze(text)
    content = set(analysis.plain_analyzer(analysis.stemmer_of(language or "en") or "").analyze(text))
    weighed = [pair for pair in zip(words, wrapping.weights(words), strict=True) if pair[0] in content]
    terms = [word for word, weight in weighed if weight >= _LEAST] or [word for word, _ in weighed] or words
    return tuple(dict.fromkeys(terms))[:_MOST_TERMS]


def stems_of(text: str, language: str | None) -> frozenset[str]:
    """Return the stems of a text as in the index."""
    stemmer = analysis.stemmer_of(language or "en") or ""
    return frozenset(analysis.analyzer(stemmer).analyze(analysis.bigrams(analysis.normalised(text))))


def holds(stems: frozenset[str], words: str, language: str | None) -> bool:
    """Return True if a text with these stems contains the words in any form; in scripts without spaces, most
    bigrams."""
    word_stems = stems_of(words, language)
    share = 1.0 if words.isascii() or " " in words else 0.6
    matched_stems = word_stems & stems
    if len(matched_stems) < share * len(word_stems):
        matched_stems |= {word for word in word_stems if any(likeness(word, stem) for stem in stems)}
    return bool(word_stems) and len(matched_stems) >= share * len(word_stems)


def plan(brief: Brief) -> Plan:
    """Return the plan of a question from the manual."""
    language, focus = brief.language, brief.persona.focus
    question_stems = stems_of(brief.question, language)
    known_stems = question_stems.union(
        *(stems_of(f"{piece.heading or ''} {piece.text}", language) for piece in brief.manual)
    )
    entities = _matter(focus.entities, known_stems, language)
    relations = _matter(focus.relations, known_stems, language)
    in_question = [entity for entity in entities if holds(question_stems, entity, language)]
    related = any(holds(question_stems, relation, language) for relation in relations)
    return Plan(
        steps=tuple(_steps(brief.manual)),
        entity_types=entities,
        relations=relations,
        search_hints=tuple(_hints(brief, question_stems)),
        graph_helps=related or len(in_question) > 1,
    )


def _matter(focus: Sequence[str], known: frozenset[str], language: str | None) -> tuple[str, ...]:
    """Return the focus words that occur in the question or the manual, or all if none does."""
    return tuple(word for word in focus if holds(known, word, language)) or tuple(focus)


def _steps(manual: Sequence[Evidence]) -> list[PlanStep]:
    steps: dict[str, PlanStep] = {}
    for piece in manual:
        listed = list(_items(piece.text))
        for text in listed or [piece.heading or piece.title or piece.path]:
            steps.setdefault(text.casefold(), PlanStep(_shortened(text), piece.rank))
    return list(steps.values())[:MOST_STEPS]


def _items(text: str) -> Iterator[str]:
    """Yield the list items of a text with their indented continuation lines."""
    item: list[str] = []
    for line in text.split("\n"):
        if match := _ITEM.fullmatch(line.rstrip()):
            if item:
                yield " ".join(item)
            item = [match[1]]
        elif item and line[:1] in (" ", "\t") and line.strip():
            item.append(line.strip())
        elif item:
            yield " ".join(item)
            item = []
    if item:
        yield " ".join(item)


def _shortened(text: str) -> str:
    return text if len(text) <= _STEP_LENGTH else f"{text[:_STEP_LENGTH].rsplit(None, 1)[0]} …"


def _hints(brief: Brief, question_stems: frozenset[str]) -> list[str]:
    """Return one search hint for each snippet, best first, skipping those that add nothing to the question."""
    hints: list[str] = []
    used_stems = {question_stems}
    for piece in brief.manual:
        if len(hints) == brief.hints:
            break
        heading = [_MARKUP.sub(" ", piece.heading or piece.title or "")]
        more = list(_new(_stressed(piece.text), question_stems, brief.language)) or list(
            _new(heading, question_stems, brief.language)
        )
        hint = " ".join((*brief.terms, *more))
        stems = stems_of(hint, brief.language)
        if more and stems not in used_stems:
            used_stems.add(stems)
            hints.append(hint)
    return hints


def _stressed(text: str) -> Iterator[str]:
    for match in _STRESSED.finditer(text):
        yield _MARKUP.sub(" ", match[match.lastindex or 0])


def _new(phrases: Iterable[str], question_stems: frozenset[str], language: str | None) -> Iterator[str]:
    """Yield the distinct terms of the phrases that are not in the question, up to a maximum."""
    known_stems = set(question_stems)
    left = _MOST_STRESSED
    for phrase in phrases:
        for term in terms_of(phrase, language):
            stems = stems_of(term, language)
            if left and len(term) <= _STRESSED_LENGTH and stems and not stems <= known_stems:
                known_stems |= stems
                left -= 1
                yield term
