"""Facts needed to extract a file."""

from __future__ import annotations

from typing import NamedTuple

from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.transcripts import Transcript
from biblicus.models.item import Item


class Raw(NamedTuple):
    """Path, digest of the bytes, media type, size, and the transcript of a recording."""

    path: str
    sha256: str
    media_type: str
    bytes: int
    transcript: Transcript = transcripts.NONE


def raw_of(item: Item) -> Raw:
    return Raw(item.path, item.sha256, item.media_type, item.bytes, transcripts.of_item(item))
