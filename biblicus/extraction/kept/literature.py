"""Lists of literature (BibTeX, RIS): each entry under its title, with who wrote it, where it appeared, and when."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.composing import Composer, folded
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_RIS = "application/x-research-info-systems"
_ENTRY = re.compile(r"@([A-Za-z]{2,30})\s*[{(]\s*([^\s,{}()=\"]{1,200})\s*,")
_FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w-]{0,40})\s*=\s*")
_BARE = re.compile(r"[^\s,{}()\"#]{1,200}")
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$", re.MULTILINE)
_COMMAND = re.compile(r"\\(?:([a-zA-Z]+)\s*|([^a-zA-Z\s]))\{?([a-zA-Z]?)\}?")
_ACCENTS = "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a"
_ABOVE = dict(zip("`'^\"~=.cvuHkr", _ACCENTS, strict=True))
_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "i"}
_MOST_OF_A_FIELD = 20_000
_LABELS = {
    "author": "author", "editor": "editor", "journal": "journal", "journaltitle": "journal", "booktitle": "in",
    "series": "series", "publisher": "publisher", "school": "school", "institution": "institution",
    "howpublished": "published", "address": "place", "edition": "edition", "volume": "volume", "number": "number",
    "pages": "pages", "year": "year", "date": "date", "doi": "doi", "isbn": "isbn", "url": "url",
    "keywords": "keywords",
}  # fmt: skip
_TEXTS = ("abstract", "note", "annote", "annotation")
_OF_RIS = {
    "T1": "title", "TI": "title", "CT": "title", "AU": "author", "A1": "author", "A2": "editor", "ED": "editor",
    "JO": "journal", "JF": "journal", "T2": "journal", "JA": "journal", "PB": "publisher", "CY": "address",
    "PY": "year", "Y1": "year", "DA": "date", "VL": "volume", "IS": "number", "SP": "from", "EP": "to", "DO": "doi",
    "UR": "url", "SN": "isbn", "KW": "keywords", "AB": "abstract", "N2": "abstract", "N1": "note",
}  # fmt: skip


class Literature:
    """Text; what holds no entry is plain text."""

    fingerprint = "literature/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        composer = Composer()
        for fields in _ris(text) if hint.media_type == _RIS else _bibtex(text):
            title = fields.get("title", "") or fields.get("booktitle", "")
            said = [f"{label}: {fields[name]}" for name, label in _LABELS.items() if fields.get(name)]
            if not (title or said):
                continue
            composer.heading(2, title or fields["key"], apart=True)
            composer.line("; ".join((title or fields["key"], *dict.fromkeys(said))))
            for name in _TEXTS:
                composer.paragraph(fields.get(name, ""))
        if composer.is_empty:
            return Extraction(text, warnings=warnings)
        return composer.extraction(titled=False, warnings=warnings)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for lists of literature."""
    return Literature()


def _bibtex(text: str) -> Iterator[Mapping[str, str]]:
    """The entries, each field as it is read; what is joined with `#` keeps its first part."""
    at = 0
    while entry := _ENTRY.search(text, at):
        fields, at = {"key": entry[2]}, entry.end()
        while field := _FIELD.match(text, at):
            value, at = _value(text, field.end())
            name = field[1].lower()
            fields[name] = _people(value) if name in ("author", "editor") else _read(value)
        yield fields


def _value(text: str, at: int) -> tuple[str, int]:
    """A value in braces, quotes or bare, and where it ends."""
    opens = text[at : at + 1]
    if opens not in ("{", '"'):
        bare = _BARE.match(text, at)
        return (bare[0], bare.end()) if bare else ("", at)
    depth, end = 0, min(len(text), at + _MOST_OF_A_FIELD)
    place = at - 1
    while (place := place + 1) < end:
        sign = text[place]
        if sign == "\\":
            place += 1
            continue
        depth += (sign == "{") - (sign == "}")
        if (opens == "{" and depth == 0) or (opens == '"' and sign == '"' and depth == 0 and place > at):
            return text[at + 1 : place], place + 1
    return text[at + 1 : end], end


def _read(value: str) -> str:
    """LaTeX as the characters that it means."""
    value = _COMMAND.sub(_character, value.replace("--", "–")) if "\\" in value or "--" in value else value
    return folded(value.replace("{", "").replace("}", "").replace("~", " "))


def _character(match: re.Match[str]) -> str:
    command, letter = match[1] or match[2], match[3]
    if command in _ABOVE and (letter or match[2]):
        return unicodedata.normalize("NFC", letter + _ABOVE[command])
    if command in _LETTERS:
        return _LETTERS[command] + letter
    return (match[2] or "") + letter


def _people(value: str) -> str:
    """Names in the order in which they are said, a comma between them."""
    names = re.split(r"\s+and\s+", value.strip())
    return ", ".join(_named(_read(name)) for name in names if name.strip())


def _named(name: str) -> str:
    last, _, first = name.partition(",")
    return f"{first.strip()} {last.strip()}".strip() if first else last.strip()


def _ris(text: str) -> Iterator[Mapping[str, str]]:
    """The entries; of names that come again all are told, of other fields the first."""
    fields: dict[str, str] = {"key": ""}
    tags = list(_TAG.finditer(text.replace("\r\n", "\n").replace("\r", "\n")))
    for tag in tags:
        name, value = _OF_RIS.get(tag[1], ""), folded(tag[2] or "")
        if tag[1] == "ER":
            if fields.get("from") and fields.get("to"):
                fields["pages"] = f"{fields['from']}–{fields['to']}"
            fields["year"] = fields.get("year", "")[:4]
            yield fields
            fields = {"key": ""}
        elif name in ("author", "editor", "keywords") and value:
            known = fields.get(name)
            said = value if name == "keywords" else _named(value)
            fields[name] = f"{known}, {said}" if known else said
        elif name and value:
            fields.setdefault(name, value)
