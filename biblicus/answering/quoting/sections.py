"""How much a section is called as a question asks."""

from __future__ import annotations

import re

from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms
from biblicus.answering.reader.sections import (
    Section,
    is_called,
    is_heading,
    is_told_beside,
    letters,
    says_itself,
    sections,
)
from biblicus.models.evidence import Rarity
from biblicus.text.terms import titles

__all__ = [
    "Section",
    "called",
    "is_called",
    "is_heading",
    "is_told_beside",
    "letters",
    "says_itself",
    "sections",
    "tells_how",
]

_BESIDE = 0.4
"""What a heading loses at most where it names other things, too."""
_TITLE = 0.5
"""What a word of the question counts that only the title holds."""
_METHOD = re.compile(
    r"(?:the )?(?:method|usage|synopsis|directions?|instructions?|preparation|procedure|steps"
    r"|how to(?: (?:make|do|cook|prepare|fix|solve) (?:it|this|violations))?"
    r"|(?:possible |suggested |recommended |user |corrective )?(?:solutions?|resolutions?|workarounds?|fix(?:es)?"
    r"|remed(?:y|ies)|mitigations?|actions?)|to (?:correct|fix|resolve) (?:this|the) (?:error|problem|issue|warning)"
    r"|lösung(?:en)?|abhilfe|solución(?:es)?|soluzion[ei]|решение|解决(?:方法|方案|办法)"
    r"|zubereitung|anleitung|durchführung|vorgehen|préparation|étapes|recette|preparación|elaboración|pasos"
    r"|modo de preparo|preparazione|procedimento|bereiding|приготовление)\W*",
    re.IGNORECASE,
)
"""Headings that say only that it is told how what the title names is done."""
_STEP = re.compile(r"(?:step|schritt|étape|paso|passo|шаг)\s+\d+\s*[:.)–—-]+\s*", re.IGNORECASE)
"""What stands before what a heading of one step of several says."""


def tells_how(section: Section) -> bool:
    """Whether a section begins with a heading that only says that it tells how what its title names is done."""
    return section.begins and _METHOD.fullmatch(titles.without_number(section.heading)) is not None


def _names(section: Section, question: QuestionTerms) -> frozenset[str]:
    """The terms of what a section is called: the title's, where its heading only says that it tells how."""
    heading, title = _STEP.sub("", titles.without_number(section.heading)), section.piece.title or ""
    if heading and heading != title and not tells_how(section):
        return question_terms(heading, question.stemmer).asked
    named = question_terms(title, question.stemmer)
    if _is_command(section, question):  # the program's name is no other matter
        return named.asked & question.asked
    return named.asked


def _is_command(section: Section, question: QuestionTerms) -> bool:
    """Whether a page's beginning, or how a command is called, is of the page of a command that does what is asked:
    `git-stash`, asked how to stash."""
    title = section.piece.title or ""
    is_of_page = not section.heading or section.heading == title or tells_how(section)
    return (
        is_of_page and question.form.steps and question_terms(title, question.stemmer).terms[-1:] == question.terms[:1]
    )


def called(section: Section, question: QuestionTerms, rarity: Rarity) -> float:
    """How much of a question a section's heading says (0-1), by the weights of words; less where it names others. What
    the title or the folders say of the rest counts half: "Installing" in `urllib3-2.8/README.md`."""
    title = section.piece.title or ""
    folders = section.piece.path.rpartition("/")[0].replace("/", " ")
    heading = _names(section, question)
    named = {question.also.get(term, term) for term in heading}
    titled = question_terms(f"{title} {folders}", question.stemmer).asked
    both = named & question.asked
    if not both:
        return 0.0
    weights = {term: rarity.of(term) for term in question.terms}
    says = sum(weight * (1 if term in named else _TITLE * (term in titled)) for term, weight in weights.items())
    return says / (sum(weights.values()) or 1.0) * (1 - _BESIDE * (1 - len(both) / len(named)))
