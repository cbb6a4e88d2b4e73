"""Pages as pictures: every character in its own box, whatever was cleaned away and however the page is turned."""

import io
import shutil
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pypdf
import pypdfium2
import pytest

from benchmarks.page_images import AGREEMENT_BAR, INK_BAR, Count, measured
from biblicus.contracts import Call
from biblicus.errors import Cancelled, ExtractionFailed
from biblicus.extraction.pdf.page_image import boxes_of_characters, draw, size_of
from biblicus.extraction.workers import drawing
from biblicus.extraction.workers.drawing import Drawer
from biblicus.guards.process import Limits, Worker
from biblicus.models.page_image import Box, Drawn
from tests.extraction.pdf_files import LIGATURES, annotated, pdf, text_of, written
from tests.pictures import Picture

PIXELS = 500_000
_quick = pytest.mark.parametrize(
    "name", ["multi_page.pdf", "multicolumn.pdf", "rotation.pdf", "right_to_left_01.pdf", "habibi.pdf"]
)


def turned(raw: bytes, angle: int) -> bytes:
    writer = pypdf.PdfWriter(io.BytesIO(raw))
    writer.pages[0].rotate(angle)
    return written(writer)


def boxes(raw: bytes, text: str | None = None) -> dict[int, Box | None]:
    page = pypdfium2.PdfDocument(raw)[0]
    return dict(boxes_of_characters(page, *size_of(page, PIXELS), text_of(raw).text if text is None else text))


def placed(raw: bytes, text: str | None = None) -> dict[int, Box]:
    """The boxes, where every character has one."""
    every = {offset: box for offset, box in boxes(raw, text).items() if box is not None}
    assert len(every) == len(boxes(raw, text)) > 0
    return every


def test_letters_that_are_drawn_in_one_share_a_box() -> None:
    raw = pdf("\\001sh", font=LIGATURES)
    every = placed(raw)
    assert text_of(raw).text == "fish\n"
    assert every[0] == every[1] != every[2]


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_every_character_has_ink_in_its_box_however_the_page_is_turned(angle: int) -> None:
    raw = turned(pdf("Tides turn.\nGulls"), angle)
    drawn = draw(raw, 1, PIXELS, None, [])
    picture = Picture.read(drawn.png)
    every = placed(raw)
    assert sorted(text_of(raw).text[offset] for offset in every) == sorted("Tidesturn.Gulls")
    assert all(picture.holds_ink(box) for box in every.values())
    moved = [(left, top, right, bottom) for left, top, right, bottom in every.values()]
    shift = -60 if angle in (90, 180) else 60  # away from the text
    away = [(left + shift, top + shift, right + shift, bottom + shift) for left, top, right, bottom in moved]
    assert not any(picture.holds_ink(box) for box in away)


@pytest.mark.parametrize(("angle", "axis", "sign"), [(0, 0, 1), (90, 1, 1), (180, 0, -1), (270, 1, -1)])
def test_characters_stand_in_the_order_in_which_the_page_is_read(angle: int, axis: int, sign: int) -> None:
    every = list(placed(turned(pdf("Tides"), angle)).values())
    places = [sign * box[axis] for box in every]
    assert places == sorted(places)


def test_what_cleaning_takes_away_shifts_no_box() -> None:
    """A code without a meaning stands before the words; they are marked where they are all the same."""
    plain, dirty = pdf("moon"), pdf("\\002moon")
    assert text_of(dirty).text == "moon\n"
    widths = [right - left for left, _, right, _ in placed(plain).values()]
    again = [right - left for left, _, right, _ in placed(dirty).values()]
    assert [abs(one - two) <= 1 for one, two in zip(widths, again, strict=True)] == [True] * 4
    assert max(widths) == widths[0]  # the m, which is marked as wide as it is
    assert max(again) == again[0]


def test_a_span_is_marked_and_nothing_beside_it() -> None:
    raw = pdf("The moon pulls.")
    drawn = draw(raw, 1, PIXELS, text_of(raw).text, [(4, 8)])
    plain = Picture.read(draw(raw, 1, PIXELS, None, []).png)
    marked = Picture.read(drawn.png)
    (box,) = drawn.boxes
    every = placed(raw)
    assert box[0] == min(every[offset][0] for offset in range(4, 8))
    assert box[2] == max(every[offset][2] for offset in range(4, 8))
    for number, (one, two) in enumerate(zip(plain.rows, marked.rows, strict=True)):
        changed = [place // 3 for place, (before, after) in enumerate(zip(one, two, strict=True)) if before != after]
        assert all(box[0] <= pixel < box[2] and box[1] <= number < box[3] for pixel in changed)
        assert bool(changed) is (box[1] <= number < box[3])


def test_words_that_another_engine_read_with_other_spaces_are_placed() -> None:
    raw = pdf("The moon\npulls.")
    every = placed(raw)
    again = placed(raw, "The  moon pulls.\n")
    assert list(again.values()) == list(every.values())


def test_what_was_noted_has_no_place_and_the_words_of_the_page_have() -> None:
    raw = annotated(pdf("The mole."), {"/Subtype": "/Text", "/Contents": "Low."})
    text = text_of(raw).text
    assert text == "The mole.\nComment: Low.\n"
    drawn = draw(raw, 1, 100_000, text, [(0, 3), (text.index("Low"), text.index("Low") + 3)])
    assert (len(drawn.boxes), drawn.unplaced) == (1, 3)


def test_words_that_are_not_the_pages_have_no_place() -> None:
    raw = pdf("The moon pulls.")
    assert set(boxes(raw, "The sun pulls.\n").values()) == {None}
    drawn = draw(raw, 1, PIXELS, "The sun pulls.\n", [(4, 7)])
    assert (drawn.boxes, drawn.unplaced) == ((), 3)


@pytest.mark.parametrize(("width", "height"), [(14_400, 14_400), (14_400, 3), (3, 14_400), (5, 5)])
def test_no_picture_has_more_pixels_than_it_may(width: int, height: int) -> None:
    raw = pdf("Tides").replace(b"[0 0 600 800]", f"[0 0 {width} {height}]".encode())
    drawn = draw(raw, 1, 8_000_000, None, [])
    assert 1 <= drawn.width * drawn.height <= 8_000_000
    assert drawn.width <= max(6 * width, 1)
    assert drawn.height <= max(6 * height, 1)


@pytest.mark.parametrize(("raw", "page"), [(b"no PDF", 1), (pdf("a"), 2), (pdf("a"), 0)])
def test_what_cannot_be_drawn_says_so(raw: bytes, page: int) -> None:
    with pytest.raises(ExtractionFailed):
        draw(raw, page, PIXELS, None, [])
    with pytest.raises(ExtractionFailed):
        in_worker(raw, page)


def in_worker(
    raw: bytes,
    page: int = 1,
    pixels: int = PIXELS,
    text: str | None = None,
    spans: Sequence[tuple[int, int]] = (),
    limits: Limits | None = None,
    call: Call | None = None,
) -> Drawn:
    """A picture by a worker that nobody keeps."""
    with closing(Drawer()) as drawer:
        return drawer.draw(raw, page, pixels, text, spans, limits or Limits(), call or Call())


def test_a_worker_gives_what_drawing_gives() -> None:
    raw = pdf("The moon pulls.")
    text, spans = text_of(raw).text, [(4, 8)]
    assert in_worker(raw, 1, PIXELS, text, spans) == draw(raw, 1, PIXELS, text, spans)


def test_a_worker_that_needs_too_much_is_ended() -> None:
    with pytest.raises(ExtractionFailed):
        in_worker(pdf("a"), pixels=8_000_000, limits=Limits(memory=1 << 20))


def test_who_no_longer_waits_ends_the_worker() -> None:
    call = Call()
    call.cancel.set()
    with pytest.raises(Cancelled):
        in_worker(pdf("a"), call=call)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """The workers that are started from here on."""
    workers: list[Worker] = []

    class Noted(Worker):
        def __init__(self, module: str, limits: Limits) -> None:
            super().__init__(module, limits)
            workers.append(self)

    monkeypatch.setattr(drawing, "Worker", Noted)
    return workers


def test_a_worker_stays_for_the_next_picture(started: list[Worker]) -> None:
    with closing(Drawer()) as drawer:
        for raw in (pdf("one"), pdf("two"), b"no PDF", pdf("three")):
            with suppress(ExtractionFailed):
                drawer.draw(raw, 1, PIXELS, None, [], Limits(), Call())
        assert len(started) == 1
        drawer.draw(pdf("other limits"), 1, PIXELS, None, [], Limits(seconds=7), Call())
        assert len(started) == 2
    assert all(worker._process.poll() is not None for worker in started)


def test_two_pictures_at_once_have_a_worker_each(started: list[Worker]) -> None:
    meeting = threading.Barrier(2)

    class Meeting(Call):
        def check(self) -> None:
            if not met.is_set():
                meeting.wait(60)
                met.set()

    met = threading.Event()
    with closing(Drawer()) as drawer, ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(drawer.draw, pdf(text), 1, PIXELS, None, [], Limits(), Meeting()) for text in "ab"]
        assert [done.result().png for done in asked] == [draw(pdf(text), 1, PIXELS, None, []).png for text in "ab"]
    assert len(started) == 2


def test_a_worker_that_ended_while_it_waited_is_replaced(started: list[Worker]) -> None:
    with closing(Drawer()) as drawer:
        first = drawer.draw(pdf("one"), 1, PIXELS, None, [], Limits(), Call())
        started[0]._process.kill()
        started[0]._process.wait()
        assert drawer.draw(pdf("one"), 1, PIXELS, None, [], Limits(), Call()) == first
    assert len(started) == 2


def test_a_worker_that_nobody_asks_ends_by_itself(started: list[Worker]) -> None:
    with closing(Drawer(idle=0)) as drawer:
        for text in ("one", "two"):
            drawer.draw(pdf(text), 1, PIXELS, None, [], Limits(), Call())
            assert started[-1]._process.wait(60) == 0
    assert len(started) == 2


_HEADER = {"width": 10, "height": 10, "pages": 1, "boxes": [[0, 0, 5, 5]], "unplaced": 0}
_PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("header", "png"),
    [
        ({}, _PNG),
        (_HEADER | {"width": "10"}, _PNG),
        (_HEADER | {"width": 10_000, "height": 10_000}, _PNG),
        (_HEADER | {"pages": 0}, _PNG),
        (_HEADER | {"boxes": [[0, 0, 11, 5]]}, _PNG),
        (_HEADER | {"boxes": [[0, 0, 5]]}, _PNG),
        (_HEADER | {"boxes": [[5, 0, 5, 5]]}, _PNG),
        (_HEADER | {"boxes": 3}, _PNG),
        (_HEADER | {"unplaced": -1}, _PNG),
        (_HEADER, b"<svg/>"),
    ],
)
def test_an_answer_that_is_no_picture_is_refused(header: dict[str, object], png: bytes) -> None:
    assert drawing.checked(_HEADER, _PNG, 1, PIXELS).boxes == ((0, 0, 5, 5),)
    with pytest.raises(ExtractionFailed):
        drawing.checked(header, png, 1, PIXELS)


@_quick
def test_boxes_are_where_poppler_sees_the_same_words(mixed: Path, name: str) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is missing: apt-get install poppler-utils")
    count = measured(mixed / name, most_pages=2)
    assert count.boxes > 20
    assert count.inked >= INK_BAR * count.boxes
    assert count.filled >= AGREEMENT_BAR * count.words
    assert count.boxes >= INK_BAR * count.characters


def test_the_measure_sees_boxes_that_are_elsewhere(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the one above: with every box a word further, little agrees."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is missing: apt-get install poppler-utils")

    def shifted(page: pypdfium2.PdfPage, width: int, height: int, text: str):
        every = list(boxes_of_characters(page, width, height, text))
        yield from ((offset, every[(number + 4) % len(every)][1]) for number, (offset, _) in enumerate(every))

    monkeypatch.setattr("benchmarks.page_images.boxes_of_characters", shifted)
    count: Count = measured(mixed / "multi_page.pdf", most_pages=1)
    assert count.filled < 0.5 * count.words
