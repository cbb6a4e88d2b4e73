"""What changed between editions of a document: what the older and what the newer one say of the same, in that order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from biblicus.answering.quoting.question_terms import question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.scoring import quotable
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading.units import Unit
from biblicus.models.evidence import Evidence
from biblicus.text import editions, kinds

SURE, PERHAPS = 0.8, 0.6
"""How likely that answers, where both editions hold all that is asked about, and where they lack some of it."""
_ASKS = re.compile(
    r"\b(?:what(?: has| have|['’]s)? (?:been )?changed?|what are the changes"
    r"|how (?:did|has|have|was|were|do|does) .{1,120} chang(?:ed?|ing)"
    r"|(?:was|what) hat sich .{0,120}(?:ge|ver)änder\w*|wie (?:hat|haben|wurden?) .{1,120}(?:ge|ver)änder\w*"
    r"|qu['’]est-ce qui (?:a|est) changé|(?:comment|en quoi) .{1,120} (?:changé|évolué)\w*|qu['’]a-t-on changé"
    r"|(?:qué|cómo) (?:ha|han|se ha|se han)? ?(?:.{0,120} )?cambi\w+"
    r"|(?:che cosa|cosa|come) (?:è|sono|ha) .{0,120}cambiat\w+"
    r"|o que mudou|что (?:изменилось|поменялось)|как (?:изменил|поменял)\w+)",
    re.IGNORECASE,
)
"""Asks what changed."""
_ONLY_ASKS = re.compile(
    r"\b(?:chang\w+|(?:ge|ver)änder\w*|sich|beim?|(?:in |the )?(?:number|amount|price list) of"
    r"|(?:die |der )?(?:zahl|anzahl)|évolué\w*|cambi\w+|mud\w+|измен\w+|поменял\w+|between|zwischen|entre|from|since"
    r"|seit|depuis|desde|first|second|last|old|new|alte\w?|neue\w?|editions?|versions?|t)\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_ALIKE = 0.4
"""Of the words of two sentences, the share that both have, at least: they say the same of something."""
_MOST_EDITIONS = 4
_HALF = 0.5


class Changed(NamedTuple):
    """Sentences of editions, the older before the newer, each with its section; and how likely they answer."""

    groups: list[tuple[Section, list[Unit]]]
    sure: float


class _Place(NamedTuple):
    """A unit that says something. `words`: its words; `terms`: those of the question, and of its heading."""

    section: Section
    unit: Unit
    words: frozenset[str]
    terms: frozenset[str]

    def likeness(self, other: _Place) -> float:
        return len(self.words & other.words) / (len(self.words | other.words) or 1)


def asks_change(question: str) -> bool:
    """Whether it is asked what changed."""
    return _ASKS.search(question) is not None


def told(question: str, evidence: Sequence[Evidence], most: int) -> Changed | None:
    """What editions of the document that is asked about say of what is asked, or where they differ, where the question
    names only the document; None where no change is asked for, or none is told."""
    documents = _documents(question, evidence) if asks_change(question) else {}
    if not documents:
        return None
    pieces = {id(piece): document for document, ofs in documents.items() for piece in ofs}
    units: dict[str, dict[str, list[_Place]]] = {document: {} for document in documents}
    stemmer = stemmer_for(evidence[0].language, [piece.language for piece in evidence])
    reading = question_terms(question, stemmer)
    for section in quotable(question, [piece for ofs in documents.values() for piece in ofs]):
        if (document := pieces.get(id(section.piece))) is not None:
            above = terms_in(f"{section.heading}", reading)
            places = [
                _Place(section, unit, frozenset(_WORD.findall(unit.reads.casefold())),
                       frozenset((*terms_in(unit.reads, reading), *above)))
                for unit in section.units
                if unit.says
            ]  # fmt: skip
            units[document].setdefault(section.piece.path, []).extend(places)
    telling = frozenset(question_terms(_ONLY_ASKS.sub(" ", question), stemmer).terms)
    best: Changed | None = None
    for document, of_paths in units.items():
        called = " ".join(f"{piece.title or ''} {piece.path}".replace("/", " ") for piece in documents[document])
        name = frozenset(terms_in(called, reading))
        ordered = [of_paths[path] for path in _in_order(question, documents[document]) if of_paths.get(path)]
        topic = telling - name
        changed = _of_topic(topic, ordered, most) if topic else _differences(ordered, most) if telling & name else None
        if changed is not None and (best is None or changed.sure > best.sure):
            best = changed
    return best


def _documents(question: str, evidence: Sequence[Evidence]) -> Mapping[str, list[Evidence]]:
    """The pieces of documents of which several editions were found, by the document; where the question names years or
    versions, only of those editions that it names, if these are several."""
    documents: dict[str, list[Evidence]] = {}
    for piece in evidence:
        if piece.doctype != "code" and kinds.of_path(piece.path) != kinds.RELEASE:
            documents.setdefault(editions.of_path(piece.path).of, []).append(piece)
    several = {document: ofs for document, ofs in documents.items() if len({piece.path for piece in ofs}) > 1}
    named = {
        document: [piece for piece in ofs if editions.is_named(question, editions.of_path(piece.path))]
        for document, ofs in several.items()
    }
    both = {document: ofs for document, ofs in named.items() if len({piece.path for piece in ofs}) > 1}
    return both or several


def _in_order(question: str, pieces: Sequence[Evidence]) -> list[str]:
    """The paths of the editions, the oldest first, one of each."""
    by_edition: dict[tuple[object, ...], str] = {}
    called = {path: editions.of_path(path) for path in sorted({piece.path for piece in pieces})}
    by_age = sorted(
        called.items(), key=lambda one: (one[1].standing == 1, one[1].years, one[1].version, one[1].standing)
    )
    for path, edition in by_age:
        by_edition.setdefault((edition.years, edition.version, edition.standing), path)
    return [*by_edition.values()][-_MOST_EDITIONS:]


def _of_topic(topic: frozenset[str], ordered: Sequence[Sequence[_Place]], most: int) -> Changed | None:
    """What each edition says of a topic, where they say it alike and not all the same."""
    if len(ordered) < 2:
        return None
    newest = max(ordered[-1], key=lambda place: len(place.terms & topic))
    share = len(newest.terms & topic) / len(topic)
    if share < _HALF:
        return None
    chain = [newest]
    for places in reversed(ordered[:-1]):
        same = [place for place in places if place.terms & topic >= newest.terms & topic]
        alike = max(same, key=newest.likeness, default=newest)
        if newest.likeness(alike) >= _ALIKE and alike.words != chain[0].words:
            chain.insert(0, alike)
    if len(chain) < 2:
        return None
    while len(chain) > 2 and sum(place.unit.words for place in chain) > most:
        del chain[0]
    return Changed([(place.section, [place.unit]) for place in chain], SURE if share == 1 else PERHAPS)


def _differences(ordered: Sequence[Sequence[_Place]], most: int) -> Changed | None:
    """Where the two newest editions differ, as much as fits."""
    if len(ordered) < 2:
        return None
    pairs = [*_pairs(*ordered[-2:])]
    groups, room = list[tuple[Section, list[Unit]]](), most
    for older, newer in pairs:
        room -= older.unit.words + newer.unit.words
        if room < 0:
            break
        groups += [(older.section, [older.unit]), (newer.section, [newer.unit])]
    return Changed(groups, SURE) if groups else None


def _pairs(older: Sequence[_Place], newer: Sequence[_Place]) -> Iterator[tuple[_Place, _Place]]:
    """The units that say the same of something otherwise, in their order."""
    same = {place.words for place in older}
    for place in newer:
        if place.words in same:
            continue
        alike = max(older, key=place.likeness, default=place)
        if alike is not place and place.likeness(alike) >= _ALIKE:
            yield alike, place
