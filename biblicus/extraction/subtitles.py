"""Extractor of subtitles and transcripts (WebVTT, SubRip, SubViewer): text without codes.

Each cue is a spot of time. A long pause becomes a blank line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import time_code

_TIMES = re.compile(
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?(?:[ \t]*-->|,(?=\d:\d\d:\d\d\.\d{3}[ \t]*\r?\Z))"
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?"
)
_VOICE = re.compile(r"<v(?:\.[^ \t>]{0,100})?[ \t]+([^>]{1,200})>")
_TAG = re.compile(r"<[^<>]{0,300}>|\{\\[^{}]{0,300}\}")
_INSTANT, _WHILE = 0.1, 10.0
"""In seconds: a cue shown only for an instant, and a pause that separates cues."""


class _Cue(NamedTuple):
    """A cue. `start`, `end`: in seconds."""

    start: float
    end: float
    lines: list[str]


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the cues; a file without any is plain text."""
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
        if cue.start > before.end + _WHILE:
            composer.gap()
        before = cue
        if lines:
            composer.spot("time", "", time_code(cue.start), time_code(max(cue.start, cue.end)))
            composer.line(_joined(lines))
    return composer.extraction(warnings=warnings, otherwise=Extraction(text, warnings=warnings))


build = of_text("subtitles/4", _extract)


def _cues(text: str) -> Iterator[_Cue]:
    """Yield the cues in order, without notes, styles, numbers and cue names."""
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


def _joined(lines: list[str]) -> str:
    """Return a cue's lines as one, or a line for each speaker if several lines start with a dash."""
    if sum(line.startswith("-") for line in lines) < 2:
        return " ".join(lines)
    return " ".join(f"\n{line}" if line.startswith("-") else line for line in lines).strip().replace(" \n", "\n")


def _words(line: str) -> str:
    return folded(html.unescape(_TAG.sub("", line)))


def _new_lines(before: _Cue, cue: _Cue) -> list[str]:
    """Return the lines of a cue that are new, since rolling captions repeat the previous lines."""
    lines = [line for line in cue.lines if _words(line)]
    if cue.start > before.end + _INSTANT:
        return lines
    is_instant = cue.end - cue.start <= _INSTANT
    previous_lines, again = [_words(line) for line in before.lines if _words(line)], [_words(line) for line in lines]
    for count in range(min(len(previous_lines), len(again) if is_instant else len(again) - 1), 0, -1):
        if previous_lines[-count:] == again[:count]:
            return lines[count:]
    return lines


def _seconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction or 0}")
