"""OCR engine `rapidocr`: small neural networks included in its package (PP-OCRv6), run on the CPU.

It reads Latin, Chinese and Japanese; its confidence for other scripts is low.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from typing import Any

from pydantic import field_validator

from biblicus.contracts import Given, OcrEngine
from biblicus.errors import ExtraMissing
from biblicus.extraction.ocr import languages
from biblicus.extraction.ocr.languages import without_model
from biblicus.lazy import np
from biblicus.models.recognition import Scan, Word

_PACKAGES = ("rapidocr", "onnxruntime", "opencv-python-headless")
_MOST_FRAMES = 200
_WHITE = 200
"""Minimum grey value of a pixel of paper."""
_SPECKS = 3
"""Minimum dark pixels in a row or column that are not dust."""
_ROOM = 60
"""Pixels of margin to keep."""
_LARGEST_SHOWN, _LEAST = 1_600, 1_000
"""Longest side in pixels of the picture used to find lines; minimum side of a crop."""
_LARGEST = 20_000


class Options(languages.Options):
    """Options that accept only languages for which rapidocr has a model."""

    @field_validator("languages")
    @classmethod
    def _have_models(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        if lacking := without_model(languages):
            raise ValueError(
                f'rapidocr has no model for "{lacking[0]}": its models read Latin letters, Chinese and Japanese; '
                "take engine: tesseract"
            )
        return languages


class RapidOcr:
    """Engine that loads its models with the first picture, in the guarded worker."""

    sure_from = 0.85
    seconds_a_page = 6.0
    program = ""

    def __init__(self, options: Options) -> None:
        try:
            versions = " ".join(f"{package}/{version(package)}" for package in _PACKAGES)
        except PackageNotFoundError as error:
            raise ExtraMissing("OCR by rapidocr", "ocr") from error
        self.fingerprint = f"ocr/4 {versions} PP-OCRv6-small"

    def read(self, image: bytes) -> Iterator[Scan]:
        from PIL import Image, ImageSequence

        with Image.open(BytesIO(image)) as picture:
            for number, frame in enumerate(ImageSequence.Iterator(picture)):
                if number == _MOST_FRAMES:
                    return
                picture = _on_white(frame)
                left, top, right, bottom = _inked(picture)
                pixels = np.asarray(picture)[top:bottom, left:right, ::-1]
                reading = self._engine(pixels) if pixels.size else None
                yield Scan(picture.width, picture.height, tuple(_lines(reading, left, top)))

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import RapidOCR

        return RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.use_cls": False,
                "Global.return_word_box": True,
                "Global.max_side_len": _LARGEST,  # lines are found on a smaller picture and read at full size
                "Det.limit_type": "max",
                "Det.limit_side_len": _LARGEST_SHOWN,
                "Rec.rec_batch_num": 1,  # one line at a time: uses less memory, and no padding changes a reading
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )


def _on_white(frame: Any) -> Any:
    """Return the picture in RGB on a white background."""
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(frame)
    if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
        layer = upright.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(ground, layer).convert("RGB")
    return upright.convert("RGB")


def _inked(picture: Any) -> tuple[int, int, int, int]:
    """Return the box of a large picture without its white margin, since scaling down would hide small text."""

    if max(picture.size) <= _LARGEST_SHOWN:
        return 0, 0, *picture.size

    dark = np.asarray(picture.convert("L")) < _WHITE
    rows, columns = (np.flatnonzero(dark.sum(axis=axis) >= _SPECKS) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return 0, 0, 0, 0
    left, top = max(0, int(columns[0]) - _ROOM), max(0, int(rows[0]) - _ROOM)
    right, bottom = max(left + _LEAST, int(columns[-1]) + _ROOM), max(top + _LEAST, int(rows[-1]) + _ROOM)
    return left, top, min(picture.width, right), min(picture.height, bottom)


def _lines(reading: Any, right_by: int, down_by: int) -> Iterator[tuple[Word, ...]]:
    """Yield the words of each line with their boxes in the uncropped picture."""
    if reading is None or reading.txts is None:
        return
    for words in reading.word_results or ():
        line = []
        for text, sure, corners in words:
            columns, rows = [corner[0] + right_by for corner in corners], [corner[1] + down_by for corner in corners]
            box = (float(min(columns)), float(min(rows)), float(max(columns)), float(max(rows)))
            line.append(Word(str(text), float(sure), *box))
        if line:
            yield tuple(line)


def build(options: Options, given: Given) -> OcrEngine:
    """Return the engine. Raises `ExtraMissing`."""
    return RapidOcr(options)
