"""Subtitles and transcripts (WebVTT, SubRip): what is said, without the codes; each cue a spot of time."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.composing import Composer, folded
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import time_code

__all__ = ["Options", "build"]

_TIMES = re.compile(
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})[ \t]*-->[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
)
_VOICE = re.compile(r"<v(?:\.[^ \t>]{0,100})?[ \t]+([^>]{1,200})>")
_TAG = re.compile(r"<[^<>]{0,300}>|\{\\[^{}]{0,100}\}")


class _Cue(NamedTuple):
    """`start` and `end` in seconds."""

    start: float
    end: float
    lines: list[str]


class Subtitles:
    """Text; what has no cue is plain text."""

    fingerprint = "subtitles/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        composer = Composer()
        speaker, before = "", ""
        for cue in _cues(text):
            lines = []
            for line in cue.lines:
                voice = _VOICE.search(line)
                words = folded(html.unescape(_TAG.sub("", line)))
                if voice and folded(voice[1]) != speaker:
                    speaker = folded(voice[1])
                    words = f"{speaker}: {words}"
                if words and words != before:  # rolling captions say each line twice
                    lines.append(words)
                    before = words
            if lines:
                composer.spot("time", "", time_code(cue.start), time_code(max(cue.start, cue.end)))
                composer.line(" ".join(lines))
        if not composer.is_empty:
            return composer.extraction(warnings=warnings)
        return Extraction(text, warnings=warnings) if text.strip() else nothing()


def build(options: Options, given: Given) -> Extractor:
    """The extractor for subtitles."""
    return Subtitles()


def _cues(text: str) -> Iterator[_Cue]:
    """The cues in order; notes, styles, numbers and names of cues are none."""
    cue: _Cue | None = None
    for line in text.splitlines():
        if match := _TIMES.match(line):
            if cue is not None:
                yield cue
            times = [int(part or 0) for part in match.groups()]
            cue = _Cue(_seconds(*times[:4]), _seconds(*times[4:]), [])
        elif not line.strip():
            if cue is not None:
                yield cue
            cue = None
        elif cue is not None:
            cue.lines.append(line)
    if cue is not None:
        yield cue


def _seconds(hours: int, minutes: int, seconds: int, fraction: int) -> float:
    return hours * 3600 + minutes * 60 + seconds + (fraction / 1000 if fraction else 0)
