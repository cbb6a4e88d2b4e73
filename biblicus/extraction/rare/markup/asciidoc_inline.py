"""Inline markup of AsciiDoc (macros, references, attributes, emphasis), rewritten as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from biblicus.extraction.kit.line_reader import Mark, beside_code, marked
from biblicus.extraction.kit.raised import lowered, raised

ATTRIBUTES = {
    "apos": "'", "asterisk": "*", "backslash": "\\", "backtick": "`", "caret": "^", "plus": "+", "startsb": "[",
    "endsb": "]", "tilde": "~", "vbar": "|", "pipe": "|", "quot": '"', "lt": "<", "gt": ">", "amp": "&", "sp": " ",
    "nbsp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "cpp": "C++", "pp": "++", "two-colons": "::",
    "two-semicolons": ";;", "litdd": "--", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°",
    "apostrophe": "'", "asciitilde": "~", "brvbar": "¦",
}  # fmt: skip
"""Attributes that are predefined in every document."""
_MOST_ATTRIBUTES, _LONGEST = 1_000, 2_000

_ATTRIBUTE = re.compile(r"(?<!\\)\{([\w-]{1,60})\}")
_CODE = re.compile(r"(?<![\w`\\])(`{1,2})(?!`)(\S|\S.{0,400}?\S)\1(?![\w`])")
_PASS = re.compile(r"\+\+\+(.{0,400}?)\+\+\+|\bpass:[\w,]{0,40}\[(.{0,400}?)\]")
_ANCHOR = re.compile(r"\[\[\[?[^\[\]]{1,200}\]\]\]?|\banchor:[\w-]{1,200}\[[^\]]{0,400}\]")
_INDEX = re.compile(r"\(\(\((?:[^()]|\([^()]{0,60}\)){0,400}\)\)\)|\bindexterm:\[[^\]]{0,400}\]")
_SHOWN_INDEX = re.compile(r"\(\(([^()]{1,400})\)\)|\bindexterm2:\[([^\]]{0,400})\]")
_REFERENCE = re.compile(r"<<([^<>,\s]{1,200})(?:,\s*([^<>]{1,300}))?>>")
_XREF = re.compile(r"\bxref:([^\s\[\]]{1,300})\[([^\]]{0,400})\]")
_LINK = re.compile(
    r"(?:\blink:([^\s\[\]]{1,500})|\b((?:https?|ftp|irc|mailto):[^\s\[\]<>]{1,500}))\[((?:[^\]\\]|\\.){0,400})\]"
)
_IMAGE = re.compile(r"\b(?:image|icon)::?([^\s\[\]]{1,300})\[([^\],]{0,400})[^\]]{0,400}\]")
_KEYS = re.compile(r"\b(?:kbd|btn):\[([^\]]{0,400})\]")
_MENU = re.compile(r"\bmenu:([^\s\[\]]{1,100})\[([^\]]{0,400})\]")
_NOTE = re.compile(r"\s?\bfootnote(?:ref)?:[\w-]{0,100}\[((?:[^\[\]]|\[[^\[\]]{0,200}\]){0,400})\]")
_MACRO = re.compile(r"\b([a-z]{2,20}):([\w./{}+-]{1,200})\[([^\]]{0,400})\]")
_QUOTED = re.compile(r'"`(.{1,400}?)`"|(?<!\w)``(?!`)([^`\n]{1,400}?)' + "''")
_RAISED, _LOWERED = re.compile(r"(?<=\w)\^([^\s^]{1,40})\^"), re.compile(r"(?<=\w)~([^\s~]{1,40})~")
_NAMING = re.compile(
    r"(?<![\w`])`{1,2}\+?([^`]{1,400}?)\+?`{1,2}(?![\w`])|(?<![\w'])'([^']{1,400})'(?![\w'])"
    r"|(?<![\w*])\*{1,2}([^*\s][^*]{0,400}?)\*{1,2}(?![\w*])|(?<!\w)_{1,2}([^_\s][^_]{0,400}?)_{1,2}(?!\w)"
    r"|\[([^\[\]]{1,400})\]\([^()]{0,400}\)"
)
"""Emphasis and links, removed in titles. Their length is bounded, since a line may be as long as a file."""
_QUOTES: tuple[Mark, ...] = (
    ("", _QUOTED, lambda match: f"“{match[1] or match[2]}”"),
    ("'`", re.compile(r"(?<!\w)'`(.{1,400}?)`'"), r"‘\1’"),
    ("", _PASS, lambda match: match[1] or match[2] or ""),
)
_EMPHASIS: tuple[Mark, ...] = (
    ("[", re.compile(r"\[\.?line-through\](#{1,2}|\*{1,2}|_{1,2})[^\n]{1,400}?\1"), ""),
    ("[", re.compile(r"\[[.\w%#-]{0,100}\](?=[#*_`])"), ""),
    ("#", re.compile(r"(?<![\w#])#{1,2}(?![\s#])([^#\n]{1,400}?)(?<![\s#])#{1,2}(?![\w#])"), r"\1"),
    ("*", re.compile(r"(?<![\w*\\])\*(?![\s*])([^*\n]{1,400}?)(?<![\s*])\*(?![\w*])"), r"**\1**"),
    ("^", _RAISED, lambda mark: raised(mark[1])),
    ("~", _LOWERED, lambda mark: lowered(mark[1])),
    ("+", re.compile(r"(?<![\w+\\])\+(?![\s+])([^+\n]{0,400}?[^\s+])\+(?![\w+])"), r"`\1`"),
    ("+", re.compile(r"[ \t]\+$"), ""),
)


class Inline:
    """The attributes of a document, and the titles of its anchors."""

    def __init__(self, anchors: Mapping[str, str]) -> None:
        self._anchors = anchors
        self._attributes = dict(ATTRIBUTES)
        self._macros: tuple[Mark, ...] = (
            ("[", _ANCHOR, ""),
            ("[", _INDEX, ""),
            ("[", _IMAGE, lambda match: f"![{match[2]}]({match[1]})" if match[2] else ""),
            ("[", _KEYS, r"\1"),
            ("[", _NOTE, r" (\1)"),
            ("[", _MENU, lambda match: f"{match[1]} > {match[2]}" if match[2] else match[1]),
            ("[", _XREF, lambda match: match[2] or self._named(match[1])),
            ("[", _LINK, _link),
            ("[", _MACRO, _of_macro),
            ("((", _INDEX, ""),
            ("((", _SHOWN_INDEX, lambda match: match[1] or match[2]),
            ("<<", _REFERENCE, lambda match: match[2] or self._named(match[1])),
        )

    def define(self, name: str, value: str) -> None:
        """Define an attribute from here on."""
        if len(self._attributes) < _MOST_ATTRIBUTES and len(value) <= _LONGEST:
            self._attributes[name] = self.attributes(value)[:_LONGEST]

    def attributes(self, text: str) -> str:
        """Return the text with attributes substituted; undefined ones stay unchanged."""
        if "{" not in text:
            return text
        return _ATTRIBUTE.sub(lambda match: self._attributes.get(match[1], match[0]), text)

    def said(self, text: str) -> str:
        """Return a line as Markdown."""
        text = marked(self.attributes(text), _QUOTES)
        return beside_code(text, _CODE, (*self._macros, *_EMPHASIS), self._shown)

    def _shown(self, code: str) -> str:
        inner = code[1:-1] if len(code) > 2 and code[0] == code[-1] == "+" else code
        return marked(inner, self._macros)

    def name(self, text: str) -> str:
        """Return a title or term as plain text."""
        return self.plain(text).strip() or text

    def plain(self, text: str) -> str:
        """Return a line without markup."""
        return _NAMING.sub(lambda match: next(filter(None, match.groups()), ""), self.said(text))

    def _named(self, anchor: str) -> str:
        anchor = anchor.lstrip("#")
        return self._anchors.get(anchor) or anchor.removeprefix("_").replace("_", " ")


def _link(match: re.Match[str]) -> str:
    target, words = match[1] or match[2], match[3].replace("\\]", "]")
    words = words.split(",window=")[0].split(",role=")[0].removesuffix("^").strip().strip('"')
    return f"[{words}]({target})" if words else target.removeprefix("mailto:")


def _of_macro(match: re.Match[str]) -> str:
    """Return the text of a custom macro: a manual page with its section, or else its label."""
    name, target, words = match.groups()
    if name in ("footnote", "stem", "latexmath", "asciimath"):
        return words
    return f"{target}({words})" if words.isdigit() else words or target
