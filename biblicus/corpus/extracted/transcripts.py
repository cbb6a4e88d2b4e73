"""Transcripts next to recordings: `talk.mp4` and `talk.vtt` in one folder are one item, whose text is the
transcript."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.models.item import Item

KEY = "transcript"
"""Metadata key of an item's transcript: its path and digest."""
MARK = b'"transcript"'
"""Text in the catalog line of every item with a transcript."""
_TRANSCRIPTS = frozenset(("vtt", "srt"))
_AUDIO = ("mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav", "aiff", "aif", "wma")
_RECORDINGS = frozenset((*_AUDIO, "mp4", "m4v", "mov", "webm", "mkv", "avi", "mpg", "mpeg"))


class Transcript(NamedTuple):
    """Path and digest of a transcript; both empty if there is none."""

    path: str = ""
    sha256: str = ""


NONE = Transcript()


def may_be_paired(path: str) -> bool:
    """Return true if a file's extension is that of a recording or a transcript."""
    return path.rpartition(".")[2].lower() in _RECORDINGS | _TRANSCRIPTS


def paired(paths: Iterable[str]) -> dict[str, str]:
    """Return the transcript of each recording: exactly one of each kind with one name in one folder."""
    named: dict[str, tuple[list[str], list[str]]] = {}
    for path in paths:
        stem, dot, suffix = path.rpartition(".")
        if dot and ((suffix := suffix.lower()) in _RECORDINGS or suffix in _TRANSCRIPTS):
            recordings, transcripts = named.setdefault(stem, ([], []))
            (recordings if suffix in _RECORDINGS else transcripts).append(path)
    pairs = (pair for pair in named.values() if len(pair[0]) == len(pair[1]) == 1)
    return {recordings[0]: transcripts[0] for recordings, transcripts in pairs}


def of_item(item: Item) -> Transcript:
    """Return the transcript in an item's metadata if it is the file next to it with the same name."""
    entry = item.metadata.get(KEY)
    if not isinstance(entry, dict):
        return NONE
    path, sha256 = entry.get("path"), entry.get("sha256")
    if not (isinstance(path, str) and isinstance(sha256, str) and paired((item.path, path)) == {item.path: path}):
        return NONE
    return Transcript(path, sha256)


def renewed(corpus: CorpusFolder, item: Item) -> Item:
    """Return the item with the current digest of its transcript, or without a missing one."""
    transcript = of_item(item)
    if not transcript.path:
        return item
    metadata = {key: value for key, value in item.metadata.items() if key != KEY}
    with suppress(OSError, UnsafeInput):
        metadata[KEY] = Transcript(transcript.path, files.sha256(corpus.inside(transcript.path)))._asdict()
    return item if metadata == item.metadata else replace(item, metadata=metadata)


class Raw(NamedTuple):
    """Path, digest of the bytes, media type, size, and the transcript of a recording."""

    path: str
    sha256: str
    media_type: str
    bytes: int
    transcript: Transcript = NONE


def raw_of(item: Item) -> Raw:
    return Raw(item.path, item.sha256, item.media_type, item.bytes, of_item(item))
