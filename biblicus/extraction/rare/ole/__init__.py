"""Extractor of older Office files (doc, xls, ppt) and Outlook messages (msg), by the streams that they contain.

It needs olefile and python-calamine (extra `[office]`). Newer Office documents with a password have this format, too;
msoffcrypto opens them.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import ENCRYPTED, Asides, Composer, encrypted, sensible
from biblicus.extraction.kit.extras import installed, missing
from biblicus.extraction.kit.grids import by_edges, rows
from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.rare.ole.message import attachments, message
from biblicus.extraction.rare.ole.powerpoint import asides, is_readable, slides
from biblicus.extraction.rare.ole.summary import summary
from biblicus.extraction.rare.ole.word import OF_WORD_2, Beside, Block, Styled, TableRow, paragraphs
from biblicus.models.extraction import Extraction, NoExtraction, Packed
from biblicus.text import media

_PACKAGES = ("docx", "pptx", "xlsx")
_WORKBOOK = "application/vnd.ms-excel"
_STREAM = 2
_SUMMARY = "\x05SummaryInformation"
_SLIDES = ("PP97_DUALSTORAGE/", "")
"""Folders of a presentation's streams; a file for PowerPoint 95 and 97 has those of 97 in a folder."""
_WESTERN = 1252
_LARGEST_STREAM = 256 << 20
PACKAGE = "msoffcrypto-tool"
_ANYBODYS = "VelvetSweatshop"
"""Default password of Excel, which opens workbooks that are only write-protected."""
_LOCKED_SLIDES = 0xF3D1C4DF
_FILE_PASS, _LAST = 0x002F, 0x000A
_MOST_RECORDS = 100
"""Maximum records of a workbook before the one that marks encryption."""


class Ole:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self, given: Given) -> None:
        self._given, self._passwords = given, given.passwords
        self._html = given.extractor("html", content="all", mark_quotes=True)
        packages = " ".join(f"{name}/{installed(name)}" for name in ("olefile", "python-calamine", PACKAGE))
        self.fingerprint = f"ole/18 {packages} {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        outcome = self._read(raw)
        if not isinstance(outcome, NoExtraction) or outcome.status != "encrypted":
            return outcome
        opened = unlocked(raw, self._passwords)
        if isinstance(opened, NoExtraction):
            return opened
        return self._read(opened) if opened[:2] != b"PK" else self._package(opened, hint)

    def _read(self, raw: bytes) -> Extraction | NoExtraction:
        try:
            import olefile
        except ImportError:
            return missing("office")
        if raw.startswith(OF_WORD_2):
            return _of_word(paragraphs(raw, b"", b"", _WESTERN), None, {})
        try:
            file = olefile.OleFileIO(io.BytesIO(raw))
        except (OSError, ValueError, IndexError) as error:
            raise ExtractionFailed(f"the file is damaged: {error}") from error
        if file.exists("EncryptedPackage"):
            return ENCRYPTED
        if file.exists("Workbook") or file.exists("Book"):
            is_locked = is_locked_workbook(stream(file, "Workbook") or stream(file, "Book"))
            return ENCRYPTED if is_locked else self._given.extractor("calamine").extract(raw, MediaHint("", _WORKBOOK))
        if file.exists("WordDocument"):
            return _word(file)
        for folder in _SLIDES:
            if file.exists(f"{folder}PowerPoint Document"):
                is_locked = is_locked_presentation(stream(file, f"{folder}Current User"))
                return ENCRYPTED if is_locked else _powerpoint(file, folder)
        if file.exists("__properties_version1.0"):
            return message(lambda name: stream(file, name), file.listdir(), self._html)
        return NoExtraction("unsupported", "it is no document, workbook, presentation or message")

    def _package(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        """Extract a decrypted document with the extractor of its format."""
        name = media.choose(media.of_bytes(raw))
        if name not in _PACKAGES:
            return NoExtraction("unsupported", "what was locked is no document, workbook or presentation")
        return self._given.extractor(name).extract(raw, hint)


def build(options: Options, given: Given) -> Extractor:
    return Ole(given)


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the attachments of a message; none if olefile is missing, which text extraction reports."""
    try:
        import olefile
    except ImportError:
        return
    file = olefile.OleFileIO(io.BytesIO(raw))
    for number, (folder, stated_name) in enumerate(attachments(lambda part: stream(file, part), file.listdir()), 1):
        data = f"{folder}/__substg1.0_37010102"
        if file.exists(data):
            yield Packed(attached_name(stated_name, number, media.BINARY), [stream(file, data)])


def stream(file: Any, name: str) -> bytes:
    """Return a stream's bytes, or empty bytes if there is none."""
    if file.get_type(name) != _STREAM:
        return b""
    if file.get_size(name) > _LARGEST_STREAM:
        raise ExtractionFailed(f"a part of it is larger than {_LARGEST_STREAM >> 20} MiB")
    data = file.openstream(name).read()
    return data if isinstance(data, bytes) else b""


def _word(file: Any) -> Extraction | NoExtraction:
    document = stream(file, "WordDocument")
    code_page = summary(stream(file, _SUMMARY)).code_page
    blocks = paragraphs(document, stream(file, "0Table"), stream(file, "1Table"), code_page)
    return _of_word(blocks, *_properties(file))


def _of_word(blocks: list[Block] | None, title: str | None, metadata: dict[str, str]) -> Extraction | NoExtraction:
    """Return the extraction of a document from its blocks; None as blocks means that it has a password."""
    if blocks is None:
        return ENCRYPTED
    composer, found_asides = Composer(), Asides()
    table: list[TableRow] = []
    for block in blocks:
        if isinstance(block, TableRow):
            table.append(block)
            continue
        _write_table(composer, table)
        if isinstance(block, Styled):
            composer.styled(*block)
        elif isinstance(block, Beside):
            found_asides.add(block.kind, block.text)
        else:
            composer.paragraph(block)
    _write_table(composer, table)
    composer.beside(found_asides)
    return composer.extraction(title=title, metadata=metadata)


def _write_table(composer: Composer, table: list[TableRow]) -> None:
    if table:
        composer.block(rows(by_edges(table)))
        table.clear()


def _powerpoint(file: Any, folder: str) -> Extraction | NoExtraction:
    composer, found_asides = Composer(), Asides()
    data = stream(file, f"{folder}PowerPoint Document")
    for number, slide in enumerate(slides(data), 1):
        composer.gap()
        composer.spot("slide", "", str(number))
        if slide.title:
            composer.heading(1, slide.title)
        for text in slide.texts:
            composer.paragraph(text)
        for text in slide.notes:
            composer.paragraph(f"Notes: {text}")
    for aside in asides(data):
        found_asides.add(aside.kind, aside.text, author=aside.author)
    composer.beside(found_asides)
    title, metadata = _properties(file)
    older = NoExtraction("unsupported", "it is no presentation of PowerPoint 97 or later")
    return composer.extraction(title=title, metadata=metadata, otherwise=None if is_readable(data) else older)


def _properties(file: Any) -> tuple[str | None, dict[str, str]]:
    """Return the title and author in the file's summary."""
    about = summary(stream(file, _SUMMARY))
    return sensible(about.title), {"author": about.author[:300]} if about.author else {}


def is_locked_presentation(current_user: bytes) -> bool:
    """Return True if an older presentation has a password, by its stream `Current User` ([MS-PPT] 2.3.2)."""
    return len(current_user) >= 16 and struct.unpack_from("<I", current_user, 12)[0] == _LOCKED_SLIDES


def is_locked_workbook(book: bytes) -> bool:
    """Return True if an older workbook has a password, by its first records ([MS-XLS] 2.4.117)."""
    at = 0
    for _ in range(_MOST_RECORDS):
        kind, length = struct.unpack_from("<HH", book, at) if at + 4 <= len(book) else (_LAST, 0)
        if kind in (_FILE_PASS, _LAST):
            return bool(kind == _FILE_PASS)
        at += 4 + length
    return False


def unlocked(raw: bytes, passwords: Sequence[str]) -> bytes | NoExtraction:
    """Return the decrypted document, or the reason why no password opens it."""
    if installed(PACKAGE) == "none":
        return NoExtraction(
            "encrypted", 'the file asks for a password; what opens it takes pip install "biblicus-corpus[office]"'
        )
    import msoffcrypto
    from msoffcrypto.exceptions import DecryptionError
    from msoffcrypto.format import doc97, ppt97, xls97

    for module in (doc97, ppt97, xls97):
        module.tempfile = SimpleNamespace(TemporaryFile=io.BytesIO)  # the sandbox has no folder for temporary files
    for password in (_ANYBODYS, *passwords):
        opened = io.BytesIO()
        try:
            document: Any = msoffcrypto.OfficeFile(io.BytesIO(raw))
            document.load_key(password=password)
            document.decrypt(opened)
        except DecryptionError:  # wrong password
            continue
        except Exception as error:  # the library raises various errors for unknown or damaged encryption
            return NoExtraction("encrypted", f"the file asks for a password, in a way that is not read ({error})")
        return opened.getvalue()
    return encrypted(passwords)
