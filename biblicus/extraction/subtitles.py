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
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?[ \t]*-->"
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?"
)
_VOICE = re.compile(r"<v(?:\.[^ \t>]{0,100})?[ \t]+([^>]{1,200})>")
_TAG = re.compile(r"<[^<>]{0,300}>|\{\\[^{}]{0,100}\}")


_INSTANT = 0.1
"""Seconds."""


class _Cue(NamedTuple):
    """`start` and `end` in seconds."""

    start: float
    end: float
    lines: list[str]


class Subtitles:
    """Text; what has no cue is plain text."""

    fingerprint = "subtitles/2"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        composer = Composer()
        speaker, before = "", _Cue(0.0, 0.0, [])
        for cue in _cues(text):
            lines = []
            for line in _new_lines(before, cue):
                voice = _VOICE.search(line)
                words = _words(line)
                if voice and folded(voice[1]) != speaker:
                    speaker = folded(voice[1])
                    words = f"{speaker}: {words}"
                lines.append(words)
            before = cue
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
            times = match.groups()
            cue = _Cue(_seconds(*times[:4]), _seconds(*times[4:]), [])
        elif not line.strip():
            if cue is not None:
                yield cue
            cue = None
        elif cue is not None:
            cue.lines.append(line)
    if cue is not None:
        yield cue


def _words(line: str) -> str:
    return folded(html.unescape(_TAG.sub("", line)))


def _new_lines(before: _Cue, cue: _Cue) -> list[str]:
    """The lines of a cue that say something new: rolling captions show the last ones again above the next, or alone
    for an instant. Words that are said twice are none of these."""
    lines = [line for line in cue.lines if _words(line)]
    if cue.start > before.end + _INSTANT:
        return lines
    is_instant = cue.end - cue.start <= _INSTANT
    shown, again = [_words(line) for line in before.lines if _words(line)], [_words(line) for line in lines]
    for count in range(min(len(shown), len(again) if is_instant else len(again) - 1), 0, -1):
        if shown[-count:] == again[:count]:
            return lines[count:]
    return lines


def _seconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction or 0}")
