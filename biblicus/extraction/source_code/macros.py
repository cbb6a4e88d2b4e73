"""Source code with macros blanked that hide definitions from the parser; all offsets stay the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.models.extraction import Span

_MACRO = r"(?<![\w#])(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*|Q_\w+)(?![\w.]|::)"
_ARGUMENTS = r"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\)){0,200}\))?"
_OF_C = re.compile(
    rf"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    rf"|^[ \t]*(?P<alone>(?:{_MACRO}{_ARGUMENTS}[ \t]*)+:?)(?=[ \t]*(?://[^\n]*)?$(?!(?<=\))\s*\{{))"
    rf"|(?P<before>{_MACRO}{_ARGUMENTS})(?=\s+(?:[\w:<>,*& \t]{{1,200}}[ \t*&]|[\w:<>, ]{{1,200}}::)"
    r"~?[\w:<>~]{1,100}\s*[\(;={\[])"
    rf"|(?P<default>=[ \t]*\{{\}})(?=\s*[,)])"
    rf"|(?<=[\w)}}])[ \t]+(?P<behind>{_MACRO}{_ARGUMENTS})"
    r"(?=\s*(?:[;{]|=[ \t]*(?:0|default|delete)\b|const\b|override\b|noexcept\b))"
    rf"|\b(?:class|struct|union|enum|namespace)[ \t]+(?P<of_type>{_MACRO}{_ARGUMENTS})(?=\s+\w)",
    re.MULTILINE | re.DOTALL,
)
"""Comments, directives and strings, which are skipped, then macros to blank. Macros count alone on a line, before a
type and a name, after arguments, and between `class` and its name. An empty default argument is blanked as well, as the
grammar does not know it."""
_CONDITION = re.compile(
    r"^(?P<condition>[ \t]*\#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b(?:[^\n\\]|\\(?!\n))*)", re.MULTILINE
)
"""A preprocessor condition on one line."""
_OF_RUST = re.compile(
    r"^(?P<indent>[ \t]*+)(?:(?P<opens>(?!macro_rules)(?:\w++::)*\w++![ \t]*\{)|(?P<closes>\})[ \t]*;?)[ \t]*$",
    re.MULTILINE,
)
"""A line that opens the block of a macro or closes any block."""
_DEFINES = re.compile(
    r"^[ \t]*(?:pub(?:\([\w: ]+\))?[ \t]+)?(?:(?:async|unsafe|const|extern(?:[ \t]+\"\w+\")?)[ \t]+)*"
    r"(?:fn|struct|enum|union|trait|impl|mod)\b",
    re.MULTILINE,
)


def readings(text: str, media_type: str) -> Iterator[str]:
    """Yield the variants of a text to parse in turn until one has no errors: unchanged, without macros, without
    conditions. Macro blocks of Rust are always opened first."""
    if media_type == "text/x-rust" and (without := _of_rust(text)) != text:
        yield without
    yield text
    if media_type in ("text/x-c", "text/x-c++"):
        without = _OF_C.sub(_blanked, text)
        yield from (reading for reading in (without, _CONDITION.sub(_blanked, without)) if reading != text)


def _blanked(match: re.Match[str]) -> str:
    name = match.lastgroup
    if name is None:
        return match[0]
    start, end = match.start(name) - match.start(), match.end(name) - match.start()
    return match[0][:start] + " " * (end - start) + match[0][end:]


def _of_rust(text: str) -> str:
    """Return the text with macro blocks around definitions (`cfg_rt! { pub fn … }`) blanked."""
    blanks: list[Span] = []
    opened: dict[str, re.Match[str]] = {}
    for line in _OF_RUST.finditer(text):
        if line["opens"]:
            opened[line["indent"]] = line
        elif (opens := opened.pop(line["indent"], None)) and _DEFINES.search(text, opens.end(), line.start()):
            blanks += [Span(*opens.span("opens")), Span(*line.span("closes"))]
    parts = []
    at = 0
    for start, end in sorted(blanks):
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join((*parts, text[at:]))
