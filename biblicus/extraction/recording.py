"""Extractor of audio and video metadata (title, artist, album, comment, lyrics), with tinytag (`[media]`).

Speech is not transcribed here; a transcript next to the recording (`talk.vtt`) is used for its text.
"""

from __future__ import annotations

import io

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, day, folded, sensible
from biblicus.extraction.kit.extras import installed, missing
from biblicus.extraction.kit.texts import Options
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import time_code

_FIELDS = ("title", "artist", "album", "albumartist", "composer", "genre", "year", "comment")
_FURTHER = ("description", "lyrics", "publisher", "conductor", "director", "copyright", "subtitle", "show", "keywords")
_TELLING = frozenset(
    ("title", "artist", "album", "albumartist", "composer", "comment", "description", "lyrics", "subtitle")
)


class Recording:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self) -> None:
        self.fingerprint = f"recording/1 tinytag/{installed('tinytag')}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        try:
            import tinytag
        except ImportError:
            return missing("media")
        try:
            tag = tinytag.TinyTag.get(filename=hint.path.rpartition("/")[2] or None, file_obj=io.BytesIO(raw))
        except tinytag.UnsupportedFormatError:
            return NoExtraction("unsupported", "what its container says cannot be read")
        except (tinytag.TinyTagException, ValueError, OSError, IndexError, KeyError) as error:
            raise ExtractionFailed("its container is damaged") from error
        tags = {name: folded(str(value)) for name in _FIELDS if (value := getattr(tag, name, None))}
        for name in _FURTHER:
            values = tag.other.get(name) or ()
            if words := " ".join(folded(str(value)) for value in values):
                tags[name] = words
        length = time_code(tag.duration) if tag.duration and tag.duration < 1e7 else ""
        if not _TELLING & set(tags):
            return NoExtraction("empty", f"a recording without words of its own{f' ({length})' if length else ''}")
        composer = Composer()
        for name, words in tags.items():
            composer.line(f"{_NAMES.get(name, name.capitalize())}: {words}")
        if length:
            composer.line(f"Duration: {length}")
        metadata = {"author": tags.get("artist", "")[:300], "date": day(tags.get("year", ""))}
        title = sensible(tags.get("title"))
        return composer.extraction(title=title, metadata=metadata)


_NAMES = {"albumartist": "Album artist", "year": "Date"}


def build(options: Options, given: Given) -> Extractor:
    return Recording()
