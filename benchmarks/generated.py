"""Documents whose every sentence has a known place: slide, cell, heading, chapter, message, minute."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from biblicus import Corpus
from biblicus.models.locator import time_code

_SYLLABLES = tuple(first + second for first in "bcdfgklmnprstvz" for second in ("a", "e", "i", "on"))


class Sentence(NamedTuple):
    """A sentence, and where it was written. `place`: of a sheet its cell, else what the locator's label must be."""

    path: str
    text: str
    kind: str
    place: str


def sentence(rng: random.Random, length: int = 7) -> str:
    """Words that nobody wrote before."""
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(length)]
    return f"{' '.join(words).capitalize()}."


def write(folder: Path, files: int, rng: random.Random, kinds: Sequence[str] | None = None) -> Iterator[Sentence]:
    """Writes so many files of each kind, of all where none is named; gives every sentence of theirs."""
    for kind in kinds or _WRITERS:
        for number in range(files):
            path = f"{kind}-{number}.{kind}"
            raw, places = _WRITERS[kind](rng)
            (folder / path).write_bytes(raw)
            yield from (Sentence(path, text, *place) for text, place in places.items())


def stands_right(corpus: Corpus, wanted: Sentence) -> bool:
    """Whether evidence for a sentence holds it, its locator names the place, and `get` shows the sentence there."""
    for piece in corpus.query(wanted.text, limit=3).evidence:
        if piece.path != wanted.path or wanted.text not in piece.text or piece.locator is None:
            continue
        if piece.locator.kind != wanted.kind:
            return False
        place = wanted.place if wanted.kind == "sheet" else piece.locator.label
        if wanted.kind not in ("sheet", "time", "heading") and piece.locator.label != wanted.place:
            return False
        shown = corpus.get(piece.item_id, locator=wanted.place if wanted.kind == "time" else place)
        return wanted.text in shown.text
    return False


Places = dict[str, tuple[str, str]]


def _docx(rng: random.Random) -> tuple[bytes, Places]:
    from docx import Document

    document, places = Document(), dict[str, tuple[str, str]]()
    for chapter in range(1, 4):
        head = f"Chapter {chapter} {sentence(rng, 2)}"
        document.add_heading(head, 1)
        for _ in range(3):
            text = sentence(rng)
            document.add_paragraph(f"{text} {sentence(rng, 20)}")
            places[text] = ("heading", head)
        table = document.add_table(1, 2)
        for at, name in enumerate(("Boat", "Berth")):
            table.rows[0].cells[at].text = name
        for _ in range(2):
            cells = table.add_row().cells
            cells[0].text = text = sentence(rng)
            cells[1].text = str(rng.randint(1, 99))
            places[text] = ("heading", head)
    return _saved(document.save), places


def _pptx(rng: random.Random) -> tuple[bytes, Places]:
    from pptx import Presentation

    presentation, places = Presentation(), dict[str, tuple[str, str]]()
    for number in range(1, 6):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"Slide {sentence(rng, 2)}"
        for text in (body := [sentence(rng) for _ in range(2)]):
            places[text] = ("slide", f"slide {number}")
        slide.placeholders[1].text = "\n".join(body)
        slide.notes_slide.notes_text_frame.text = note = sentence(rng)
        places[note] = ("slide", f"slide {number}")
    return _saved(presentation.save), places


def _xlsx(rng: random.Random) -> tuple[bytes, Places]:
    from openpyxl import Workbook

    book, places = Workbook(), dict[str, tuple[str, str]]()
    book.remove(book.active)
    for name in ("Q2", "Low tide"):
        sheet = book.create_sheet(name)
        sheet.append(["Boat", "Berth", "Fee"])
        for row in range(2, 32):
            text = sentence(rng)
            sheet.append([text, rng.randint(1, 99), rng.random()])
            places[text] = ("sheet", f"{name if name.isalnum() else chr(39) + name + chr(39)}!A{row}")
    return _saved(book.save), places


def _epub(rng: random.Random) -> tuple[bytes, Places]:
    places: Places = {}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", '<container><rootfile full-path="b.opf"/></container>')
        items = "".join(f'<item id="c{at}" href="{at}.xhtml"/>' for at in range(3))
        spine = "".join(f'<itemref idref="c{at}"/>' for at in range(3))
        book.writestr("b.opf", f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for at in range(3):
            title, texts = sentence(rng, 2), [sentence(rng) for _ in range(4)]
            paragraphs = "".join(f"<p>{text} {sentence(rng, 15)}</p>" for text in texts)
            book.writestr(f"{at}.xhtml", f"<html><body><h1>{title}</h1>{paragraphs}</body></html>")
            places |= dict.fromkeys(texts, ("chapter", f"chapter {at + 1}: {title}"))
    return written.getvalue(), places


def _mbox(rng: random.Random) -> tuple[bytes, Places]:
    places: Places = {}
    parts = []
    for number in range(1, 6):
        text = sentence(rng)
        places[text] = ("message", f"message {number}")
        parts.append(f"From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b\nSubject: {sentence(rng, 3)}\n\n{text}\n\n")
    return "".join(parts).encode(), places


def _vtt(rng: random.Random) -> tuple[bytes, Places]:
    places: Places = {}
    parts = ["WEBVTT\n"]
    for number in range(40):
        text, start = sentence(rng), number * 97
        places[text] = ("time", f"{time_code(start)}-{time_code(start + 90)}")
        clock = [f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000" for at in (start, start + 90)]
        parts.append(f"\n{' --> '.join(clock)}\n{text}\n")
    return "".join(parts).encode(), places


def _rss(rng: random.Random) -> tuple[bytes, Places]:
    """Entries by turns with a title, with a link that all share, and with their words alone."""
    places: Places = {}
    items = []
    for number in range(1, 10):
        text, title = sentence(rng), sentence(rng, 3)
        link = "http://a.example/news"
        names = (f"<title>{title}</title>", f"<link>{link}</link>", "")
        items.append(f"<item>{names[number % 3]}<description>{text} {sentence(rng, 15)}</description></item>")
        shared = link if number < 3 else f"{link} ({number // 3 + 1})"
        places[text] = ("region", (title, shared, f"Entry {number}")[number % 3])
    return f"<rss><channel><title>News</title>{''.join(items)}</channel></rss>".encode(), places


def _atom(rng: random.Random) -> tuple[bytes, Places]:
    places: Places = {}
    entries = []
    for number in range(1, 10):
        text, title = sentence(rng), sentence(rng, 3) if number % 2 else ""
        entries.append(f"<entry><title>{title}</title><content>{text}</content></entry>")
        places[text] = ("region", title or f"Entry {number}")
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{"".join(entries)}</feed>'.encode(), places


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    written = io.BytesIO()
    save(written)
    return written.getvalue()


_WRITERS: Mapping[str, Callable[[random.Random], tuple[bytes, Places]]] = {
    "docx": _docx, "pptx": _pptx, "xlsx": _xlsx, "epub": _epub, "mbox": _mbox, "vtt": _vtt,
    "rss": _rss, "atom": _atom,
}  # fmt: skip


def one(kind: str, rng: random.Random) -> bytes:
    """One file of a kind."""
    return _WRITERS[kind](rng)[0]
