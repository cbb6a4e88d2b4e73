"""Inline markup of AsciiDoc (macros, references, attributes, emphasis) as Markdown, and its tables as rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from biblicus.extraction.kit.characters import lowered, raised
from biblicus.extraction.kit.grids import Cell, filled
from biblicus.extraction.kit.rewritten import Mark, beside_code, marked

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
_INDEX = re.compile(r"\(\(\((?:[^()]|\([^()]{0,60}\)){0,400}\)\)\)|\bindexterm:\[[^\]]{0,400}\]")
_SHOWN_INDEX = re.compile(r"\(\(([^()]{1,400})\)\)|\bindexterm2:\[([^\]]{0,400})\]")
_REFERENCE = re.compile(r"<<([^<>,\s]{1,200})(?:,\s*([^<>]{1,300}))?>>")
_XREF = re.compile(r"\bxref:([^\s\[\]]{1,300})\[([^\]]{0,400})\]")
_LINK = re.compile(
    r"(?:\blink:([^\s\[\]]{1,500})|\b((?:https?|ftp|irc|mailto):[^\s\[\]<>]{1,500}))\[((?:[^\]\\]|\\.){0,400})\]"
)
_IMAGE = re.compile(r"\b(?:image|icon)::?([^\s\[\]]{1,300})\[([^\],]{0,400})[^\]]{0,400}\]")
_MENU = re.compile(r"\bmenu:([^\s\[\]]{1,100})\[([^\]]{0,400})\]")
_NOTE = re.compile(r"\s?\bfootnote(?:ref)?:[\w-]{0,100}\[((?:[^\[\]]|\[[^\[\]]{0,200}\]){0,400})\]")
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
_CELL = re.compile(r"(?:(?<=\s)|^)(?:\d+\*|(\d{1,3})?(?:\.(\d{1,3}))?\+)?[<^>.]{0,4}[aehlmsd]?\|")
_COLUMNS = re.compile(r'cols="?([^"\]]*)"?')
_REPEATED = re.compile(r"(\d+)\*")
_HEADED = re.compile(r"%header|options=\"?[^\"]*header")
_MOST = 64
"""Maximum columns of a table that `cols` may declare."""


class Inline:
    """The attributes of a document, and the titles of its anchors."""

    def __init__(self, anchors: Mapping[str, str]) -> None:
        self._anchors = anchors
        self._attributes = dict(ATTRIBUTES)
        self._macros: tuple[Mark, ...] = (
            ("[", re.compile(r"\[\[\[?[^\[\]]{1,200}\]\]\]?|\banchor:[\w-]{1,200}\[[^\]]{0,400}\]"), ""),
            ("[", _INDEX, ""),
            ("[", _IMAGE, lambda match: f"![{match[2]}]({match[1]})" if match[2] else ""),
            ("[", re.compile(r"\b(?:kbd|btn):\[([^\]]{0,400})\]"), r"\1"),
            ("[", _NOTE, r" (\1)"),
            ("[", _MENU, lambda match: f"{match[1]} > {match[2]}" if match[2] else match[1]),
            ("[", _XREF, lambda match: match[2] or self._named(match[1])),
            ("[", _LINK, _link),
            ("[", re.compile(r"\b([a-z]{2,20}):([\w./{}+-]{1,200})\[([^\]]{0,400})\]"), _of_macro),
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
        """Return the title of an anchor, or the words of its name."""
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


def cells_of(lines: Sequence[str], block: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their line numbers; `lines` includes the table's delimiters. A row without cells is the
    separator below the header row."""
    cells, first = _cells(lines[1:-1])
    count = _columns(block) or first
    if not cells or not count:
        return
    rows = list(_rows(cells, count))
    ends = rows[0][-1][0]
    is_apart = ends == rows[0][0][0] and not lines[ends + 1].strip()
    named = len(rows) > 1 and rows[0][0][0] == 1 and (is_apart or _HEADED.search(block) is not None)
    grid = filled([[cell for _, cell in row] for row in rows])
    for number, row in enumerate(rows):
        at = 0 if named and number == 0 else row[0][0]
        yield at, grid[number].texts
        if named and number == 0:
            yield at + 1, []


def _rows(cells: Sequence[tuple[int, Cell]], count: int) -> Iterator[list[tuple[int, Cell]]]:
    """Yield the cells by row; a cell takes its columns in the rows that it covers."""
    row: list[tuple[int, Cell]] = []
    covered = [0] * count  # rows that a cell from above still covers, by column
    for at, cell in cells:
        row.append((at, cell))
        free = [number for number, left in enumerate(covered) if not left]
        if sum(row_cell.across for _, row_cell in row) >= len(free):
            covered = [max(0, left - 1) for left in covered]
            downs = [row_cell.down - 1 for _, row_cell in row for _ in range(row_cell.across)]
            for number, down in zip(free, downs, strict=False):
                covered[number] = down
            yield row
            row = []
    if row:
        yield row


def _cells(lines: Sequence[str]) -> tuple[list[tuple[int, Cell]], int]:
    """Return the cells with their line numbers (from 1), and the number of columns of the first line with cells."""
    cells: list[tuple[int, Cell]] = []
    first = 0
    for at, line in enumerate(lines, 1):
        starts = list(_CELL.finditer(line))
        before = line[: starts[0].start()] if starts else line
        if cells and before.strip():
            cells[-1] = cells[-1][0], cells[-1][1]._replace(text=f"{cells[-1][1].text} {before.strip()}")
        for mark, following in zip_longest(starts, starts[1:]):
            end = following.start() if following else len(line)
            across, down = (int(number or 1) for number in mark.groups())
            cells.append((at, Cell(line[mark.end() : end].strip(), min(across, _MOST), down)))
        first = first or sum(cell.across for _, cell in cells)
    return cells, first


def _columns(block: str) -> int:
    """Return the number of columns that `cols` declares, or 0."""
    columns = _COLUMNS.search(block)
    if columns is None:
        return 0
    count = 0
    for part in re.split(r"[,;]", columns[1]):
        repeated = _REPEATED.match(part.strip())
        count += int(repeated[1]) if repeated else 1
    return min(count, _MOST)
