"""Images, recordings, small pictures, and citations to copy.

The bytes of files are sent unchanged, and never decoded here; a presentation is opened in a guarded worker. Only types
that cannot include a script are sent, with their own media type, as attachment and with `nosniff`. Players request
parts of the file one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.responses import Response

from biblicus.config import load_settings
from biblicus.connectors.web.asking import Asked, item_address, picture_address
from biblicus.connectors.web.kinds import kind_of
from biblicus.errors import NotShown
from biblicus.extraction.workers.unpacking import Bounds, Unpacker
from biblicus.guards.process import Limits
from biblicus.guards.terminal import safe
from biblicus.models.reading import FilePart
from biblicus.models.requests.items import FilePartRequest
from biblicus.service.verbs import FILE_PART, SHOW

PICTURES = frozenset(f"image/{kind}" for kind in ("png", "jpeg", "gif", "webp", "bmp", "avif"))
PLAYED = {
    "audio/mpeg",
    "audio/wav",
    "audio/mp4",
    "audio/ogg",
    "audio/flac",
    "video/mp4",
    "video/webm",
    "video/quicktime",
}
PDF = "application/pdf"
_SMALL = 60_000
"""Pixels of a thumbnail of a page."""
_READABLE = 1_000_000
"""Pixels of the page whose part a citation shows."""
_LIGHT = 4 << 20
"""Maximum bytes of an image that is its own thumbnail."""
MOST = 32 << 20
"""Maximum bytes of an image, and of one response."""
_STRETCH = 4 << 20
_PREVIEWS = {
    "docProps/thumbnail.jpeg": ("image/jpeg", b"\xff\xd8\xff"),
    "Thumbnails/thumbnail.png": ("image/png", b"\x89PNG"),
}
"""Members of office files with a picture of the first page: media type and first bytes by name."""
_SECONDS = 5.0
"""Time limit of taking one out."""
_RANGE = re.compile(r"bytes=(\d{1,16})-(\d{0,16})")


class Stretch(NamedTuple):
    """Part of a file: bytes from `start`, of a file of `size`. `name`: of the file that a browser saves."""

    body: bytes
    start: int
    size: int
    media_type: str
    in_part: bool = False
    name: str = ""


class Icon(NamedTuple):
    """The icon of a file that has no small picture."""

    name: str


def stretch(asked: Asked, item: str, wanted: str) -> Stretch | Icon:
    """Return the part given by a `Range` header, the whole file, or a small picture of it. Raises `NotShown`."""
    item_details = asked.ask(SHOW, item=item)
    if asked.word("small") and (item_details["media_type"] not in PICTURES or item_details["bytes"] > _LIGHT):
        return _preview(asked, item_details) or Icon(kind_of(item_details["media_type"]).icon)
    is_original = bool(asked.word("original"))  # saved to disk: no browser looks inside
    if not is_original and item_details["media_type"] not in PICTURES | PLAYED:
        raise NotShown(item_details["path"], f"a file of type {item_details['media_type']} is not shown in a page")
    match = _RANGE.fullmatch(wanted)
    if match is not None and not is_original:
        last = int(match[2]) if match[2] else int(match[1]) + _STRETCH
        length = max(1, min(_STRETCH, last - int(match[1]) + 1))
        part = _part(asked, item_details, int(match[1]), length)
        return Stretch(part.part, part.start, part.bytes, part.media_type, in_part=True)
    body = _whole(asked, item_details)
    if is_original:
        name = item_details["path"].rpartition("/")[2]
        return Stretch(body, 0, len(body), "application/octet-stream", name=name)
    return Stretch(body, 0, len(body), item_details["media_type"])


def _whole(asked: Asked, item: Mapping[str, Any]) -> bytes:
    part = _part(asked, item, 0, _STRETCH)
    if part.bytes > MOST:
        raise NotShown(part.path, f"it has more than {MOST >> 20} MiB")
    parts = [part.part]
    while (sent := sum(map(len, parts))) < part.bytes:
        parts.append(_part(asked, item, sent, _STRETCH).part)
    return b"".join(parts)


def _preview(asked: Asked, item: Mapping[str, Any]) -> Stretch | None:
    """Return the picture of the first slide that a presentation brings with it. It is taken out, and not decoded."""
    if kind_of(item["media_type"]).icon != "slides" or item["bytes"] > MOST:
        return None
    settings = load_settings()
    limits = Limits(seconds=_SECONDS, memory=settings.extraction_memory, walls=settings.sandbox == "on")
    bounds = Bounds(settings.archive_members, settings.archive_bytes, settings.archive_ratio, _LIGHT)
    with Unpacker(limits, bounds, asked.call) as unpacker:
        for member in unpacker.members(_whole(asked, item), "", "application/zip", list(_PREVIEWS)):
            media_type, begins = _PREVIEWS.get(member.name, ("", b""))
            if media_type and member.data.startswith(begins):
                return Stretch(member.data, 0, len(member.data), media_type)
    return None


def _part(asked: Asked, item: Mapping[str, Any], start: int, length: int) -> FilePart:
    request = FilePartRequest(item["item_id"], start=start, length=length)
    return asked.corpora.ask(asked.corpus, FILE_PART, request, asked.call)


def response(sent: Stretch, headers: Mapping[str, str]) -> Response:
    """Return the part as an HTTP response."""
    named = f"; filename*=UTF-8''{quote(sent.name, safe='')}" if sent.name else ""
    reply_headers = {**headers, "Accept-Ranges": "bytes", "X-Content-Type-Options": "nosniff"}
    reply_headers["Content-Disposition"] = f"attachment{named}"
    if sent.in_part:
        reply_headers["Content-Range"] = f"bytes {sent.start}-{sent.start + len(sent.body) - 1}/{sent.size}"
    return Response(sent.body, 206 if sent.in_part else 200, reply_headers, sent.media_type)


def view(asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the values shown above the text: an image with boxes, or a player at the cited time.

    `kind` is empty if neither applies."""
    kind = item["media_type"]
    address = asked.item_address(item["item_id"]).replace("/c/", "/file/", 1)
    if kind in PICTURES and item["bytes"] <= MOST:
        boxes = [_box(word) for word in cited.get("boxes", ())] if cited else []
        return {"kind": "picture", "source": address, "boxes": boxes}
    if kind in PLAYED:
        seconds = asked.number("t") or _seconds(cited)
        return {"kind": kind.partition("/")[0], "source": f"{address}#t={seconds}" if seconds else address}
    return {"kind": ""}


def thumbnail(piece: Mapping[str, Any], corpus: str | None) -> str | None:
    """Return the address of a small picture of a result: its page of a PDF with the passage marked, its first
    slide, or the picture."""
    if piece.get("stale"):
        return None
    locator = piece.get("locator") or {}
    is_first_slide = locator.get("kind") == "slide" and locator["from"] == "1"
    if piece["media_type"] in PICTURES or is_first_slide:
        return item_address(piece["item_id"], small=1, corpus=corpus).replace("/c/", "/file/", 1)
    if piece["media_type"] != PDF:
        return None
    mark = f"{piece['span_start']}:{piece['span_end']}" if piece["text"] else None
    return picture_address(piece["item_id"], page=piece.get("page", 1), mark=mark, pixels=_SMALL, corpus=corpus)


def crop(piece: Mapping[str, Any], corpus: str | None) -> str | None:
    """Return the address of the part of a PDF page that has the cited words, marked."""
    if piece.get("stale") or piece["media_type"] != PDF:
        return None
    mark = f"{piece['span_start']}:{piece['span_end']}"
    return picture_address(piece["item_id"], mark=mark, pixels=_READABLE, crop=1, corpus=corpus)


def _box(word: Mapping[str, int]) -> dict[str, int]:
    """Return a word's box in ten-thousandths of the image's width and height."""
    left, top = word["left"], word["top"]
    return {"x": left, "y": top, "width": word["right"] - left, "height": word["bottom"] - top}


def _seconds(cited: Mapping[str, Any] | None) -> int:
    """Return the time of the cited words; 0 if unknown."""
    place = (cited or {}).get("locator") or {}
    return seconds_of(place["from"]) if place.get("kind") == "time" else 0


def seconds_of(code: str) -> int:
    """Convert a time code to whole seconds."""
    seconds = 0
    for part in code.split(":"):
        whole_seconds = part.partition(".")[0]
        seconds = 60 * seconds + int(whole_seconds) if whole_seconds.isdigit() else seconds
    return seconds


# --- citations of a passage: text, Markdown, BibTeX, CSL JSON, and JSON with the span ---

_BIBTEX = str.maketrans({char: f"\\{char}" for char in "&%$#_{}"} | {"\\": "\\textbackslash{}"})


def forms(item: Mapping[str, Any], cited: Mapping[str, Any] | None, corpus: str) -> list[tuple[str, str]]:
    """Return names of formats, and the texts to copy."""
    if cited is None:
        return []
    words = " ".join(safe(cited["text"], keep_newlines=True).split())
    title, label = safe(item["title"]), cited["locator"]["label"] if cited.get("locator") else ""
    path = safe(item["path"])
    where = f"{title} ({path}{', ' + label if label else ''})"
    span = f"{cited['span_start']}-{cited['span_end']}"
    address = cited.get("citation_url") or item_address(item["item_id"], corpus=corpus, span=span)
    evidence = {name: cited[name] for name in _SHOWN if cited.get(name) is not None} | {"hash": cited["sha256"]}
    return [
        ("Text", f"“{words}” — {where}"),
        ("Markdown", f"> {words}\n>\n> — [{_plain(title)}]({address}){', ' + label if label else ''}"),
        ("BibTeX", _bibtex(item, label)),
        ("CSL JSON", json.dumps([_csl(item, label)], ensure_ascii=False, indent=1)),
        ("JSON", json.dumps(evidence, ensure_ascii=False, indent=1)),
    ]


_SHOWN = (
    "item_id", "path", "text", "item_sha256", "extraction_id", "span_start", "span_end", "line_start", "line_end",
    "page", "locator",
)  # fmt: skip


def _plain(text: str) -> str:
    return re.sub(r"([\[\]\\`*_<>])", r"\\\1", text)


def _authors(item: Mapping[str, Any]) -> list[str]:
    authors = item["metadata"].get("author") or item["metadata"].get("authors") or []
    return [safe(str(author)) for author in (authors if isinstance(authors, list) else [authors])]


def _csl(item: Mapping[str, Any], label: str) -> dict[str, Any]:
    """Return CSL JSON for reference managers. Names are not split."""
    metadata = item["metadata"]
    day = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", str(metadata.get("date") or metadata.get("year") or ""))
    fields = {
        "id": item["item_id"],
        "type": "article-journal" if metadata.get("journal") else "document",
        "title": safe(item["title"]),
        "author": [{"literal": author} for author in _authors(item)],
        "issued": {"date-parts": [[int(part) for part in day.groups() if part]]} if day else None,
        "container-title": metadata.get("journal"),
        "DOI": metadata.get("doi"),
        "URL": item["source"]["uri"] if item["source"]["kind"] != "corpus" else None,
        "note": f"{safe(item['path'])}{', ' + label if label else ''}",
    }
    return {name: value for name, value in fields.items() if value}


def _bibtex(item: Mapping[str, Any], label: str) -> str:
    metadata = item["metadata"]
    named = " and ".join(_authors(item))
    fields = {
        "title": item["title"],
        "author": named,
        "year": str(metadata.get("date") or metadata.get("year") or "")[:4],
        "doi": metadata.get("doi"),
        "url": item["source"]["uri"] if item["source"]["kind"] != "corpus" else None,
        "note": f"{item['path']}{', ' + label if label else ''}",
    }
    key = re.sub(r"[^A-Za-z0-9]+", "-", str(item["item_id"])).strip("-") or "item"
    lines = [f"  {name} = {{{safe(str(value)).translate(_BIBTEX)}}}" for name, value in fields.items() if value]
    return f"@misc{{{key},\n" + ",\n".join(lines) + "\n}"
