"""What a thing is or does, and values of properties: which questions ask for one, and which sentences tell it: `the
default timeout is 5000 ms`."""

from __future__ import annotations

import re
from collections.abc import Callable

from biblicus.answering import question_words
from biblicus.answering.quoting import definitions
from biblicus.answering.quoting.question_terms import QuestionTerms, kind_of

_ASKED = re.compile(r"\w\s(?:of|for|in|von|de|du|di|del)\s(?:(?:an?|the|each)\s)?\w", re.IGNORECASE)
_BY_ITSELF = re.compile(r"(?:default|maximum|minimum)\s\w", re.IGNORECASE)
_TELLS = re.compile(
    r"\s(?:is|are|was|were|ist|sind|est|sont|es|son|è|sono|defaults?\s+to|beträgt)(?=\s)", re.IGNORECASE
)
_VALUE = re.compile(
    r"\s+(?:set\s+to\s+|approximately\s+|about\s+)?[`*\"'“]*(?:[-+−]?\d|true\b|false\b|none\b|null\b)", re.IGNORECASE
)
_BEFORE, _BESIDE = 160, 3
"""Characters before a value at most, and words that may stand beside those of the question."""
_OF_THE_KIND = 0.9
"""What it counts that the last word of a subject is the kind that the others are said to be."""
_NO_FIGURE = 0.5
"""What it counts that something is said of a property, and not the figure that is asked for."""


def defined(text: str, question: QuestionTerms, terms: Callable[[str], list[str]]) -> float:
    """How much a sentence that holds what is asked about defines it (0-1), `An X Y is …`, or `An X is a … Y`, or tells
    the value of a property."""
    subject, form = question.subject, question.form
    kind = terms(form.subject)[-1:]
    is_property = is_asked(form.subject)
    said = definitions.defines(text, subject, terms, form.does)
    if is_property:
        said = max(said, tells_value(text, question.telling_subject, terms))
    if not said and subject - set(kind):
        said = _OF_THE_KIND * definitions.defines(text, subject - set(kind), terms, form.does)
    wants_figure = is_property and bool(question.kinds & question_words.FIGURES)
    return said * (_NO_FIGURE if said and wants_figure and not kind_of(text, question) else 1.0)


def is_asked(subject: str) -> bool:
    """Whether something of a thing is to be told, and not what it is: `the default timeout of a test`."""
    return _ASKED.search(subject) is not None or _BY_ITSELF.match(subject) is not None


def tells_value(text: str, subject: frozenset[str], terms: Callable[[str], list[str]]) -> float:
    """How much a sentence tells the value of a property (0-1): `the default timeout for each test is 5000 ms`."""
    for match in _TELLS.finditer(text[:_BEFORE]):
        before = text[: match.start()]
        if _VALUE.match(text, match.end()) and subject <= {*terms(before)}:
            return 1.0 if len(before.split()) <= len(subject) + _BESIDE else 0.8
    return 0.0
