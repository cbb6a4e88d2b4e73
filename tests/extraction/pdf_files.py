"""Small PDF documents, written byte by byte, and what is read of them."""

import io
from collections.abc import Mapping
from typing import Any

import pypdf
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    PdfObject,
    StreamObject,
    TextStringObject,
)

from biblicus.contracts import Given, MediaHint
from biblicus.extraction.pdf import Options, build
from biblicus.models.extraction import Extraction, NoExtraction

HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
LIGATURES = (
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /fi /fl] >> >>"
)
"""A font whose codes 1 and 2 are letters drawn in one."""
_SIZES = {"#": 18, "##": 14, "~": 10}


def pdf(
    *pages: str, title: str | None = None, outline: tuple[tuple[str, int], ...] = (), font: str = HELVETICA
) -> bytes:
    """A document with a line of text for each line of a page; a line in `<…>` says the codes of its glyphs, one that
    begins with `# ` is in letters of 18 points, `## ` of 14, `~ ` of 10, instead of 12."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for page in pages:
        lines = "".join(f"{_drawn(line)} 0 -20 Td " for line in page.split("\n"))
        stream = f"BT /F1 12 Tf 72 700 Td {lines}ET" if page else ""
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        resources = f"<< /Font << /F1 {font} >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {len(objects)} 0 R"
            f" /Resources {resources} >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer << /Root 1 0 R /Size {size} >>\nstartxref\n{len(body)}\n%%EOF"
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}"
    if title is None and not outline:
        return body.encode("latin-1")
    writer = pypdf.PdfWriter(io.BytesIO(body.encode("latin-1")))
    if title is not None:
        writer.add_metadata({"/Title": title})
    parent = None
    for words, page_number in outline:
        parent = writer.add_outline_item(title=words, page_number=page_number, parent=parent)
    return written(writer)


def drawn(*pages: str) -> bytes:
    """A document of pages with these operators."""
    writer = pypdf.PdfWriter(io.BytesIO(pdf(*("x" for _ in pages))))
    for page, operators in zip(writer.pages, pages, strict=True):
        stream = StreamObject()
        stream.set_data(operators.encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    return written(writer)


def _drawn(line: str) -> str:
    """How a line is drawn."""
    marks, space, words = line.partition(" ")
    if space and marks in _SIZES:
        return f"/F1 {_SIZES[marks]} Tf ({words}) Tj /F1 12 Tf"
    return f"{line} Tj" if line.startswith("<") else f"({line}) Tj"


def annotated(raw: bytes, *annotations: Mapping[str, Any], field: tuple[str, str] = ("", "")) -> bytes:
    """The document with these on its first page, and with a field of a form that has a name and a value."""
    writer = pypdf.PdfWriter(io.BytesIO(raw))
    objects = [{"/Type": "/Annot", "/Rect": [0, 0, 9, 9], **annotation} for annotation in annotations]
    if field[0]:
        widget = {"/Subtype": "/Widget", "/FT": "/Tx", "/T": field[0], "/V": field[1], "/Rect": [9, 9, 99, 19]}
        objects.append({"/Type": "/Annot", **widget})
    added = [writer._add_object(_dictionary(entry)) for entry in objects]
    writer.pages[0][NameObject("/Annots")] = ArrayObject(added)
    if field[0]:
        form = {NameObject("/Fields"): ArrayObject(added[-1:])}
        writer._root_object[NameObject("/AcroForm")] = DictionaryObject(form)
    return written(writer)


def _dictionary(entry: Mapping[str, Any]) -> DictionaryObject:
    def value(of: Any) -> PdfObject:
        if isinstance(of, list):
            return ArrayObject(NumberObject(number) for number in of)
        return NameObject(of) if of.startswith("/") else TextStringObject(of)

    return DictionaryObject({NameObject(key): value(of) for key, of in entry.items()})


def written(writer: pypdf.PdfWriter) -> bytes:
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def read(raw: bytes, engine: str = "pdfium") -> Extraction | NoExtraction:
    return build(Options.model_validate({"engine": engine}), Given()).extract(
        raw, MediaHint("a.pdf", "application/pdf")
    )


def text_of(raw: bytes, engine: str = "pdfium") -> Extraction:
    outcome = read(raw, engine)
    assert isinstance(outcome, Extraction)
    return outcome
