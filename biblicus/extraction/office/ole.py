"""Files of older Office versions (doc, xls, ppt) and of Outlook (msg): what they are, the streams inside them tell.

By olefile and python-calamine (extra `[office]`). An office document with a password is such a file, too.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.composing import ENCRYPTED, Composer, rows, sensible
from biblicus.extraction.extras import installed, missing
from biblicus.extraction.html import Html
from biblicus.extraction.html import Options as HtmlOptions
from biblicus.extraction.office import calamine
from biblicus.extraction.office.locked import PACKAGE, is_locked_presentation, unlocked
from biblicus.extraction.office.ole_powerpoint import slides
from biblicus.extraction.office.ole_word import paragraphs
from biblicus.extraction.text import Options
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text import media

__all__ = ["Options", "build"]

_PACKAGES = ("docx", "pptx", "xlsx")
_LARGEST_STREAM = 256 << 20


class Ole:
    """Parsed in a guarded worker."""

    guarded = True

    def __init__(self, passwords: Sequence[str]) -> None:
        self._passwords = passwords
        self._html = Html(HtmlOptions(content="all"))
        packages = " ".join(f"{name}/{installed(name)}" for name in ("olefile", "python-calamine", PACKAGE))
        self.fingerprint = f"ole/2 {packages} {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        outcome = self._read(raw)
        if not isinstance(outcome, NoExtraction) or outcome.status != "encrypted":
            return outcome
        opened = unlocked(raw, self._passwords)
        if isinstance(opened, NoExtraction):
            return opened
        return self._read(opened) if opened[:2] != b"PK" else _package(opened, hint)

    def _read(self, raw: bytes) -> Extraction | NoExtraction:
        try:
            import olefile
        except ImportError:
            return missing("office")
        try:
            file = olefile.OleFileIO(io.BytesIO(raw))
        except (OSError, ValueError, IndexError) as error:
            raise ExtractionFailed(f"the file is damaged: {error}") from error
        if file.exists("EncryptedPackage"):
            return ENCRYPTED
        if file.exists("Workbook") or file.exists("Book"):
            return calamine.workbook(raw)
        if file.exists("WordDocument"):
            return _word(file)
        if file.exists("PowerPoint Document"):
            is_locked = is_locked_presentation(stream(file, "Current User"))
            return ENCRYPTED if is_locked else _powerpoint(file)
        if file.exists("__properties_version1.0"):
            from biblicus.extraction.office.ole_message import message

            return message(lambda name: stream(file, name), file.listdir(), self._html)
        return NoExtraction("unsupported", "it is no document, workbook, presentation or message")


def build(options: Options, given: Given) -> Extractor:
    """The extractor for such files."""
    return Ole(given.passwords)


def _package(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    """The document that was locked, by its own format."""
    name = media.choose(media.of_bytes(raw))
    if name not in _PACKAGES:
        return NoExtraction("unsupported", "what was locked is no document, workbook or presentation")
    module = import_module(f"biblicus.extraction.office.{name}")
    extractor: Extractor = module.build(Options(), Given())
    return extractor.extract(raw, hint)


def stream(file: Any, name: str) -> bytes:
    """A stream's bytes; empty where there is none."""
    if not file.exists(name):
        return b""
    if file.get_size(name) > _LARGEST_STREAM:
        raise ExtractionFailed(f"a part of it is larger than {_LARGEST_STREAM >> 20} MiB")
    data = file.openstream(name).read()
    return data if isinstance(data, bytes) else b""


def _word(file: Any) -> Extraction | NoExtraction:
    document = stream(file, "WordDocument")
    texts = paragraphs(document, stream(file, "0Table"), stream(file, "1Table"))
    if texts is None:
        return ENCRYPTED
    composer = Composer()
    table: list[list[str]] = []
    for text in texts:
        if isinstance(text, list):
            table.append(text)
            continue
        _write_table(composer, table)
        composer.paragraph(text)
    _write_table(composer, table)
    title, metadata = _properties(file)
    return composer.extraction(title=title, metadata=metadata)


def _write_table(composer: Composer, table: list[list[str]]) -> None:
    if table:
        composer.gap()
        for line in rows(table):
            composer.line(line)
        composer.gap()
        table.clear()


def _powerpoint(file: Any) -> Extraction | NoExtraction:
    composer = Composer()
    for number, slide in enumerate(slides(stream(file, "PowerPoint Document")), 1):
        composer.gap()
        composer.spot("slide", "", str(number))
        if slide.title:
            composer.heading(1, slide.title)
        for text in slide.texts:
            composer.paragraph(text)
        for text in slide.notes:
            composer.paragraph(f"Notes: {text}")
    title, metadata = _properties(file)
    return composer.extraction(title=title, metadata=metadata)


def _properties(file: Any) -> tuple[str | None, dict[str, str]]:
    """Title and author, as the file says them in its summary."""
    try:
        properties = file.get_metadata()
        title, author = (_decoded(value, properties.codepage) for value in (properties.title, properties.author))
    except Exception:  # broken properties cost themselves only; olefile raises what it likes
        return None, {}
    return sensible(title), {"author": author[:300]} if author else {}


def _decoded(value: object, code_page: object) -> str:
    if not isinstance(value, bytes):
        return str(value or "")
    names: Iterator[str] = iter(("utf-8" if code_page == 65001 else f"cp{code_page}", "cp1252"))
    for name in names:
        try:
            return " ".join(value.rstrip(b"\0").decode(name).split())
        except (LookupError, ValueError):
            continue
    return ""
