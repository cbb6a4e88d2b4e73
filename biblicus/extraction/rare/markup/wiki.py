"""Extractor of wiki texts, rewritten as Markdown: MediaWiki, DokuWiki, Zim, Creole.

All use `== headings ==` and `[[links]]`. More signs mean a higher heading in DokuWiki and Zim, a lower one elsewhere;
the first headings decide. Template fields become lines; an inline template becomes its last value. References and
categories are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.extraction.kit.grids import Cell, filled
from biblicus.extraction.kit.rewritten import ANY, LineReader, Mark, Rewritten, line_by_line, marked

_HEADING = re.compile(r"\s{0,3}(={1,6})\s*([^=\s].{0,300}?)\s*\1\s*$")
_ZIM = "Content-Type: text/x-zim-wiki"
_TALL = 5
"""Minimum signs of the first heading for more signs to mean a higher level; no text begins at level 5."""
_CODE = re.compile(
    r"\s*<(code|file|syntaxhighlight|source|pre)\b(?:[^>\n]*?lang=\"?(\w+)|[ \t]+(\w+))?[^>\n]{0,200}>(.*)$"
)
_FENCE = re.compile(r"\s*(?:(''')|\{\{\{)$")
"""The fence lines of code in Zim and Creole."""
_BOX = re.compile(r"\[([ xX*<>v-])\]\s+")
_TABLE, _TEMPLATES = re.compile(r"\{\|"), re.compile(r"\s*\{\{")
_TERM_ABOVE = re.compile(r";(.*)$")
_FIELD = re.compile(r"\s*+\|\s*+([^\s=|\[\]{}][^=|\[\]{}]{0,59}?)\s*=\s*+(.*)$")
_CELLS = re.compile(r"\|\||!!")
_ATTRIBUTES = re.compile(
    r"^\s*(?:(?:align|bgcolor|class|colspan|data-[\w-]+|rowspan|scope|style|valign|width)\s*=[^|]*)\|(?!\|)"
)
_SPANS = re.compile(r"\b(colspan|rowspan)\s*=\s*\W?([1-9]\d{0,2})", re.IGNORECASE)
_CONTINUED = ":::"
"""A cell of DokuWiki that continues the cell above."""
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


class _Reader(LineReader):
    """State of the reader. `_falls`: True if more signs mean a higher heading; `_names`: column names of the current
    table; `_above`: line and cells of the last row; `_templates`: closing line of each line that opens a template."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._names: list[str] = []
        self._above: tuple[int, list[str]] = -1, []
        self._templates = _closed(self.source)
        signs = [len(heading[1]) for line in self.source if (heading := _HEADING.match(line))]
        self._is_zim = self.source[0].startswith(_ZIM)
        self._falls = self._is_zim or (bool(signs) and signs[0] >= _TALL and signs[0] == max(signs))
        self._lowest = max(signs, default=1) + 1

    def read(self, at: int = 0) -> Rewritten:
        return super().read(self.source.index("") if self._is_zim and "" in self.source else 0)

    def line(self, at: int) -> int:
        if self.source[at][0] not in "^|":
            self._names = []
        return super().line(at)

    def heading(self, at: int, match: re.Match[str]) -> None:
        signs = len(match[1])
        self.text.heading(at, self._lowest - signs if self._falls else signs, self._plain(match[2]))

    def term(self, at: int, match: re.Match[str]) -> int:
        is_above = match.re is _TERM_ABOVE
        if is_above and not "".join(self.source[at + 1 : at + 2]).startswith(":"):
            return 0
        self.text.entry(at, self._plain(match[1]), 0, "" if is_above else self._said(match[2]))
        return at + 1

    def item(self, at: int, match: re.Match[str]) -> None:
        marks = match[2]
        depth = max(len(match[1].expandtabs(4)) // 2, len(marks) - 1) if marks[0] in "*#-" else 0
        sign = "1." if marks[0] in "#0123456789" else "-"
        words = _BOX.sub(lambda box: "[ ] " if box[1] == " " else "[x] ", match[3], count=1)
        self.text.lines[at] = f"{'  ' * min(depth, 4)}{sign} {self._said(words)}"

    def _fenced(self, at: int, closing: str, language: str = "", first: str = "") -> int:
        """Write code up to the closing line; without one it is plain text. If text is beside the marks, there are no
        fences, as they would need those lines."""
        if closing in first:
            return 0
        end = self.end_of(at, closing, lambda line: closing in line)
        if not end:
            self.text.lines[at] = self._said(self.source[at])
            return at + 1
        last, _, behind = self.source[end].partition(closing)
        fences = [f"```{language}", "```"] if not (first.strip() or last.strip() or behind.strip()) else [first, ""]
        if behind.strip() or last.strip():
            fences[1] = f"{last}{' ' * bool(last)}{self._said(behind)}".rstrip()
        self.text.lines[at : end + 1] = [fences[0], *self.source[at + 1 : end], fences[1]]
        return end + 1

    def table(self, at: int, match: re.Match[str]) -> int:
        """Write a MediaWiki table, each row on the line of its first cells."""
        end = self.end_of(at, "|}", lambda line: line.lstrip().startswith("|}"))
        if not end:
            self.text.lines[at] = self.source[at]
            return at + 1
        begin_of_table, begin, cells, has_header = at, at, list[Cell](), False
        rows: list[tuple[int, bool, list[Cell]]] = []
        for at in range(begin + 1, end + 1):
            line = self.source[at].strip()
            if line.startswith(("|-", "|}")):
                rows += [(begin, has_header, cells)] if cells else []
                cells, has_header = [], False
            elif line.startswith("|+"):
                self.text.lines[at] = self._said(_ATTRIBUTES.sub("", line[2:]))
                self.text.caption(at, end + 1, self._plain(_ATTRIBUTES.sub("", line[2:])))
            elif line[:1] in ("|", "!"):
                has_header = has_header or (line[0] == "!" and not cells)
                begin = begin if cells else at
                line = _TEMPLATE.sub(_told, line[1:])
                cells += map(self._cell, _CELLS.split(_LINK.sub(_linked, line)))
            elif cells and line:
                cells[-1] = cells[-1]._replace(text=f"{cells[-1].text} {self._said(line.lstrip('*#: '))}")
        for (at, has_header, _), row in zip(rows, filled([cells for *_, cells in rows]), strict=True):
            self.text.row(at, row.texts)
            if has_header and at + 1 < len(self.source):
                self.text.columns(at + 1, len(row.texts))
        if rows and rows[0][1]:
            self.text.whole(begin_of_table, end)
        return end + 1

    def _cell(self, cell: str) -> Cell:
        """Return a cell with the columns and rows that it covers."""
        attributes = _ATTRIBUTES.match(cell)
        spans = {name.lower(): int(number) for name, number in _SPANS.findall(attributes[0] if attributes else "")}
        return Cell(self._said(_ATTRIBUTES.sub("", cell)), spans.get("colspan", 1), spans.get("rowspan", 1))

    def row(self, at: int, match: re.Match[str]) -> None:
        """Write a DokuWiki row; cells after `^` are names, which are repeated in the cells of the rows below."""
        cells = [self._said(cell) for cell in _LINK.sub(_linked, match[0]).strip()[1:-1].replace("^", "|").split("|")]
        above = self._above[1] if self._above[0] == at - 1 else []
        for number, words in enumerate(above[: len(cells)]):
            cells[number] = words if cells[number] == _CONTINUED else cells[number]
        self._above = at, cells
        if match[0].count("^") > len(cells) // 2:
            self._names = cells
        elif len(self._names) == len(cells):
            named = zip(self._names, cells, strict=True)
            cells = [f"{name}: {cell}" if name and cell else cell for name, cell in named]
        self.text.row(at, cells)

    def template(self, at: int, match: re.Match[str]) -> int:
        """Write the fields and texts of a template as a line each."""
        if self.source[at].count("{{") <= self.source[at].count("}}"):
            return 0
        end = self._templates.get(at)
        if end is None:
            self.text.lines[at] = self._said(self.source[at])
            return at + 1
        last, _, behind = self.source[end].rpartition("}}")
        for number in range(at, end + 1):
            line = last if number == end else self.source[number]
            field = _FIELD.match(line)
            if field is not None:
                line = f"{field[1]}: {field[2]}" if self._said(field[2]) else ""
            elif number == at:
                line = line.partition("|")[2]
            self.text.lines[number] = self._said(line.lstrip("|"))
            if number == end and (rest := self._said(behind)):
                self.text.lines[number] = f"{self.text.lines[number]} {rest}".strip()
        return end + 1

    RULES = (
        (_HEADING, heading),
        (_CODE, lambda self, at, code: self._fenced(at, f"</{code[1]}>", code[2] or code[3] or "", code[4])),
        (_FENCE, lambda self, at, fence: self._fenced(at, fence[1] or "}}}")),
        (_TABLE, table),
        (_TEMPLATES, template),
        (re.compile(r"[|^].*[|^]$"), row),
        (_TERM_ABOVE, term),
        (re.compile(r";\s*([^:\n]{1,200}?)\s*:\s+(\S.*)$"), term),
        (re.compile(r"(\s*)([*#-]{1,6}|\d{1,3}\.)\s+(?=\S)(.*)$"), item),
        (ANY, lambda self, at, _: self.write(at, self._said(self.source[at].strip().lstrip(":")))),
    )

    def _said(self, text: str) -> str:
        """Return a line as Markdown."""
        return marked(text, _MARKS + (_OF_DOKU if self._falls else _OF_OTHERS)).strip()

    def _plain(self, text: str) -> str:
        return re.sub(r"\[([^\[\]]*)\]\([^()]*\)|[*`]", lambda mark: mark[1] or "", self._said(text)).strip()


def _told(template: re.Match[str]) -> str:
    """Return the text of an inline template: its last value without a name."""
    values = [part.strip() for part in template[1].split("|")[1:] if "=" not in part]
    return values[-1] if values else ""


def _closed(lines: Sequence[str]) -> dict[int, int]:
    """Return the closing line of each line that opens a template."""
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
    """Return a link as Markdown, labelled with its text or the last part of its name; a picture as its caption."""
    target, words = link[1].strip(), (link[2] or "").strip()
    if _FILE.match(target):
        parts = [part.strip() for part in words.split("|")]
        return next((part for part in reversed(parts) if part and not _SIZE.fullmatch(part)), "")
    target = target.lstrip(":+")
    return f"[{words or target.partition('#')[0].rpartition(':')[2] or target}]({target.replace(' ', '_')})"


_MARKS: tuple[Mark, ...] = (
    ("", _LEFT_OUT, ""),
    ("{{", _TEMPLATE, _told),
    ("", re.compile(r"<br\s*/?>|(?<=\s)\\\\(?=\s|$)|\\\\$", re.IGNORECASE), " "),
    ("<", re.compile(r"<(s|del|strike)>[^<>\n]{0,400}</\1>", re.IGNORECASE), ""),
    ("<", _TAG, ""),
    ("[[", _LINK, _linked),
    ("[[", _LINK, _linked),
    ("[", _OUTER, lambda link: f"[{link[2] or link[1]}]({link[1]})"),
)
"""Inline marks in order of replacement; links are replaced twice, since one may be in another's text."""
_OF_DOKU: tuple[Mark, ...] = (
    ("((", re.compile(r"\s?\(\((.{1,1000}?)\)\)"), r" (\1)"),
    ("//", _SLANTED, r"*\1*"),
    ("__", re.compile(r"(?<!\w)__(?=\S)(.{1,1000}?)(?<=\S)__(?!\w)"), r"\1"),
    ("''", _ITALIC, r"`\1`"),
)
_OF_OTHERS: tuple[Mark, ...] = (("'''", _BOLD, r"**\1**"), ("''", _ITALIC, r"*\1*"), ("//", _SLANTED, r"*\1*"))


build = line_by_line("wiki/9", lambda source: _Reader(source).read())
