"""`python -m benchmarks.scans [--write] [--engine NAME]`: how many characters OCR gets wrong, and how long it takes.

Pages of German and English prose are drawn as a scanner gives them: A4 at 300 dots an inch, a little blurred and noisy,
straight or slanted by up to 2 degrees. `--write` puts the table into research/extraction.md. Leaves with 1 where a bar
is missed.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.page import write_between
from biblicus.contracts import OcrStage
from biblicus.extraction.ocr.stage import Stage

PAGE = Path(__file__).resolve().parents[1] / "research" / "extraction.md"
_SIZE = 2480, 3508
_MARGIN = 240
_SLANTS = {"straight": (0.0,), "slanted": (-2.0, -1.1, 0.7, 1.4, 2.0)}
_BARS = {"straight": 0.01, "slanted": 0.03}
_FONTS = ("DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf")
"""By name, of the machine (apt install fonts-dejavu-core): the font that Pillow brings has no umlauts."""
_PROSE = {
    "de": (
        "Der Hafenmeister prüft jeden Morgen die Pegel und schreibt sie in ein Heft, das seit 1911 geführt wird.",
        "Gäste zahlen 35,50 € pro Nacht; größere Schiffe außerdem einen Zuschlag von zwölf Prozent (§ 4 Abs. 2).",
        "Übernachtungen sind bis spätestens 18 Uhr anzumelden, äußerstenfalls über den Kanal 12.",
        "Bei Südwind läuft das Wasser früher ab, und die Brücke über den Fleet bleibt länger geöffnet.",
        "Wer öfter als dreimal im Jahr festmacht, erhält eine Ermäßigung, sofern er sie schriftlich beantragt.",
        "Müll, Altöl und Batterien gehören in die Behälter am Kai, nicht ins Hafenbecken.",
        "„Ohne Lotsen fährt hier niemand ein“, sagte der Wärter, und zeigte auf die Untiefe vor der Mole.",
        "Die Gezeiten verschieben sich täglich um etwa fünfzig Minuten, weil der Mond um die Erde kreist.",
    ),
    "en": (
        "The harbour master reads the gauges every morning and enters them in a book that has been kept since 1911.",
        "Visitors pay £35.50 a night; larger vessels pay a surcharge of twelve per cent (section 4, paragraph 2).",
        "Overnight stays must be announced by 6 p.m. at the latest, if need be on channel 12.",
        "With a southerly wind the water falls earlier, and the bridge across the canal stays open for longer.",
        "Whoever moors here more than three times a year is granted a discount, provided that they ask in writing.",
        "Rubbish, used oil and batteries belong in the bins on the quay, not in the basin.",
        '"Nobody enters without a pilot," said the keeper, and pointed at the shoal in front of the pier.',
        "The tides come some fifty minutes later each day, because the moon travels around the earth.",
    ),
}


class Measured(NamedTuple):
    """What one engine made of one kind of page: characters, wrong ones, pages, seconds."""

    engine: str
    language: str
    kind: str
    characters: int
    wrong: int
    pages: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.wrong / self.characters


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scans", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into research/extraction.md")
    parser.add_argument("--engine", action="append", choices=("rapidocr", "tesseract"), help="only this one")
    asked_for = parser.parse_args(arguments)
    rows = [row for engine in asked_for.engine or ("rapidocr", "tesseract") for row in measure(engine)]
    text = _text(rows)
    print(text)
    if asked_for.write:
        write_between(PAGE, "scans measured", text)
    return int(any(row.rate > _BARS[row.kind] for row in rows))


def measure(engine: str) -> Iterator[Measured]:
    """One engine over all pages."""
    for language, sentences in _PROSE.items():
        stage: OcrStage = Stage({"engine": engine, "languages": [language]})
        list(stage.read(_encoded(_drawn(["Moon"], _FONTS[0])[0])))  # models are loaded before anything is timed
        for kind, slants in _SLANTS.items():
            characters = wrong = pages = 0
            seconds = 0.0
            for number, (font, slant) in enumerate((font, slant) for font in _FONTS for slant in slants):
                picture, written = _drawn(_shuffled(sentences, number), font)
                image = _encoded(_scanned(picture, slant, number))
                before = _processor_time()
                readings = list(stage.read(image))
                seconds += _processor_time() - before
                read = " ".join(" ".join(reading.text for reading in readings).split())
                characters, pages = characters + len(written), pages + 1
                wrong += distance(written, read)
            yield Measured(engine, language, kind, characters, wrong, pages, seconds)


def _processor_time() -> float:
    """Seconds that this process and those that it started have used: others on the machine do not count."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def distance(one: str, two: str) -> int:
    """Levenshtein's: the least number of characters put in, left out or changed."""
    last = list(range(len(two) + 1))
    for row, left in enumerate(one, 1):
        present = [row]
        for column, right in enumerate(two, 1):
            present.append(min(last[column] + 1, present[-1] + 1, last[column - 1] + (left != right)))
        last = present
    return last[-1]


def _shuffled(sentences: Sequence[str], seed: int) -> list[str]:
    """Enough prose for a page, in an order of its own."""
    rng = random.Random(seed)
    return [sentence for _ in range(3) for sentence in rng.sample(sentences, len(sentences))]


def _drawn(sentences: Sequence[str], font: str) -> tuple[Any, str]:
    """A page of black letters on white, and what stands on it."""
    from PIL import Image, ImageDraw, ImageFont

    face = ImageFont.truetype(font, 42)
    picture = Image.new("L", _SIZE, 255)
    pen = ImageDraw.Draw(picture)
    lines: list[str] = []
    line = ""
    for word in " ".join(sentences).split():
        longer = f"{line} {word}".strip()
        if pen.textlength(longer, font=face) > _SIZE[0] - 2 * _MARGIN:
            lines.append(line)
            longer = word
        line = longer
    lines.append(line)
    lines = lines[: (_SIZE[1] - 2 * _MARGIN) // 72]
    for number, words in enumerate(lines):
        pen.text((_MARGIN, _MARGIN + 72 * number), words, font=face, fill=20)
    return picture, " ".join(lines)


def _scanned(picture: Any, slant: float, seed: int) -> Any:
    """As a scanner gives it: slanted, a little blurred, with noise."""
    import numpy
    from PIL import Image, ImageFilter

    turned = picture.rotate(slant, resample=Image.Resampling.BICUBIC, fillcolor=255)
    blurred = numpy.asarray(turned.filter(ImageFilter.GaussianBlur(0.8)), dtype=numpy.float32)
    noise = numpy.random.default_rng(seed).normal(0, 8, blurred.shape)
    return Image.fromarray(numpy.clip(blurred + noise, 0, 255).astype(numpy.uint8))


def _encoded(picture: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", dpi=(300, 300), compress_level=1)
    return file.getvalue()


def _text(rows: Sequence[Measured]) -> str:
    lines = ["| engine | language | pages | characters wrong | processor time a page |", "|---|---|---|---|---|"]
    for row in rows:
        pages = f"{row.pages} {'straight' if row.kind == 'straight' else 'slanted by up to 2°'}"
        pace = row.seconds / row.pages
        lines.append(f"| {row.engine} | {row.language} | {pages} | {row.rate:.2%} | {pace:.1f} s |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
