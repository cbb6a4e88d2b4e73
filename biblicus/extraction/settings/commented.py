"""Extractor of configuration files such as INI, with a name and a value on each line; the text is unchanged.

A setting with a comment above or after it becomes an entry that starts at the comment, and so does a commented-out
default (`#port 1883`). Sections are headings. A file with fewer than three commented settings has no headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from biblicus.contracts import MediaHint
from biblicus.extraction import text as plain
from biblicus.extraction.kit.texts import extractor
from biblicus.models.extraction import ENTRY, Extraction, Heading, NoExtraction

_LINE = re.compile(r"[^\n]*\n?")
_SECTION = re.compile(r"[ \t]*\[{1,2}([^\[\]\n]{1,120})\]{1,2}[ \t]*(?:[#;].*)?$")
_SET = re.compile(r"[ \t]*([A-Za-z][\w./-]{1,60}(?::[\w./-]{1,60})*)(?:[ \t]*[=:]|[ \t]+(?=\S)|[ \t]*$)")
_SHOWN = re.compile(r"[#;]{1,2}[ \t]?([A-Za-z][\w.-]{1,60})[ \t]*=")
_SHOWN_BARE = re.compile(r"[#;]([A-Za-z][\w.-]{1,60})(?:[ \t]+[^\s.,;:]+){0,4}[ \t]*$")
"""A commented-out setting: with `=` after its name, or right after the comment mark."""
_BEHIND = re.compile(r"[ \t][#;][ \t]*(.*)$")
_TELLS, _TELLS_BEHIND = 16, 4
"""Minimum letters of a comment that describes a setting, above it and after it."""
_ENDS = (".", ":", "!", ")")
"""Last characters of a comment that may describe a setting below a blank line; other comments are titles."""
_FEWEST = 3
"""Minimum number of commented settings for a file to have headings."""
_MOST = 20_000


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    outcome = plain.Text().extract(raw, hint)
    if isinstance(outcome, NoExtraction):
        return outcome
    headings = list(_headings(outcome.text))[:_MOST]
    entries = sum(heading.level == ENTRY for heading in headings)
    return replace(outcome, headings=tuple(headings) if entries >= _FEWEST else ())


build = extractor(f"settings/1 {plain.Text.fingerprint}", _extract, guarded=False)


def _headings(text: str) -> Iterator[Heading]:
    comment: list[str] = []
    above: list[str] = []  # sentences followed by a blank line
    begins = 0
    previous: Heading | None = None  # commented-out setting on the previous line
    for match in _LINE.finditer(text):
        line = match[0].rstrip()
        is_comment = line.lstrip(" \t").startswith(("#", ";"))
        name = "" if _SECTION.match(line) else _named(line, bool(comment or previous))
        is_shown_above = previous is not None and bool(name) and not is_comment
        if previous is not None and is_shown_above:
            begins = previous.offset
        elif previous is not None:
            yield previous
        previous = None
        if not line and comment:
            above, comment = (comment if comment[-1].endswith(_ENDS) else []), []
            continue
        if above and name and not (is_comment or comment):
            comment = above
        above = []
        if section := _SECTION.match(line):
            yield Heading(match.start(), 2, section[1].strip())
            comment = []
        elif is_comment and not name:
            begins = begins if comment else match.start()
            comment.append(line)
        else:
            behind = _BEHIND.search(line) if name else None
            tells_behind = behind is not None and _letters(behind[1]) >= _TELLS_BEHIND
            if name and (is_shown_above or tells_behind or _letters(*comment) >= _TELLS):
                entry = Heading(begins if comment or is_shown_above else match.start(), ENTRY, name)
                if is_comment:
                    previous = entry
                else:
                    yield entry
            comment = []
    if previous is not None:
        yield previous


def _named(line: str, is_told: bool) -> str:
    """Return the name that a line sets, or shows commented out below a comment; empty for other lines."""
    if not line.lstrip(" \t").startswith(("#", ";")):
        setting = _SET.match(line)
        return setting[1] if setting else ""
    setting_match = _SHOWN.match(line) or (_SHOWN_BARE.match(line) if is_told else None)
    return setting_match[1] if setting_match else ""


def _letters(*lines: str) -> int:
    return sum(sum(map(str.isalpha, line)) for line in lines)
