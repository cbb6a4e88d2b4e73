"""What stands on a page of a PDF beside its text: what was written into a form, and what readers noted."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.extraction.composing import folded

_NOTES = frozenset(
    (
        pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_SQUIGGLY, pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_INK, pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE, pdfium.FPDF_ANNOT_CIRCLE,
    )
)  # fmt: skip
_WRITTEN = frozenset((pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX))
_MOST = 5_000
_LONGEST = 200_000
"""Bytes of one text."""


def lines(page: pypdfium2.PdfPage) -> Iterator[str]:
    """A line for each filled field (`Name: Ada`) and each note, in the order of the page."""
    form = page.formenv
    for number in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)):
        annotation = pdfium.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind in _NOTES and (words := _of(annotation, b"Contents")):
                author = _of(annotation, b"T")
                yield f"Comment by {author}: {words}" if author else f"Comment: {words}"
            elif kind == pdfium.FPDF_ANNOT_WIDGET and form is not None:
                yield from _field(form, annotation)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _field(form: pypdfium2.PdfFormEnv, annotation: object) -> Iterator[str]:
    if pdfium.FPDFAnnot_GetFormFieldType(form, annotation) not in _WRITTEN:
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
    """A text of pdfium, which is asked for its length first."""
    size = ask(None, 0)
    if not 2 < size <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return folded(buffer.raw[:size].decode("utf-16-le", "replace"))
