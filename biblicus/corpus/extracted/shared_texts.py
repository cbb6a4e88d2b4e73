"""Extractions shared in a team, keyed by the file's digest and everything that determines the parser's result.

Only texts, and the fact that a file has none, are shared; a failure may depend on this machine. Files with a known
password are not shared."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from biblicus.contracts import Call
from biblicus.corpus.extracted import extraction_cache as cache
from biblicus.corpus.extracted.raw import Raw
from biblicus.models.extraction import Extraction, NoExtraction

if TYPE_CHECKING:
    from biblicus.stores.shared import SharedCache

_KIND = "texts"
_FORM = "1 "
"""Version of the entries' format."""
_LARGEST = 512 << 20
_AT_ONCE, _BYTES_AT_ONCE = 64, 8 << 20
_WITHOUT_TEXT = ("empty", "needs ocr")


def _full(raw: Raw, identity: str) -> str:
    """Return the full key of an extraction: the same bytes may be read differently as another media type."""
    return f"{_FORM}{raw.media_type} {identity}"


def _unpacked(body: bytes) -> Extraction | NoExtraction | None:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(body, _LARGEST)
    except zlib.error:
        return None
    return cache.decoded(text) if unpacker.eof else None


class Outgoing:
    """Shared outcomes: fetch existing ones, and send new ones in batches."""

    def __init__(self, shared: SharedCache, call: Call) -> None:
        self._shared, self._call = shared, call
        self._waiting: dict[str, bytes] = {}

    def others(self, wanted: Mapping[str, Raw]) -> Iterator[tuple[Raw, Extraction | NoExtraction]]:
        """Yield the outcomes that the team has. `wanted`: files by their digest, extractor and options."""
        files = {_full(raw, identity): raw for identity, raw in wanted.items()}
        for entries in self._shared.found(_KIND, list(files), self._call):
            for identity, body in entries:
                if (outcome := _unpacked(body)) is not None:
                    yield files[identity], outcome

    def add(self, raw: Raw, identity: str, outcome: Extraction | NoExtraction) -> None:
        if isinstance(outcome, NoExtraction) and outcome.status not in _WITHOUT_TEXT:
            return
        self._waiting[_full(raw, identity)] = zlib.compress(cache.encoded(outcome))
        if len(self._waiting) >= _AT_ONCE or sum(map(len, self._waiting.values())) >= _BYTES_AT_ONCE:
            self.send()

    def send(self) -> None:
        """Send the waiting outcomes."""
        self._shared.put(_KIND, self._waiting, self._call)
        self._waiting = {}
