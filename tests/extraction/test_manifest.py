"""Real documents: every sentence known to be in a text layer is found, on its page; every broken file is told as such.

The sentences come from the manifest of the shared documents.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text import media

_SENTENCE = re.compile(r'\[([^\]]*)\] "(.+?)"(?=$| ;| \()')

_NO_TEXT = {
    "2206.01062_pg3.pdf": "encrypted",
    "invalid.pdf": "failed",
    "no_contents.pdf": "empty",
    "empty.eml": "empty",
    "testWORD_protected_passtika.docx": "encrypted",
    **dict.fromkeys(("markitdown_test.m4a", "silent_1s.wav"), "empty"),
    **dict.fromkeys(("chi_sim_image.jpeg", "english-and-korean.png", "linn.png", "test_llm.jpg"), "needs ocr"),
    **dict.fromkeys(
        (
            "MEDRPT-2024-PAT-3847_medical_report_scan.pdf", "ccitt.pdf", "jbig2.pdf", "ocr_test.pdf",
            "pdf_scanned_invoice.pdf", "skew.pdf",
        ),
        "needs ocr",
    ),
}  # fmt: skip

_OTHER_SENTENCES = {
    "factbook-utf-16.xml": "United States",
    "testArabicMisleadingCharset.html": "رجل حكيم يعرف كل شيء",
    "testHTML_charset_utf16le.html": "sample text",
    "stanley-cups-with-emoji.csv": "Stanley Cups",
    "tldr_tar.ja.md": "アーカイブ",
    "eng_spa_mult.odt": "They are endowed with reason and conscience",
    "eng_spa_mult.rtf": "Todos los seres humanos nacen libres",
    "markitdown_test.xls": "6ff4173b-42a5-4784-9b19-f49caff4d93d",
    "markitdown_test.xlsx": "6ff4173b-42a5-4784-9b19-f49caff4d93d",
    "test_outlook_msg.msg": "This is the body of the test email message",
    "testMBOX_complex.mbox": "Thank you in advance for your response",
    "testEPUB.epub": "This is the text for chapter One",
    "webvtt_example_01.vtt": "Astrophysicist, Director of the Hayden Planetarium",
    "equations.docx": "The angle is",
    "test_with_comment.docx": "AutoGen is an open-source framework",
}


class Known(NamedTuple):
    """A sentence of the manifest. `page` counts from 1, where the manifest names one."""

    file: str
    page: int | None
    sentence: str


def read(path: Path, **options: str) -> Extraction | NoExtraction | None:
    """What the default extractor makes of a file; None where there is none."""
    raw = path.read_bytes()
    kind = media.media_type(path.name, raw[:4096])
    name = media.choose(kind)
    if name is None:
        return None
    try:
        outcome = plugins.make("extraction", name, options).extract(raw, MediaHint(path.name, kind))
    except ExtractionFailed as error:
        return NoExtraction("failed", error.reason)
    assert isinstance(outcome, Extraction | NoExtraction)
    return outcome


def rows(mixed: Path) -> Iterator[dict[str, str]]:
    with open(mixed / "MANIFEST.tsv", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def known(mixed: Path) -> Iterator[Known]:
    for row in rows(mixed):
        if not row["known_truth"].startswith("OCR") and row["file"] not in _NO_TEXT:
            for where, sentence in _SENTENCE.findall(row["known_truth"]):
                page = re.match(r"page (\d+)", where)
                yield Known(row["file"], int(page[1]) if page else None, sentence)


def folded(text: str) -> str:
    """On one line, its apostrophes straight, as the manifest writes them."""
    return " ".join(text.replace("’", "'").split())


def page_of(extraction: Extraction, page: int | None) -> str:
    if page is None:
        return extraction.text
    ends = (*extraction.pages[1:], len(extraction.text))
    return extraction.text[extraction.pages[page - 1] : ends[page - 1]]


def test_every_known_sentence_is_found_on_its_page(mixed: Path) -> None:
    checked, lost = 0, []
    for truth in known(mixed):
        outcome = read(mixed / truth.file)
        if outcome is None:
            continue
        checked += 1
        if not (isinstance(outcome, Extraction) and folded(truth.sentence) in folded(page_of(outcome, truth.page))):
            lost.append(truth)
    assert lost == []
    assert checked >= 24


def test_pypdf_finds_the_same_sentences(mixed: Path) -> None:
    lost = []
    for truth in known(mixed):
        if truth.file.endswith(".pdf") and truth.file not in ("r5-empty-password.pdf", "GeoTopo-komprimiert.pdf"):
            outcome = read(mixed / truth.file, engine="pypdf")
            if not (isinstance(outcome, Extraction) and folded(truth.sentence) in folded(page_of(outcome, truth.page))):
                lost.append(truth)
    assert lost == []


@pytest.mark.parametrize(("file", "status"), sorted(_NO_TEXT.items()))
def test_files_without_text_say_why(mixed: Path, file: str, status: str) -> None:
    outcome = read(mixed / file)
    assert isinstance(outcome, NoExtraction)
    assert outcome.status == status
    if file.endswith(".pdf"):
        assert read(mixed / file, engine="pypdf") == outcome


@pytest.mark.parametrize(("file", "sentence"), sorted(_OTHER_SENTENCES.items()))
def test_files_the_manifest_names_no_sentence_for(mixed: Path, file: str, sentence: str) -> None:
    outcome = read(mixed / file)
    assert isinstance(outcome, Extraction)
    assert sentence in outcome.text


def test_every_file_of_the_manifest_has_an_outcome_and_sound_offsets(mixed: Path) -> None:
    for row in rows(mixed):
        outcome = read(mixed / row["file"])
        if not isinstance(outcome, Extraction):
            continue
        text = outcome.text
        text.encode()
        assert text.strip()
        assert list(outcome.pages) == sorted(set(outcome.pages))
        assert list(outcome.headings) == sorted(outcome.headings, key=lambda heading: heading.offset)
        for heading in outcome.headings:
            assert 0 <= heading.offset < len(text)
            assert heading.offset == 0 or text[heading.offset - 1] == "\n", (row["file"], heading)


def test_text_files_are_extracted_whole(mixed: Path) -> None:
    for name in ("pep-0008.rst", "style-guide.ru.md", "csv-pipe.csv", "2094-nll.md"):
        outcome = read(mixed / name)
        assert isinstance(outcome, Extraction)
        assert outcome.text == (mixed / name).read_bytes().decode()
