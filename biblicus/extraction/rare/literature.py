"""Extractor of bibliographies (BibTeX, RIS, CSL JSON): each entry under its title with its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.guards import json
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text.latex_letters import with_letters

_RIS, _CSL = "application/x-research-info-systems", "application/vnd.citationstyles.csl+json"
_LARGEST = 64 << 20
_ENTRY = re.compile(r"@([A-Za-z]{2,30})\s*[{(](?:\s*([^,{}=\"\n]{0,200})\s*,)?")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w:+.-]{0,40})\s*=\s*")
_JOINED, _CLOSED = re.compile(r"\s*#\s*"), re.compile(r"[\s,]*[})]?")
_BARE = re.compile(r"[^\s,{}()\"#]{1,200}")
_SIGN = re.compile(r"\\.|[{}\"]|\n[^\S\n]*@[A-Za-z]{2,30}\s*[{(]", re.DOTALL)
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {0,2}-(?: |$)", re.MULTILINE)
_WORDS = re.compile(r"\w{2}")
_YEAR = re.compile(r"(\d{4})/*(.*)")
_COMMAND = re.compile(r"\\(?:([a-zA-Z]+)\s*(\{(?!\}))?|([^a-zA-Z\s]))")
_SWITCHES = {"em", "it", "bf", "tt", "sc", "rm", "sl", "sf", "itshape", "bfseries", "scshape", "relax", "par"}
_MOST_OF_A_FIELD = 20_000
_LONGEST_TITLE = 300
_LONGEST_OF_A_STRING = 200
_LABELS = {
    "author": "author", "editor": "editor", "journal": "journal", "journaltitle": "journal", "booktitle": "in",
    "series": "series", "publisher": "publisher", "school": "school", "institution": "institution",
    "howpublished": "published", "address": "place", "edition": "edition", "volume": "volume", "number": "number",
    "pages": "pages", "year": "year", "date": "date", "doi": "doi", "isbn": "isbn", "url": "url",
    "keywords": "keywords",
}  # fmt: skip
_TEXTS = ("abstract", "note", "annote", "annotation")
_APART = {"title", "kind", "key", *_TEXTS}
_VERBATIM = {"url", "doi", "eprint", "file", "isbn"}
_OF_RIS = {
    "T1": "title", "TI": "title", "CT": "title", "AU": "author", "A1": "author", "A2": "editor", "ED": "editor",
    "JO": "journal", "JF": "journal", "T2": "journal", "JA": "journal", "BT": "booktitle", "T3": "series",
    "PB": "publisher", "CY": "address", "PY": "year", "Y1": "year", "DA": "date", "VL": "volume", "IS": "number",
    "SP": "from", "EP": "to", "DO": "doi", "UR": "url", "SN": "isbn", "KW": "keywords", "AB": "abstract",
    "N2": "abstract", "N1": "note", "ET": "edition", "LA": "language", "ID": "key", "TY": "kind",
}  # fmt: skip

_OF_CSL = {
    "id": "key", "type": "kind", "title": "title", "author": "author", "editor": "editor", "issued": "year",
    "container-title": "journal", "collection-title": "series", "publisher": "publisher",
    "publisher-place": "address", "volume": "volume", "issue": "number", "page": "pages", "edition": "edition",
    "DOI": "doi", "URL": "url", "ISBN": "isbn", "keyword": "keywords", "abstract": "abstract", "note": "note",
}  # fmt: skip
"""Keys of CSL JSON with the field names used here."""


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the entries; a file without any is plain text."""
    composer = Composer()
    entries, loose_lines = _entries(text, hint.media_type)
    if not entries:
        return Extraction(text, warnings=warnings)
    for line in loose_lines:
        composer.line(line)
    for fields in entries:
        _write(composer, fields)
    return composer.extraction(titled=False, warnings=warnings)


build = of_text("literature/3", _extract)


def _entries(text: str, media_type: str) -> tuple[list[Mapping[str, str]], list[str]]:
    """Return the entries and the text outside them."""
    if media_type == _CSL:
        return [entry for fields in _of_csl(text) for entry in _entry(fields)], []
    return (_ris if media_type == _RIS else _bibtex)(text)


def _of_csl(text: str) -> Iterator[Mapping[str, list[str]]]:
    """Yield the fields of each CSL JSON entry; nothing if it is not valid JSON."""
    try:
        entries = json.read(text, max_bytes=_LARGEST)
    except json.JsonRefused:
        return
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            named = ((_OF_CSL.get(str(key), str(key)), _of_value(value)) for key, value in entry.items())
            yield {name: values for name, values in named if any(values)}


def _of_value(value: Any) -> list[str]:
    """Return the texts of a value; a person as a name, a date as year, month and day."""
    if isinstance(value, dict):
        if isinstance(parts := value.get("date-parts"), list):
            days = [part for part in parts if isinstance(part, list)]
            return ["-".join(str(part).zfill(2) for part in day) for day in days if day]
        name = (value.get(part) for part in ("given", "non-dropping-particle", "family", "literal", "raw"))
        return [folded(" ".join(part for part in name if isinstance(part, str)))]
    if isinstance(value, list):
        return [text for part in value for text in _of_value(part)]
    return [folded(str(value))] if isinstance(value, str | int) and str(value).strip() else []


def _write(composer: Composer, fields: Mapping[str, str]) -> None:
    """Write an entry as a line, with its long texts below."""
    title = fields.get("title", "") or fields.get("booktitle", "")
    labels = {**_LABELS, **{name: name for name in fields if name not in _LABELS}}
    parts = [f"{label}: {fields[name]}" for name, label in labels.items() if fields.get(name) and name not in _APART]
    named = [f"{name}: {fields[name]}" for name in ("kind", "key") if fields.get(name)]
    heading = title or fields.get("key") or fields.get("kind", "")
    name = heading[:_LONGEST_TITLE]
    long = [value for value in (heading, *parts) if len(value) > _LONGEST_TITLE]
    composer.heading(2, name, apart=True)
    composer.line(
        "; ".join(filter(None, (name, *dict.fromkeys(value for value in parts if value not in long), *named)))
    )
    for text in (*(fields.get(text, "") for text in _TEXTS), *long):
        composer.paragraph(text)


def _bibtex(text: str) -> tuple[list[Mapping[str, str]], list[str]]:
    """Return the entries and the text outside them."""
    entries: list[Mapping[str, str]] = []
    loose_lines: list[str] = []
    strings: dict[str, str] = {}
    at = begun = 0
    while entry := _ENTRY.search(text, at):
        kind, key, at = entry[1].lower(), folded(entry[2] or ""), entry.end()
        values: dict[str, list[str]] = {}
        while kind not in ("comment", "preamble") and (field := _FIELD.match(text, at)):
            value, at = _joined(text, field.end(), strings)
            name = field[1].lower()
            if kind == "string" and len(value) <= _LONGEST_OF_A_STRING:
                strings[name] = value
            reads = _people(value) if name in ("author", "editor") else _read(value, name in _VERBATIM)
            values.setdefault(name, []).append(reads)
        fields = {name: "; ".join(filter(None, texts)) for name, texts in values.items()}
        if not fields:
            continue
        loose_lines += _beside(text[begun : entry.start()])
        at = begun = _closed(text, at)
        if kind == "string":
            loose_lines += (f"{name}: {value}" for name, value in fields.items())
        else:
            key = ", ".join(filter(None, (key, fields.get("key"))))
            entries.append({**fields, "kind": kind, "key": key})
    return entries, [*loose_lines, *_beside(text[begun:])]


def _closed(text: str, at: int) -> int:
    match = _CLOSED.match(text, at)
    return match.end() if match else at


def _beside(text: str) -> list[str]:
    """Return the lines between entries that have words."""
    return [line.lstrip(" \t%})") for line in text.splitlines() if _WORDS.search(line)]


def _joined(text: str, at: int, strings: Mapping[str, str]) -> tuple[str, int]:
    """Return a value of one or more parts with string names resolved, and its end."""
    value, at = _value(text, at, strings)
    while len(value) < _MOST_OF_A_FIELD and (joins := _JOINED.match(text, at)):
        part, end = _value(text, joins.end(), strings)
        if end == joins.end():
            break
        value, at = value + part, end
    return value, at


def _value(text: str, at: int, strings: Mapping[str, str]) -> tuple[str, int]:
    """Return a value in braces, quotes or bare, and its end; an unclosed value ends before the next entry."""
    opens = text[at : at + 1]
    if opens not in ("{", '"'):
        bare = _BARE.match(text, at)
        return (strings.get(bare[0].lower(), bare[0]), bare.end()) if bare else ("", at)
    depth, end = int(opens == "{"), min(len(text), at + _MOST_OF_A_FIELD)
    for sign in _SIGN.finditer(text, at + 1, end):
        depth += (sign[0] == "{") - (sign[0] == "}")
        if (opens == "{" and depth == 0) or (opens == sign[0] and depth == 0):
            return text[at + 1 : sign.start()], sign.end()
        if sign[0][0] == "\n":
            return text[at + 1 : sign.start()], sign.start()
    return text[at + 1 : end], end


def _read(value: str, is_verbatim: bool = False) -> str:
    """Return LaTeX as the characters that it produces."""
    if is_verbatim:
        return folded(value.replace("{", "").replace("}", ""))
    if "\\" in value or "--" in value:
        value = _COMMAND.sub(_shown, with_letters(value.replace("--", "–")))
    return folded(value.replace("{", "").replace("}", "").replace("~", " "))


def _shown(command: re.Match[str]) -> str:
    """Return the sign or name of a command without arguments, and nothing of a switch."""
    return command[3] or ("" if command[2] or command[1] in _SWITCHES else f"{command[1]} ")


def _people(value: str) -> str:
    """Return the names in order, separated by commas."""
    names = re.split(r"\s+and\s+", value.strip())
    return ", ".join(_named(_read(name)) for name in names if name.strip())


def _named(name: str) -> str:
    last, _, first = name.partition(",")
    return f"{first.strip()} {last.strip()}".strip() if first else last.strip()


def _ris(text: str) -> tuple[list[Mapping[str, str]], list[str]]:
    """Return the entries and the text outside them. A line without a tag continues the one before."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    tags = list(_TAG.finditer(text))
    loose_lines = _beside(text[: tags[0].start()]) if tags else []
    entries: list[Mapping[str, str]] = []
    fields: dict[str, list[str]] = {}
    ends = [*(tag.start() for tag in tags[1:]), len(text)] if tags else []
    for tag, end in zip(tags, ends, strict=True):
        if tag[1] in ("ER", "TY"):
            entries += _entry(fields)
            fields = {}
        if tag[1] == "ER":
            loose_lines += _beside(text[tag.end() : end])
        elif value := folded(text[tag.end() : end]):
            _add(fields, tag[1], value)
    return [*entries, *_entry(fields)], loose_lines


def _add(fields: dict[str, list[str]], tag: str, value: str) -> None:
    """Add a field by its RIS tag; a second value of a single-valued field is kept under the tag."""
    name = _OF_RIS.get(tag, tag)
    if name in ("title", "year", "key", "kind") and value not in fields.get(name, [value]):
        name = tag
    if name == "year" and (year := _YEAR.fullmatch(value)):
        if year[2].strip("/"):
            fields.setdefault("date", [value.strip("/")])
        value = year[1]
    fields.setdefault(name, []).append(_named(value) if name in ("author", "editor") else value)


def _entry(values: Mapping[str, list[str]]) -> list[Mapping[str, str]]:
    """Return the entry as a list of one, or an empty list if it only has a kind."""
    fields = {name: (" " if name in _TEXTS else ", ").join(dict.fromkeys(texts)) for name, texts in values.items()}
    if pages := "–".join(filter(None, (fields.pop("from", ""), fields.pop("to", "")))):
        fields["pages"] = pages
    return [fields] if fields.keys() - {"kind", "key"} else []
