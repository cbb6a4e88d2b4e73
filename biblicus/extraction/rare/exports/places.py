"""Extractor of places and routes (KML, GPX): each with its notes and coordinates.

The points of recorded tracks are left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.guards import xml
from biblicus.models.extraction import Extraction, NoExtraction

_POINTS = (("<trkseg", "</trkseg>"), ("<gx:Track", "</gx:Track>"))
_WITHIN = re.compile(r"</?(?:a|b|i|u|em|strong|span|font)\b[^<>]{0,2000}>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,2000}>")
_PLACES = {
    "Placemark", "GroundOverlay", "ScreenOverlay", "PhotoOverlay", "NetworkLink", "Tour", "wpt", "rte", "trk", "rtept",
}  # fmt: skip
_NOTED = ("description", "desc", "cmt", "Snippet", "address", "phoneNumber", "type", "keywords", "sym", "time")
_LEADS = ("link", "Link", "url", "urlname", "author", "TimeStamp", "TimeSpan")
_OF_A_LEAD = {"href", "text", "name", "when", "begin", "end"}
_FOLDERS = ("Folder", "Document", "kml", "gpx")


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the places; a malformed document is plain text."""
    composer = Composer()
    title = _write(composer, xml.read(_without_points(text), named_entities=True), 0)
    if composer.is_empty:
        composer.line(title)
    otherwise = Extraction(text, warnings=warnings)
    return composer.extraction(title=title, titled=False, warnings=warnings, otherwise=otherwise)


build = of_text("places/1", _extract, guarded=True)


def _without_points(text: str) -> str:
    for begins, ends in _POINTS:
        first, *others = text.split(begins)
        parts = [first]
        for part in others:
            _, is_closed, rest = part.partition(ends)
            parts.append(rest if is_closed else begins + part)
        text = "".join(parts)
    return text


def _write(composer: Composer, folder: Element, depth: int) -> str:
    """Write the content of a folder. Returns the name of the outermost named folder."""
    title = ""
    about = next((part for part in folder if _name(part) == "metadata"), folder)
    name, notes = _said(about, "name"), [*(_said(about, noted) for noted in _NOTED), *_more(about)]
    if depth and title != name:
        composer.heading(depth, name)
    else:
        title = name
    for note in filter(None, notes):
        composer.paragraph(f"{name}: {note}" if name and not depth else note)
    for part in folder:
        if _name(part) in _PLACES:
            if line := _place(part):
                composer.line(line)
            for stop in part:
                if _name(stop) in _PLACES and (line := _place(stop)):
                    composer.line(line)
    for part in folder:
        if _name(part) in _FOLDERS:
            inner = _write(composer, part, depth + bool(title or name))
            title = title or inner
    return title


def _place(place: Element) -> str:
    """Return a place as a line: name, notes and coordinates."""
    name, notes = _said(place, "name"), [_said(place, noted) for noted in _NOTED]
    if height := _said(place, "ele"):
        notes.append(f"elevation: {height} m")
    notes_of_it = list(dict.fromkeys(filter(None, (name, *notes, *_more(place)))))
    return " | ".join((*notes_of_it, *filter(None, (_where(place),)))) if notes_of_it else ""


def _more(place: Element) -> Iterator[str]:
    """Yield the custom fields, links, times and authors of a place."""
    for part in place:
        if _name(part) in ("ExtendedData", "extensions"):
            for pair in part.iter():
                value = folded(pair.text or "") or _said(pair, "value")
                if value and _name(pair) not in ("value", "displayName"):
                    yield f"{_said(pair, 'displayName') or pair.get('name') or _name(pair)}: {value}"
        elif _name(part) in _LEADS:
            lead_texts = (part.get("href", ""), folded(part.text or ""))
            within = (folded(value.text or "") for value in part.iter() if _name(value) in _OF_A_LEAD)
            yield " ".join(filter(None, (*lead_texts, *within)))


def _where(place: Element) -> str:
    """Return the coordinates of a point as latitude and longitude, or an empty string."""
    if "lat" in place.attrib:
        return f"at: {place.get('lat')}, {place.get('lon')}"
    points = [_said(point, "coordinates").split(",") for point in place.iter() if _name(point) == "Point"]
    places = dict.fromkeys(f"{point[1].strip()}, {point[0].strip()}" for point in points if len(point) > 1)
    return f"at: {'; '.join(places)}" if places else ""


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _said(element: Element, name: str) -> str:
    """Return the text of a child element by its name, without markup."""
    part = next((part for part in element if _name(part) == name), None)
    return folded(html.unescape(_TAG.sub(" ", _WITHIN.sub("", part.text or "")))) if part is not None else ""
