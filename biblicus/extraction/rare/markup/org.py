"""Org, read as Markdown: headlines are headings, what a list describes are entries, blocks of source are code.

Drawers and settings are left out; what is to be done, and the tags of a headline, stand behind it in brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from biblicus.contracts import Extractor, Given
from biblicus.extraction.kit.rewritten import LineByLine, Rewritten
from biblicus.extraction.kit.texts import Options

__all__ = ["Options", "build"]

_HEADLINE = re.compile(r"(\*{1,20})[ \t]+(\S.*)$")
_STATE = re.compile(r"([A-Z][A-Z_-]{2,20})(?:\([^()]*\))?[ \t]+(?=\S)")
_STATES = ("TODO", "DONE", "NEXT", "WAITING", "WAIT", "HOLD", "STARTED", "SOMEDAY", "CANCELLED", "CANCELED")
_PRIORITY = re.compile(r"\[#\w{1,2}\][ \t]+")
_TAGS = re.compile(r"(?<![ \t])[ \t]+:([\w@#%:]{1,100}):$")
_COOKIE = re.compile(r"(?<![ \t])[ \t]*\[(?:\d*/\d*|\d*%)\]")
_KEYWORD = re.compile(r"[ \t]*#\+([\w@-]+)(?:\[[^\]]*\])?:[ \t]*(.*)$")
_BEGIN = re.compile(r"[ \t]*#\+begin_(\w+)[ \t]*(\S*)", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:([\w-]+):$")
_ITEM = re.compile(r"([ \t]*)([-+]|(?<=[ \t])\*|(?:\d{1,3}|[A-Za-z])[.)])(?:[ \t]+(?:\[@\d+\][ \t]*)?(.*))?$")
_DESCRIBED = re.compile(r"(\S(?:.*?\S)?)[ \t]+::(?:[ \t]+(.*))?$")
_DEFINED = re.compile(r"(?:User Option|Variable|Function|Command|Macro|Constant|Face|Key): (\S.{0,300}?)(?:[ \t]+::)?$")
"""What manuals that Org makes Texinfo of name in an item: an option, a command, a key."""
_FIXED = re.compile(r"[ \t]*:(?: (.*))?$")
_RULE = re.compile(r"[ \t]*\|[-+|]+$")
_CODE_BLOCKS = ("src", "example")
_HIDDEN_BLOCKS = ("export", "comment")

_WRAPPED = re.compile(r"\[\[([^\[\]\n]{1,300})\]\[([^\[\]]{0,300}\n[^\[\]]{0,300})\]\]")
_LINK = re.compile(r"\[\[([^\[\]\n]{1,500})\](?:\[((?:[^\[\]\n]|\[[^\[\]\n]*\]){1,500})\])?\]")
_INNER = re.compile(r"(?:id|info|elisp|help|man|org|denote):|[#*(]")
"""What leads to a place that is no file and no page."""
_CODE = re.compile(r"(?<![\w=~`])([=~])(?![\s])([^\n]{0,400}?\S)\1(?![\w=~`])")
_BOLD = re.compile(r"(?<![\w*])\*(?![\s*])([^*\n]{0,400}?[^\s*])\*(?![\w*])")
_ITALIC = re.compile(r"(?<![\w/:.~<])/(?![\s/])([^/\n]{0,400}?[^\s/])/(?![\w/])")
_STRUCK = re.compile(r"(?<![\w+])\+(?![\s+])([^+\n]{0,400}?[^\s+])\+(?![\w+])")
_NOTE = re.compile(r"\[fn:[\w-]{0,100}:([^\[\]]{0,1000})\]")
_NOTE_MARK = re.compile(r"\[fn:[\w-]{1,100}\][ \t]?")
_MACRO = re.compile(r"\{\{\{[\w-]{1,100}(?:\(((?:[^()]|\([^()]{0,200}\)){0,400})\))?\}\}\}")
_TARGET = re.compile(r"<<<([^<>\n]{0,400})>>>|<<[^<>\n]{0,400}>>")
_SNIPPET = re.compile(r"@@\w{1,40}:.{0,400}?@@")
_PLAIN = re.compile(
    r"`([^`]{0,400})`|\*\*([^*]{0,400})\*\*|(?<!\w)\*([^*]{0,400})\*(?!\w)|\[([^\[\]]{0,400})\]\([^()]{0,500}\)"
)
_KEPT = "\ue000"
_PLACE = re.compile(f"{_KEPT}(\\d+){_KEPT}")


def build(options: Options, given: Given) -> Extractor:
    """The extractor for Org."""
    return LineByLine("org/1", lambda source: _Reader(source).read())


class _Reader:
    """Reads lines one by one. `_entries`: the terms whose text this is, each with how far in its item stands."""

    def __init__(self, source: str) -> None:
        source = _WRAPPED.sub(lambda link: _linked(link[1], link[2]), source)
        self._source = [line.rstrip() for line in source.split("\n")]
        self._text = Rewritten(len(self._source))
        self._entries: list[tuple[int, str]] = []
        self._states = set(_STATES)
        self._ends = [at for at, line in enumerate(self._source) if line.strip().upper() == ":END:"]
        self._headlines = [at for at, line in enumerate(self._source) if _HEADLINE.match(line)]
        self._unclosed: set[str] = set()

    def read(self) -> Rewritten:
        at = 0
        while at < len(self._source):
            at = self._read(at) if self._source[at] else at + 1
        return self._text

    def _read(self, at: int) -> int:
        """The line `at`, with those that belong to it; returns the next."""
        line = self._source[at]
        if headline := _HEADLINE.match(line):
            self._headline(at, len(headline[1]), headline[2])
        elif block := _BEGIN.match(line):
            return self._block(at, block[1].lower(), block[2])
        elif keyword := _KEYWORD.match(line):
            self._setting(at, keyword[1].lower(), keyword[2])
        elif line == "#" or line.lstrip().startswith(("# ", "#+")):
            pass
        elif drawer := _DRAWER.match(line):
            return self._drawer(at, drawer[1])
        elif _FIXED.match(line):
            return self._fixed(at)
        elif item := _ITEM.match(line):
            self._item(at, len(item[1].expandtabs()), item[2], item[3] or "")
        elif _RULE.match(line):
            self._text.columns(at, line.count("+") + 1)
        else:
            self._close(at, _indent(line))
            self._text.lines[at] = said(line.strip())
        return at + 1

    def _headline(self, at: int, level: int, words: str) -> None:
        self._entries = []
        beside = []
        state = _STATE.match(words)
        if state and state[1] in self._states:
            beside, words = [state[1]], words[state.end() :]
        words = _PRIORITY.sub("", words, count=1)
        if tags := _TAGS.search(words):
            beside += tags[1].split(":")
            words = words[: tags.start()]
        self._text.heading(at, level, plain(_COOKIE.sub("", words)))
        if beside:
            self._text.lines[at] += f" ({'; '.join(beside)})"

    def _setting(self, at: int, key: str, value: str) -> None:
        if key == "title" and not self._text.title:
            self._text.title = plain(value)
            self._text.heading(at, 1, plain(value))
        elif key in ("todo", "seq_todo", "typ_todo"):
            self._states.update(re.findall(r"[A-Z][A-Z_-]+", value))
        elif key in ("subtitle", "author", "date", "description"):
            self._text.lines[at] = f"{key.capitalize()}: {said(value)}" if value else ""
        elif key == "caption":
            self._text.lines[at] = f"{said(value)}:"
        elif key == "include":
            name = value.split('"')[1] if value.count('"') > 1 else value
            self._text.lines[at] = f"[{name}]({name})"

    def _block(self, at: int, kind: str, language: str) -> int:
        ends = f"#+end_{kind}"
        below = range(at + 1, 0 if ends in self._unclosed else len(self._source))
        end = next((n for n in below if self._source[n].strip().lower() == ends), 0)
        if not end:
            self._unclosed.add(ends)
            return at + 1
        if kind in _CODE_BLOCKS:
            lines = [line.removeprefix(",") for line in self._source[at + 1 : end]]
            fence = "~~~~" if any(line.lstrip().startswith("```") for line in lines) else "```"
            self._text.lines[at : end + 1] = [fence + (language if kind == "src" else ""), *lines, fence]
        elif kind not in _HIDDEN_BLOCKS:
            return at + 1
        return end + 1

    def _drawer(self, at: int, name: str) -> int:
        """What a drawer holds is for programs; without an end it is none."""
        if name.upper() == "END":
            return at + 1
        end, headline = _first(self._ends, at), _first(self._headlines, at)
        if end and (not headline or end < headline):
            return end + 1
        self._text.lines[at] = self._source[at].strip()
        return at + 1

    def _fixed(self, at: int) -> int:
        """Lines after a colon: code, between the blank lines around them."""
        end = at
        while end < len(self._source) and (fixed := _FIXED.match(self._source[end])):
            self._text.lines[end] = fixed[1] or ""
            end += 1
        if at and end < len(self._source) and not (self._text.lines[at - 1] or self._source[end]):
            self._text.lines[at - 1] = self._text.lines[end] = "```"
            return end + 1
        self._text.lines[at:end] = [f"`{line}`" if line else "" for line in self._text.lines[at:end]]
        return end

    def _item(self, at: int, indent: int, mark: str, words: str) -> None:
        described = (_DEFINED.match(words) or _DESCRIBED.match(words)) if mark in "-+*" else None
        self._close(at, indent, is_entry=described is not None)
        if described is None:
            sign = f"{mark[:-1]}." if mark[0].isdigit() else "-"
            self._text.lines[at] = f"{' ' * min(indent, 8)}{sign} {said(words)}"
            return
        name, depth = plain(described[1]), len(self._entries)
        self._entries.append((indent, name))
        self._text.entry(at, name, depth, said((described[2] if described.re is _DESCRIBED else "") or ""))

    def _close(self, at: int, indent: int, *, is_entry: bool = False) -> None:
        """What stands no further in than the item of an entry is not of it."""
        left = len(self._entries)
        while self._entries and self._entries[-1][0] >= indent:
            self._entries.pop()
        if left > len(self._entries) and not is_entry:
            self._text.resume(at, self._entries[-1][1] if self._entries else "", len(self._entries) - 1)


def _first(places: list[int], after: int) -> int:
    """The first of some ascending places after another; 0 where there is none."""
    at = bisect_right(places, after)
    return places[at] if at < len(places) else 0


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def said(text: str) -> str:
    """A line of Org as Markdown."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(f"`{match[2]}`")
        return f"{_KEPT}{len(kept) - 1}{_KEPT}"

    text = _CODE.sub(keep, text.replace(_KEPT, ""))
    if "[" in text:
        text = _LINK.sub(lambda link: _linked(link[1], link[2] or ""), text)
        text = _NOTE_MARK.sub("", _NOTE.sub(r" (\1)", text))
    if "{{{" in text:
        text = _MACRO.sub(lambda macro: macro[1] or "", text)
    text = _SNIPPET.sub("", _TARGET.sub(lambda target: target[1] or "", text))
    text = _STRUCK.sub(r"~~\1~~", _ITALIC.sub(r"*\1*", _BOLD.sub(r"**\1**", text)))
    return _PLACE.sub(lambda match: kept[int(match[1])], text)


def plain(text: str) -> str:
    """The plain words of a headline or a term."""
    return _PLAIN.sub(lambda match: next(filter(None, match.groups()), ""), said(text)).strip()


def _linked(target: str, words: str) -> str:
    """A link by its words; to a place that is no file and no page these alone."""
    address = target.removeprefix("file:").partition("::")[0]
    if _INNER.match(target) or not address:
        return words or target.lstrip("#*").removeprefix("id:")
    return f"[{words or address}]({address})"
