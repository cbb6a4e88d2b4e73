"""Names and icons of formats, and names of languages, facets and days, as people say them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from biblicus.text.languages import has_cld2


class Kind(NamedTuple):
    """A format. `icon`: a key of `templates/icons.html`."""

    name: str
    icon: str


_FAMILIES = {
    "image": Kind("Picture", "picture"),
    "audio": Kind("Recording", "sound"),
    "video": Kind("Video", "film"),
    "message": Kind("Mail", "mail"),
}
_BY_SUBTYPE: Mapping[str, Kind] = {
    "pdf": Kind("PDF", "text"),
    "markdown": Kind("Markdown", "text"),
    "plain": Kind("Text", "text"),
    "html": Kind("Web page", "text"),
    "xhtml": Kind("Web page", "text"),
    "x-rst": Kind("reStructuredText", "text"),
    "x-org": Kind("Org", "text"),
    "x-tex": Kind("LaTeX", "text"),
    "rtf": Kind("Rich text", "text"),
    "csv": Kind("Table (CSV)", "table"),
    "tab-separated-values": Kind("Table (TSV)", "table"),
    "vtt": Kind("Transcript", "sound"),
    "x-subrip": Kind("Transcript", "sound"),
    "x-ipynb": Kind("Notebook", "code"),
    "mbox": Kind("Mail", "mail"),
    "vnd.ms-outlook": Kind("Mail", "mail"),
    "epub": Kind("Book", "book"),
    "zip": Kind("Archive", "archive"),
    "x-tar": Kind("Archive", "archive"),
    "gzip": Kind("Archive", "archive"),
    "x-7z-compressed": Kind("Archive", "archive"),
    "json": Kind("JSON", "code"),
    "x-ndjson": Kind("JSON lines", "code"),
    "xml": Kind("XML", "code"),
    "yaml": Kind("YAML", "code"),
    "x-yaml": Kind("YAML", "code"),
    "toml": Kind("TOML", "code"),
    "css": Kind("CSS", "code"),
    "octet-stream": Kind("Other file", "file"),
}
_BY_PART = (
    ("word", Kind("Word", "text")),
    ("opendocument.text", Kind("OpenDocument text", "text")),
    ("excel", Kind("Excel", "table")),
    ("spreadsheetml", Kind("Excel", "table")),
    ("opendocument.spreadsheet", Kind("OpenDocument table", "table")),
    ("powerpoint", Kind("PowerPoint", "slides")),
    ("presentationml", Kind("PowerPoint", "slides")),
    ("opendocument.presentation", Kind("OpenDocument slides", "slides")),
    ("opendocument.graphics", Kind("OpenDocument drawing", "picture")),
    ("xml.writer", Kind("OpenOffice text", "text")),
    ("xml.calc", Kind("OpenOffice table", "table")),
    ("xml.impress", Kind("OpenOffice slides", "slides")),
)
"""Parts of the long names of office formats."""


@cache
def kind_of(media_type: str) -> Kind:
    """Return the name and icon of a media type."""
    family, _, subtype = media_type.partition("/")
    matched = _BY_SUBTYPE.get(subtype) or _BY_SUBTYPE.get(subtype.partition("+")[0]) or _FAMILIES.get(family)
    if matched is None:
        matched = next((kind for part, kind in _BY_PART if part in subtype), None)
    if matched is not None:
        return matched
    name = subtype.removeprefix("x-").removeprefix("vnd.").replace("-", " ")
    return Kind(name[:1].upper() + name[1:] or media_type, "code" if family == "text" else "file")


def day_of(stamp: str) -> str:
    """Return an ISO 8601 time, day or month as people write it; other text unchanged."""
    is_month = len(stamp) == len("2026-11")
    try:
        moment = datetime.fromisoformat(f"{stamp}-01" if is_month else stamp)
    except ValueError:
        return stamp
    if is_month:
        return f"{moment:%B %Y}"
    day = f"{moment.day} {moment:%B %Y}"
    return day if len(stamp) <= len("2026-11-29") else f"{day}, {moment:%H:%M %Z}".rstrip()


def day_of_run(run_id: str) -> str:
    """Return when a run was built, from its id; empty if the id has no time."""
    try:
        return day_of(datetime.strptime(run_id[:16], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).isoformat())
    except ValueError:
        return ""


FACETS = {"type": "Kind", "doctype": "Document type"}
"""Facets whose name differs from that of the filter."""


def facet_name(name: str) -> str:
    """Return the name of a facet."""
    return FACETS.get(name, name.capitalize())


def value_name(facet: str, value: str) -> str:
    """Return the name of a facet's value."""
    if facet == "type":
        return kind_of(value).name
    if facet == "language":
        return _languages().get(value, value)
    return value.capitalize() if facet == "doctype" else value


@cache
def _languages() -> Mapping[str, str]:
    """Return English names of languages by ISO 639-1 code; empty without CLD2, so that codes are shown."""
    if not has_cld2():
        return {}
    import pycld2  # lazy: also needed for undeclared languages only

    return {code: name.replace("_", " ").title() for name, code in reversed(pycld2.LANGUAGES)}
