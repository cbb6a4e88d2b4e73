"""Base of extractors for text files, and their decoding."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.records import NoOptions
from biblicus.text.decoding import decode

_OVERSTRUCK = re.compile("(\\S)(?:\b(?:\\1|_))+|_\b(?P<under>\\S)(?:\b(?P=under))*")
"""A letter overprinted with itself or an underscore, for bold or underlined text."""


def decoded(raw: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode a file. Returns its text, and warnings if bytes were lost."""
    text, encoding, lossy = decode(raw)
    if "\b" in text:
        text = _OVERSTRUCK.sub(lambda match: match[1] or match[2], text)
    return text, ((f"Some bytes are not {encoding} text; each stands as U+FFFD.",) if lossy else ())


def nothing() -> NoExtraction:
    """Return the result for a file that has only white space."""
    return NoExtraction("empty", "the file holds no text")


class OfText(ABC):
    """Base of extractors for text files (see `contracts.Extractor`); white space alone counts as empty."""

    fingerprint: str
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        return nothing() if not text or text.isspace() else self.read(text, warnings, hint)

    @abstractmethod
    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        """Extract from decoded text that is not blank. `warnings`: about bytes lost in decoding."""


Options = NoOptions
Read = Callable[[bytes, MediaHint], Extraction | NoExtraction]
ReadText = Callable[[str, tuple[str, ...], MediaHint], Extraction | NoExtraction]


class _Made:
    def __init__(self, fingerprint: str, guarded: bool, read: Read) -> None:
        self.fingerprint, self.guarded, self.extract = fingerprint, guarded, read


def extractor(fingerprint: str, read: Read, *, guarded: bool = True) -> Callable[[Options, Given], Extractor]:
    """Return the `build` function of a plug-in without options that extracts with `read`."""
    return lambda options, given: _Made(fingerprint, guarded, read)


def of_text(fingerprint: str, read: ReadText, *, guarded: bool = False) -> Callable[[Options, Given], Extractor]:
    """Return the `build` function for a text format. `read` receives the decoded text, its warnings and the hint."""

    def extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        return nothing() if not text or text.isspace() else read(text, warnings, hint)

    return extractor(fingerprint, extract, guarded=guarded)
