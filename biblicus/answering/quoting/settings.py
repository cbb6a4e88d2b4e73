"""Files of settings (INI, TOML, YAML): each line says one thing, with the comment right above it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_YAML = "application/yaml"
TYPES = ("text/x-ini", "application/toml", _YAML)
_KEYED = re.compile(r"[ \t]*(?:[#\-]|[\w.\"'$/-]{1,80}[ \t]*:(?:\s|$)|\.\.\.$)")
_COMMENT = re.compile(r"[ \t]*[#;!]+[ \t]?")
_SECTION = re.compile(r"[ \t]*\[{1,2}[^\[\]]{1,120}\]{1,2}[ \t]*(?:[#;].*)?$")
_PARENT = re.compile(r"[ \t]*(?:-[ \t]+)?[\w.\"'/-]{1,80}:[ \t]*(?:[|>][+-]?)?[ \t]*(?:#.*)?$")
_LINE = re.compile(r"[^\n]*\n?")
_MARK = re.compile(r"^[ \t]*[#;!]+[ \t]?", re.MULTILINE)


class Setting(NamedTuple):
    """Some lines. `names`: whether they only name what stands below them, `is_section`: as a section does."""

    start: int
    end: int
    names: bool = False
    is_section: bool = False
    is_text: bool = False


def lines(text: str, media_type: str) -> Iterator[Setting]:
    """The settings, ascending, each from the comment above it on; comments by themselves, too. Lines of YAML without a
    key are a text together."""
    told: tuple[int, int] | None = None
    written: tuple[int, int] | None = None  # lines of a text
    for match in _LINE.finditer(text):
        start, end = match.start(), match.end()
        line = match[0].rstrip()
        if line and media_type == _YAML and not _KEYED.match(line):
            if told:
                yield Setting(*told)
                told = None
            written = (written[0] if written else start, end)
            continue
        if written:
            yield Setting(*written, is_text=True)
            written = None
        if line and _COMMENT.match(line):
            told = (told[0] if told else start, end)
            continue
        is_section = _SECTION.match(line) is not None
        if told and (not line or is_section or _PARENT.match(line)):
            yield Setting(*told)
            told = None
        if is_section or _PARENT.match(line):
            yield Setting(start, end, names=True, is_section=is_section)
        elif line:
            yield Setting(told[0] if told else start, end)
            told = None
    if written:
        yield Setting(*written, is_text=True)
    if told:
        yield Setting(*told)


def readable(part: str) -> str:
    """A part as people read it: without the marks of comments and sections."""
    return " ".join(_MARK.sub("", part).split()).strip("[]").removesuffix(":")
