"""OCR engine `tesseract`: the installed program, with models for about a hundred languages.

It runs as a child of the guarded worker and under its limits. Pages that were scanned at a slant are straightened.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from pydantic import field_validator

from biblicus.contracts import Given, OcrEngine
from biblicus.errors import ExtractionFailed, OcrUnavailable
from biblicus.extraction.ocr import languages
from biblicus.extraction.ocr.languages import tesseract_name
from biblicus.lazy import NDArray, np
from biblicus.models.digest import file_digest
from biblicus.models.recognition import Scan, Word

_PAGE, _WORD = "1", "5"
_STEEPEST = 3.0
"""Maximum slant in degrees to correct; more is intended."""
_STEP = 0.2
_DARK = 128
_MOST_DOTS = 200_000
_SEED = 7


class Options(languages.Options):
    """Options that accept the languages for which tesseract has a model."""

    @field_validator("languages")
    @classmethod
    def _are_known(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [language for language in languages if not tesseract_name(language)]:
            raise ValueError(f'tesseract has no model for "{unknown[0]}"')
        return languages


class Tesseract:
    """Engine that runs one single-threaded process for each picture."""

    sure_from = 0.5
    seconds_a_page = 2.5

    def __init__(self, options: Options) -> None:
        program = shutil.which("tesseract")
        if program is None:
            packages = " ".join(map(_package, map(tesseract_name, options.languages)))
            raise OcrUnavailable("tesseract", "it is not installed", f"apt install tesseract-ocr {packages}")
        release, models = _installed(program)
        names = [tesseract_name(language) for language in options.languages]
        for name in names:
            if name not in models:
                raise OcrUnavailable("tesseract", f'it has no model "{name}" here', f"apt install {_package(name)}")
        self.program = program
        digests = " ".join(f"{name}/{models[name][:8]}" for name in names)
        self.fingerprint = f"ocr/1 tesseract/{release} {digests}"
        self._command = [program, "stdin", "stdout", "-l", "+".join(names), "--psm", "3", "tsv"]

    def read(self, image: bytes) -> Iterator[Scan]:
        page = Straightened(image)
        environment = {"OMP_THREAD_LIMIT": "1", "PATH": "", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(self._command, input=page.image, capture_output=True, check=False, env=environment)
        if done.returncode:
            reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"code {done.returncode}"]
            raise ExtractionFailed(f"tesseract could not read it: {reason[0][:200]}")
        yield from map(page.back, _scans(done.stdout.decode("utf-8", "replace")))


def _package(name: str) -> str:
    """Return the Debian package of a model."""
    return f"tesseract-ocr-{name}".replace("_", "-")


def _scans(table: str) -> Iterator[Scan]:
    """Yield the pages of tesseract's TSV output, which has a row for each page, block, paragraph, line and word."""
    size: tuple[int, int] | None = None
    lines: dict[tuple[str, ...], list[Word]] = {}
    for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == _PAGE:
            if size is not None:
                yield Scan(*size, tuple(map(tuple, lines.values())), ordered=True)
            size, lines = (int(row["width"]), int(row["height"])), {}
        elif row["level"] == _WORD and (row["text"] or "").strip():
            left, top, width, height = (int(row[key]) for key in ("left", "top", "width", "height"))
            word = Word(row["text"].strip(), float(row["conf"]) / 100, left, top, left + width, top + height)
            lines.setdefault((row["block_num"], row["par_num"], row["line_num"]), []).append(word)
    if size is not None:
        yield Scan(*size, tuple(map(tuple, lines.values())), ordered=True)


@cache
def _installed(program: str) -> tuple[str, dict[str, str]]:
    """Return tesseract's version, and the digest of each model by name."""

    def says(*arguments: str) -> list[str]:
        done = subprocess.run([program, *arguments], capture_output=True, check=False, stdin=subprocess.DEVNULL)
        return done.stdout.decode("utf-8", "replace").splitlines() or [""]

    release = says("--version")[0].removeprefix("tesseract ").strip()
    first, *names = says("--list-langs")
    folder = first.partition('"')[2].rpartition('"')[0]
    files = {name: Path(folder, f"{name}.traineddata") for name in names}
    return release, {name: file_digest(path) for name, path in files.items() if path.is_file()}


def build(options: Options, given: Given) -> OcrEngine:
    """Return the engine. Raises `OcrUnavailable`."""
    return Tesseract(options)


class Straightened:
    """A grey page with its lines made level, and the mapping of boxes back to the original."""

    def __init__(self, image: bytes) -> None:

        self.image = image
        self._by: NDArray[np.int64] | None = None
        grey = _grey(image)
        if grey is None or not (slope := _slope(grey)):
            return
        height, width = grey.shape
        self._by = np.rint(slope * (np.arange(width) - width / 2)).astype(np.int64)
        rows = np.arange(height)[:, None] + self._by[None, :]
        level = np.take_along_axis(grey, rows.clip(0, height - 1), axis=0)
        self.image = b"P5\n%d %d\n255\n" % (width, height) + level.tobytes()

    def back(self, scan: Scan) -> Scan:
        """Return the scan with its boxes moved to their positions on the original page."""
        if self._by is None:
            return scan
        return scan._replace(lines=tuple(tuple(self._where(word) for word in line) for line in scan.lines))

    def _where(self, word: Word) -> Word:
        assert self._by is not None
        by = float(self._by[min(len(self._by) - 1, round((word.left + word.right) / 2))])
        return word._replace(top=word.top + by, bottom=word.bottom + by)


def _grey(image: bytes) -> NDArray[np.uint8] | None:
    """Return the pixels of a single page, or None for several pages or an unknown format."""

    if image[:3] == b"P5\n":
        size, _, rest = image[3:].partition(b"\n")
        _, _, pixels = rest.partition(b"\n")
        width, height = map(int, size.split())
        return np.frombuffer(pixels, np.uint8).reshape(height, width)
    try:
        from PIL import Image
    except ModuleNotFoundError:
        return None
    with Image.open(BytesIO(image)) as picture:
        if getattr(picture, "n_frames", 1) > 1 or picture.mode in ("RGBA", "LA", "PA", "P"):
            return None
        return np.asarray(picture.convert("L"))


def _slope(grey: NDArray[np.uint8]) -> float:
    """Return the vertical shift of lines for each pixel to the right: the slope with the sharpest rows of dark
    pixels."""

    rows, columns = np.nonzero(grey < _DARK)
    if len(rows) > _MOST_DOTS:
        chosen = np.random.default_rng(_SEED).choice(len(rows), _MOST_DOTS, replace=False)
        rows, columns = rows[chosen], columns[chosen]
    if len(rows) < 100:
        return 0.0

    def sharpness(slope: float) -> float:
        levels = np.rint(rows - slope * columns).astype(np.int64)
        counts: NDArray[np.float64] = np.bincount(levels - levels.min()).astype(np.float64)
        return float((np.diff(counts) ** 2).sum())

    steps = int(_STEEPEST / _STEP)
    slopes = [float(np.tan(np.radians(step * _STEP))) for step in range(-steps, steps + 1)]
    best: Any = max(slopes, key=sharpness)
    return 0.0 if abs(best) < slopes[steps + 1] * 1.5 or sharpness(best) < 1.2 * sharpness(0.0) else float(best)
