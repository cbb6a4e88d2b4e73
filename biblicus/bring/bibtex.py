"""Reads BibTeX (and biblatex) files as references, with LaTeX converted to characters."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from biblicus.bring.reference import Reference, arxiv_of, day_of, doi_of
from biblicus.errors import ExtraMissing
from biblicus.models.manifest import Note

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field

_LONGEST = 4_000
_MOST_AUTHORS = 500
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FILE = re.compile(r"(?:\\.|[^\\:;])+")
"""Part of a `file` field between unescaped colons or semicolons."""


def references_in(text: str) -> tuple[list[Reference], list[Note]]:
    """Return the entries in order, and unreadable ones by line. Raises `ExtraMissing`."""
    try:
        from bibtexparser.entrypoint import parse_string
    except ModuleNotFoundError:
        raise ExtraMissing("BibTeX", "bib") from None
    for name in ("bibtexparser", "pylatexenc"):  # errors are reported below instead
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    library = parse_string(text)
    failed = [Note(path=f"line {(block.start_line or 0) + 1}", reason=_why(block)) for block in library.failed_blocks]
    return [_reference(entry, library) for entry in library.entries], failed


def _why(block: Any) -> str:
    words = " ".join(str(getattr(block, "error", "") or "it is no entry").split())
    return words[:1].lower() + words[1:200]


def _reference(entry: Entry, library: Library) -> Reference:
    fields = {key.lower(): _value(field, library) for key, field in entry.fields_dict.items()}
    texts = {key: _plain(fields.get(key, "")) for key in ("title", "journal", "journaltitle", "booktitle")}
    scheme = fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower()
    eprint = fields.get("eprint", "") if scheme == "arxiv" else ""
    doi = doi_of(fields.get("doi", "")) or doi_of(fields.get("url", ""))
    elsewhere = (fields.get(key, "") for key in ("url", "journal", "note", "howpublished"))
    return Reference(
        entry.key,
        entry.entry_type.lower(),
        texts["title"],
        tuple(_authors(fields.get("author", "") or fields.get("editor", ""))),
        _date(fields),
        texts["journal"] or texts["journaltitle"] or texts["booktitle"],
        doi,
        arxiv_of(eprint, bare=True) or next(filter(None, map(arxiv_of, (doi, *elsewhere))), ""),
        fields.get("url", "")[:2_000],
        tuple(_files(fields.get("file", ""))),
        (entry.start_line or 0) + 1,
    )


def _value(field: Field, library: Library) -> str:
    """Return a field's text, with parts joined by `#` concatenated."""
    text = str(field.value)[:_LONGEST]
    return _joined(text, library, 0) if field.enclosing == "no-enclosing" and "#" in text else text


def _joined(text: str, library: Library, depth: int) -> str:
    strings = library.strings_dict
    joined = ""
    for part in re.split(r"\s+#\s+", text)[:50]:
        part = part.strip()
        if part[:1] in ('"', "{") and len(part) > 1:
            joined += part[1:-1]
        elif part in strings and depth < 3:
            joined += _joined(str(strings[part].value), library, depth + 1)
        else:
            joined += part
    return joined[:_LONGEST]


def _plain(text: str) -> str:
    """Convert LaTeX to plain text on one line."""
    from pylatexenc.latex2text import LatexNodes2Text

    if re.search(r"[\\{}$%~]|--|``|''", text):
        try:
            text = LatexNodes2Text(math_mode="verbatim").latex_to_text(text)
        except (RecursionError, ValueError, LookupError, TypeError, AttributeError):  # invalid macros
            text = re.sub(r"\\[A-Za-z]+|[\\{}]", "", text)
    return "".join(char for char in " ".join(text.split()) if char.isprintable())


def _authors(text: str) -> Iterator[str]:
    """Yield names, first name first; `and others` is skipped."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for name in split_multiple_persons_names(text)[:_MOST_AUTHORS]:
        parts = parse_single_name_into_parts(name, strict=False)
        words = _plain(" ".join([*parts.first, *parts.von, *parts.last, *parts.jr]))
        if words and words.lower() != "others":
            yield words


def _date(fields: Mapping[str, str]) -> str:
    """Return `date`, or the year with month and day if given."""
    if date := day_of(fields.get("date", "")):
        return date
    year = re.search(r"\d{4}", fields.get("year", "") or fields.get("date", ""))
    if year is None:
        return ""
    month = fields.get("month", "").strip().lower()
    number = _MONTHS.index(month[:3]) + 1 if month[:3] in _MONTHS else 0
    if re.fullmatch(r"0?[1-9]|1[0-2]", month):
        number = int(month)
    return f"{year[0]}-{number:02}" if number else year[0]


def _files(text: str) -> Iterator[str]:
    """Yield the paths of a `file` field: bare, or `title:path:type` as in reference managers; several separated by
    semicolons."""
    for entry in re.split(r"(?<!\\);", text):
        parts = [re.sub(r"\\(.)", r"\1", part) for part in _FILE.findall(entry.replace("\\\\", "/"))]
        path = parts[-2] if len(parts) >= 3 else max(parts, key=lambda part: "." in part, default="")
        if path := path.strip().strip("{}").replace("\\", "/"):
            yield path
