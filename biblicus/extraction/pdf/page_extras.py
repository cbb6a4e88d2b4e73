"""Form values and annotations of a PDF page."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.extraction.kit.composing import folded

_NOTES = frozenset(
    (
        pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_SQUIGGLY, pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_INK, pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE, pdfium.FPDF_ANNOT_CIRCLE,
    )
)  # fmt: skip
_WRITTEN = frozenset((pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX))
_DRAWN = frozenset(
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
            is_stamped = is_stamped or kind in _DRAWN
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
