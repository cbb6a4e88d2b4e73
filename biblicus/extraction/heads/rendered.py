"""Formatted manual pages, as plain text or in an HTML page.

Section headings begin at the margin. An option or command is above its indented description, or before it on the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from biblicus.models.extraction import ENTRY, Heading

_NAME = re.compile(r"^NAME[ \t\r]*\n(?:[ \t\r]*\n)?[ \t]+\S.*\n(?:.*\n){0,30}?(?:SYNOPSIS|DESCRIPTION)\b", re.MULTILINE)
_CALLED = re.compile(r"^NAME[ \t\r]*\n(?:[ \t\r]*\n)?[ \t]+(\S[^\n]{0,80}?)[ \t]+[–—-]", re.MULTILINE)
_HEADER = re.compile(r"\S.{0,200}\(\w{1,12}\)")
"""The header line of a page: `LS(1) User Commands LS(1)`."""
_AHEAD = 3_000
"""Characters from the start in which a manual page has its name and description."""
_SECTION = re.compile(r"[A-Z][A-Z0-9 ,/&-]{2,60}")
_PART = re.compile(r"[A-Z][\w /,()-]{2,60}")
_SHOWN_BEFORE = re.compile(r"(\S{1,5}(?: \S{1,3})?)[ ]{2,}(?=\S)")
"""A name short enough to have its description on the same line."""
_TERM = 100
"""Maximum characters of an entry's name."""
_BULLET = re.compile(r"(?:[•*o○□+·–—-]|\(?\w{1,2}[.)]|\W+)(?:[ \t].*)?")
_EXAMPLES = re.compile(r"\bexamples?\b", re.IGNORECASE)
"""Title of a section whose lines are no entries."""
_BRACKETS = re.compile(r"(?:\((?! )[^()]*\)|\[(?! )[^\[\]]*\]|\{(?! )[^{}]*\}|<(?! )[^<>]*>)\.*")
_WORDS = 3
"""Maximum words of a name that is no option, not counting words in brackets."""
_FURTHER = 3
"""Minimum columns by which a description is indented more than its name."""


def is_one(text: str, start: int = 0, known: Sequence[Heading] | None = None) -> bool:
    """Return True if the text from `start` is a formatted manual page.

    Its first section is NAME, below a header line or before SYNOPSIS. In an HTML page, lines that are `known` headings,
    a code fence or in capitals may be above it.
    """
    beginning = text[start : start + _AHEAD]
    match = _NAME.search(beginning) if "NAME" in beginning else None
    if match is None:
        return False
    above = beginning[: match.start()].strip()
    if known is not None:
        titles = {"```", *(heading.title for heading in known if heading.offset < match.start())}
        lines = (line for line in map(str.strip, above.split("\n")) if line not in titles)
        above = "\n".join(line for line in lines if _HEADER.fullmatch(line) or not line.isupper()).strip()
    return _HEADER.fullmatch(above) is not None if above else "\nSYNOPSIS" in beginning


def title(text: str, start: int = 0) -> str | None:
    """Return the name in the NAME section, or None."""
    match = _CALLED.search(text[start : start + _AHEAD])
    return match[1] if match else None


def headings(text: str, known: Sequence[Heading] = ()) -> Iterator[Heading]:
    """Yield the sections, subsections and entries; no entries below a `known` heading outside this layout."""
    written = text.split("\n")
    lines = [line.expandtabs() for line in written]
    others = {heading.offset for heading in known if heading.level < ENTRY}
    at, margin = 0, 0
    for number, line in enumerate(lines):
        words = line.strip()
        before = lines[number - 1].strip() if number else ""
        below = next((next_line for next_line in lines[number + 1 : number + 3] if next_line.strip()), "")
        inward, deeper = _columns(line), _columns(below)
        start = at + len(written[number]) - len(written[number].lstrip())
        if not words:
            pass
        elif not inward and _SECTION.fullmatch(words) and (deeper or not below):
            yield Heading(at, 1, " ".join(words.split()))
            margin = 0 if _EXAMPLES.search(words) else deeper
        elif 0 < inward < margin and not before and _PART.fullmatch(words) and deeper == margin:
            yield Heading(start, 2, " ".join(words.split()))
        elif at in others or start in others:
            margin = 0
        elif inward == margin and inward and (name := _entry(line, "".join(lines[number + 1 : number + 2]), before)):
            yield Heading(start, ENTRY, name)
        at += len(written[number]) + 1


def with_entries(text: str, known: Sequence[Heading]) -> list[Heading]:
    """Return the `known` headings merged with those of the layout; only entries are added if any are known."""
    of_layout = [heading for heading in headings(text, known) if heading.level >= ENTRY or not known]
    taken = {heading.offset for heading in known}
    return sorted((*known, *(heading for heading in of_layout if heading.offset not in taken)))


def _columns(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _entry(line: str, below: str, before: str) -> str:
    """Return the option or command that a line names, or an empty string if it names none."""
    words, inward = " ".join(line.split()), _columns(line)
    option = _SHOWN_BEFORE.match(line.strip())
    if option and not _BULLET.fullmatch(option[1]):
        column = inward + option.end()
        return option[1] if option[1].startswith(("-", "+")) or (below.strip() and _columns(below) == column) else ""
    is_apart = not before or words.startswith("-")
    is_name = len(words) <= _TERM and not words.endswith((".", ":", ",", ";")) and not _BULLET.fullmatch(words)
    is_over = below.strip() and _columns(below) >= inward + _FURTHER
    return words if is_apart and is_name and is_over and _is_name(words) else ""


def _is_name(words: str) -> bool:
    """Return True if the words are an option's name, or few words and no code."""
    if words.startswith(("-", "+")):
        return True
    replaced = 1
    while replaced:
        words, replaced = _BRACKETS.subn("\0", words)
    names = (name.split() for name in words.split(", "))
    return not any(sign in words for sign in "([{") and all(
        sum(word.strip("\0") != "" for word in name) <= _WORDS for name in names
    )
