"""OCR engine `tesseract`: the installed program, with models for about a hundred languages.

It runs as a child of the guarded worker and under its limits.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pydantic import field_validator

from biblicus.contracts import Given, OcrEngine
from biblicus.errors import ExtractionFailed, OcrUnavailable
from biblicus.extraction.ocr import languages
from biblicus.extraction.ocr.languages import tesseract_name
from biblicus.extraction.ocr.upright import Straightened
from biblicus.models.digest import file_digest
from biblicus.models.recognition import Scan, Word

_PAGE, _WORD = "1", "5"


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
