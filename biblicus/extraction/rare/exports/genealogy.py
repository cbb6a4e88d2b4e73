"""Extractor of family trees (GEDCOM 5.5 to 7): a section for each person.

Events, parents, marriages and children are a sentence each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import Extraction, NoExtraction

_LINE = re.compile(r"[ \t]{0,20}(\d{1,2}) +(?:@([^@\n]{1,40})@ +)?(_?[A-Z][A-Z0-9_]{1,30})(?: (.*))?")
_DEEPEST = 20
_MOST_PARTNERS = 20
"""Maximum spouses of a family that are named with each other."""
_TOLD_AGAIN = 100_000
"""Characters by which repeated text may exceed four times the file; real family trees need less."""
_EVENTS = {
    "BIRT": "was born", "CHR": "was christened", "BAPM": "was baptized", "CONF": "was confirmed", "DEAT": "died",
    "BURI": "was buried", "CREM": "was cremated", "ADOP": "was adopted", "EMIG": "emigrated", "IMMI": "immigrated",
    "NATU": "was naturalized", "CENS": "was counted in a census", "GRAD": "graduated", "RETI": "retired",
    "RESI": "lived", "ENGA": "was engaged",
}  # fmt: skip
_FACTS = {
    "OCCU": "occupation", "EDUC": "education", "RELI": "religion", "TITL": "title", "NATI": "nationality",
    "PROP": "property", "CAST": "caste", "DSCR": "description", "PHON": "phone", "EMAIL": "e-mail",
}  # fmt: skip
_OF_FAMILIES = {
    "ENGA": "engagement", "MARB": "marriage banns", "MARC": "marriage contract", "MARL": "marriage licence",
    "MARS": "marriage settlement", "ANUL": "annulment", "DIVF": "divorce suit",
}  # fmt: skip
_TOLD = frozenset((
    "NAME", "SEX", "FAMC", "FAMS", "HUSB", "WIFE", "CHIL", "MARR", "DIV", "DATE", "PLAC", "ADDR", "TYPE", "CAUS",
    "NICK", "NOTE", "SNOTE", "CONT", "CONC", "CHAN", "CREA", "RIN", "REFN", "UID", "_UID", "RESN", "SUBM", "FORM",
    "FILE", "MAP", "QUAY", "AFN", "RFN",
))  # fmt: skip
"""Tags that are written elsewhere or only matter to programs."""
_SEXES = {"HUSB": "M", "WIFE": "F"}
_WITHOUT_IN = ("EMIG", "IMMI")
"""Events whose place may be the origin or the destination."""
_MONTHS = {
    "JAN": "January", "FEB": "February", "MAR": "March", "APR": "April", "JUN": "June", "JUL": "July", "MAY": "May",
    "AUG": "August", "SEP": "September", "OCT": "October", "NOV": "November", "DEC": "December",
}  # fmt: skip
_NEAR = {"ABT": "about", "CAL": "about", "EST": "about", "BEF": "before", "AFT": "after", "FROM": "from", "TO": "until"}
_CALENDAR = re.compile(r"@#D(?:GREGORIAN|JULIAN|FRENCH R|HEBREW|ROMAN|UNKNOWN)@ *|\b(?:GREGORIAN|JULIAN) ")
_BETWEEN = re.compile(r"BET (.+) AND (.+)")
_PHRASE = re.compile(r"(?:INT (?P<day>[^(]+))?\((?P<words>.*)\)")


_LABELS = {"PAGE": "Page", "TEXT": "Text", "TITL": "Title", "RELA": "Relation", "ROLE": "Role", "AGE": "Age"}


class _Record(NamedTuple):
    """A line with its subordinate lines. `key`: the id by which other records refer to it."""

    tag: str
    value: str
    key: str
    parts: list[_Record]

    def all(self, *tags: str) -> Iterator[_Record]:
        return (part for part in self.parts if part.tag in tags)

    def first(self, tag: str) -> str:
        return next((folded(part.text) for part in self.all(tag)), "")

    @property
    def text(self) -> str:
        """The value with its continuation lines."""
        continued = (("\n" if part.tag == "CONT" else "") + part.value for part in self.all("CONT", "CONC"))
        return (self.value + "".join(continued)).replace("@@", "@")

    @property
    def refers(self) -> str:
        """The key of the record that the value refers to, or an empty string."""
        value = self.value.strip()
        return value[1:-1] if len(value) > 2 and value[0] == value[-1] == "@" and value != "@VOID@" else ""


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the persons; a file without any is plain text."""
    records = _records(text)
    tree = _Tree({record.key: record for record in records if record.key}, 4 * len(text) + _TOLD_AGAIN)
    composer = Composer()
    for record in records:
        if record.tag == "INDI":
            tree.write(composer, record)
    if composer.is_empty:
        return Extraction(text, warnings=warnings)
    for record in records:
        tree.write_rest(composer, record)
    return composer.extraction(titled=False, warnings=warnings)


build = of_text("genealogy/1", _extract)


def _records(text: str) -> list[_Record]:
    """Return the records in order. A line without a level continues the one before."""
    root = _Record("", "", "", [])
    around = [root]
    for line in text.lstrip("\ufeff").splitlines():
        match = _LINE.fullmatch(line.rstrip("\r\n"))
        if match is None:
            if len(around) > 1 and line.strip():
                around[-1].parts.append(_Record("CONT", line, "", []))
            continue
        level = min(int(match[1]), len(around) - 1, _DEEPEST)
        record = _Record(match[3], match[4] or "", match[2] or "", [])
        del around[level + 1 :]
        around[-1].parts.append(record)
        around.append(record)
    return root.parts


class _Tree:
    """The records of a file by key. `left`: remaining characters for families and shared notes that are repeated for
    each person."""

    def __init__(self, records: Mapping[str, _Record], left: int) -> None:
        self._records = records
        self._left = left
        self._told = set[int]()
        """Ids (`id()`) of records written in full."""

    def write(self, composer: Composer, person: _Record) -> None:
        """Write a person: a heading, and a line for each fact."""
        names = [_name(part.text) for part in person.all("NAME")]
        name = next(filter(None, names), "") or "Somebody without a name"
        composer.heading(2, name, apart=True)
        if others := list(dict.fromkeys(filter(None, (*names[1:], *(_nick(part) for part in person.all("NAME")))))):
            composer.line(f"{name}, also called {', '.join(others)}.")
        for event in person.parts:
            for line in self._event(name, event):
                composer.paragraph(line)
        for line in self._again(self._parents(name, family) for family in self._named(person, "FAMC")):
            composer.paragraph(line)
        for family in self._named(person, "FAMS"):
            for line in self._of_family(name, person, family):
                composer.paragraph(line)
        for note in self._notes(person):
            composer.line(note)

    def write_rest(self, composer: Composer, record: _Record) -> None:
        """Write a record that is no person: a source, an archive, an unused note."""
        if record.tag in ("NOTE", "SNOTE") and id(record) not in self._told:
            composer.paragraph(record.text)
        elif record.tag == "HEAD":
            for note in self._notes(record):
                composer.paragraph(note)
        elif record.tag in ("SOUR", "REPO", "OBJE", "SUBM"):
            heads = ("TITL", "NAME", "AUTH", "PUBL")
            composer.paragraph("; ".join(filter(None, map(record.first, heads))))
            for line in (*self._notes(record), *self._beside(record, heads)):
                composer.line(line)

    def _event(self, name: str, event: _Record, is_of_two: bool = False) -> Iterator[str]:
        """Yield an event or fact as a sentence with its notes, then its further details."""
        notes = [folded(note) for note in self._notes(event)]
        if event.tag not in _TOLD:
            if event.tag not in ("SOUR", "OBJE"):
                referred = self._records.get(event.refers)
                sentence = _event(
                    name, event, _name(referred.first("NAME")) if referred else "", bool(notes), is_of_two
                )
                yield " ".join(filter(None, (sentence, *notes)))
            yield from self._beside(event)

    def _beside(self, record: _Record, but: Sequence[str] = ()) -> Iterator[str]:
        """Yield the details of a record that are not written elsewhere, each with its label."""
        if record.tag == "SOUR" and folded(record.text) and not record.refers and record.key == "":
            yield f"Source: {folded(record.text)}"
        for part in record.parts:
            if part.tag in _TOLD or part.tag in but:
                continue
            if part.tag != "SOUR" and (value := folded(part.text)) and not part.refers:
                yield f"{_LABELS.get(part.tag, part.tag.strip('_'))}: {value}"
            yield from self._notes(part)
            yield from self._beside(part)

    def _again(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines while the limit of repeated text is not reached."""
        if self._left > 0:
            for line in lines:
                yield line
                self._left -= len(line)
                if self._left <= 0:
                    return

    def _of_family(self, name: str, person: _Record, family: _Record) -> Iterator[str]:
        """Yield the lines of a family, completely the first time even beyond the limit."""
        if id(family) in self._told:
            yield from self._again(self._married(name, person, family))
        else:
            self._told.add(id(family))
            for line in self._married(name, person, family):
                yield line
                self._left -= len(line)

    def _named(self, record: _Record, *tags: str) -> Iterator[_Record]:
        """Yield the records that lines with these tags refer to."""
        return (self._records[part.refers] for part in record.all(*tags) if part.refers in self._records)

    def _people(self, family: _Record, *tags: str) -> list[tuple[str, _Record]]:
        """Return the named members of a family in these roles, each with the role."""
        named = ((part.tag, self._records.get(part.refers)) for part in family.all(*tags))
        named_people = ((tag, person) for tag, person in named if person is not None and _name(person.first("NAME")))
        return list(named_people if "CHIL" in tags else islice(named_people, _MOST_PARTNERS))

    def _parents(self, name: str, family: _Record) -> str:
        roles = {"husband": "father", "wife": "mother", "spouse": "parent"}
        parents = [
            f"{_name(person.first('NAME'))} ({roles[_role(tag, person)]})"
            for tag, person in self._people(family, *_SEXES)
        ]
        return f"Parents of {name}: {' and '.join(parents)}." if parents else ""

    def _married(self, name: str, person: _Record, family: _Record) -> Iterator[str]:
        """Yield a person's marriages with date and place, and the children."""
        partners = self._people(family, *_SEXES)
        others = [
            (_role(tag, partner), _name(partner.first("NAME"))) for tag, partner in partners if partner is not person
        ]
        both = " and ".join((name, *(partner for _, partner in others)))
        possessive = {"M": "his", "F": "her"}.get(person.first("SEX")[:1])
        for role, partner in others:
            for wedding in family.all("MARR"):
                then = _when_and_where(wedding)
                whose = possessive or (
                    "their" if person.first("SEX") else {"husband": "her", "wife": "his"}.get(role, "their")
                )
                notes = "".join(f" {folded(note)}" for note in self._notes(wedding))
                yield f"{name} married {partner}, {whose} {role}{',' if then else ''}{then}.{notes}"
            if next(family.all("MARR"), None) is None:
                yield f"{role.capitalize()} or partner of {name}: {partner}."
            for end in family.all("DIV"):
                yield f"{name} and {partner} were divorced{_when_and_where(end)}."
        for event in family.parts:
            yield from self._event(both, event, is_of_two=True)
        if children := [_name(child.first("NAME")) for _, child in self._people(family, "CHIL")]:
            yield f"{'Child' if len(children) == 1 else 'Children'} of {both}: {', '.join(children)}."
        yield from self._notes(family)

    def _notes(self, record: _Record) -> Iterator[str]:
        for part in record.all("NOTE", "SNOTE"):
            note = self._records.get(part.refers) if part.refers else part
            if note is None or (id(note) in self._told and self._left <= 0):
                continue
            self._told.add(id(note))
            if text := note.text.strip("\n"):
                self._left -= len(text)
                yield text


def _name(written: str) -> str:
    """Return a name without the slashes around the surname."""
    return folded(written.replace("/", " ")).replace(" ,", ",")


def _role(tag: str, person: _Record) -> str:
    """Return the role in a family by the person's sex, or else by the tag: `husband`, `wife` or `spouse`."""
    return {"M": "husband", "F": "wife"}.get((person.first("SEX") or _SEXES[tag])[:1], "spouse")


def _nick(name: _Record) -> str:
    return name.first("NICK")


def _event(name: str, event: _Record, whom: str, has_notes: bool, is_of_two: bool) -> str:
    """Return an event or fact as a sentence, or an empty string if it has no date, place or value."""
    where, kind = _when_and_where(event), event.first("TYPE")
    value = whom if event.refers else "" if event.value.strip() == "Y" else folded(event.text)
    if event.tag in _EVENTS and not is_of_two:
        extra = value or kind
        is_told = where or extra or event.value.strip() or event.tag == "DEAT" or has_notes
        cause = event.first("CAUS")
        sentence = f"{name} {_EVENTS[event.tag]}{where}{f' ({extra})' if extra else ''}"
        return f"{sentence}{f', of {cause}' if cause else ''}." if is_told else ""
    statement = f"{value}{where}".strip(", ")
    label = (_OF_FAMILIES if is_of_two else _FACTS).get(
        event.tag, "event" if event.tag in ("EVEN", "FACT") else event.tag.strip("_")
    )
    if event.tag in ("EVEN", "FACT") and statement:
        label = kind or label
    statement = statement or kind
    return f"{label[:1].upper()}{label[1:]} of {name}: {statement}." if statement else ""


def _when_and_where(event: _Record) -> str:
    """Return the date and place of an event, with the space before."""
    day, place = _day(event.first("DATE")), event.first("PLAC") or ", ".join(_address(event))
    before = ", " if event.tag in _WITHOUT_IN else " in "
    return f"{f' {day}' if day else ''}{f'{before}{place}' if place else ''}"


def _address(event: _Record) -> Sequence[str]:
    return [folded(line) for part in event.all("ADDR") for line in part.text.split("\n") if line.strip()]


def _day(written: str) -> str:
    """Return a GEDCOM date in words: `on 3 May 1871`, `about 1900`, `between 1880 and 1882`."""
    written = _CALENDAR.sub("", written).strip()
    if phrase := _PHRASE.fullmatch(written):
        return _day(phrase["day"] or "") or phrase["words"]
    if between := _BETWEEN.fullmatch(written):
        return f"between {_spelt(between[1])} and {_spelt(between[2])}"
    first, _, rest = written.partition(" ")
    if first in _NEAR and rest:
        since, _, until = rest.partition(" TO ")
        return f"{_NEAR[first]} {_spelt(since)}{f' until {_spelt(until)}' if until else ''}"
    if not any(map(str.isdigit, written)):
        return written
    return f"{'on' if len(written.split()) > 2 and first.isdigit() else 'in'} {_spelt(written)}"


def _spelt(day: str) -> str:
    """Return a date with the month's full name."""
    return " ".join(_MONTHS.get(word, word) for word in day.split())
