"""Marks on page images: do the boxes hold ink, and are they where poppler sees the same words?

`python -m benchmarks.page_images [FOLDER]` draws every page of every PDF of the folder (default: `mixed` of the data)
and asks for the box of every character of its text. Ink: something in the box is not of one colour. Agreement: of
poppler's words (`pdftotext -bbox`, package poppler-utils), those whose box holds, by their middles, all the characters
that the word is made of; and of our characters, those that stand, by their middles, in a word that has them. Aside are
glyphs that are shared or drawn over another (no width of their own, accents) and hyphens at a line's end, which
cleaning takes away. Leaves with 1 where a bar is missed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pypdfium2

from benchmarks.workbench import data_folder
from biblicus.extraction.pdf.page_image import boxes_of_characters, rendered, size_of
from biblicus.extraction.pdf.page_text import clean
from biblicus.models.page_image import Box

PIXELS = 2_000_000
INK_BAR, AGREEMENT_BAR = 0.99, 0.98
_SHARED = 0.5
"""Points: a word that is no wider is drawn over another."""
_CONTRAST = 24
"""Of 255: what two values in a box must differ by at least."""
_SKIPPED = str.maketrans("", "", "-\N{SOFT HYPHEN}\N{HYPHEN}\N{NON-BREAKING HYPHEN}")


class Count(NamedTuple):
    """Of one file or of all: characters that are no white space, those with a box, boxes with ink, poppler's words,
    those that hold their characters, our characters where poppler has any, and those in a word that has them."""

    characters: int = 0
    boxes: int = 0
    inked: int = 0
    words: int = 0
    filled: int = 0
    compared: int = 0
    standing: int = 0

    def plus(self, other: Count) -> Count:
        return Count(*(one + two for one, two in zip(self, other, strict=True)))


class Word(NamedTuple):
    """A word of poppler's: its characters, and its box in points from the page's upper left corner as it is read."""

    letters: str
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def measured(path: Path, most_pages: int | None = None) -> Count:
    """The counts of one document; none where it cannot be opened."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        return Count()
    count = Count()
    words = poppler_words(path)
    for number in range(min(len(document), most_pages or len(document))):
        count = count.plus(_of_page(document[number], words.get(number, [])))
    return count


def poppler_words(path: Path) -> dict[int, list[Word]]:
    """poppler's words by page (from 0); none where it cannot read the file."""
    done = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=False)
    if done.returncode:
        return {}
    text = "".join(c for c in done.stdout.decode("utf-8", "replace") if c.isprintable() or c == "\n")
    pages = ElementTree.fromstring(text).iter("{http://www.w3.org/1999/xhtml}page")
    return {number: [_word(word) for word in page] for number, page in enumerate(pages)}


def _word(word: ElementTree.Element) -> Word:
    left, top, right, bottom = (float(word.attrib[name]) for name in ("xMin", "yMin", "xMax", "yMax"))
    return Word(_letters(word.text or ""), left, top, right, bottom)


def _of_page(page: pypdfium2.PdfPage, words: list[Word]) -> Count:
    width, height = size_of(page, PIXELS)
    picture = rendered(page, width, height)
    text = clean(page.get_textpage().get_text_range())
    places = [(text[offset], box) for offset, box in boxes_of_characters(page, width, height, text)]
    boxes = [(character, box) for character, box in places if box is not None]
    inked = sum(_holds_ink(picture, width, height, box) for _, box in boxes)
    across, down = page.get_size()
    middles = [
        (_letters(character), (x0 + x1) / 2 / width * across, (y0 + y1) / 2 / height * down)
        for character, (x0, y0, x1, y1) in boxes
    ]
    whole = [word for word in words if word.right - word.left > _SHARED and word.letters]
    filled = sum(_is_filled(word, middles) for word in whole)
    standing = [_stands(middle, words) for middle in middles if words and middle[0]]
    compared = [verdict for verdict in standing if verdict is not None]
    return Count(len(places), len(boxes), inked, len(whole), filled, len(compared), sum(compared))


def _is_filled(word: Word, middles: list[tuple[str, float, float]]) -> bool:
    """Whether the word's box holds its characters."""
    inside = Counter("".join(letters for letters, x, y in middles if word.holds(x, y)))
    return Counter(word.letters) <= inside


def _stands(middle: tuple[str, float, float], words: list[Word]) -> bool | None:
    """Whether a character stands in a word that has it; None where poppler reads nothing there."""
    letters, x, y = middle
    around = [word for word in words if word.holds(x, y)]
    return any(set(letters) <= set(word.letters) for word in around) if around else None


def _holds_ink(picture: bytearray, width: int, height: int, box: Box) -> bool:
    left, top, right, bottom = box
    left, top, right, bottom = max(0, left - 1), max(0, top - 1), min(width, right + 1), min(height, bottom + 1)
    rows = [picture[3 * (row * width + left) : 3 * (row * width + right)] for row in range(top, bottom)]
    return any(
        max(max(row[channel::3]) for row in rows) - min(min(row[channel::3]) for row in rows) >= _CONTRAST
        for channel in range(3)
    )


def _letters(text: str) -> str:
    """The characters that are compared: without marks that are drawn over others, hyphens and white space."""
    plain = unicodedata.normalize("NFKD", text).translate(_SKIPPED)
    return "".join(one for one in plain if not one.isspace() and unicodedata.category(one)[0] not in "MC")


def main(arguments: list[str]) -> int:
    if shutil.which("pdftotext") is None:
        print("pdftotext is missing: apt-get install poppler-utils", file=sys.stderr)
        return 2
    folder = Path(arguments[0]) if arguments else data_folder() / "mixed"
    total, began = Count(), time.perf_counter()
    print(f"{'file':42} {'characters':>10} {'with a box':>10} {'ink':>7} {'words':>6} {'filled':>7} {'standing':>8}")
    for path in sorted(folder.glob("*.pdf")):
        count = measured(path)
        total = total.plus(count)
        print(_row(path.name, count))
    print(_row("all", total))
    shares = total.inked / total.boxes, total.filled / total.words, total.standing / total.compared
    print(f"{time.perf_counter() - began:.1f} s; bars: ink {INK_BAR}, words and characters {AGREEMENT_BAR}")
    return 0 if shares[0] >= INK_BAR and min(shares[1:]) >= AGREEMENT_BAR else 1


def _row(name: str, count: Count) -> str:
    shares = ((count.inked, count.boxes), (count.filled, count.words), (count.standing, count.compared))
    ink, filled, standing = (f"{part / whole:.4f}" if whole else "-" for part, whole in shares)
    return f"{name[:42]:42} {count.characters:10} {count.boxes:10} {ink:>7} {count.words:6} {filled:>7} {standing:>8}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
