"""Serialises extractions between processes; every field is validated, since the sender may be compromised."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from biblicus.errors import BadData
from biblicus.models.extraction import Box, Extraction, Heading, NoExtraction, Span
from biblicus.models.locator import KINDS, Spot

_LONGEST_NAME = 1_000
"""Maximum characters of a spot's texts."""
_STATUSES = frozenset(("empty", "needs ocr", "encrypted", "unsupported", "too large", "failed", "left out"))


ALIVE: Mapping[str, Any] = {"alive": True}
"""Header of a keep-alive frame of a long task."""


class WireRefused(BadData):
    """Raised when a frame is no valid extraction."""


def pack(outcome: Extraction | NoExtraction) -> tuple[dict[str, Any], bytes]:
    """Return the header and body of a frame. The body is the text."""
    if isinstance(outcome, NoExtraction):
        return {"status": outcome.status, "reason": outcome.reason}, b""
    header = {**vars(outcome), "headings": [heading.as_tuple() for heading in outcome.headings]}
    return header, header.pop("text").encode()


def unpack(header: Mapping[str, Any], body: bytes) -> Extraction | NoExtraction:
    """Return the extraction after validating all types and offsets. Raises `WireRefused`."""
    if "status" in header:
        return outcome_of(header["status"], header.get("reason"))
    try:
        text = body.decode()
        headings = tuple(Heading(*entry) for entry in header["headings"])
        masked = tuple(Span(*entry) for entry in header["masked"])
        pages = tuple(header["pages"])
        warnings = tuple(header["warnings"])
        spots = tuple(Spot(*entry) for entry in header["spots"])
        boxes = tuple(Box(*entry) for entry in header["boxes"])
        title, language, metadata = header["title"], header["language"], header["metadata"]
    except (UnicodeError, KeyError, TypeError) as error:
        raise WireRefused("The parser's answer is no extraction.") from error
    offsets = [*pages, *(heading.offset for heading in headings), *(edge for span in masked for edge in span)]
    offsets += [spot.offset for spot in spots]
    offsets += [edge for box in boxes for edge in (box.start, box.end)]
    _require(all(type(offset) is int and 0 <= offset <= len(text) for offset in offsets))
    _require(all(type(heading.level) is int and type(heading.title) is str for heading in headings))
    _require(all(first < second for first, second in pairwise(pages)) and pages[:1] in ((), (0,)))
    _require(all(first.offset <= second.offset for first, second in pairwise(headings)))
    _require(all(first.offset <= second.offset for first, second in pairwise(spots)))
    _require(all(_is_told(spot) for spot in spots))
    _require(all(first.end <= second.start for first, second in pairwise(boxes)) and all(map(_is_on_its_page, boxes)))
    _require(all(span.start <= span.end for span in masked) and all(type(warning) is str for warning in warnings))
    _require(all(value is None or type(value) is str for value in (title, language)) and isinstance(metadata, dict))
    return Extraction(text, pages, headings, masked, title, language, metadata, warnings, spots, boxes)


def outcome_of(status: object, reason: object) -> NoExtraction:
    """Return the reason for missing text after validating it. Raises `WireRefused`."""
    if not (isinstance(status, str) and status in _STATUSES and isinstance(reason, str)):
        raise WireRefused("The parser's answer is no extraction.")
    return NoExtraction(status, reason[:500])


def _is_told(spot: Spot) -> bool:
    """Return True if a spot has a known kind and texts of bounded length."""
    texts = spot[1:]
    return all(type(text) is str and len(text) <= _LONGEST_NAME for text in texts) and spot.kind in KINDS


def _is_on_its_page(box: Box) -> bool:
    """Return True if a box has a page number from 1 and ordered edges within the page."""
    if not all(type(number) is int for number in box):
        return False
    return box.page > 0 and 0 <= box.left <= box.right <= 10_000 and 0 <= box.top <= box.bottom <= 10_000


def _require(holds: bool) -> None:
    if not holds:
        raise WireRefused("The parser's answer is no extraction.")
