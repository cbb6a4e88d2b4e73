"""What is needed to extract a file."""

from __future__ import annotations

from typing import NamedTuple

from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.transcripts import Transcript
from biblicus.models.item import Item


class Raw(NamedTuple):
    """What is needed to extract one file: stored path, digest of its bytes, media type and size; of a recording the
    transcript beside it."""

    path: str
    sha256: str
    media_type: str
    bytes: int
    transcript: Transcript = transcripts.NONE


def raw_of(item: Item) -> Raw:
    return Raw(item.path, item.sha256, item.media_type, item.bytes, transcripts.of_item(item))
