"""What OCR reads off a picture: words in their places, line by line."""

from __future__ import annotations

from typing import NamedTuple

from biblicus.models.extraction import Box


class Word(NamedTuple):
    """A word, how sure the engine is of it (0–1), and its box in pixels."""

    text: str
    sure: float
    left: float
    top: float
    right: float
    bottom: float


class Scan(NamedTuple):
    """One picture, or one page of several: its size in pixels, and its lines in the order in which they are read.

    `ordered`: the engine knows about columns; otherwise lines come in any order.
    """

    width: int
    height: int
    lines: tuple[tuple[Word, ...], ...]
    ordered: bool = False


class Reading(NamedTuple):
    """What a page says: a text whose lines end with line feeds, and its words' boxes. `unsure`: the engine was not sure
    of most of it, and nothing of that is kept."""

    text: str
    boxes: tuple[Box, ...]
    unsure: bool = False
