"""Lines that only renderers read: targets and directives of MyST, components and comments of MDX, what Logseq keeps
of a block, shortcodes of Hugo and tags of Jekyll."""

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
"""What Logseq keeps of a block: how it is shown, and how long somebody worked on it."""
_COMMENT = re.compile(r"\s*\{/\*.*\*/\}\s*")
_SHORTCODE = re.compile(
    r"[ \t]{0,12}(?:\{\{[<%]\s?/?\s?\w[^{}]{0,400}[>%]\}\}\s{0,9})+| {0,3}(?:\{%-?\s?\w[^{}]{0,400}%\}\s{0,9})+"
)
"""What a generator of sites puts in its place: `{{% note %}}` of Hugo, `{% include note.html %}` of Jekyll. Not what
is written so that it is shown (`{{</* ref */>}}`), nor a tag in code that is indented."""
_IMPORT = re.compile(r"(?:(?:import|export)\s.{1,200}\sfrom|import)\s+[\"'][^\"'\n]+[\"'];?[ \t]*")
"""What a page of MDX brings in from another file."""
_DIRECTIVE = re.compile(
    r"[ \t]{0,3}(?P<fence>`{3,}|~{3,})\{(?:note|warning|tip|important|caution|attention|hint|danger|error|admonition"
    r"|seealso|versionadded|versionchanged|deprecated|dropdown|tab-item|tab-set|glossary|topic|sidebar|epigraph)\}"
)
"""Directives of MyST that hold text, which their fences make look like code."""
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t]|$)")
_COMPONENT = re.compile(r"[ \t]{0,8}<[A-Z][\w.]*[ \t]*(?:[\w-]+=[^>]*)?$")
"""A component of MDX whose properties stand in the lines below it."""
_COMPUTED = re.compile(r"[ \t]{0,8}<[A-Z][\w.]*[ \t][^\n]{0,400}\{[^\n]{0,400}/>[ \t]*")
"""One on a line of its own of which a property is computed: `<Table rows={rows.filter((row) => row.is_open)} />`."""
_EXPRESSION = re.compile(
    r"[ \t]{0,8}\{[A-Za-z_$!][\w.?!$()\[\]]{0,120}(?:[ \t][^\n`]{0,200})?(?:&&|\|\||\?|=>)[ \t]*\(?[ \t]*"
)
_EXPRESSED = re.compile(r"[ \t]{0,8}\)[^\n]{0,40}\}[ \t]*")
"""How what is shown on a condition begins in MDX, `{Boat.hull && (`, and ends."""
_PROPERTY = re.compile(r"[ \t]*(?:[\w:-]+=|\{|/?>)")
"""How a line begins that says a property, or ends the component."""
_PROPERTIES = 200
"""Lines of these at most."""
_FENCES = ("```", "~~~")


def seen_by_nobody(lines: Sequence[str], is_markdown: bool) -> frozenset[int]:
    """The places of such lines. In other texts than Markdown, shortcodes and tags are what is told of."""
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
            below = range(at, min(at + _PROPERTIES, len(lines)))
            last = next((place for place in below if lines[place].strip() == _CLOSED), at)
            unseen.update(range(at, last + 1))
            at = last
        elif (end := _end_of_what_is_computed(lines, at, is_markdown)) is not None:
            unseen.update(range(at, end + 1))
            at = end
        at += 1
    return frozenset(unseen)


def _end_of_what_is_computed(lines: Sequence[str], at: int, is_markdown: bool) -> int | None:
    """The line that ends an expression or a component, which may be the line itself; None where none begins there."""
    if lines[at].lstrip()[:1] not in ("<", "{"):
        return None
    end = _end_of_expression(lines, at) if is_markdown else None
    return _end_of_component(lines, at) if end is None and _COMPONENT.match(lines[at]) else end


def _end_of_expression(lines: Sequence[str], at: int) -> int | None:
    """The line that ends what is computed from a line on, which may be this one; None where nothing is."""
    if _COMPUTED.fullmatch(lines[at]):
        return at
    if not _EXPRESSION.fullmatch(lines[at]):
        return None
    below = range(at + 1, min(at + _PROPERTIES, len(lines)))
    return next((end for end in below if _EXPRESSED.fullmatch(lines[end])), at)


def _end_of_component(lines: Sequence[str], at: int) -> int | None:
    """The line that ends a component, or a text within its brackets, where all lines from its name to there are
    properties of it, or within brackets of one; None where other text stands there."""
    depth = 0
    for end in range(at, min(at + _PROPERTIES, len(lines))):
        line = lines[end].strip()
        if not line or line.startswith(_FENCES) or (end > at and depth <= 0 and not _PROPERTY.match(line)):
            return None
        depth += sum(map(line.count, "{[(")) - sum(map(line.count, "}])"))
        if end > at and depth <= 0 and line.endswith(">"):
            return end
    return len(lines) - 1 if depth > 0 and at + _PROPERTIES >= len(lines) else None
