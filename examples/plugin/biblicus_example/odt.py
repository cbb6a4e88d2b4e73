"""Reads OpenDocument texts (.odt): paragraphs and headings."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, Heading, NoExtraction

MEDIA_TYPES = ("application/vnd.oasis.opendocument.text",)  # read by this plug-in where a recipe names it

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_MOST = 64 << 20


class Options(BaseModel):
    """Nothing to choose."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Odt:
    """`guarded`: parsed in a worker process, within limits of memory, time and output: strange bytes may bite."""

    fingerprint = "odt/1"
    guarded = True

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, headings = "", []
        for block in _content(raw).iter():
            if block.tag not in (f"{_TEXT}h", f"{_TEXT}p"):
                continue
            words = " ".join("".join(block.itertext()).split())
            if words and block.tag == f"{_TEXT}h":
                level = int(block.get(f"{_TEXT}outline-level", "1"))
                headings.append(Heading(len(text), level, words))  # offsets are code points of the text
            text += f"{words}\n\n" if words else ""
        if not text:
            return NoExtraction("empty", "the document holds no text")
        return Extraction(text, headings=tuple(headings), title=headings[0].title if headings else None)


def _content(raw: bytes) -> ElementTree.Element:
    """The document's XML. A bomb, an entity or a broken archive is one failed file, said in one sentence."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive, archive.open("content.xml") as stream:
            data = stream.read(_MOST + 1)
        if len(data) > _MOST or b"<!DOCTYPE" in data:
            raise ExtractionFailed("its content.xml is larger than allowed, or declares entities")
        return ElementTree.fromstring(data)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError) as error:
        raise ExtractionFailed(f"it is no OpenDocument text: {error}") from error


def build(options: Options, given: Given) -> Extractor:
    return Odt()
