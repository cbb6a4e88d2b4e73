"""Steps about pictures of text: drawn here, read by OCR."""

import shutil
from importlib.util import find_spec

import pytest
from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.documents import _new
from features.world import Table, World, rows


def picture(text: str, width: int = 900, height: int = 150, size: int = 44):
    """A white picture with lines of black text, in the font that Pillow brings."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (width, height), 255)
    ImageDraw.Draw(image).multiline_text((40, 40), text, font=ImageFont.load_default(size), fill=0, spacing=20)
    return image


@given(phrase('OCR by "{engine}" can be tried here'))
def can_be_tried(engine: str) -> None:
    if find_spec("PIL") is None or (engine == "rapidocr" and find_spec("rapidocr") is None):
        pytest.skip("the extra [ocr] is not installed")
    if engine == "tesseract" and shutil.which("tesseract") is None:
        pytest.skip("tesseract is not installed (apt install tesseract-ocr)")


@given(phrase('the picture "{path}" shows'))
def a_picture(world: World, path: str, docstring: str) -> None:
    picture(docstring).save(_new(world, path))


@given(phrase('the PDF "{path}" shows pictures of'))
def a_scanned_pdf(world: World, path: str, datatable: Table) -> None:
    first, *others = [picture(row["text"]) for row in rows(datatable)]
    first.save(_new(world, path), save_all=True, append_images=others, resolution=150)


@then(phrase("the place of each of its words is known, on page {page#}"))
def places_are_known(world: World, page: str) -> None:
    excerpt = world.value
    boxed = [
        excerpt["text"][box["start"] - excerpt["span_start"] : box["end"] - excerpt["span_start"]]
        for box in excerpt["boxes"]
    ]
    assert boxed == excerpt["text"].split()
    assert {box["page"] for box in excerpt["boxes"]} == {int(page)}
    edges = [box["left"] for box in excerpt["boxes"]]
    assert edges == sorted(edges)
    assert all(
        box["left"] < box["right"] <= 10_000 and box["top"] < box["bottom"] <= 10_000 for box in excerpt["boxes"]
    )


@then("what could not be read is nothing")
def nothing_unread(world: World) -> None:
    assert world.do("check", failed=True)["unread"] == []
