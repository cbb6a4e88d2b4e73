"""Plain text: the whole decoded file, offsets exact. Also the base of the other formats that are text themselves."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.heads import front_matter
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text.decoding import decode


class Options(BaseModel):
    """Nothing to choose: the encoding is found, and no text is changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def decoded(raw: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of a file, and warnings where bytes were lost."""
    text, encoding, lossy = decode(raw)
    return text, ((f"Some bytes are not {encoding} text; each stands as U+FFFD.",) if lossy else ())


def nothing() -> NoExtraction:
    """What an extractor gives for a file with nothing but white space."""
    return NoExtraction("empty", "the file holds no text")


class Text:
    """Decodes; masks front matter and reads its metadata."""

    fingerprint = "text/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        metadata, masked, more = front_matter.read(text)
        return Extraction(text, masked=masked, metadata=metadata, warnings=warnings + more)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for plain text."""
    return Text()
