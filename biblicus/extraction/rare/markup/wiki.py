"""Texts of wikis, read as Markdown: MediaWiki, DokuWiki, Zim, Creole, TiddlyWiki.

They share `== headings ==` and `[[links]]`. In DokuWiki and Zim more signs make a higher heading, in the others a lower
one: the first headings tell. Fields of templates are lines of their own, in a line a template says its last value;
references and categories are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.contracts import Extractor, Given
from biblicus.extraction.kit.rewritten import LineByLine, Rewritten
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.rare.markup import tiddlers

__all__ = ["Options", "build"]

_HEADING = re.compile(r"\s{0,3}(={1,6})\s*([^=\s].{0,300}?)\s*\1\s*$")
_ZIM = "Content-Type: text/x-zim-wiki"
_TALL = 5
"""Signs of the first heading that only fall: nobody begins with a heading of the fifth level."""
_CODE = re.compile(
    r"\s*<(code|file|syntaxhighlight|source|pre)\b(?:[^>\n]*?lang=\"?(\w+)|[ \t]+(\w+))?[^>\n]{0,200}>(.*)$"
)
_FENCES = {"'''": "'''", "{{{": "}}}"}
"""What stands alone on the lines around code, in Zim and Creole."""
_ITEM = re.compile(r"(\s*)([*#-]{1,6}|\d{1,3}\.)\s+(?=\S)(.*)$")
_BOX = re.compile(r"\[([ xX*<>v-])\]\s+")
_TERM = re.compile(r";\s*([^:\n]{1,200}?)\s*:\s+(\S.*)$")
_FIELD = re.compile(r"\s*+\|\s*+([^\s=|\[\]{}][^=|\[\]{}]{0,59}?)\s*=\s*+(.*)$")
_CELLS = re.compile(r"\|\||!!")
_ATTRIBUTES = re.compile(
    r"^\s*(?:(?:align|bgcolor|class|colspan|data-[\w-]+|rowspan|scope|style|valign|width)\s*=[^|]*)\|(?!\|)"
)
_DOKU_CELLS = re.compile(r"[|^]")
_LEFT_OUT = re.compile(
    r"<!--.{0,400}?-->|<ref\b[^<>]{0,200}(?:/>|>.{0,1000}?</ref>)"
    r"|\[\[(?:category|kategorie|catégorie|categoría|категория|分类):[^\[\]]{0,300}\]\]"
    r"|__[A-Z]{3,20}__",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\{\{([^{}]{0,1000})\}\}")
_TAG = re.compile(
    r"</?(?:small|big|sub|sup|u|s|b|i|em|strong|tt|center|span|div|nowiki|font|wrap|blockquote|p)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<br\s*/?>|(?<=\s)\\\\(?=\s|$)|\\\\$", re.IGNORECASE)
_LINK = re.compile(
    r"\[\[([^\[\]|\n]{1,400})(?:\|((?:[^\[\]\n]|\[\[[^\[\]\n]{0,200}\]\]|\[[^\[\]\n]{0,200}\]){0,600}))?\]\]"
)
_OUTER = re.compile(r"(?<!\[)\[((?:https?|ftp|mailto):[^\s\[\]]{1,400})(?:\s+([^\[\]\n]{1,300}))?\](?!\])")
_FILE = re.compile(r"(?:file|image|datei|bild|fichier|archivo|imagen|файл|media):", re.IGNORECASE)
_SIZE = re.compile(
    r"(?:thumb|mini|left|right|center|none|upright.*|frame(?:less|d)?|\d+(?:x\d+)?px|alt=.*)", re.IGNORECASE
)
_BOLD, _ITALIC = re.compile(r"'''(.{1,1000}?)'''"), re.compile(r"''(.{1,1000}?)''")
_SLANTED = re.compile(r"(?<![:/\w])//(?=\S)(.{1,1000}?)(?<=[^\s:])//(?!/)")
_MARKED = re.compile(r"(?<!\w)__(?=\S)(.{1,1000}?)(?<=\S)__(?!\w)")
_NOTE = re.compile(r"\s?\(\((.{1,1000}?)\)\)")


def build(options: Options, given: Given) -> Extractor:
    """The extractor for texts of wikis."""
    return LineByLine("wiki/2", _read)


def _read(source: str) -> Rewritten:
    fields, begins = tiddlers.fields(source)
    if not fields:
        return _Reader(source).read()
    text = _Reader(tiddlers.as_wiki(source, begins, fields.get("type", ""))).read()
    text.title = fields["title"]
    return text


class _Reader:
    """Reads lines one by one. `_falls`: whether more signs make a higher heading; `_names`: of the columns of the
    table that this is a row of; `_templates`: of each line that opens one, the line that closes it."""

    def __init__(self, source: str) -> None:
        self._source = [line.rstrip() for line in source.split("\n")]
        self._text = Rewritten(len(self._source))
        self._names: list[str] = []
        self._unclosed: set[str] = set()
        self._templates = _closed(self._source)
        signs = [len(heading[1]) for line in self._source if (heading := _HEADING.match(line))]
        self._is_zim = self._source[0].startswith(_ZIM)
        self._falls = self._is_zim or (bool(signs) and signs[0] >= _TALL and signs[0] == max(signs))
        self._lowest = max(signs, default=1) + 1

    def read(self) -> Rewritten:
        at = self._source.index("") if self._is_zim and "" in self._source else 0
        while at < len(self._source):
            at = self._read(at) if self._source[at] else at + 1
        return self._text

    def _read(self, at: int) -> int:
        """The line `at`, with those that belong to it; returns the next."""
        line = self._source[at]
        if line[0] not in "^|":
            self._names = []
        if heading := _HEADING.match(line):
            signs = len(heading[1])
            self._text.heading(at, self._lowest - signs if self._falls else signs, self._plain(heading[2]))
        elif (code := _CODE.match(line)) and f"</{code[1]}>" not in code[4]:
            return self._fenced(at, f"</{code[1]}>", code[2] or code[3] or "", code[4])
        elif line.strip() in _FENCES:
            return self._fenced(at, _FENCES[line.strip()], "")
        elif line.startswith("{|"):
            return self._table(at)
        elif line.lstrip().startswith("{{") and line.count("{{") > line.count("}}"):
            return self._template(at)
        elif line[0] in "^|" and line[-1] in "^|" and len(line) > 1:
            self._row(at, line)
        elif line[0] == ";" and self._source[at + 1 : at + 2] and self._source[at + 1].startswith(":"):
            self._text.entry(at, self._plain(line[1:]), 0)
        elif term := _TERM.match(line):
            self._text.entry(at, self._plain(term[1]), 0, self._said(term[2]))
        elif item := _ITEM.match(line):
            depth = max(len(item[1].expandtabs(4)) // 2, len(item[2]) - 1) if item[2][0] in "*#-" else 0
            sign = "1." if item[2][0] in "#0123456789" else "-"
            words = _BOX.sub(lambda box: "[ ] " if box[1] == " " else "[x] ", item[3], count=1)
            self._text.lines[at] = f"{'  ' * min(depth, 4)}{sign} {self._said(words)}"
        else:
            self._text.lines[at] = self._said(line.strip().lstrip(":"))
        return at + 1

    def _end(self, at: int, closing: str, *, begins: bool = False) -> int:
        """The first line behind `at` that closes what that opens, or begins so; 0 where none does."""
        lines = range(at + 1, 0 if closing in self._unclosed else len(self._source))
        source = self._source
        end = next(
            (n for n in lines if (source[n].lstrip().startswith(closing) if begins else closing in source[n])), 0
        )
        if not end:
            self._unclosed.add(closing)
        return end

    def _fenced(self, at: int, closing: str, language: str, first: str = "") -> int:
        """Code up to the line that ends it; without one it is none. Where words stand beside its marks, it has no
        fences: these would need the lines."""
        end = self._end(at, closing)
        if not end:
            self._text.lines[at] = self._said(self._source[at])
            return at + 1
        last, _, behind = self._source[end].partition(closing)
        fences = [f"```{language}", "```"] if not (first.strip() or last.strip() or behind.strip()) else [first, ""]
        if behind.strip() or last.strip():
            fences[1] = f"{last}{' ' * bool(last)}{self._said(behind)}".rstrip()
        self._text.lines[at : end + 1] = [fences[0], *self._source[at + 1 : end], fences[1]]
        return end + 1

    def _table(self, at: int) -> int:
        """A table of MediaWiki: each row on the line of its first cells."""
        end = self._end(at, "|}", begins=True)
        if not end:
            self._text.lines[at] = self._source[at]
            return at + 1
        begin, cells, named = at, list[str](), False
        for at in range(begin + 1, end + 1):
            line = self._source[at].strip()
            if line.startswith(("|-", "|}")):
                self._cells(begin, cells, named)
                cells, named = [], False
            elif line.startswith("|+"):
                self._text.lines[at] = self._said(line[2:])
            elif line[:1] in ("|", "!"):
                named = named or (line[0] == "!" and not cells)
                begin = begin if cells else at
                line = _TEMPLATE.sub(_told, line[1:])
                cells += [self._said(_ATTRIBUTES.sub("", cell)) for cell in _CELLS.split(_LINK.sub(_linked, line))]
            elif cells and line:
                cells[-1] += f" {self._said(line.lstrip('*#: '))}"
        return end + 1

    def _cells(self, at: int, cells: list[str], named: bool) -> None:
        if not cells:
            return
        self._text.row(at, cells)
        if named and at + 1 < len(self._source):
            self._text.columns(at + 1, len(cells))

    def _row(self, at: int, line: str) -> None:
        """A row of DokuWiki: cells after `^` are names, which each cell of the rows below repeats."""
        cells = [self._said(cell) for cell in _DOKU_CELLS.split(_LINK.sub(_linked, line).strip()[1:-1])]
        if line.count("^") > len(cells) // 2:
            self._names = cells
        elif len(self._names) == len(cells):
            named = zip(self._names, cells, strict=True)
            cells = [f"{name}: {cell}" if name and cell else cell for name, cell in named]
        self._text.row(at, cells)

    def _template(self, at: int) -> int:
        """The fields and texts of a template, a line each; what it does with them is not known."""
        end = self._templates.get(at)
        if end is None:
            self._text.lines[at] = self._said(self._source[at])
            return at + 1
        last, _, behind = self._source[end].rpartition("}}")
        for number in range(at, end + 1):
            line = last if number == end else self._source[number]
            field = _FIELD.match(line)
            if field is not None:
                line = f"{field[1]}: {field[2]}" if self._said(field[2]) else ""
            elif number == at:
                line = line.partition("|")[2]
            self._text.lines[number] = self._said(line.lstrip("|"))
            if number == end and (rest := self._said(behind)):
                self._text.lines[number] = f"{self._text.lines[number]} {rest}".strip()
        return end + 1

    def _said(self, text: str) -> str:
        """A line as Markdown."""
        text = _TAG.sub("", _BREAK.sub(" ", _TEMPLATE.sub(_told, _LEFT_OUT.sub("", text))))
        text = _OUTER.sub(
            lambda link: f"[{link[2] or link[1]}]({link[1]})", _LINK.sub(_linked, _LINK.sub(_linked, text))
        )
        if self._falls:
            text = _MARKED.sub(r"\1", _SLANTED.sub(r"*\1*", _NOTE.sub(r" (\1)", text)))
            return _ITALIC.sub(r"`\1`", text).strip()
        return _SLANTED.sub(r"*\1*", _ITALIC.sub(r"*\1*", _BOLD.sub(r"**\1**", text))).strip()

    def _plain(self, text: str) -> str:
        return re.sub(r"\[([^\[\]]*)\]\([^()]*\)|[*`]", lambda mark: mark[1] or "", self._said(text)).strip()


def _told(template: re.Match[str]) -> str:
    """What a template says in a line: its last value without a name."""
    values = [part.strip() for part in template[1].split("|")[1:] if "=" not in part]
    return values[-1] if values else ""


def _closed(lines: Sequence[str]) -> dict[int, int]:
    """Of each line that opens a template, the line that closes it."""
    opened: list[tuple[int, int]] = []
    ends: dict[int, int] = {}
    depth = 0
    for at, line in enumerate(lines):
        before = depth
        depth = max(0, depth + line.count("{{") - line.count("}}"))
        if depth > before:
            opened.append((at, before))
        while opened and depth <= opened[-1][1]:
            ends[opened.pop()[0]] = at
    return ends


def _linked(link: re.Match[str]) -> str:
    """A link by its words, else by the last part of its name; of a picture what is said of it."""
    target, words = link[1].strip(), (link[2] or "").strip()
    if _FILE.match(target):
        parts = [part.strip() for part in words.split("|")]
        return next((part for part in reversed(parts) if part and not _SIZE.fullmatch(part)), "")
    target = target.lstrip(":+")
    return f"[{words or target.partition('#')[0].rpartition(':')[2] or target}]({target.replace(' ', '_')})"
