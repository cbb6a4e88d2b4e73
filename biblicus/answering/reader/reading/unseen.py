"""Lines that are only read by renderers: MyST targets and directives, MDX imports and comments, Logseq properties, Hugo
shortcodes, Jekyll tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TARGET = re.compile(r"\([\w:. /-]{1,80}\)=[ \t]*")
_KEPT = re.compile(
    r"[ \t]{0,24}(?:[-*][ \t]+)?(?:(?:(?:collapsed|background-color|logseq\.[\w.-]{1,40})::(?:[ \t].*)?"
    r"|id::[ \t]+[\da-f]{8}(?:-[\da-f]{4,12}){4}|heading::[ \t]+(?:true|\d))"
    r"|\{\{(?:embed|query|renderer|cloze)\b.*\}\})[ \t]*"
)
_LOGBOOK, _CLOSED = re.compile(r"[ \t]{0,24}:LOGBOOK:[ \t]*"), ":END:"
"""Logseq's display properties and time log of a block."""
_COMMENT = re.compile(r"\s*\{/\*.*\*/\}\s*")
_SHORTCODE = re.compile(
    r"[ \t]{0,12}(?:\{\{[<%]\s?/?\s?\w[^{}]{0,400}[>%]\}\}\s{0,9})+| {0,3}(?:\{%-?\s?\w[^{}]{0,400}%\}\s{0,9})+"
)
"""A Hugo shortcode (`{{% note %}}`) or Jekyll tag (`{% include note.html %}`), but no escaped one (`{{</* ref */>}}`)
and none in indented code."""
_IMPORT = re.compile(r"(?:(?:import|export)\s.{1,200}\sfrom|import)\s+[\"'][^\"'\n]+[\"'];?[ \t]*")
"""An import of an MDX page from another file."""
_DIRECTIVE = re.compile(
    r"[ \t]{0,3}(?P<fence>`{3,}|~{3,})\{(?:note|warning|tip|important|caution|attention|hint|danger|error|admonition"
    r"|seealso|versionadded|versionchanged|deprecated|dropdown|tab-item|tab-set|glossary|topic|sidebar|epigraph)\}"
)
"""MyST directives that contain text, although their fences look like code."""
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t]|$)")
_CLOCKED = 200
"""Maximum lines of a time log."""


def seen_by_nobody(lines: Sequence[str], is_markdown: bool) -> frozenset[int]:
    """Return the numbers of lines that readers do not see; shortcodes and tags only count in Markdown."""
    marks = (_TARGET, _COMMENT, _IMPORT, _KEPT, *((_SHORTCODE,) if is_markdown else ()))
    unseen: set[int] = set()
    closes, at = "", 0
    while at < len(lines):
        line = lines[at]
        if closes and line.strip() == closes:
            unseen.add(at)
            closes = ""
        elif not closes and (opened := _DIRECTIVE.match(line)):
            closes = opened["fence"]
            unseen.add(at)
            while at + 1 < len(lines) and _OPTION.match(lines[at + 1]):
                at += 1
                unseen.add(at)
        elif any(alone.fullmatch(line) for alone in marks):
            unseen.add(at)
        elif _LOGBOOK.fullmatch(line):
            below = range(at, min(at + _CLOCKED, len(lines)))
            last = next((place for place in below if lines[place].strip() == _CLOSED), at)
            unseen.update(range(at, last + 1))
            at = last
        at += 1
    return frozenset(unseen)
