"""Transcript of a recording: words with their times."""

from __future__ import annotations

from typing import NamedTuple


class Segment(NamedTuple):
    """Words spoken between two times in seconds."""

    start: float
    end: float
    text: str


class Transcript(NamedTuple):
    """Segments in order of time. `language`: two letters, if the transcriber reported it."""

    segments: tuple[Segment, ...]
    language: str | None = None
