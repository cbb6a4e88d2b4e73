"""Configuration files (INI, TOML, YAML) as blocks: each line with the comment directly above it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_YAML = "application/yaml"
TYPES = ("text/x-ini", "application/toml", _YAML)
_KEYED = re.compile(r"[ \t]*(?:[#\-]|[\w.\"'$/-]{1,80}[ \t]*:(?:\s|$)|\.\.\.$)")
_COMMENT = re.compile(r"^[ \t]*[#;!]+[ \t]?", re.MULTILINE)
_SECTION = re.compile(r"[ \t]*\[{1,2}[^\[\]]{1,120}\]{1,2}[ \t]*(?:[#;].*)?$")
_PARENT = re.compile(r"[ \t]*(?:-[ \t]+)?[\w.\"'/-]{1,80}:[ \t]*(?:[|>][+-]?)?[ \t]*(?:#.*)?$")


class Setting(NamedTuple):
    """Lines of a configuration file. `names`: they only name the lines below, with `is_section` as a section."""

    start: int
    end: int
    names: bool = False
    is_section: bool = False
    is_text: bool = False


def lines(text: str, media_type: str) -> Iterator[Setting]:
    """Yield the settings in ascending order, each from its comment on, and separate comments. YAML lines without a key
    are joined as a text."""
    comment: tuple[int, int] | None = None
    prose: tuple[int, int] | None = None  # start and end of such a text
    end = 0
    for written in (*text.split("\n"), ""):
        start, end = end, min(end + len(written) + 1, len(text))
        line = written.rstrip()
        if line and media_type == _YAML and not _KEYED.match(line):
            if comment:
                yield Setting(*comment)
                comment = None
            prose = (prose[0] if prose else start, end)
            continue
        if prose:
            yield Setting(*prose, is_text=True)
            prose = None
        if line and _COMMENT.match(line):
            comment = (comment[0] if comment else start, end)
            continue
        is_section = _SECTION.match(line) is not None
        if comment and (not line or is_section or _PARENT.match(line)):
            yield Setting(*comment)
            comment = None
        if is_section or _PARENT.match(line):
            yield Setting(start, end, names=True, is_section=is_section)
        elif line:
            yield Setting(comment[0] if comment else start, end)
            comment = None
    if prose:
        yield Setting(*prose, is_text=True)
    if comment:
        yield Setting(*comment)


def readable(part: str) -> str:
    """Return a part as text without comment and section marks."""
    return " ".join(_COMMENT.sub("", part).split()).strip("[]").removesuffix(":")
