"""Extractor of calendars (iCalendar, RFC 5545) and contacts (vCard 2.1 to 4.0, RFC 6350).

Each event, task or contact is a section under its name: a summary line, then its notes. Dates are ISO 8601.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import Extraction, NoExtraction

_FOLD = re.compile(r"\r?\n[ \t]")
_SOFT_BREAK = re.compile(r"=\r?\n")
_LINE = re.compile(r"(?:[\w-]{1,60}\.)?([A-Za-z-]{1,60})((?:;(?:[^\":;\r\n]|\"[^\"\r\n]*\")*)*):(.*)")
_PARAMETER = re.compile(r";([\w-]+)(?:=((?:[^\":;]|\"[^\"]*\")*))?")
_ESCAPED = re.compile(r"\\([\\;,nN])")
_BETWEEN = re.compile(r"(?<!\\);")
_MOMENT = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?\d{2})?(Z?))?")
_THINGS = {"VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Journal", "VCARD": "Contact"}
_EVERY = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_ON_DAY = re.compile("([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)")
_WHICH = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last"}
_NARROWED = frozenset(("BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "BYWEEKNO", "BYYEARDAY"))
_OF_MONTH = re.compile(r"\d{1,2}(?:,\d{1,2}){0,30}")
_LASTS = re.compile(r"\+?P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?")
_OF_A_CONTACT = (
    ("ORG", "organization"), ("TITLE", "title"), ("ROLE", "role"), ("NICKNAME", "nickname"), ("TEL", "phone"),
    ("EMAIL", "e-mail"), ("IMPP", "messaging"), ("ADR", "address"), ("BDAY", "birthday"),
    ("ANNIVERSARY", "anniversary"), ("URL", "web"), ("CATEGORIES", "categories"),
)  # fmt: skip
_MOST_EXCEPTIONS = 200
_SHORT = 12
"""Maximum words of a note in a contact's summary line."""
_NOT_SAID = frozenset(("PREF", "INTERNET", "VOICE", "QUOTED-PRINTABLE", "UTF-8"))
"""Types of an address or number that have no use in text."""


class _Property(NamedTuple):
    """A property. `parameters`: values by name in capitals; one without a value has its own name as key."""

    parameters: Mapping[str, str]
    value: str

    @property
    def text(self) -> str:
        return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], self.value).strip()

    @property
    def parts(self) -> list[str]:
        """The parts between semicolons, as in a name or an address."""
        parts = (self._replace(value=part).text for part in _BETWEEN.split(self.value))
        return [folded(part) for part in parts if part]

    @property
    def kind(self) -> str:
        """The purpose of a number or address: `cell`, `work`."""
        details = [self.parameters.get("TYPE", ""), *(name for name, value in self.parameters.items() if not value)]
        names = [name.strip('" ').upper() for names in details for name in names.split(",")]
        return ", ".join(name.lower() for name in names if name and name not in _NOT_SAID)


Properties = dict[str, list[_Property]]


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the entries; a file without events, tasks or contacts is plain text."""
    composer, title, count = Composer(), None, 0
    for kind, properties in _things(text):
        if kind == "VCALENDAR":
            title = title or _first(properties, "X-WR-CALNAME") or None
            continue
        name = _name(properties) if kind == "VCARD" else folded(_first(properties, "SUMMARY"))
        count += 1
        composer.heading(1, name or _THINGS[kind], apart=True)
        (_contact if kind == "VCARD" else _event)(composer, name or _THINGS[kind], properties)
    if composer.is_empty:
        return Extraction(text, warnings=warnings)
    nothing = NoExtraction("empty", "it holds nothing")
    return composer.extraction(title=title, warnings=warnings, otherwise=nothing, titled=count == 1)


build = of_text("icalendar/6", _extract)


def _things(text: str) -> Iterator[tuple[str, Properties]]:
    """Yield the events, tasks and contacts with their properties, the calendar itself last."""
    if "QUOTED-PRINTABLE" in text.upper():
        text = _SOFT_BREAK.sub("", text)
    open_things: list[tuple[str, Properties]] = []
    for line in _FOLD.sub("", text).splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        name, value = match[1].upper(), match[3]
        if name == "BEGIN":
            open_things.append((value.strip().upper(), {}))
        elif name == "END" and open_things:
            kind, properties = open_things.pop()
            if kind in _THINGS or kind == "VCALENDAR":
                yield kind, properties
        elif open_things:
            parameters = {key.upper(): parameter for key, parameter in _PARAMETER.findall(match[2])}
            if "QUOTED-PRINTABLE" in (parameters.get("ENCODING", "").upper(), *parameters):
                value = quopri.decodestring(value.encode("utf-8", "replace")).decode("utf-8", "replace")
            open_things[-1][1].setdefault(name, []).append(_Property(parameters, value))


def _first(properties: Properties, name: str) -> str:
    return properties[name][0].text if name in properties else ""


# --- events ----------------------------------------------------------------------------------------------------------


def _event(composer: Composer, name: str, properties: Properties) -> None:
    details = [_when(properties), folded(_first(properties, "LOCATION"))]
    if due := _moment(properties, "DUE"):
        details.append(f"due {due}")
    if (status := _first(properties, "STATUS").upper()) in ("CANCELLED", "COMPLETED", "TENTATIVE"):
        details.append(status.lower())
    if any(details):
        composer.line(f"{name}: {', '.join(filter(None, details))}.")
    if every := _repeats(_first(properties, "RRULE")):
        composer.line(f"Repeats: {every}")
    if instead := _moment(properties, "RECURRENCE-ID"):
        composer.line(f"Instead of: {instead}")
    for key, label in (("EXDATE", "Not on"), ("RDATE", "Also on")):
        if days := _moments(properties, key):
            composer.line(f"{label}: {', '.join(days)}")
    organizers, others = (
        list(dict.fromkeys(filter(None, map(_person, properties.get(key, ()))))) for key in ("ORGANIZER", "ATTENDEE")
    )
    for label, people in (("Organizer", organizers), ("With", others)):
        if people:
            composer.line(f"{label}: {', '.join(people)}")
    for key, label in (("CATEGORIES", "Categories"), ("URL", "Web")):
        if value := folded(_first(properties, key)):
            composer.line(f"{label}: {value}")
    composer.paragraph(_first(properties, "DESCRIPTION"))


def _when(properties: Properties) -> str:
    """Return the period of an event: `2025-03-14 14:30–15:00 (Europe/Berlin)` or `2025-04-01 to 2025-04-03`."""
    start, end = _moment(properties, "DTSTART"), _moment({**_ended(properties), **properties}, "DTEND", is_end=True)
    if not start or not end or end == start or (" " not in end and end < start):
        return start
    (day, *time), (last, *until) = start.split(" ", 1), end.split(" ", 1)
    if day == last and time and until:
        hours, zone = time[0].partition(" ")[::2]
        return f"{day} {hours}–{until[0].partition(' ')[0]}{' ' if zone else ''}{zone}"
    return f"{start} to {end}"


def _ended(properties: Properties) -> Properties:
    """Return the end of an event computed from its duration, as a property in the format of its start."""
    begins, lasts = (properties.get(name, [_Property({}, "")])[0] for name in ("DTSTART", "DURATION"))
    match, length = _MOMENT.match(begins.value.strip()), _LASTS.fullmatch(lasts.value.strip().upper())
    if match is None or length is None:
        return {}
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in length.groups())
    try:
        year, month, day, hour, minute = (int(number or 0) for number in match.groups()[:5])
        moment = datetime(year, month, day, hour, minute)
        moment += timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except (ValueError, OverflowError):
        return {}
    written = f"{moment:%Y%m%d}" if match[4] is None else f"{moment:%Y%m%dT%H%M%S}{match[6]}"
    return {"DTEND": [begins._replace(value=written)]}


def _moment(properties: Properties, name: str, *, is_end: bool = False) -> str:
    """Return a date or time: `2025-03-14 14:30 (Europe/Berlin)`. `is_end`: a whole day is the day before the stored
    one."""
    if name not in properties or (match := _MOMENT.match(properties[name][0].value.strip())) is None:
        return ""
    year, month, day, hour, minute, utc = match.groups()
    if hour is None:
        try:
            return (date(int(year), int(month), int(day)) - timedelta(days=is_end)).isoformat()
        except (ValueError, OverflowError):
            return match[0]
    zone = properties[name][0].parameters.get("TZID", "").strip('"')
    return f"{year}-{month}-{day} {hour}:{minute}" + (" (UTC)" if utc else f" ({zone})" if zone else "")


def _moments(properties: Properties, name: str) -> list[str]:
    """Return the dates or times that a series excludes or adds."""
    values = [
        entry._replace(value=value) for entry in properties.get(name, ()) for value in entry.value.split(",") if value
    ]
    return list(filter(None, (_moment({name: [value]}, name) for value in values[:_MOST_EXCEPTIONS])))


def _repeats(rule: str) -> str:
    """Return a recurrence rule in words: `every 2 weeks on Tuesday, Thursday until 2025-06-01`."""
    parts = dict(part.split("=", 1) for part in rule.upper().split(";") if "=" in part)
    if (unit := _EVERY.get(parts.get("FREQ", ""))) is None:
        return ""
    count, until = parts.get("INTERVAL", "1"), _MOMENT.match(parts.get("UNTIL", ""))
    every = (f"every {unit}" if count == "1" else f"every {count} {unit}s") + _on_days(parts)
    if until:
        return f"{every} until {until[1]}-{until[2]}-{until[3]}"
    return f"{every}, {parts['COUNT']} times" if "COUNT" in parts else every


def _on_days(parts: Mapping[str, str]) -> str:
    """Return the days of a rule: ` on Tuesday, Thursday`, ` on the second Tuesday`, ` on day 15`; empty for complex
    rules."""
    if len(_NARROWED.intersection(parts)) > 1:
        return ""
    days = [_ON_DAY.fullmatch(day) for day in dict.fromkeys(parts.get("BYDAY", "").split(","))]
    if all(days):
        named = [(_WHICH.get(day[1].lstrip("+") if day[1] else "", ""), _DAYS[day[2]]) for day in days if day]
        return f" on {', '.join(f'the {which} {day}' if which else day for which, day in named)}"
    of_month = parts.get("BYMONTHDAY", "")
    return f" on day {of_month.replace(',', ', ')}" if _OF_MONTH.fullmatch(of_month) else ""


def _person(one: _Property) -> str:
    return one.parameters.get("CN", "").strip('"') or re.sub(r"(?i)^mailto:", "", one.text)


# --- contacts --------------------------------------------------------------------------------------------------------


def _name(properties: Properties) -> str:
    """Return the formatted name, else given and family name, else the organization."""
    if written := folded(_first(properties, "FN")):
        return written
    parts = _BETWEEN.split(properties["N"][0].value) if "N" in properties else []
    family, given_name = (_Property({}, part).text for part in [*parts, "", ""][:2])
    return folded(f"{given_name} {family}") or ", ".join(properties["ORG"][0].parts if "ORG" in properties else ())


def _contact(composer: Composer, name: str, properties: Properties) -> None:
    details = [name]
    for key, label in _OF_A_CONTACT:
        for entry in properties.get(key, ()):
            value = ", ".join(entry.parts) if key in ("ORG", "ADR") else folded(entry.text)
            if key in ("BDAY", "ANNIVERSARY") and (day := _MOMENT.match(value)):
                value = f"{day[1]}-{day[2]}-{day[3]}"
            if value and value != name:
                details.append(f"{label}{f' ({entry.kind})' if entry.kind else ''}: {value}")
    notes: Sequence[str] = [entry.text for entry in properties.get("NOTE", ())]
    details += [f"note: {folded(note)}" for note in notes if len(note.split()) <= _SHORT]
    composer.line(f"{'; '.join(details)}.")
    for note in notes:
        if len(note.split()) > _SHORT:
            composer.paragraph(note)
