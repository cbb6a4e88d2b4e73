"""What others of a team parsed, by the digest of the file and all that decides what its parser gives.

Only texts go out, and that there is none; a failure may be this machine's. Of files for which a password is at hand
nothing does.
"""

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
"""Of the bytes: raised with their form."""
_LARGEST = 512 << 20
_AT_ONCE, _BYTES_AT_ONCE = 64, 8 << 20
_WITHOUT_TEXT = ("empty", "needs ocr")


def _full(raw: Raw, identity: str) -> str:
    """All that decides what a file gives: one extractor reads the same bytes otherwise as another type."""
    return f"{_FORM}{raw.media_type} {identity}"


def _unpacked(body: bytes) -> Extraction | NoExtraction | None:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(body, _LARGEST)
    except zlib.error:
        return None
    return cache.decoded(text) if unpacker.eof else None


class Outgoing:
    """Outcomes that others have, and those that are on their way to them, some at a time."""

    def __init__(self, shared: SharedCache, call: Call) -> None:
        self._shared, self._call = shared, call
        self._waiting: dict[str, bytes] = {}

    def others(self, wanted: Mapping[str, Raw]) -> Iterator[tuple[Raw, Extraction | NoExtraction]]:
        """The outcomes that are there. `wanted`: files by their digests, extractors and options."""
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
        """Put there what waits."""
        self._shared.put(_KIND, self._waiting, self._call)
        self._waiting = {}
