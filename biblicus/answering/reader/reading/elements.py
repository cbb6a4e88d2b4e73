"""XML without a known vocabulary as readable text: longer texts without tags, short values with them."""

from __future__ import annotations

import html
import re

from biblicus.answering.reader.reading import readable as plain

TYPE = "application/xml"
_TAG = re.compile(
    r"</?[\w:.-]{1,60}(?:\s[^<>]{0,500})?/?>|<\?[^<>]{0,300}\?>|<!--.{0,500}?-->|<!\[CDATA\[|\]\]>", re.DOTALL
)
_TEXT = 5
"""Minimum words between tags for a text; around shorter values, the tags name them."""
_ATTRIBUTES = 6
"""Minimum attributes of a tag that is dropped."""
_BEGINS, _ENDS = re.compile(r"[ \t]*<[\w:.-]"), re.compile(r"(?<!^)</[\w:.-]{1,60}>[ \t]*$")
_ALONE = re.compile(r"[ \t]*<[^<>]*>[ \t]*")


def is_apart(before: str, line: str) -> bool:
    """Return True if a line starts a new text; adjacent values belong together."""
    return any(map(_holds_text, (before, line))) or (
        bool(_BEGINS.match(line)) and not _ENDS.search(line) and not _ALONE.fullmatch(line)
    )


def _holds_text(line: str) -> bool:
    """Return True if a text ends on this line."""
    is_value = _BEGINS.match(line) and len(_TAG.sub(" ", line).split()) < _TEXT
    return _ENDS.search(line) is not None and not is_value


def readable(text: str) -> str:
    """Return a part of a document as text without tags."""
    words = _TAG.sub(" ", text).split()
    return html.unescape(" ".join(words)) if len(words) >= _TEXT else plain.readable(text)


def only_lists(text: str) -> bool:
    """Return True if a text is only a tag with many attributes, as in generated lists."""
    return text.count('="') >= _ATTRIBUTES and text.endswith(">") and not _TAG.sub("", text).strip()
