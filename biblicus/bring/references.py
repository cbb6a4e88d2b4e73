"""References of a bibliography: read from BibTeX or CSL-JSON, and found for the items of a corpus."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from biblicus.errors import BadData, ExtraMissing
from biblicus.guards import json
from biblicus.models.item import Item
from biblicus.models.manifest import Note

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`\x00-\x1f]{1,200}")
_OPENS = {")": "(", "]": "["}
_ARXIV = re.compile(
    r"(?:arxiv\s?[:.]\s?|arxiv\.org/(?:abs|pdf)/)(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d{1,3})?(?!\d)",
    re.IGNORECASE,
)
_BARE_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d{1,3})?", re.IGNORECASE)
By = Literal["file", "doi", "arxiv", "name", "title"]
_HEAD = 6_000
"""Characters searched for the PDF's own DOI; later ones belong to cited works."""
_TITLE_WITHIN = 3_000
_SHARE = 0.7
"""Minimum share of a title's words in the start of the text, since a DOI there may be of a cited work."""
_TELLING = 12
"""Minimum letters of a title compared with the names of files and the titles of PDFs."""
_LARGEST = 64 << 20
_LONGEST = 4_000
_MOST_AUTHORS = 500
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FILE = re.compile(r"(?:\\.|[^\\:;])+")
"""Part of a `file` field between unescaped colons or semicolons."""


@dataclass(frozen=True)
class Reference:
    """One entry.

    `key`: its citation key. `authors`: names, first name first. `date`: ISO 8601, as exact as known. `doi`, `arxiv`:
    normalized, without a version. `files`: paths from the bibliography, with `/`. `line`: first line, from 1; 0 if
    unknown."""

    key: str
    kind: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    journal: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    files: tuple[str, ...] = ()
    line: int = 0


def day_of(text: str) -> str:
    """Return the date in ISO 8601 at the start of a text; empty if there is none."""
    match = re.match(r"\d{4}(?:-\d\d(?:-\d\d)?)?(?![\d-])", text)
    return match[0] if match else ""


def dois_in(text: str) -> Iterator[str]:
    """Yield the DOIs in a text, in order: lower case, without trailing punctuation."""
    for match in _DOI.finditer(text):
        doi = match[0].lower()
        while doi[-1] in ".,;:'!?*" or (doi[-1] in ")]" and doi.count(_OPENS[doi[-1]]) < doi.count(doi[-1])):
            doi = doi[:-1]
        if not doi.endswith("/"):
            yield doi


def doi_of(text: str) -> str:
    """Return the first DOI in a field or address; empty if none."""
    return next(dois_in(text.replace("%2F", "/").replace("%2f", "/")), "")


def arxivs_in(text: str) -> Iterator[str]:
    """Yield the marked arXiv ids in a text, in order: lower case, without a version."""
    return (match[1].lower() for match in _ARXIV.finditer(text))


def arxiv_of(text: str, *, bare: bool = False) -> str:
    """Return the arXiv id in a field or address. `bare`: the text may be the id alone."""
    if bare and (match := _BARE_ARXIV.fullmatch(text.strip())):
        return match[1].lower()
    return next(arxivs_in(text), "")


class References:
    """References indexed by matching keys."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self.by_file: dict[str, list[Reference]] = {}
        self.by_doi: dict[str, list[Reference]] = {}
        self.by_arxiv: dict[str, list[Reference]] = {}
        self.by_key: dict[str, list[Reference]] = {}
        self.by_letters: dict[str, list[Reference]] = {}
        self.titles: dict[str, list[Reference]] = {}
        for reference in references:
            for path in reference.files:
                self.by_file.setdefault(PurePosixPath(path).name, []).append(reference)
            self.by_key.setdefault(reference.key.casefold(), []).append(reference)
            if reference.doi:
                self.by_doi.setdefault(reference.doi, []).append(reference)
                self.by_letters.setdefault(_letters(reference.doi), []).append(reference)
            if reference.arxiv:
                self.by_arxiv.setdefault(reference.arxiv, []).append(reference)
            if len(title := _letters(reference.title)) >= _TELLING:
                self.titles.setdefault(title, []).append(reference)

    def known(self, item: Item) -> Iterator[tuple[By, list[Reference]]]:
        """Yield matches without the item's text, most reliable first."""
        name = PurePosixPath(item.path)
        yield "file", _nearest(item.path, self.by_file.get(name.name, []))
        fields = f"{item.metadata.get('doi', '')} {item.source.uri}"
        yield "doi", self.by_doi.get(doi_of(fields), []) or self.by_letters.get(_letters(name.stem), [])
        fields = f"arxiv:{item.metadata.get('arxiv', '')} {item.source.uri}"
        yield "arxiv", self.by_arxiv.get(arxiv_of(name.stem, bare=True) or arxiv_of(fields), [])

    def read(self, text: str) -> Iterator[tuple[By, list[Reference]]]:
        """Yield matches by the first DOI and the first arXiv id in the start of a text that also includes the title."""
        head = text[:_HEAD]
        doi, arxiv = next(dois_in(head), ""), next(arxivs_in(head), "")
        yield "doi", [reference for reference in self.by_doi.get(doi, []) if _has_title(head, reference.title)]
        yield "arxiv", [reference for reference in self.by_arxiv.get(arxiv, []) if _has_title(head, reference.title)]

    def named(self, item: Item) -> Iterator[tuple[By, list[Reference]]]:
        """Yield matches by file name or by the title of the PDF."""
        stem = PurePosixPath(item.path).stem
        letters = _letters(stem)
        keyed = self.by_key.get(stem.casefold(), []) if len(stem) >= 4 else []
        yield "name", keyed or [
            reference for title, ones in self.titles.items() for reference in ones
            if title in letters or (len(letters) >= 2 * _TELLING and title.startswith(letters))
        ]  # fmt: skip
        yield "title", self.titles.get(_letters(item.title), [])


def _nearest(path: str, references: list[Reference]) -> list[Reference]:
    """Return those references to a file of this name whose path shares the most folders with it."""
    shared = [(max(_shared(path, file) for file in reference.files), reference) for reference in references]
    most = max((count for count, _ in shared), default=0)
    return [reference for count, reference in shared if count == most]


def _shared(one: str, other: str) -> int:
    """Return the number of common parts of two paths, from the end."""
    count = 0
    for a, b in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if a != b:
            break
        count += 1
    return count


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _has_title(text: str, title: str) -> bool:
    words = set(re.findall(r"\w{4,}", title.casefold()))
    there = set(re.findall(r"\w{4,}", text[:_TITLE_WITHIN].casefold()))
    return not words or len(words & there) >= _SHARE * len(words)


def csl_in(text: str) -> tuple[list[Reference], list[Note]]:
    """Return the entries in order, and invalid ones by number. Raises `BadData` if it is not a list of entries."""
    value = json.read(text, max_bytes=_LARGEST)
    entries = value.get("items") if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise BadData("It is JSON, but no list of references.", "export it as CSL-JSON")
    references: list[Reference] = []
    failed: list[Note] = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, dict) and (reference := _of_csl(entry, number)).key:
            references.append(reference)
        else:
            failed.append(Note(path=f"entry {number}", reason="it is no reference"))
    return references, failed


def _of_csl(entry: Mapping[str, Any], number: int) -> Reference:
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


def bibtex_in(text: str) -> tuple[list[Reference], list[Note]]:
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
    return [_of_bibtex(entry, library) for entry in library.entries], failed


def _why(block: Any) -> str:
    words = " ".join(str(getattr(block, "error", "") or "it is no entry").split())
    return words[:1].lower() + words[1:200]


def _of_bibtex(entry: Entry, library: Library) -> Reference:
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
        tuple(_bibtex_authors(fields.get("author", "") or fields.get("editor", ""))),
        _bibtex_date(fields),
        texts["journal"] or texts["journaltitle"] or texts["booktitle"],
        doi,
        arxiv_of(eprint, bare=True) or next(filter(None, map(arxiv_of, (doi, *elsewhere))), ""),
        fields.get("url", "")[:2_000],
        tuple(_bibtex_files(fields.get("file", ""))),
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


def _bibtex_authors(text: str) -> Iterator[str]:
    """Yield names, first name first; `and others` is skipped."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for name in split_multiple_persons_names(text)[:_MOST_AUTHORS]:
        parts = parse_single_name_into_parts(name, strict=False)
        words = _plain(" ".join([*parts.first, *parts.von, *parts.last, *parts.jr]))
        if words and words.lower() != "others":
            yield words


def _bibtex_date(fields: Mapping[str, str]) -> str:
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


def _bibtex_files(text: str) -> Iterator[str]:
    """Yield the paths of a `file` field: bare, or `title:path:type` as in reference managers; several separated by
    semicolons."""
    for entry in re.split(r"(?<!\\);", text):
        parts = [re.sub(r"\\(.)", r"\1", part) for part in _FILE.findall(entry.replace("\\\\", "/"))]
        path = parts[-2] if len(parts) >= 3 else max(parts, key=lambda part: "." in part, default="")
        if path := path.strip().strip("{}").replace("\\", "/"):
            yield path
