"""What a question asks for and what is picked does not tell: a default, a place, a maker, a version, a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from biblicus.answering import question_words, somebody
from biblicus.answering.quoting import contrasting, entries
from biblicus.answering.quoting.question_terms import terms_in
from biblicus.answering.quoting.scores.scored import Scored
from biblicus.answering.reader.reading import settings, values
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, opens_list

_TELLS_DEFAULT = re.compile(
    rf"{entries.DEFAULT.pattern}"
    r"|\b(?:unless|omitted|otherwise|not (?:set|specified|given)|(?:when|if|where) (?:none|no))\b",
    re.IGNORECASE,
)
_SETS_DEFAULT = re.compile(
    r"\b(?:set(?:s|ting)?|chang(?:e[sd]?|ing)|overrid(?:e[ns]?|ing)|replac(?:e[sd]?|ing)|alter(?:s|ed|ing)?|modif(?:y|ies|ied"
    r"|ying)|restor(?:e[sd]?|ing)|reset(?:s|ting)?) (?:the |its |your |their |a )?(?:new )?defaults?\b",
    re.IGNORECASE,
)
"""Says that a default becomes another one, and not which it is."""
_WHO = re.compile(
    r"\W*(?:who|whom|whose|wer|wem|wen|wessen|qui|quién(?:es)?|chi|quem|кто|кому|кого)\b|谁|誰", re.IGNORECASE
)
_ALL_OF_THEM = re.compile(
    r"\b(?:(?:are|were) there|exist(?:s|ed)?|available|supported|gibt es|verfügbar|hay|existen|disponibles?|y a-t-il"
    r"|existent|есть|существу\w+|доступн\w+)\b|有哪",
    re.IGNORECASE,
)
"""Asks for all things of a kind, and not for those that something is said of."""
FORMED = 0.5
"""The form of a sentence that sets things apart, at least."""
_AND = r"(?:and|or|und|oder|et|ou|y|o|e|и|или)"
_ENUMERATES = re.compile(
    rf",\s(?:\S+\s){{0,5}}?{_AND}\s|(?-i:[\"'`*A-ZÀ-ÞА-Я])\S*\s{_AND}\s(?-i:[\"'`*A-ZÀ-ÞА-Я])|[、،;]|[一-鿿][和或与及][一-鿿]"
    rf"|\b(?:is|are|were|be|sind|sont|son|sono|zijn|são)(?:\s[a-z]+)?(?::|\s\S+,|\s\S+\s{_AND})\s",
    re.IGNORECASE,
)
"""Names several things: `gulls, terns and skuas`, `Ada or Bo`."""
_FILES = re.compile(
    r"(?<![\w./-])[\w-]+\.(?:cnf|conf|cfg|ini|ya?ml|toml|json|xml|lock|env|properties|service|log|txt|plist)(?![\w.])"
)
"""Files that programs are set by."""
_OF_FILES = (
    r"(?:files?|config(?:uration)?s?|logs?(?: (?:messages?|entries|lines|output))?|cache|director(?:y|ies)|folders?"
    r"|socket)"
)
_ASKS_PLACE = re.compile(
    rf"\W*where (?:is|are|was|were|do|does|will|should|must|can) (?:i |we |you )?(?:[\w.+#'’-]+ ){{0,6}}?{_OF_FILES}"
    r"(?: (?:for|of) [\w.+#-]+)?(?: (?:be|by default))?"
    r"(?: (?:stored|kept|saved|located|written|(?:looked|searched) for|found|placed|put|installed|live|lie|go))?"
    r"(?: to)?(?: by default)?[\s?!.]*$",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?<![\w/])(?:~|\.{1,2}|\$\{?\w+\}?|%\w+%|[A-Za-z]:|<[\w -]+>)?[/\\][\w.{}$<~*%-]+|[\w.-]+/[\w.*-]+/"
    r"|[\w.-]+/[\w-]+\.\w|\b(?!e\.g|i\.e)[\w-]*\.[a-z]{2,10}\b|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\$\w{2,}|%\w{2,}%"
    r"|\benvironment variables?\b"
    r"|\b(?:director(?:y|ies)|folders?|registry|keychain|bucket|memory|database|secret|menu)\b"
    r"|\bstd(?:out|err)\b|\bstandard (?:output|error)\b",
)
"""Asks where files are; and what names a place."""
_DEFAULT_IN_HEAD = re.compile(r"\bdefaults?(?: to)?\s*[:=]?\s*[\"'`-]?[\w.]", re.IGNORECASE)
_SHOWING = (Kind.CODE, *LISTED)


def _lacks_form(question: str, picked: Sequence[Scored]) -> bool:
    """Whether the difference between two things is asked for and none is told, or all things of a kind are and none are
    named, or what somebody or something is and code answers."""
    best = picked[0]
    form = best.question.form
    if best.unit.kind is Kind.CODE and (form.term or _WHO.match(question)):
        return True
    if form.sides and best.parts["form"] < FORMED:
        text, held = " ".join(other.unit.reads for other in picked), best.held.union(*(other.held for other in picked))
        return contrasting.is_one_sided(text, held, form.sides, lambda side: terms_in(side, best.question))
    asks_for_all = form.several and _ALL_OF_THEM.search(question) is not None
    if not asks_for_all or opens_list(best.section.units, best.at - best.section.start):
        return False
    return not any(other.unit.kind in _SHOWING or _ENUMERATES.search(other.unit.reads) for other in picked)


def lacks_default(question: str, picked: Sequence[Scored]) -> bool:
    """Whether a default is asked for and nothing that is picked tells one."""
    best = picked[0]
    is_shown = best.unit.kind is Kind.FACT or (best.piece.doctype == "code" and best.unit.kind is Kind.CODE)
    if not entries.ASKS_DEFAULT.search(question) or is_shown:
        return False
    is_of_settings = best.piece.media_type in (*settings.TYPES, *values.TYPES)
    return not is_of_settings and not any(tells_default(other) for other in picked)


def lacks_place(question: str, picked: Sequence[Scored]) -> bool:
    """Whether it is asked where files are and nothing that is picked tells a place."""
    if not _ASKS_PLACE.match(question) or picked[0].piece.doctype == "code":
        return False
    return picked[0].unit.kind is not Kind.FACT and not any(map(tells_place, picked))


def tells_place(candidate: Scored) -> bool:
    """Whether a unit names a path, a file, a folder or a variable that names one."""
    return _PLACE.search(candidate.unit.reads) is not None


def wanted(question: str, picked: Sequence[Scored]) -> Callable[[Scored], bool] | None:
    """What tells the default or the place that is asked for and that nothing that is picked tells, if so."""
    if lacks_default(question, picked):
        return tells_default
    return tells_place if lacks_place(question, picked) else None


def tells_default(candidate: Scored) -> bool:
    """Whether a sentence says what something is where nobody sets it."""
    return _TELLS_DEFAULT.search(_SETS_DEFAULT.sub(" ", candidate.unit.reads)) is not None


def stands_apart(question: str, best: Scored) -> bool:
    """Whether a default stands not in the sentences of a section, but in the heading; or a place, which one sentence
    tells."""
    if _ASKS_PLACE.match(question) and tells_place(best):
        return True
    is_head = best.unit.kind is Kind.HEADING and _DEFAULT_IN_HEAD.search(best.unit.reads) is not None
    return is_head and entries.ASKS_DEFAULT.search(question) is not None


def _lacks_maker(question: str, picked: Sequence[Scored]) -> bool:
    """Whether it is asked who made something and nothing that is picked names anybody."""
    if not somebody.asks_maker(question) or picked[0].piece.doctype == "code":
        return False
    return not any(somebody.names_maker(other.unit.reads, question) for other in picked)


def _lacks_need(question: str, picked: Sequence[Scored]) -> bool:
    """Whether it is asked what version is needed and nothing that is picked says that any is."""
    is_asked = question_words.asks_need(question) and picked[0].piece.doctype != "code"
    is_told = any(question_words.says_need(f"{other.section.heading}. {other.unit.reads}") for other in picked)
    return is_asked and not is_told and picked[0].unit.kind not in (Kind.ROW, Kind.FACT)


def _lacks_file(question: str, picked: Sequence[Scored]) -> bool:
    """Whether a file is asked about by its name, which neither what is picked nor what it stands under has."""
    named = [name for name in _FILES.findall(question) if name[0].islower()]
    texts = ((one.unit.reads, one.section.heading, one.piece.title or "", one.piece.path) for one in picked)
    text = " ".join(part for parts in texts for part in parts).casefold()
    return any(name.casefold() not in text for name in named)


_LACKS = (_lacks_form, _lacks_maker, _lacks_need, lacks_place, _lacks_file)
"""What is asked for beside a default and may be told by nothing that is picked."""


def is_untold(question: str, picked: Sequence[Scored]) -> bool:
    """Whether something that is asked for, beside a default, is told by nothing that is picked."""
    return any(lacks(question, picked) for lacks in _LACKS)
