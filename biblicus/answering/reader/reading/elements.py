"""XML of no known vocabulary as people read it: a text without the tags around it; a short value keeps its own."""

from __future__ import annotations

import html
import re

from biblicus.answering.reader.reading import readable as plain

TYPE = "application/xml"
_TAG = re.compile(
    r"</?[\w:.-]{1,60}(?:\s[^<>]{0,500})?/?>|<\?[^<>]{0,300}\?>|<!--.{0,500}?-->|<!\[CDATA\[|\]\]>", re.DOTALL
)
_TEXT = 5
"""Words from which on what stands between tags is a text: those around a value name it."""
_ATTRIBUTES = 6
"""Attributes of a tag that tells nobody anything, at least."""
_BEGINS, _ENDS = re.compile(r"[ \t]*<[\w:.-]"), re.compile(r"(?<!^)</[\w:.-]{1,60}>[ \t]*$")
_ALONE = re.compile(r"[ \t]*<[^<>]*>[ \t]*")


def is_apart(before: str, line: str) -> bool:
    """Whether a line begins a text that the one before it is no part of: values beside each other are of one."""
    return any(map(_holds_text, (before, line))) or (
        bool(_BEGINS.match(line)) and not _ENDS.search(line) and not _ALONE.fullmatch(line)
    )


def _holds_text(line: str) -> bool:
    """Whether a text ends with a line."""
    is_value = _BEGINS.match(line) and len(_TAG.sub(" ", line).split()) < _TEXT
    return _ENDS.search(line) is not None and not is_value


def readable(text: str) -> str:
    """A part of a document: a text without its tags."""
    words = _TAG.sub(" ", text).split()
    return html.unescape(" ".join(words)) if len(words) >= _TEXT else plain.readable(text)


def only_lists(text: str) -> bool:
    """Whether a text is a tag with many attributes and nothing else, as programs list what stands elsewhere."""
    return text.count('="') >= _ATTRIBUTES and text.endswith(">") and not _TAG.sub("", text).strip()
