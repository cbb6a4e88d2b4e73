"""Extractor of family trees (GEDCOM 5.5 to 7): a section for each person and each family.

Events, parents, marriages and children are a sentence each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import Extraction, NoExtraction

_LINE = re.compile(r"[ \t]{0,20}(\d{1,2}) +(?:@([^@\n]{1,40})@ +)?(_?[A-Z][A-Z0-9_]{1,30})(?: (.*))?")
_DEEPEST = 20
_MOST_PARTNERS = 20
"""Maximum partners of a family that are named with each other, and families whose child a person is."""
_EVENTS = {
    "BIRT": "was born", "CHR": "was christened", "BAPM": "was baptized", "CONF": "was confirmed", "DEAT": "died",
    "BURI": "was buried", "CREM": "was cremated", "ADOP": "was adopted", "EMIG": "emigrated", "IMMI": "immigrated",
    "NATU": "was naturalized", "CENS": "was counted in a census", "GRAD": "graduated", "RETI": "retired",
    "RESI": "lived", "ENGA": "became engaged", "MARR": "married", "DIV": "divorced",
}  # fmt: skip
_FACTS = {
    "OCCU": "occupation", "EDUC": "education", "RELI": "religion", "TITL": "title", "NATI": "nationality",
    "PROP": "property", "CAST": "caste", "DSCR": "description", "PHON": "phone", "EMAIL": "e-mail",
    "MARB": "marriage banns", "MARC": "marriage contract", "MARL": "marriage licence", "MARS": "marriage settlement",
    "ANUL": "annulment", "DIVF": "divorce suit",
}  # fmt: skip
_TOLD = frozenset((
    "NAME", "SEX", "FAMC", "FAMS", "HUSB", "WIFE", "CHIL", "DATE", "PLAC", "ADDR", "TYPE", "NICK",
    "NOTE", "SNOTE", "CONT", "CONC", "CHAN", "CREA", "RIN", "REFN", "UID", "_UID", "RESN", "SUBM", "FORM", "FILE",
    "MAP", "QUAY", "AFN", "RFN",
))  # fmt: skip
"""Tags that are written elsewhere or only matter to programs."""
_BARE = ("MARR", "DIV", "DEAT")
"""Events that need no date, place or value."""
_TO_OR_FROM = ("EMIG", "IMMI")
"""Events whose place may be the origin or the destination."""
_SEXES = {"HUSB": "M", "WIFE": "F"}
_MONTHS = {
    "JAN": "January", "FEB": "February", "MAR": "March", "APR": "April", "JUN": "June", "JUL": "July", "MAY": "May",
    "AUG": "August", "SEP": "September", "OCT": "October", "NOV": "November", "DEC": "December",
}  # fmt: skip
_CALENDARS = ("GREGORIAN", "JULIAN")
_NEAR = {
    "ABT": "about", "CAL": "about", "EST": "about", "BEF": "before", "AFT": "after", "FROM": "from", "TO": "until",
    "BET": "between", "AND": "and", "INT": "about",
}  # fmt: skip
_LABELS = {
    "PAGE": "Page", "TEXT": "Text", "TITL": "Title", "RELA": "Relation", "ROLE": "Role", "AGE": "Age", "CAUS": "Cause",
}  # fmt: skip


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
    """Extract the persons and families; a file without persons is plain text."""
    records = _records(text)
    tree = _Tree({record.key: record for record in records if record.key}, len(text))
    composer = Composer()
    for record in records:
        if record.tag == "INDI":
            tree.person(composer, record)
    if composer.is_empty:
        return Extraction(text, warnings=warnings)
    for record in records:
        if record.tag == "FAM":
            tree.family(composer, record)
    for record in records:
        tree.rest(composer, record)
    return composer.extraction(titled=False, warnings=warnings)


build = of_text("genealogy/4", _extract)


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
    """The records of a file by key. A note that several records share is written with the first of them. `left`:
    remaining characters for parents, who are repeated for each child."""

    def __init__(self, records: Mapping[str, _Record], left: int) -> None:
        self._records, self._left = records, left
        self._told = set[int]()
        """Ids (`id()`) of notes that are written."""

    def person(self, composer: Composer, person: _Record) -> None:
        """Write a person: a heading, and a line for each fact."""
        names = [_name(part.text) for part in person.all("NAME")]
        name = next(filter(None, names), "") or "Somebody without a name"
        composer.heading(2, name, apart=True)
        nicknames = (part.first("NICK") for part in person.all("NAME"))
        if others := list(dict.fromkeys(filter(None, (*names[1:], *nicknames)))):
            composer.line(f"{name}, also called {', '.join(others)}.")
        for event in person.parts:
            self._event(composer, name, event)
        for part in islice(person.all("FAMC"), _MOST_PARTNERS):
            family = self._records.get(part.refers) if self._left > 0 else None
            if parents := self._people(family, {"M": "father", "F": "mother"}, "parent"):
                composer.paragraph(f"Parents of {name}: {parents}.")
                self._left -= len(name) + len(parents)
        for note in self._notes(person):
            composer.line(note)

    def family(self, composer: Composer, family: _Record) -> None:
        """Write a family: a heading with its partners, and a line for each fact."""
        partners = list(self._named(family, *_SEXES))
        children = [name for name, _ in self._named(family, "CHIL")]
        if not partners and not children:
            return
        both = " and ".join(name for name, _ in partners) or "Somebody without a name"
        couple = self._people(family, {"M": "husband", "F": "wife"}, "spouse")
        composer.heading(2, both, apart=True)
        if len(partners) > 1 and not any(family.all("MARR")):
            composer.paragraph(f"Partners: {couple}.")
        for event in family.parts:
            self._event(composer, couple if event.tag == "MARR" else both, event)
        if children:
            composer.paragraph(f"{'Child' if len(children) == 1 else 'Children'} of {both}: {', '.join(children)}.")
        for note in self._notes(family):
            composer.line(note)

    def rest(self, composer: Composer, record: _Record) -> None:
        """Write a record that is no person and no family: a source, an archive, an unused note."""
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

    def _event(self, composer: Composer, name: str, event: _Record) -> None:
        """Write an event or fact as a sentence with its notes, then its further details."""
        notes = [folded(note) for note in self._notes(event)]
        if event.tag in _TOLD:
            return
        if event.tag not in ("SOUR", "OBJE") and (event.value.strip() or event.parts or event.tag in _BARE):
            referred = self._records.get(event.refers)
            value = _name(referred.first("NAME")) if referred else "" if event.refers else folded(event.text)
            composer.paragraph(" ".join(filter(None, (_sentence(name, event, value), *notes))))
        for line in self._beside(event):
            composer.paragraph(line)

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

    def _named(self, family: _Record, *tags: str) -> Iterator[tuple[str, str]]:
        """Yield the name and sex (by the tag, if it is not given) of each named member of a family in these roles."""
        parts = family.all(*tags)
        for part in parts if "CHIL" in tags else islice(parts, _MOST_PARTNERS):
            person = self._records.get(part.refers)
            if person is not None and (name := _name(person.first("NAME"))):
                yield name, (person.first("SEX") or _SEXES.get(part.tag, ""))[:1]

    def _people(self, family: _Record | None, roles: Mapping[str, str], otherwise: str) -> str:
        """Return the partners of a family with their roles by sex: `Bo Roe (father) and Ada Stone (mother)`."""
        partners = self._named(family, *_SEXES) if family else ()
        return " and ".join(f"{name} ({roles.get(sex, otherwise)})" for name, sex in partners)

    def _notes(self, record: _Record) -> Iterator[str]:
        for part in record.all("NOTE", "SNOTE"):
            note = self._records.get(part.refers) if part.refers else part
            if note is not None and id(note) not in self._told and (text := note.text.strip("\n")):
                self._told.add(id(note))
                yield text


def _name(written: str) -> str:
    """Return a name without the slashes around the surname."""
    return folded(written.replace("/", " ")).replace(" ,", ",")


def _sentence(name: str, event: _Record, value: str) -> str:
    """Return an event or fact of a person or couple as a sentence, or an empty string for a fact without a value."""
    where, kind = _when_and_where(event), event.first("TYPE")
    value = "" if value == "Y" else value
    if event.tag in _EVENTS:
        extra = value or kind
        return f"{name} {_EVENTS[event.tag]}{where}{f' ({extra})' if extra else ''}."
    label = (kind if value or where else "") or "event" if event.tag in ("EVEN", "FACT") else _FACTS.get(event.tag)
    label = label or event.tag.strip("_")
    statement = f"{value}{where}".strip() or kind
    return f"{label[:1].upper()}{label[1:]} of {name}: {statement}." if statement else ""


def _when_and_where(event: _Record) -> str:
    """Return the date and place of an event, with the space before: ` on 3 May 1871 in Oslo`, ` about 1900`."""
    address = (folded(line) for part in event.all("ADDR") for line in part.text.split("\n") if line.strip())
    written = [word for word in event.first("DATE").split() if word not in _CALENDARS and "@" not in word]
    day = " ".join(_MONTHS.get(word) or _NEAR.get(word, word) for word in written)
    is_exact = bool(written) and (written[0][0].isdigit() or written[0] in _MONTHS)
    before = ("on " if len(written) > 2 else "in ") if is_exact else ""
    place = event.first("PLAC") or ", ".join(address)
    within = ", " if event.tag in _TO_OR_FROM else " in "
    return f"{f' {before}{day}' if day else ''}{f'{within}{place}' if place else ''}"
