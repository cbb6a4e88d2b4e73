"""Base of extractors for text files, and their decoding."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import BadData
from biblicus.extraction.kit.characters import in_markup
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.records import NoOptions
from biblicus.text.decoding import decode
from biblicus.text.latex_letters import with_letters

_OVERSTRUCK = re.compile("(\\S)(?:\b(?:\\1|_))+|_\b(?P<under>\\S)(?:\b(?P=under))*")
"""A letter overprinted with itself or an underscore, for bold or underlined text."""
_TERMINAL = re.compile("\x1b(?:\\[[0-9;:?]{0,40}[a-zA-Z]|\\][^\x07\x1b]{0,400}(?:\x07|\x1b\\\\)|[()][0-9A-Z]|[=>78])")
"""Codes of a terminal (ECMA-48): colours, movements, titles of windows."""
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\){0,20})((?:\\u[0-9a-fA-F]{4}){1,2000})")
_WITH_ESCAPES = frozenset(("application/json", "application/x-ndjson", "text/x-ini"))
"""Types of files that write letters as `\\u00fc`."""
_WITH_RAISED = frozenset(("text/markdown", "text/x-rst", "text/asciidoc", "text/org", "text/x-wiki"))
"""Markup that raises and lowers digits, by HTML or signs of its own."""


def decoded(raw: bytes, media_type: str = "") -> tuple[str, tuple[str, ...]]:
    """Decode a file, and the escaped letters of its format. Lines stay. Returns warnings if bytes were lost."""
    text, encoding, lossy = decode(raw)
    if "\b" in text:
        text = _OVERSTRUCK.sub(lambda match: match[1] or match[2], text.replace("+\bo", "•").replace("o\b+", "•"))
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if "\\" in text and media_type == "text/x-tex":
        text = in_markup(with_letters(text), is_latex=True)
    elif media_type in _WITH_RAISED:
        text = in_markup(text)
    elif "\\u" in text and media_type in _WITH_ESCAPES:
        text = _ESCAPED.sub(_unescaped, text)
    return text, ((f"Some bytes are not {encoding} text; each stands as U+FFFD.",) if lossy else ())


def _unescaped(match: re.Match[str]) -> str:
    """Return escaped UTF-16 units as letters; ASCII, invisible characters and single surrogates stay as written."""
    units = match[2].split("\\u")[1:]
    letters = b"".join(bytes.fromhex(unit) for unit in units).decode("utf-16-be", "surrogatepass")
    written = iter(units)
    readable_units = []
    for letter in letters:
        stored = "".join(f"\\u{next(written)}" for _ in range(1 + (letter > "\uffff")))
        readable_units.append(letter if letter > "\x7f" and letter.isprintable() else stored)
    return match[1] + "".join(readable_units)


def nothing() -> NoExtraction:
    """Return the result for a file that has only white space."""
    return NoExtraction("empty", "the file holds no text")


class OfText(ABC):
    """Base of extractors for text files (see `contracts.Extractor`); white space alone counts as empty."""

    fingerprint: str
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        return _read(raw, hint, self.read)

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


_REFUSED = {"xml_refused": "It is not XML and is read as plain text", "json_refused": "The file is not strict JSON"}


def of_text(fingerprint: str, read: ReadText, *, guarded: bool = False) -> Callable[[Options, Given], Extractor]:
    """Return the `build` function for a text format. `read` receives the decoded text, its warnings and the hint."""
    return extractor(fingerprint, lambda raw, hint: _read(raw, hint, read), guarded=guarded)


def _read(raw: bytes, hint: MediaHint, read: ReadText) -> Extraction | NoExtraction:
    """Extract from decoded text that is not blank. Malformed XML or JSON is plain text, with a warning."""
    text, warnings = decoded(raw, hint.media_type)
    if not text or text.isspace():
        return nothing()
    try:
        return read(text, warnings, hint)
    except BadData as error:
        if error.code not in _REFUSED:
            raise
        return Extraction(text, warnings=(*warnings, f"{_REFUSED[error.code]}: {error.message}"))
