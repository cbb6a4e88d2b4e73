"""Terms of a question that a text holds, and those that it need not say again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from biblicus.answering.quoting.question_terms import QuestionTerms, terms_in
from biblicus.text.terms import file_names

Held = Mapping[str, float]
"""Terms of a question that a text holds, each with what it counts: 1, or less for another form of the word."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEAR = 3
"""Words apart at most, for two words of a question to stand close together."""


def held(terms: Sequence[str], question: QuestionTerms, other_forms: Mapping[str, tuple[str, float]]) -> Held:
    """The terms of a question among those of a text, `other_forms` of them, too."""
    counted: dict[str, float] = {}
    for term in terms:
        if term in question.asked:
            counted[term] = 1.0
        elif term in other_forms:
            asked, counts = other_forms[term]
            counted[asked] = max(counts, counted.get(asked, 0.0))
    return counted


_OF_TYPE = {
    "text/calendar": re.compile(
        r"(?:appointments?|meetings?|events?|dates?|scheduled?|termine?s?|besprechung|rendez-vous|réunion|citas?|reunión)\Z"
    ),
    "text/vcard": re.compile(r"(?:contacts?|kontakte?|contactos?|coordonnées)\Z"),
}
"""What people call what files of a type hold, where these need not say it."""


def of_type(media_type: str, question: str, reading: QuestionTerms) -> Held:
    """The terms of a question that all entries of a calendar, or a list of contacts, are."""
    pattern = _OF_TYPE.get(media_type)
    words = [word for word in re.findall(r"[\w-]+", question.lower()) if pattern and pattern.match(word)]
    return dict.fromkeys(reading.asked.intersection(terms_in(" ".join(words), reading)), 1.0) if words else {}


def without_parts(own: Held, numbers: Set[str], text: str) -> Held:
    """The terms that a text holds, but for numbers that only begin or end other ones there: `3` of `3.450,00`."""
    if own.keys().isdisjoint(numbers):
        return own
    whole = {*_NUMBER.findall(text)}
    return {term: counts for term, counts in own.items() if term not in numbers or term in whole}


def joined(*parts: Held) -> Held:
    """What any of the parts holds."""
    whole: dict[str, float] = {}
    for part in parts:
        for term, counts in part.items():
            whole[term] = max(counts, whole.get(term, 0.0))
    return whole


def close(asked: Sequence[str], terms: Sequence[str], own: Held) -> float:
    """The share of a question's neighbouring words that stand within three words of each other in a text, of which
    `own` are the question's."""
    pairs = list(pairwise(asked))
    both = [(first, second) for first, second in pairs if first in own and second in own]
    if not both:
        return 0.0
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms):
        if term in own:
            places.setdefault(term, []).append(place)
    near = sum(
        any(0 < abs(here - other) <= _NEAR for here in places.get(first, ()) for other in places.get(second, ()))
        for first, second in both
    )
    return near / len(pairs)


def days(question: str, reading: QuestionTerms) -> list[tuple[file_names.Day, frozenset[str]]]:
    """The days that a question names, each with its terms."""
    return [(day, frozenset(terms_in(day.written, reading)) & reading.asked) for day in file_names.days(question)]


def of_days(asked: Sequence[tuple[file_names.Day, frozenset[str]]], *texts: str) -> Held:
    """The terms of the days that are named by texts in whatever form: `2024-02-14` for `14 February`."""
    named = [day for text in texts for day in file_names.days(text)] if asked else []
    return {term: 1.0 for day, terms in asked if any(map(day.is_like, named)) for term in terms}
