"""What OCR makes of an engine's words: order, certainty, places; the heads of pictures; what is told and refused."""

import base64
import io
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus, plugins
from biblicus.contracts import Call
from biblicus.errors import ExtractionFailed, OcrUnavailable, UnfitInput, UsageError
from biblicus.extraction.ocr.stage import Stage, in_order, pixels, reading
from biblicus.extraction.pdf import scanned_pages
from biblicus.models.extraction import Box, Extraction, NoExtraction
from biblicus.models.recognition import Scan, Word
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.requests.runs import NewRecipeRequest, ReindexRequest
from biblicus.service.verbs import NEW_RECIPE, RECEIVE, REINDEX

pillow = pytest.mark.skipif(find_spec("rapidocr") is None, reason="the extra [ocr] is not installed")


def line(text: str, left: float, top: float, *, sure: float = 0.99, rise: float = 0.0) -> tuple[Word, ...]:
    """Words of 10 pixels a letter and 20 high; `rise`: pixels that each further pixel to the right lies lower."""
    words = []
    for word in text.split():
        right = left + 10 * len(word)
        words.append(Word(word, sure, left, top + rise * left, right, top + 20 + rise * left))
        left = right + 10
    return tuple(words)


def texts(lines: Sequence[tuple[Word, ...]]) -> list[str]:
    return [" ".join(word.text for word in words) for words in lines]


LEFT = ["the first column of", "prose goes down the", "page and ends here", "before the other one"]
RIGHT = ["the second column", "is read afterwards", "and not in between", "the lines of one"]


def columns(left: Sequence[str] = LEFT, right: Sequence[str] = RIGHT) -> list[tuple[Word, ...]]:
    pairs = zip(left, right, strict=True)
    return [part for at, (one, two) in enumerate(pairs) for part in (line(one, 10, 30 * at), line(two, 300, 30 * at))]


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    assert texts(in_order(columns())) == [*LEFT, *RIGHT]


def test_a_heading_across_columns_comes_first() -> None:
    heading = line("A heading that stands across both columns here", 10, -40)
    assert texts(in_order([*columns(), heading])) == [texts([heading])[0], *LEFT, *RIGHT]


def test_the_cells_of_a_table_stay_rows() -> None:
    cells = columns(["Boat", "Gull of the sea", "Tern", "Ox"], ["Fee", "35", "12 and more euros", "7"])
    assert texts(in_order(cells)) == ["Boat Fee", "Gull of the sea 35", "Tern 12 and more euros", "Ox 7"]


def test_slanted_lines_keep_their_order() -> None:
    lines = [line(f"line {n} has many words in it", 10, 40 * n, rise=0.035) for n in range(4)]
    halves = [part for words in lines for part in (words[4:], words[:4])]
    assert texts(in_order(halves)) == [f"line {n} has many words in it" for n in range(4)]


def test_words_keep_their_places() -> None:
    scan = Scan(400, 200, (line("The moon", 40, 20),), ordered=True)
    assert reading(scan, 0.8, 3) == (
        "The moon\n",
        (Box(0, 3, 3, 1000, 1000, 1750, 2000), Box(4, 8, 3, 2000, 1000, 3000, 2000)),
        False,
    )


def test_a_line_that_the_engine_is_not_sure_of_is_left_out() -> None:
    scan = Scan(400, 200, (line("The moon pulls", 0, 0), line("xq zz", 0, 30, sure=0.3)), ordered=True)
    assert reading(scan, 0.8, 1).text == "The moon pulls\n"


@pytest.mark.parametrize("sure", [0.3, 0.99])
def test_a_page_that_is_mostly_rubbish_is_none(sure: float) -> None:
    """Of little certainty, or a few dots along a line of unknown letters."""
    rubbish = line("νn7in an ττ ξξ", 0, 0, sure=sure) if sure < 0.5 else (Word(".", sure, 0, 0, 900, 20),)
    assert reading(Scan(1000, 200, (rubbish,), ordered=True), 0.8, 1) == ("", (), True)


def test_a_page_without_words_is_not_rubbish() -> None:
    assert reading(Scan(400, 200, ()), 0.8, 1) == ("", (), False)


@pillow
@pytest.mark.parametrize(("form", "options"), [
    ("PNG", {}), ("JPEG", {}), ("TIFF", {}), ("TIFF", {"compression": "tiff_lzw"}), ("WEBP", {}),
    ("WEBP", {"lossless": True}), ("PPM", {}),
])  # fmt: skip
def test_the_head_of_a_picture_says_its_size(form: str, options: dict[str, Any]) -> None:
    from PIL import Image

    file = io.BytesIO()
    Image.new("L", (321, 123), 255).save(file, form, **options)
    assert pixels(file.getvalue()) == (321, 123)


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0\0\0", b"II*\0\x08\0\0\0", b"P5\nx"]
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(ExtractionFailed, match="OCR reads PNG, JPEG, TIFF and WebP"):
        pixels(data)


@pillow
def test_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (50_000).to_bytes(4, "big") * 2
    with pytest.raises(ExtractionFailed, match="50000 × 50000 pixels, 60 million are the most"):
        list(Stage({"engine": "rapidocr", "languages": ["en"]}).read(head))


@pytest.mark.parametrize(
    ("outcome", "count"),
    [
        (NoExtraction("needs ocr", "page 3: images and no text"), 1),
        (NoExtraction("needs ocr", "pages 1, 2, 3: images and no text"), 3),
        (NoExtraction("needs ocr", "pages 1, 2, 3, 4, 5, 6, 7, 8 and 12 more: images and no text"), 20),
        (Extraction("x", warnings=("pages 4, 5: images and no text (needs ocr).",)), 2),
        (Extraction("x", warnings=("page 4 cannot be read.",)), 0),
        (NoExtraction("failed", "the file is no readable PDF"), 0),
    ],
)
def test_scanned_pages_are_counted_before_they_are_read(outcome: Extraction | NoExtraction, count: int) -> None:
    assert scanned_pages(outcome) == count


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.init(tmp_path / "corpus") as made:
        yield made


def picture(*texts: str) -> bytes:
    from features.steps.scans import picture as drawn

    first, *others = [drawn(text) for text in texts]
    file = io.BytesIO()
    first.save(file, "TIFF", save_all=True, append_images=others)
    return file.getvalue()


@pillow
def test_what_is_about_to_be_read_is_told_before_and_is_read_once(corpus: Corpus) -> None:
    (corpus.path / "a.tif").write_bytes(picture("The moon pulls tides", "Fees for visitors"))
    corpus._asker.ask(NEW_RECIPE, NewRecipeRequest("lexical", ocr="rapidocr", languages=("en", "de")), Call())
    messages: list[str] = []
    again = Corpus.open(corpus.path)
    again._asker.ask(REINDEX, ReindexRequest(), Call(tell=messages.append))
    assert messages == ["OCR by rapidocr: 1 page of 1 file, about 6 s."]
    again._asker.ask(REINDEX, ReindexRequest(fresh=True), Call(tell=messages.append))
    assert len(messages) == 1
    excerpt = again.get("a.tif", page=2)
    assert (excerpt.text.split(), excerpt.page) == (["Fees", "for", "visitors"], 2)


@pillow
def test_a_scan_that_yields_nothing_is_refused_over_a_wire_and_one_that_yields_words_is_taken(corpus: Corpus) -> None:
    def send(data: bytes) -> Any:
        content = base64.b64encode(data).decode()
        return corpus._asker.ask(RECEIVE, ReceiveRequest(content_base64=content, filename="scan.tif"), Call())

    with pytest.raises(UnfitInput, match="needs ocr") as refused:
        send(picture("The moon pulls tides"))
    assert "biblicus recipes new lexical --ocr rapidocr" in refused.value.hint
    corpus._asker.ask(NEW_RECIPE, NewRecipeRequest("lexical", ocr="rapidocr"), Call())
    with pytest.raises(UnfitInput, match="rapidocr finds no words"):
        send(picture(""))
    assert corpus.list() == ()
    assert send(picture("The moon pulls tides")).chunks == 1


def test_an_engine_that_is_not_here_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(OcrUnavailable, match="not installed") as refused:
        plugins.make("ocr", "tesseract", {"languages": ["de", "zh"]})
    assert refused.value.hint == "apt install tesseract-ocr tesseract-ocr-deu tesseract-ocr-chi-sim"


def test_a_new_recipe_with_a_script_that_there_is_no_model_for_is_refused(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match='rapidocr has no model for "ru"'):
        corpus._asker.ask(NEW_RECIPE, NewRecipeRequest("scans", ocr="rapidocr", languages=("en", "ru")), Call())
    with pytest.raises(UsageError, match="for scans"):
        corpus._asker.ask(NEW_RECIPE, NewRecipeRequest("scans", languages=("de",)), Call())
