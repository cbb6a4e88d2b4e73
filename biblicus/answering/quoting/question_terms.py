"""A question as an answerer reads it: its words as terms of a language, and what kind of words its answer needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from biblicus.answering import question_words, somebody
from biblicus.answering.quoting import question_forms
from biblicus.answering.quoting.question_forms import Form
from biblicus.text.terms import analysis, identifiers, inflections, synonyms

MOST_WORDS = 64
"""Distinct words of a question that are looked for."""
_BEGINNING = 3
"""Letters that stemmers leave (all but a few: `dying` is `die`)."""

_ANY_NUMBER = 0.4
"""What a number counts where an amount of money is asked for, and none is named."""
_JOINING = frozenset("在为以从到于对和与及被把由向给让将而也都还就又其之所着且或除样里它他她你我")
_NAME = re.compile(r"(?<=[\w,;:)\"'’”] )(?:[A-ZÀ-ÞА-ЯЁ]\w+|\w*\d\w*)")
_ENDS: Mapping[str, tuple[str, str]] = {
    "english": ("end expire finish", "until till"),
    "german": ("endet endete enden ende", "bis"),
    "dutch": ("eindigt eindigen einde", "tot"),
    "french": ("finit finir fin termine expire", "jusqu jusque"),
    "spanish": ("termina terminar acaba vence fin", "hasta"),
    "italian": ("finisce finire fine termina scade", "fino"),
    "portuguese": ("termina terminar acaba fim", "até"),
}
"""How it is asked when something ends, and what a text says that tells up to which day it is so."""
_DIGIT, _UNDATED = re.compile(r"\d"), 0.5
"""What a time that no figure tells ("at the end of a month") counts where one is asked for."""
_WHETHER = re.compile(r"\W*(?:is|are|was|were|does|do|can|will)\s", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:whether or not|might change|may change|future (?:releases?|versions?))\b|\?\s*$", re.IGNORECASE
)
"""What leaves open whether something is so."""
_OPPOSITES = (
    "enabled disabled", "supported unsupported", "required optional", "allowed forbidden", "sensitive insensitive",
    "synchronous asynchronous", "mutable immutable", "public private", "free paid",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """`terms`: the question's distinct content words as `stemmer` makes them, in order; all words where there are no
    others. `asked`: the same as a set. `kinds`: what kinds of words answer it: `money`, `number`, `time`,
    `name`, `reason`.
    `form`: what form the answer has; `subject`: the terms of what it defines; `names`: the terms of its
    names and numbers, as far as capitals tell; `also`: terms that stand for the verb of what is to be done; `synonyms`:
    terms that may say what one of them says; `beginnings`: of all of these; `speech`:
    what is asked of what people say: `who`, `said`, `asked`; `is_whether`: whether it is asked if something is so."""

    terms: tuple[str, ...]
    stemmer: str
    kinds: frozenset[str]
    form: Form
    asked: frozenset[str]
    subject: frozenset[str]
    names: frozenset[str]
    also: Mapping[str, str]
    synonyms: Mapping[str, str]
    beginnings: re.Pattern[str]
    speech: frozenset[str] = frozenset()
    is_whether: bool = False

    @property
    def telling_subject(self) -> frozenset[str]:
        """The subject without stop words, as in `chain of command`; all of it where it has no others."""
        return self.subject & self.asked or self.subject

    def may_hold(self, text: str) -> bool:
        """Whether a text could hold one of the terms, by their beginnings: analysing it costs fifty times as much."""
        return not text.isascii() or self.beginnings.search(text.lower()) is not None

    def may_hold_all(self, text: str) -> bool:
        """Whether a text could hold all of the terms."""
        lower = text.lower()
        return not text.isascii() or all(term[:_BEGINNING] in lower for term in self.terms)


@lru_cache(maxsize=256)
def question_terms(question: str, stemmer: str) -> QuestionTerms:
    """The question for texts that are analysed with this stemmer."""
    text = analysis.normalised(question)
    task = analysis.task_of(text, (stemmer,))
    text = analysis.without_joined(task.text if task else text, (stemmer,))
    content, every = _terms(text, stemmer)
    bare = question_words.purpose_of(text) or question_words.without(question_forms.without_form(text))
    telling = analysis.without_endings(bare, (stemmer,))
    words = _terms(telling, stemmer)[0] or content or every
    terms = tuple(dict.fromkeys(_without_remains(words)))[:MOST_WORDS]
    form = question_forms.form_of(text)
    subject = frozenset(analysis.analyzer(stemmer).analyze(analysis.ranked("", form.subject)) if form.subject else ())
    written = analysis.bigrams(" ".join(_NAME.findall(text)))
    names = frozenset(analysis.analyzer(stemmer).analyze(written)).intersection(terms)
    verb, *others = ("".join(analysis.terms(word, stemmer)) for word in ((task.verb, *task.others) if task else ("",)))
    also = dict.fromkeys(others, verb) if verb in terms else {}
    if stemmer == "english":
        also |= _opposites(text, terms) | _spelled_otherwise(text, terms)
    kinds, speech = question_words.kinds(text), question_words.speech(text)
    if "time" in kinds:
        also |= _until(terms, stemmer)
    whether = stemmer == "english" and _WHETHER.match(text) is not None
    asked = frozenset(terms)
    alike = synonyms.of(terms, stemmer)
    begin = re.compile("|".join(sorted({re.escape(term[:_BEGINNING]) for term in (*terms, *also, *alike)})) or r"(?!)")
    return QuestionTerms(terms, stemmer, kinds, form, asked, subject, names, also, alike, begin, speech, whether)


@lru_cache(maxsize=256)
def _until(terms: Sequence[str], stemmer: str) -> dict[str, str]:
    """For words before a day up to which something is so, that of a question which asks when it ends."""
    ending, until = (frozenset(analysis.analyzer(stemmer).analyze(words)) for words in _ENDS.get(stemmer, ("", "")))
    ends = next((term for term in terms if term in ending), None)
    return dict.fromkeys(until, ends) if ends else {}


def _opposites(text: str, terms: Sequence[str]) -> dict[str, str]:
    """For words by which a question whether something is so may be denied, those of the question that they deny."""
    if not _WHETHER.match(text):
        return {}
    pairs = (analysis.terms(pair, "english") for pair in _OPPOSITES)
    return {other: word for one, two in pairs for word, other in ((one, two), (two, one)) if word in terms}


def _spelled_otherwise(text: str, terms: Sequence[str]) -> dict[str, str]:
    """For words that are spelled or shortened otherwise than in the question, those of it that they are."""
    words = ((word, inflections.others(word)) for word in dict.fromkeys(text.lower().split()))
    stems = (
        (analysis.terms(word, "english")[:1], analysis.terms(" ".join(others), "english"))
        for word, others in words
        if others
    )
    return {other: word for (word,), others in filter(all, stems) if word in terms for other in {*others} - {*terms}}


def _terms(text: str, stemmer: str) -> tuple[list[str], list[str]]:
    """The terms of a text that are no stop words, and all of them; names from code also in parts."""
    options = analysis.options_in(text)
    parts = [spaced for name in identifiers.camels(text) if (spaced := identifiers.spaced(name))]
    stop_list = _stop_list(text, stemmer)
    text = analysis.bigrams(" ".join((identifiers.with_asked_symbols(text), *parts)))
    terms = analysis.analyzer(stemmer).analyze(text)
    plain = analysis.plain_analyzer().analyze(text)
    content = options.union(analysis.plain_analyzer(stop_list).analyze(text))
    return [term for term, word in zip(terms, plain, strict=True) if word in content], terms


@lru_cache(maxsize=256)
def _stop_list(text: str, stemmer: str) -> str:
    """Whose stop words a text loses: those of its stemmer, of a language without one its own (Hindi, Polish)."""
    if stemmer or analysis.is_unspaced(text):
        return stemmer
    from biblicus.text.languages import detect  # loads a native detector

    return analysis.stop_list_of(detect(text))


def _without_remains(terms: Sequence[str]) -> Sequence[str]:
    """Terms without single Chinese characters that only join others, where there are others: what is left between words
    that only ask."""
    return [term for term in terms if term not in _JOINING] or terms


def stemmer_for(language: str | None, others: Sequence[str | None]) -> str:
    """The stemmer for a text of this language; where it is not known, that of the texts beside it, else English."""
    for code in (language, *others):
        if (stemmer := analysis.stemmer_of(code)) is not None:
            return stemmer
    return "english"


def kind_of(text: str, question: QuestionTerms) -> float:
    """Whether a text holds words of the kind that the question asks for (0-1); 0 where it asks for no kind.

    A name or a number counts where the question does not hold it.
    """
    if question.kinds & question_words.FIGURES:
        text = question_words.without_numbers(text, " ".join(question.terms))
    if "money" in question.kinds:
        return 1.0 if question_words.holds("money", text) else _ANY_NUMBER * question_words.holds("number", text)
    if question.is_whether:
        return -1.0 if _OPEN.search(text) else 0.0
    for kind in ("time", "number", "reason"):
        if kind in question.kinds:
            holds = float(question_words.holds(kind, text))
            return _UNDATED * holds if kind == "time" and not _DIGIT.search(text) else holds
    if "name" not in question.kinds or not (names := somebody.names(text)):
        return 0.0
    written = analysis.bigrams(" ".join(names))
    return float(not set(analysis.analyzer(question.stemmer).analyze(written)) <= set(question.terms))


def terms_in(text: str, question: QuestionTerms) -> list[str]:
    """The terms of a text in order; none where it holds none of the question's."""
    return [*_terms_of(text, question.stemmer)] if question.may_hold(text) else []


@lru_cache(maxsize=1_024)
def _terms_of(text: str, stemmer: str) -> Sequence[str]:
    """The terms of a text in order. Remembered: questions one after the other are often answered by the same ones."""
    return tuple(analysis.analyzer(stemmer).analyze(analysis.ranked("", text)))
