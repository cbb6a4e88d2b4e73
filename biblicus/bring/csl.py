"""Reads CSL-JSON as exported by Zotero and others: each entry becomes a reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from biblicus.bring.reference import Reference, arxiv_of, day_of, doi_of
from biblicus.errors import BadData
from biblicus.guards import json
from biblicus.models.manifest import Note

_LARGEST = 64 << 20
_LONGEST = 4_000
_MOST_AUTHORS = 500


def references_in(text: str) -> tuple[list[Reference], list[Note]]:
    """Return the entries in order, and invalid ones by number. Raises `BadData` if it is not a list of entries."""
    value = json.read(text, max_bytes=_LARGEST)
    entries = value.get("items") if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise BadData("It is JSON, but no list of references.", "export it as CSL-JSON")
    references: list[Reference] = []
    failed: list[Note] = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, dict) and (reference := _reference(entry, number)).key:
            references.append(reference)
        else:
            failed.append(Note(path=f"entry {number}", reason="it is no reference"))
    return references, failed


def _reference(entry: Mapping[str, Any], number: int) -> Reference:
    texts = {key: _text(entry, key) for key in ("title", "container-title", "URL", "DOI", "note", "number", "archive")}
    doi = doi_of(texts["DOI"]) or doi_of(texts["URL"])
    return Reference(
        _text(entry, "citation-key") or _text(entry, "citationKey") or _text(entry, "id") or (f"entry-{number}"),
        _text(entry, "type"),
        re.sub(r"<[^<>]{0,40}>", "", texts["title"]),
        tuple(_authors(entry.get("author") or entry.get("editor"))),
        _date(entry.get("issued")),
        texts["container-title"],
        doi,
        arxiv_of(" ".join((doi, *(texts[key] for key in ("URL", "note", "number", "archive"))))),
        texts["URL"],
        tuple(_files(entry)),
    )


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    words = " ".join(value[:_LONGEST].split()) if isinstance(value, str) else ""
    return "".join(char for char in words if char.isprintable())


def _authors(value: Any) -> Iterator[str]:
    for person in value[:_MOST_AUTHORS] if isinstance(value, list) else ():
        if isinstance(person, dict):
            parts = (_text(person, key) for key in ("given", "non-dropping-particle", "family", "suffix"))
            if name := _text(person, "literal") or " ".join(filter(None, parts)):
                yield name


def _date(value: Any) -> str:
    """Return `date-parts` in ISO 8601, or the date at the start of the raw text."""
    if not isinstance(value, dict):
        return ""
    match value.get("date-parts"):
        case [[year, *rest], *_] if re.fullmatch(r"\d{4}", str(year)):
            numbers = [str(part) for part in rest[:2]]
            if all(re.fullmatch(r"0?[1-9]|[12]\d|3[01]", number) for number in numbers):
                return "-".join([str(year), *(number.zfill(2) for number in numbers)])
            return str(year)
    return day_of(_text(value, "raw") or _text(value, "literal"))


def _files(entry: Mapping[str, Any]) -> Iterator[str]:
    attachments = entry.get("attachments")
    for attachment in attachments[:50] if isinstance(attachments, list) else ():
        if isinstance(attachment, dict) and (path := _text(attachment, "path")):
            yield path.replace("\\", "/")
