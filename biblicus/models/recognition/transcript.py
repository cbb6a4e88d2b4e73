"""What was heard in a recording: words with their times."""

from __future__ import annotations

from typing import NamedTuple


class Segment(NamedTuple):
    """What is said from one second to another."""

    start: float
    end: float
    text: str


class Transcript(NamedTuple):
    """Segments in order of time. `language`: as two letters, where the transcriber told."""

    segments: tuple[Segment, ...]
    language: str | None = None
