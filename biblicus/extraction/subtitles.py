"""Extractor of subtitles and transcripts (WebVTT, SubRip, SubViewer, SubStation Alpha, TTML): text without codes.

Each cue is a spot of time. A long pause becomes a blank line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.guards import xml
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import time_code

_TIMES = re.compile(
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?(?:[ \t]*-->|,(?=\d:\d\d:\d\d\.\d{3}[ \t]*\r?\Z))"
    r"[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?"
)
_VOICE = re.compile(r"<v(?:\.[^ \t>]{0,100})?[ \t]+([^>]{1,200})>")
_TAG = re.compile(r"<[^<>]{0,300}>|\{\\[^{}]{0,300}\}")
_CODE = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,3}))?")
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)(h|ms|m|s|f|t)")
_FRAMES = 30.0
"""Frames a second if a TTML file gives no rate."""
_DRAWN = re.compile(r"\{[^{}]{0,300}\\p[1-9]")
"""Codes that start a drawing in SubStation Alpha."""
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_STATION, _TIMED_TEXT = "text/x-ssa", "application/ttml+xml"


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
    for cue in _read(text, hint.media_type):
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


build = of_text("subtitles/3", _extract)


def _read(text: str, media_type: str) -> Iterable[_Cue]:
    """Return the cues of a file. Raises `XmlRefused`."""
    if media_type == _STATION:
        return sorted(_of_station(text), key=lambda cue: cue.start)
    if media_type == _TIMED_TEXT:
        return _of_timed_text(xml.read(text, named_entities=True))
    return _cues(text)


def _of_station(text: str) -> Iterator[_Cue]:
    """Yield the dialogue of SubStation Alpha; a `Format` line gives the order of fields."""
    names = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
    for line in text.splitlines():
        kind, _, rest = line.partition(":")
        if kind.strip() == "Format" and "Start" in rest:
            names = [name.strip().lower() for name in rest.split(",")]
        cells = rest.split(",", len(names) - 1)
        if kind.strip() != "Dialogue" or len(cells) < len(names):
            continue
        cue = dict(zip(names, (cell.strip() for cell in cells), strict=True))
        if _DRAWN.search(cue.get("text", "")):
            continue
        lines = cue.get("text", "").replace("\\h", " ").replace("\\n", "\\N").replace("\\N", "\n").split("\n")
        if speaker := cue.get("name") or cue.get("actor"):
            lines[0] = f"<v {speaker}>{lines[0]}"
        yield _Cue(_moment(cue.get("start")), _moment(cue.get("end")), lines)


def _of_timed_text(root: Element) -> Iterator[_Cue]:
    """Yield the paragraphs of TTML as cues."""
    rates = {name.rpartition("}")[2]: value for name, value in root.items()}
    frames = _rate(rates.get("frameRate")) or _FRAMES
    ticks = _rate(rates.get("tickRate")) or (frames if "frameRate" in rates else 1.0)
    for part in root.iter():
        if isinstance(part.tag, str) and part.tag.rpartition("}")[2] == "p":
            lines = "".join(_texts(part)).split("\n")
            start, end, lasts = (_moment(part.get(name), frames, ticks) for name in ("begin", "end", "dur"))
            yield _Cue(start, end if part.get("end") else start + lasts, lines)


def _rate(number: str | None) -> float:
    return float(number) if number and re.fullmatch(r"[1-9]\d{0,11}", number, re.ASCII) else 0.0


def _texts(part: Element) -> Iterator[str]:
    yield _on_one_line(part.text)
    for inner in part:
        if isinstance(inner.tag, str) and inner.tag.rpartition("}")[2] == "br":
            yield "\n"
        else:
            yield from _texts(inner)
        yield _on_one_line(inner.tail)


def _on_one_line(text: str | None) -> str:
    return (text or "").replace("\n", " ")


def _moment(code: str | None, frames: float = _FRAMES, ticks: float = 1.0) -> float:
    """Return a time in seconds from a clock (`0:00:01.50`) or an amount (`12.5s`). `frames`, `ticks`: number per
    second."""
    code = (code or "").strip()
    if clock := _CODE.match(code):
        return _seconds(*clock.groups())
    amount = _OFFSET.fullmatch(code)
    return float(amount[1]) * {**_SECONDS, "f": 1 / frames, "t": 1 / ticks}[amount[2]] if amount else 0.0


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
