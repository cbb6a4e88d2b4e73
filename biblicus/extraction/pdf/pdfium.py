"""Engine `pdfium` of the PDF extractor (pypdfium2): pages, outline, form values, annotations and files inside.

Hyphens at line ends are part of a compound (`well-known`) or only of the line break (`har-bour`): the words of the same
document decide.
"""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted, folded, sensible
from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.pdf import Bookmark, Document, sizes
from biblicus.extraction.pdf.laid import Laid, laid
from biblicus.extraction.pdf.page_text import GARBLED, SAMPLE, clean, spelled, wrong_share
from biblicus.extraction.pdf.tables import Table
from biblicus.extraction.pdf.words import BROKEN
from biblicus.models.extraction import NoExtraction, Packed
from biblicus.models.locator import Spot

_DRAWN = 50
"""Minimum paths on a page to be letters drawn as outlines and not mere lines."""
_LONGEST_PART = 80
_BEFORE, _AFTER = re.compile(r"[\w-]+\Z"), re.compile(rf"{BROKEN}(\w{{1,{_LONGEST_PART}}})")
_WORD = re.compile(r"\w+(?:-\w+)*")
_NOTES = frozenset(
    (
        pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_SQUIGGLY, pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_INK, pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE, pdfium.FPDF_ANNOT_CIRCLE,
    )
)  # fmt: skip
_WRITTEN = frozenset((pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX))
_STAMPED = frozenset(
    (
        pdfium.FPDF_ANNOT_STAMP, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_WATERMARK, pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_CIRCLE,
    )
)  # fmt: skip
"""Annotations that may show text without storing it as text."""
_TICKED = frozenset((pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON))
_MOST = 5_000
_LONGEST = 200_000
"""Maximum bytes of a form value or note; longer ones are left out."""
_MOST_FILES = 10_000


def read(raw: bytes, passwords: Sequence[str] = ()) -> Document | NoExtraction:
    """Return the pages, outline and title, or why there are none. Raises `ExtractionFailed`."""
    document, password = _opened(raw, passwords)
    if document is None:
        return encrypted(passwords)
    pages: list[str] = []
    scanned: list[int] = []
    broken: list[int] = []
    wrong: dict[int, float] = {}
    notes: dict[int, str] = {}
    spots: dict[int, Sequence[Spot]] = {}
    before: Table | None = None
    sized: list[sizes.Line] = []
    outline = _outline(document)
    if document.get_formtype() != pdfium.FORMTYPE_NONE:
        document.init_forms()
    for number in range(len(document)):
        try:
            page = document[number]
            layer = page.get_textpage()
            text = drawn_text = layer.get_text_range()
        except pypdfium2.PdfiumError:
            broken.append(number)
            text, before = "", None
        else:
            wrong[number] = wrong_share(_sample(layer, text))
            page_text = laid(page, layer, text, before) if wrong[number] < GARBLED else Laid("")
            before, spots[number] = page_text.last, page_text.spots
            text = page_text.text
            sized += sizes.lines(number, layer, page_text) if not outline or not number else ()
            if wrong[number] >= GARBLED or (not text.strip() and _shows_something(page)):
                scanned.append(number)
            if extra_lines := list(lines(page, number, drawn_text)):
                notes[number] = spelled(clean("\n".join(extra_lines)))
            page.close()
        pages.append(spelled(clean(text)))
    pages, removed = resolved(pages)
    sized = [
        line._replace(
            offset=line.offset - bisect_left(removed[line.page], line.offset), text=line.text.replace(BROKEN, "")
        )
        for line in sized
    ]
    first = [line for line in sized if not line.page]
    outline = outline or sizes.headings(sized)
    metadata_title = sensible(document.get_metadata_value("Title"))
    title = metadata_title or sizes.title(outline) or sizes.largest(first) or sizes.in_capitals(first)
    return Document(pages, outline, title, scanned, broken, wrong, password=password, beside=notes, spots=spots)


def _opened(raw: bytes, passwords: Sequence[str]) -> tuple[pypdfium2.PdfDocument | None, str | None]:
    """Open the document; return it with the password that opened it, or None if it needs another. Raises
    `ExtractionFailed`."""
    for password in (None, *passwords):
        try:
            return pypdfium2.PdfDocument(raw, password), password
        except pypdfium2.PdfiumError as error:
            if error.err_code not in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
                raise ExtractionFailed("the file is no readable PDF") from error
    return None, None


def _sample(page: pypdfium2.PdfTextPage, text: str) -> Iterator[tuple[str, bool]]:
    """Yield sampled characters of a page, with True if the font has no Unicode mapping for it."""
    count, layer = page.count_chars(), page.raw  # the wrapper doubles the time of a call
    is_same, has_pairs = count == len(text), bool(text) and max(text) > "\uffff"  # which pdfium counts as two
    for number in range(0, count, max(1, count // SAMPLE)):
        is_code = pdfium.FPDFText_HasUnicodeMapError(layer, number) == 1
        code = ord(text[number]) if is_same and not is_code else pdfium.FPDFText_GetUnicode(layer, number)
        if not has_pairs or not 0xD800 <= code <= 0xDFFF:
            yield chr(code) if code < 0x110000 else "\ufffd", is_code


def _shows_something(page: pypdfium2.PdfPage) -> bool:
    """Return True if a page without text has an image, or enough paths to be drawn letters."""
    kinds = [page_object.type for page_object in islice(page.get_objects(max_depth=4), 2_000)]
    return pdfium.FPDF_PAGEOBJ_IMAGE in kinds or kinds.count(pdfium.FPDF_PAGEOBJ_PATH) >= _DRAWN


def _outline(document: pypdfium2.PdfDocument) -> list[Bookmark]:
    bookmarks: list[Bookmark] = []
    for entry in document.get_toc(max_depth=8):
        target = entry.get_dest()
        page = target.get_index() if target else None
        if page is not None:
            bookmarks.append(Bookmark(entry.level + 1, entry.get_title(), page))
    return bookmarks


def resolved(pages: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Return the pages with line-end hyphens hyphens or removed, and for each page the offsets of removed ones."""
    if not any(BROKEN in page for page in pages):
        return list(pages), [[] for _ in pages]
    written_words: set[str] = set()
    broken_words: list[tuple[int, int, str, str]] = []
    for number, page in enumerate(pages):
        begun = 0
        for after in _AFTER.finditer(page):
            at = after.start()
            if before := _BEFORE.search(page, max(begun, at - _LONGEST_PART), at):
                broken_words.append((number, at, before[0], after[1]))
                written_words.update(_WORD.findall(page, begun, before.start()))
                begun = after.end()
        written_words.update(_WORD.findall(page, begun))
    words = {word.lower() for word in written_words}
    parts = words.union(part for word in words if "-" in word for part in word.split("-"))
    hyphens: list[list[int]] = [[-1] for _ in pages]  # offsets of hyphens of compounds
    for number, at, before_break, after_break in broken_words:
        if _is_compound(before_break, after_break, words, parts):
            hyphens[number].append(at)
    texts = [
        "-".join([page[begin + 1 : end] for begin, end in pairwise((*offsets, len(page)))])
        for page, offsets in zip(pages, hyphens, strict=True)
    ]
    removed = [[hyphen.start() for hyphen in re.finditer(BROKEN, text)] for text in texts]
    return [text.replace(BROKEN, "") for text in texts], removed


def _is_compound(before: str, after: str, words: set[str], parts: set[str]) -> bool:
    """Return True if the hyphen between two parts belongs to a compound, as before a capital or digit: `Nord-Süd`."""
    if (before[-1].islower() and after[0].isupper()) or after[0].isdecimal():
        return True
    before, after = before.lower(), after.lower()
    if f"{before}-{after}" in words or "-" in before:
        return True
    return before + after not in words and after in parts and before in parts


def lines(page: pypdfium2.PdfPage, number: int, text: str) -> Iterator[str]:
    """Yield a line for each filled field (`Name: Ada`), note and stamp in page order. `text`: the page as drawn."""
    form, extra_lines, is_stamped = page.formenv, [], False
    for at in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)):
        annotation = pdfium.FPDFPage_GetAnnot(page, at)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind in _NOTES and (words := _of(annotation, b"Contents")):
                author = _of(annotation, b"T")
                extra_lines.append(f"Comment by {author}: {words}" if author else f"Comment: {words}")
            is_stamped = is_stamped or kind in _STAMPED
            if kind == pdfium.FPDF_ANNOT_WIDGET and form is not None:
                extra_lines += _field(form, annotation)
                kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
                is_stamped = is_stamped or kind == pdfium.FPDF_FORMFIELD_SIGNATURE
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    yield from extra_lines
    if is_stamped:
        yield from _stamped(page, number, f"{text}\n{chr(10).join(extra_lines)}")


def _stamped(page: pypdfium2.PdfPage, number: int, known: str) -> Iterator[str]:
    """Yield the lines that stamps and signatures add to the page when they are flattened into it."""
    if pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) != pdfium.FLATTEN_SUCCESS:
        return
    before = folded(known)
    stamped = page.pdf[number]  # load the page again, as pdfium requires
    for line in stamped.get_textpage().get_text_range().splitlines():
        if (words := folded(line)) and words not in before:
            yield words


def _field(form: pypdfium2.PdfFormEnv, annotation: object) -> Iterator[str]:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in _TICKED:
        name = _words(partial(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)) or _words(
            partial(pdfium.FPDFAnnot_GetFormFieldName, form, annotation)
        )
        if name:
            yield f"{name}: {'☑' if pdfium.FPDFAnnot_IsChecked(form, annotation) else '☐'}"
        return
    if kind not in _WRITTEN:
        return
    value, label, name = (
        _words(partial(ask, form, annotation))
        for ask in (
            pdfium.FPDFAnnot_GetFormFieldValue,
            pdfium.FPDFAnnot_GetFormFieldAlternateName,
            pdfium.FPDFAnnot_GetFormFieldName,
        )
    )
    if value:
        yield f"{label or name}: {value}" if label or name else value


def _of(annotation: object, key: bytes) -> str:
    return _words(partial(pdfium.FPDFAnnot_GetStringValue, annotation, key))


def _words(ask: Callable[[object, int], int]) -> str:
    """Return a string from a pdfium getter, which returns the length on its first call."""
    size = ask(None, 0)
    if not 2 < size <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return folded(buffer.raw[:size].decode("utf-16-le", "replace"))


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files in document order; none if the PDF does not open, which text extraction reports."""
    document, _ = _opened(raw, passwords)
    if document is None:
        return
    for number in range(min(document.count_attachments(), _MOST_FILES)):
        attachment = document.get_attachment(number)
        inside = attached_name(attachment.get_name(), number + 1, "application/octet-stream")
        yield Packed(inside, [bytes(attachment.get_data())])
