"""PDF by page, with both engines."""

import io

import pypdf
import pytest

from biblicus.contracts import Given
from biblicus.errors import ExtractionFailed
from biblicus.extraction.pdf import Bookmark, Document, Options, _extraction, _with_scans, build
from biblicus.extraction.pdf.page_text import wrong_share
from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.models.recognition import Reading
from tests.extraction.pdf_files import LIGATURES, annotated, pdf, read, text_of, written
from tests.sampling import each

_engines = pytest.mark.parametrize("engine", ["pdfium", "pypdf"])


@_engines
def test_pages_start_where_they_say(engine: str) -> None:
    found = text_of(pdf("First page\nof three", "", "Third page"), engine)
    assert found.text == "First page\nof three\n\nThird page\n"
    assert found.pages == (0, 20, 21)


@_engines
def test_the_outline_gives_the_headings(engine: str) -> None:
    raw = pdf("Preface\nsome words", "1.2 Tides\nThe moon", outline=(("Preface", 0), ("Tides", 1), ("Elsewhere", 1)))
    found = text_of(raw, engine)
    assert found.headings == (Heading(0, 1, "Preface"), Heading(20, 2, "Tides"), Heading(20, 3, "Elsewhere"))
    assert found.text == "Preface\n\nsome words\n1.2 Tides\n\nThe moon\n"


@_engines
@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The Tides", "The Tides"), ("Microsoft Word - The Tides", "The Tides"), ("Microsoft Word - tides.docx", None),
        ("(anonymous)", None), ("Untitled", None), ("untitled-1.indd", None), ("", None), ("  ", None),
        ("No Slide Title", None), ("Présentation PowerPoint", None), ("PowerPoint 演示文稿", None),
        ("Document1", None), ("Untitled document", None), ("Untitled 2", None),
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


_NAMELESS = (
    "<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEE+Own /Encoding /Identity-H /DescendantFonts [<< /Type /Font"
    " /Subtype /CIDFontType2 /BaseFont /ABCDEE+Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity)"
    " /Supplement 0 >> >>] >>"
)


def glyphs(words: str) -> str:
    """Words as the numbers of their glyphs in many a font, which tell nobody what they mean."""
    return f"<{''.join(f'{ord(char) - 29:04x}' for char in words)}>"


def test_a_text_of_nameless_glyphs_is_none() -> None:
    garbled = pdf(glyphs("The moon pulls the tides"), glyphs("twice a day"), font=_NAMELESS)
    assert read(garbled) == NoExtraction("needs ocr", "pages 1, 2: a text that cannot be read as characters")


def test_a_page_of_nameless_glyphs_costs_itself() -> None:
    writer = pypdf.PdfWriter(io.BytesIO(pdf("The moon pulls")))
    writer.append(io.BytesIO(pdf(glyphs("the tides"), font=_NAMELESS)))
    outcome = text_of(written(writer))
    assert outcome.text == "The moon pulls\n\n"
    assert outcome.warnings == ("page 2: a text that cannot be read as characters (needs ocr).",)


def test_some_wrong_characters_are_told() -> None:
    words = pdf("The moon pulls\n<" + "01" * 4 + ">")
    assert text_of(words).warnings == ("page 1: many characters of the text are wrong.",)


@each(
    ("text", "codes", "share"),
    [
        ("The moon pulls.", "", 0),
        ("", "", 0),
        ("\uf0b7\uf041\ufffd\x03", "", 1),
        ("moon\ue000\ue001", "", 1 / 3),
        ("7KHPRRQ", "7KHPRRQ", 1),
        ("!\"#$%&'()$*", "!\"#$%&'()$*", 1),
        ("Tides......1.2Moon.......12", "Tides......1.2Moon.......12", 0),
        ("sd(0.51,2.70)0.6340.000366", "sd(0.51,2.70)0.6340.000366", 1),
        ("tide(0.51,2.7)0.634moon5e-4", "tide(0.51,2.7)0.634moon5e-4", 0),
        ("themoon", "themoon", 0),
        ("Themoon\x0c", "Themoon\x0c", 1 / 8),
        ("潮汐とは", "", 0),
        ("潮汐", "潮汐", 1),
        ("soft\ufffe\nhyphen", "", 0),
    ],
)
def test_wrong_characters(text: str, codes: str, share: float) -> None:
    """`codes`: what the font leaves unsaid."""
    assert wrong_share((char, char in codes) for char in text) == pytest.approx(share)


def test_engines_have_fingerprints_of_their_own() -> None:
    engines = [build(Options(engine="pdfium"), Given()), build(Options(engine="pypdf"), Given())]
    assert all(engine.guarded for engine in engines)
    assert engines[0].fingerprint.startswith("pdf/23 pypdfium2/")
    assert engines[1].fingerprint.startswith("pdf/23 pypdf/")


def test_filled_fields_and_notes_stand_behind_the_text_of_their_page() -> None:
    note = {"/Subtype": "/Text", "/Contents": "Low at spring tide.", "/T": "Ada"}
    highlight = {"/Subtype": "/Highlight", "/Contents": "Since May"}
    silent = {"/Subtype": "/Highlight", "/T": "Ada"}
    popup = {"/Subtype": "/Popup", "/Contents": "Low at spring tide."}
    raw = annotated(
        pdf("The mole is long.", "The quay."), note, highlight, silent, popup, field=("Harbour", "Aberdeen")
    )
    outcome = read(raw)
    assert isinstance(outcome, Extraction)
    first = "The mole is long.\nComment by Ada: Low at spring tide.\nComment: Since May\nHarbour: Aberdeen\n"
    assert outcome.text == f"{first}The quay.\n"
    assert outcome.pages == (0, len(first))


def test_a_form_without_other_words_is_read() -> None:
    assert text_of(annotated(pdf(""), field=("Harbour", "Aberdeen"))).text.strip() == "Harbour: Aberdeen"


@_engines
def test_an_entry_of_the_outline_is_found_in_other_letters(engine: str) -> None:
    found = text_of(pdf("The moon\n3 LOW-TIDE\nIt falls.", outline=(("Low tide", 0),)), engine)
    assert found.text == "The moon\n\n3 LOW-TIDE\n\nIt falls.\n"
    assert found.headings == (Heading(10, 1, "Low tide"),)


def test_larger_letters_are_headings_where_there_is_no_outline() -> None:
    text = "All berths have water and\npower from May to October.\nNobody lies at the fuel quay."
    raw = pdf(
        f"# Rules of the\n# harbour\nby Ada Stone of the office\n## 1 Berths\n{text}",
        f"## 2 Fees and what\n## they are for\nA night costs 12 euros.\n{text}",
    )
    found = text_of(raw)
    assert [(heading.level, heading.title) for heading in found.headings] == [
        (1, "Rules of the harbour"), (2, "1 Berths"), (2, "2 Fees and what they are for"),
    ]  # fmt: skip
    assert [found.text[heading.offset :].split("\n")[0] for heading in found.headings] == [
        "Rules of the", "1 Berths", "2 Fees and what",
    ]  # fmt: skip
    assert found.title == "Rules of the harbour"
    assert text_of(pdf(f"# Rules\n{text}", outline=(("power from May", 0),))).headings == (
        Heading(found.text.index("power") - found.text.index("All") + len("Rules\n"), 1, "power from May"),
    )


@pytest.mark.parametrize(
    "pages",
    [
        ("# Rules\n# of\n# the\n# harbour\nA night costs 12 euros, in May, too.",),  # a poster
        ("## Draft\nA night costs 12 euros.", "## Draft\nNo fires are lit.", "## Draft\nAll berths have water."),
        ("# 12.50\nA night costs that much in May.",),
    ],
)
def test_not_all_that_is_larger_is_a_heading(pages: tuple[str, ...]) -> None:
    assert not text_of(pdf(*pages)).headings


@pytest.mark.parametrize(
    ("bookmark", "offset"),
    [
        (Bookmark(1, "Intro", 0, 500), 0),
        (Bookmark(1, "Words", 1, 0), 4),
        (Bookmark(1, "Intro", 9, 0), None),
        (Bookmark(1, "Intro", -1), None),
    ],
)
def test_a_heading_lies_within_the_text(bookmark: Bookmark, offset: int | None) -> None:
    read = _extraction(Document(["OCR\n", "Words\n"], [bookmark], None, [], []))
    assert isinstance(read, Extraction)
    assert [one.offset for one in read.headings] == ([] if offset is None else [offset])


def test_a_running_line_that_ends_the_text_has_its_heading() -> None:
    pages = [f"{words} of boats.\n" * 60 + "Harbour of Gulls\n" for words in ("Tales", "Songs", "Names", "Lists")]
    read = _extraction(Document(pages, [Bookmark(1, "Harbour of Gulls", 3)], None, [], []))
    assert isinstance(read, Extraction)
    assert [one.offset for one in read.headings] == [read.text.rindex("Harbour")]


def test_headings_are_found_anew_on_pages_that_were_read_off_their_pictures() -> None:
    class Stage:
        every_page = True

        def read(self, image: bytes, page: int) -> list[Reading]:
            return [Reading("A note.\nIntro\nSee below.\n", ())] if page == 1 else []

    outline = [Bookmark(1, "Intro", 0, 40), Bookmark(1, "Ropes", 1, 5)]
    layer = Document(["x" * 60 + "\n", "The \nRopes\n"], outline, None, [], [])
    document = _with_scans(layer, pdf("a", "b"), Stage())  # type: ignore[arg-type]  # all that is asked of it
    assert [entry.offset for entry in document.outline] == [None, 5]
    read = _extraction(document)
    assert isinstance(read, Extraction)
    assert [read.text[one.offset :].split()[0] for one in read.headings] == ["Intro", "Ropes"]


@each(
    ("page", "title"),
    [
        ("# Rules of the harbour\n## Edition of May\nThe crew", "Rules of the harbour"),
        ("The crew\n# Rules of the\n# harbour\nEdition", "Rules of the harbour"),
        ("# Harbour\nThe crew wrote it", None),
        ("# DRAFT - do not quote\nThe crew wrote it", None),
        ("# Confidential: the crew alone\nThe crew wrote it", None),
        ("# SAMPLE COPY OF THE CREW\nThe crew wrote it", None),
        ("# Sample sizes of ropes\nThe crew wrote it", "Sample sizes of ropes"),
        ("# Copy-on-write for crews\nThe crew wrote it", "Copy-on-write for crews"),
        ("# Rules of ropes\nThe crew\n# Other rules\nEdition", None),
        ("RULES OF x IN THE HARBOUR\n~ ADA STONE\n~ The crew wrote it", "RULES OF x IN THE HARBOUR"),
        ("RULES OF THE HARBOUR\nTHE CREW\nThe crew wrote it", None),
        ("HARBOUR OF GULLS\n~ 12 Quay Street\nThe crew wrote it", None),
        ("The crew\nof the harbour\nwrote it\n# Rules of the harbour", None),
        ("The crew\nof the harbour", None),
    ],
)
def test_the_largest_letters_of_the_first_page_are_the_title_where_the_outline_has_none(page, title):
    raw = pdf(page, "Berths have water.", outline=(("Berths", 1),))
    assert text_of(raw).title == title


@_engines
def test_letters_that_are_drawn_in_one_are_the_letters(engine: str) -> None:
    raw = pdf("<01>sh in the <02>ood".replace("<01>", "\\001").replace("<02>", "\\002"), font=LIGATURES)
    assert text_of(raw, engine).text == "fish in the flood\n"
    assert text_of(pdf("a", title="The ﬂood"), engine).title == "The flood"
