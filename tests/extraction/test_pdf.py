"""PDF by page, with both engines; small documents are written here, byte by byte."""

from __future__ import annotations

import io

import pypdf
import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.pdf import Options, build
from biblicus.models.extraction import Extraction, Heading, NoExtraction

_engines = pytest.mark.parametrize("engine", ["pdfium", "pypdf"])


def pdf(*pages: str, title: str | None = None, outline: tuple[tuple[str, int], ...] = ()) -> bytes:
    """A document with a line of text for each line of a page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for page in pages:
        lines = "".join(f"({line}) Tj 0 -20 Td " for line in page.split("\n"))
        stream = f"BT /F1 12 Tf 72 700 Td {lines}ET" if page else ""
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {len(objects)} 0 R /Resources {font} >>"
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


@_engines
def test_pages_start_where_they_say(engine: str) -> None:
    found = text_of(pdf("First page\nof three", "", "Third page"), engine)
    assert found.text == "First page\nof three\n\nThird page\n"
    assert found.pages == (0, 20, 21)


@_engines
def test_the_outline_gives_the_headings(engine: str) -> None:
    raw = pdf("Preface\nsome words", "1.2 Tides\nThe moon", outline=(("Preface", 0), ("Tides", 1), ("Elsewhere", 1)))
    found = text_of(raw, engine)
    assert found.headings == (Heading(0, 1, "Preface"), Heading(19, 2, "Tides"), Heading(19, 3, "Elsewhere"))


@_engines
@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The Tides", "The Tides"), ("Microsoft Word - The Tides", "The Tides"), ("Microsoft Word - tides.docx", None),
        ("(anonymous)", None), ("Untitled", None), ("untitled-1.indd", None), ("", None), ("  ", None),
        ("Document1", None),
    ],
)  # fmt: skip
def test_only_a_sensible_title_counts(engine: str, title: str, expected: str | None) -> None:
    assert text_of(pdf("text", title=title), engine).title == expected


@_engines
def test_blank_pages_are_empty(engine: str) -> None:
    assert read(pdf("", ""), engine) == NoExtraction("empty", "the pages are blank")


@_engines
def test_a_password_is_encrypted_and_an_empty_one_is_none(engine: str) -> None:
    for password, encrypted in (("secret", True), ("", False)):
        writer = pypdf.PdfWriter(io.BytesIO(pdf("locked text")))
        writer.encrypt(password, "owner", algorithm="RC4-128")
        outcome = read(written(writer), engine)
        if encrypted:
            assert isinstance(outcome, NoExtraction)
            assert outcome.status == "encrypted"
            assert outcome.is_failure
        else:
            assert isinstance(outcome, Extraction)
            assert "locked text" in outcome.text


@_engines
@pytest.mark.parametrize("raw", [b"", b"%PDF-1.7", b"%PDF-1.7\n" + b"\xff" * 999, b"no PDF at all"])
def test_a_broken_file_is_a_failure(engine: str, raw: bytes) -> None:
    with pytest.raises(ExtractionFailed, match="the file is no readable PDF"):
        read(raw, engine)


def test_a_cut_file_never_raises_anything_else() -> None:
    raw = pdf("First page", "Second page", title="T", outline=(("First", 0),))
    for engine in ("pdfium", "pypdf"):
        for end in range(0, len(raw), 61):
            try:
                read(raw[:end], engine)
            except ExtractionFailed:
                continue


def test_engines_have_fingerprints_of_their_own() -> None:
    engines = [build(Options(engine="pdfium"), Given()), build(Options(engine="pypdf"), Given())]
    assert all(engine.guarded for engine in engines)
    assert engines[0].fingerprint.startswith("pdf/2 pypdfium2/")
    assert engines[1].fingerprint.startswith("pdf/2 pypdf/")
