"""Lists of literature: what a document cites answers no question, unless literature is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from biblicus.answering.reader.reading.units import LISTED, Unit

_HEADING = re.compile(
    r"\W*(?:[\dA-Z]{1,3}(?:\.\d+)*\.?\s+)?"
    r"(?:(?:list of |selected |further |cited )?(?:references|bibliography|works cited"
    r"|literature(?: cited)?|further reading|reading list|recommended reading)"
    r"|literatur(?:verzeichnis|angaben|hinweise)?|quellen(?:verzeichnis|angaben)?|weiterführende literatur"
    r"|références(?: bibliographiques)?|bibliographie|ouvrages cités|referencias(?: bibliográficas)?|bibliografía"
    r"|referências(?: bibliográficas)?|bibliografia|riferimenti(?: bibliografici)?|literatuur(?:lijst)?"
    r"|(?:список )?литератур[аы]|参考文献|文献)\W*",
    re.IGNORECASE,
)
_AUTHOR = re.compile(
    r"\W*(?:\[?\d{1,3}\]?\.?\s+)?[A-ZÀ-Þ][\w'’-]+,\s?(?:[A-Z]\.[\s-]?){1,3}.{0,300}?\(?\b(?:19|20)\d\d[a-z]?\)?[.,:;]",
    re.DOTALL,
)
_VOLUME = re.compile(r"\b\d{1,4}\s?\(\d{1,3}(?:[-–]\d{1,3})?\)\s?[:,]\s?\d")
_NUMBER = re.compile(r"(?:\bdoi:\s?|doi\.org/|\barXiv:)\d")
"""A name with initials and a year; volume, number and pages of a journal; a number by which papers are called."""
_ASKS = re.compile(
    r"\b(?:papers?|books?|articles?|references?|literature|bibliograph\w+|cit(?:e[sd]?|ation|ations|ing)|authors?|publi\w+|journals?"
    r"|wrote|written|textbooks?|sources?|reading|reads?|doi|literatur\w*|bücher|buch|artikel|aufs[aä]tz\w*|zitier\w*|quellen?"
    r"|autor\w*|geschrieben|livres?|ouvrages?|auteurs?|libros?|artículos?|autores?|escribió|книг\w*|стать\w+|автор\w*)\b"
    r"|论文|文献|书|作者|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_YEAR_LAST = re.compile(r"\b(?:19|20)\d\d[a-z]?\)?[.:]?\s*\Z")
"""The title of what is cited stands behind the year."""
_CITES = re.compile(r"\b(?:19|20)\d\d\b|://|\bpp?\.\s?\d|\bISBN\b|\bet al\b")
"""What a sentence below such a heading has, else it tells of references (`An alias is bound once.`) or springs."""
_BETWEEN = 3
"""Sentences from one part of an entry to the next at most."""


def asks(question: str) -> bool:
    """Whether a question asks for literature: what is written by whom, where and when."""
    return _ASKS.search(question) is not None


def without_entries(heading: str, units: Sequence[Unit]) -> Sequence[Unit]:
    """The units below a heading, of which those that cite literature say nothing."""
    if _HEADING.fullmatch(heading) and any(unit.kind in LISTED or _CITES.search(unit.reads) for unit in units):
        return [replace(unit, says=False) for unit in units]
    places = [at for at, unit in enumerate(units) if _is_entry(unit.reads)]
    if not places:
        return units
    cited = {*places, *(at + 1 for at in places if _YEAR_LAST.search(units[at].reads))}
    for one, other in pairwise(places):
        if other - one <= _BETWEEN:
            cited.update(range(one, other))
    return [replace(unit, says=unit.says and at not in cited) for at, unit in enumerate(units)]


def _is_entry(text: str) -> bool:
    """Whether a sentence is an entry of such a list. Few texts have what all entries have."""
    if ("19" in text or "20" in text) and _AUTHOR.match(text):
        return True
    if "(" in text and _VOLUME.search(text):
        return True
    return ("doi" in text or "arXiv" in text) and _NUMBER.search(text) is not None
