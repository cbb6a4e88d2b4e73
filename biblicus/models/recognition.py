"""Results of recognition: words of an image with positions, and of a recording with times."""

from __future__ import annotations

from typing import NamedTuple

from biblicus.models.extraction import Box


class Word(NamedTuple):
    """A word, the engine's confidence (0–1), and its box in pixels."""

    text: str
    sure: float
    left: float
    top: float
    right: float
    bottom: float


class Scan(NamedTuple):
    """One image, or one page of several: its size in pixels, and its lines in reading order.

    `ordered`: the engine recognises columns; otherwise the order of lines is arbitrary."""

    width: int
    height: int
    lines: tuple[tuple[Word, ...], ...]
    ordered: bool = False


class Reading(NamedTuple):
    """Text of a page with line feeds, and its words' boxes. `unsure`: the engine's confidence was too low for most of
    it, and nothing is kept."""

    text: str
    boxes: tuple[Box, ...]
    unsure: bool = False


class Segment(NamedTuple):
    """Words spoken between two times in seconds."""

    start: float
    end: float
    text: str


class Transcript(NamedTuple):
    """Segments in order of time. `language`: two letters, if the transcriber reported it."""

    segments: tuple[Segment, ...]
    language: str | None = None
