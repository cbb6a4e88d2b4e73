"""Deskews a page that was scanned at a slant, for engines that only read straight lines."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from biblicus.models.recognition import Scan, Word

if TYPE_CHECKING:
    from numpy import float64, int64, uint8
    from numpy.typing import NDArray

_STEEPEST = 3.0
"""Maximum slant in degrees to correct; more is intended."""
_STEP = 0.2
_DARK = 128
_MOST_DOTS = 200_000
_SEED = 7


class Straightened:
    """A grey page with its lines made level, and the mapping of boxes back to the original."""

    def __init__(self, image: bytes) -> None:
        import numpy

        self.image = image
        self._by: NDArray[int64] | None = None
        grey = _grey(image)
        if grey is None or not (slope := _slope(grey)):
            return
        height, width = grey.shape
        self._by = numpy.rint(slope * (numpy.arange(width) - width / 2)).astype(numpy.int64)
        rows = numpy.arange(height)[:, None] + self._by[None, :]
        level = numpy.take_along_axis(grey, rows.clip(0, height - 1), axis=0)
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


def _grey(image: bytes) -> NDArray[uint8] | None:
    """Return the pixels of a single page, or None for several pages or an unknown format."""
    import numpy

    if image[:3] == b"P5\n":
        size, _, rest = image[3:].partition(b"\n")
        _, _, pixels = rest.partition(b"\n")
        width, height = map(int, size.split())
        return numpy.frombuffer(pixels, numpy.uint8).reshape(height, width)
    try:
        from PIL import Image
    except ModuleNotFoundError:
        return None
    with Image.open(BytesIO(image)) as picture:
        if getattr(picture, "n_frames", 1) > 1 or picture.mode in ("RGBA", "LA", "PA", "P"):
            return None
        return numpy.asarray(picture.convert("L"))


def _slope(grey: NDArray[uint8]) -> float:
    """Return the vertical shift of lines for each pixel to the right: the slope with the sharpest rows of dark
    pixels."""
    import numpy

    rows, columns = numpy.nonzero(grey < _DARK)
    if len(rows) > _MOST_DOTS:
        chosen = numpy.random.default_rng(_SEED).choice(len(rows), _MOST_DOTS, replace=False)
        rows, columns = rows[chosen], columns[chosen]
    if len(rows) < 100:
        return 0.0

    def sharpness(slope: float) -> float:
        levels = numpy.rint(rows - slope * columns).astype(numpy.int64)
        counts: NDArray[float64] = numpy.bincount(levels - levels.min()).astype(numpy.float64)
        return float((numpy.diff(counts) ** 2).sum())

    steps = int(_STEEPEST / _STEP)
    slopes = [float(numpy.tan(numpy.radians(step * _STEP))) for step in range(-steps, steps + 1)]
    best: Any = max(slopes, key=sharpness)
    return 0.0 if abs(best) < slopes[steps + 1] * 1.5 or sharpness(best) < 1.2 * sharpness(0.0) else float(best)
