"""Extractor of Org files, rewritten as Markdown: headlines, description lists as entries, source blocks as code.

Drawers and settings are dropped; a headline's to-do state and tags follow it in brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from biblicus.extraction.kit.rewritten import ANY, LineReader, beside_code, indent_of, line_by_line

_HEADLINE = re.compile(r"(\*{1,20})[ \t]+(\S.*)$")
_STATE = re.compile(r"([A-Z][A-Z_-]{2,20})(?:\([^()]*\))?[ \t]+(?=\S)")
_STATES = ("TODO", "DONE", "NEXT", "WAITING", "WAIT", "HOLD", "STARTED", "SOMEDAY", "CANCELLED", "CANCELED")
_PRIORITY = re.compile(r"\[#\w{1,2}\][ \t]+")
_TAGS = re.compile(r"(?<![ \t])[ \t]+:([\w@#%:]{1,100}):$")
_COOKIE = re.compile(r"(?<![ \t])[ \t]*\[(?:\d*/\d*|\d*%)\]")
_KEYWORD = re.compile(r"[ \t]*#\+([\w@-]+)(?:\[[^\]]*\])?:[ \t]*(.*)$")
_MOST_KEYWORDS = 20
"""Maximum keywords between the first of a table and its rows."""
_DESCRIBED = re.compile(r"(\S(?:.*?\S)?)[ \t]+::(?:[ \t]+(.*))?$")
_DEFINED = re.compile(r"(?:User Option|Variable|Function|Command|Macro|Constant|Face|Key): (\S.{0,300}?)(?:[ \t]+::)?$")
"""A list item that names an option, a command or a key, as in manuals exported to Texinfo."""
_FIXED = re.compile(r"[ \t]*:(?: (.*))?$")
_CODE_BLOCKS = ("src", "example")
_HIDDEN_BLOCKS = ("export", "comment")

_WRAPPED = re.compile(r"\[\[([^\[\]\n]{1,300})\]\[([^\[\]]{0,300}\n[^\[\]]{0,300})\]\]")
_LINK = re.compile(r"\[\[([^\[\]\n]{1,500})\](?:\[((?:[^\[\]\n]|\[[^\[\]\n]*\]){1,500})\])?\]")
_INNER = re.compile(r"(?:id|info|elisp|help|man|org|denote):|[#*(]")
"""A link target that is neither a file nor a web page."""
_CODE = re.compile(r"(?<![\w=~`])([=~])(?![\s])([^\n]{0,400}?\S)\1(?![\w=~`])")
_PLAIN = re.compile(
    r"`([^`]{0,400})`|\*\*([^*]{0,400})\*\*|(?<!\w)\*([^*]{0,400})\*(?!\w)|\[([^\[\]]{0,400})\]\([^()]{0,500}\)"
)


class _Reader(LineReader):
    def __init__(self, source: str) -> None:
        super().__init__(_WRAPPED.sub(lambda link: _linked(link[1], link[2]), source))
        self._states = set(_STATES)
        self._ends = [at for at, line in enumerate(self.source) if line.strip().upper() == ":END:"]
        self._headlines = [at for at, line in enumerate(self.source) if _HEADLINE.match(line)]

    def headline(self, at: int, match: re.Match[str]) -> None:
        self.entries = []
        labels, words = [], match[2]
        state = _STATE.match(words)
        if state and state[1] in self._states:
            labels, words = [state[1]], words[state.end() :]
        words = _PRIORITY.sub("", words, count=1)
        if tags := _TAGS.search(words):
            labels += tags[1].split(":")
            words = words[: tags.start()]
        self.text.heading(at, len(match[1]), plain(_COOKIE.sub("", words)))
        if labels:
            self.text.lines[at] += f" ({'; '.join(labels)})"

    def setting(self, at: int, match: re.Match[str]) -> None:
        key, value = match[1].lower(), match[2]
        if key == "title" and not self.text.title:
            self.text.title = plain(value)
            self.text.heading(at, 1, plain(value))
        elif key in ("todo", "seq_todo", "typ_todo"):
            self._states.update(re.findall(r"[A-Z][A-Z_-]+", value))
        elif key in ("subtitle", "author", "date", "description"):
            self.text.lines[at] = f"{key.capitalize()}: {said(value)}" if value else ""
        elif key == "caption":
            self.text.lines[at] = f"{said(value)}:"
            below = range(at, min(at + _MOST_KEYWORDS, len(self.source)))
            begin = next((line for line in below if not _KEYWORD.match(self.source[line])), at)
            end = begin
            while end < len(self.source) and self.source[end].lstrip().startswith("|"):
                end += 1
            if end > begin and not self.entries:
                self.text.caption(at, end, plain(value))
        elif key == "include":
            name = value.split('"')[1] if value.count('"') > 1 else value
            self.text.lines[at] = f"[{name}]({name})"

    def block(self, at: int, match: re.Match[str]) -> int:
        kind = match[1].lower()
        ends = f"#+end_{kind}"
        end = self.end_of(at, ends, lambda line: line.strip().lower() == ends)
        if end and kind in _CODE_BLOCKS:
            lines = [line.removeprefix(",") for line in self.source[at + 1 : end]]
            self.code(at, end, lines, match[2] if kind == "src" else "")
        return end + 1 if end and kind in _CODE_BLOCKS + _HIDDEN_BLOCKS else at + 1

    def drawer(self, at: int, match: re.Match[str]) -> int:
        """Skip a drawer; without an end it is plain text."""
        if match[1].upper() == "END":
            return at + 1
        end, headline = _first(self._ends, at), _first(self._headlines, at)
        if end and (not headline or end < headline):
            return end + 1
        self.text.lines[at] = self.source[at].strip()
        return at + 1

    def fixed(self, at: int, match: re.Match[str]) -> int:
        """Write fixed-width lines (after a colon) as code; the blank lines around them are the fences."""
        end = at
        while end < len(self.source) and (fixed := _FIXED.match(self.source[end])):
            self.text.lines[end] = fixed[1] or ""
            end += 1
        if at and end < len(self.source) and not (self.text.lines[at - 1] or self.source[end]):
            self.text.lines[at - 1] = self.text.lines[end] = "```"
            return end + 1
        self.text.lines[at:end] = [f"`{line}`" if line else "" for line in self.text.lines[at:end]]
        return end

    def item(self, at: int, match: re.Match[str]) -> None:
        indent, mark, words = len(match[1].expandtabs()), match[2], match[3] or ""
        described = (_DEFINED.match(words) or _DESCRIBED.match(words)) if mark in "-+*" else None
        self.close(at, indent, is_entry=described is not None)
        if described is None:
            sign = f"{mark[:-1]}." if mark[0].isdigit() else "-"
            self.text.lines[at] = f"{' ' * min(indent, 8)}{sign} {said(words)}"
            return
        says = described[2] if described.re is _DESCRIBED else ""
        self.enter(at, indent, plain(described[1]), said(says or ""))

    def words(self, at: int, match: re.Match[str]) -> None:
        self.close(at, indent_of(self.source[at]))
        self.text.lines[at] = said(self.source[at].strip())

    RULES = (
        (_HEADLINE, headline),
        (re.compile(r"[ \t]*#\+begin_(\w+)[ \t]*(\S*)", re.IGNORECASE), block),
        (_KEYWORD, setting),
        (re.compile(r"#$|[ \t]*#[ +]"), LineReader.skip),
        (re.compile(r"[ \t]*:([\w-]+):$"), drawer),
        (_FIXED, fixed),
        (re.compile(r"([ \t]*)([-+]|(?<=[ \t])\*|(?:\d{1,3}|[A-Za-z])[.)])(?:[ \t]+(?:\[@\d+\][ \t]*)?(.*))?$"), item),
        (re.compile(r"[ \t]*\|[-+|]+$"), lambda self, at, rule: self.text.columns(at, rule[0].count("+") + 1)),
        (ANY, words),
    )


def _first(places: list[int], after: int) -> int:
    """Return the first of the ascending `places` after `after`, or 0."""
    at = bisect_right(places, after)
    return places[at] if at < len(places) else 0


def _linked(target: str, words: str) -> str:
    """Return a link as Markdown; only its text if the target is neither a file nor a web page."""
    address = target.removeprefix("file:").partition("::")[0]
    if _INNER.match(target) or not address:
        return words or target.lstrip("#*").removeprefix("id:")
    return f"[{words or address}]({address})"


_MARKS = (
    ("[", _LINK, lambda link: _linked(link[1], link[2] or "")),
    ("[fn:", re.compile(r"\[fn:[\w-]{0,100}:([^\[\]]{0,1000})\]"), r" (\1)"),
    ("[fn:", re.compile(r"\[fn:[\w-]{1,100}\][ \t]?"), ""),
    ("{{{", re.compile(r"\{\{\{[\w-]{1,100}(?:\(((?:[^()]|\([^()]{0,200}\)){0,400})\))?\}\}\}"), r"\1"),
    ("<<", re.compile(r"<<<([^<>\n]{0,400})>>>|<<[^<>\n]{0,400}>>"), r"\1"),
    ("@@", re.compile(r"@@\w{1,40}:.{0,400}?@@"), ""),
    ("*", re.compile(r"(?<![\w*])\*(?![\s*])([^*\n]{0,400}?[^\s*])\*(?![\w*])"), r"**\1**"),
    ("/", re.compile(r"(?<![\w/:.~<])/(?![\s/])([^/\n]{0,400}?[^\s/])/(?![\w/])"), r"*\1*"),
    ("+", re.compile(r"(?<![\w+])\+(?![\s+])([^+\n]{0,400}?[^\s+])\+(?![\w+])"), r"~~\1~~"),
)


def said(text: str) -> str:
    """Return a line of Org as Markdown."""
    return beside_code(text, _CODE, _MARKS)


def plain(text: str) -> str:
    """Return a headline or term as plain text."""
    return _PLAIN.sub(lambda match: next(filter(None, match.groups()), ""), said(text)).strip()


build = line_by_line("org/4", lambda source: _Reader(source).read())
