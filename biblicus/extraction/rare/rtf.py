"""Extractor of RTF: paragraphs with headings, tables by row, text boxes, notes, comments, headers and footers.

Tokens are read in one pass (RTF 1.9.1) without recursion. Insertions are included, deletions are not.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from biblicus.contracts import MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.characters import in_font, is_symbol_font, lowered, raised
from biblicus.extraction.kit.composing import BULLET, Asides, Composer, folded, level_of_style
from biblicus.extraction.kit.grids import Cell, by_edges, rows
from biblicus.extraction.kit.texts import extractor
from biblicus.models.extraction import Extraction, NoExtraction

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_LEFT_OUT = frozenset(
    (
        b"shprslt colortbl listtable listoverridetable object themedata datastore generator fldinst xmlnstbl rsidtbl "
        b"revtbl latentstyles filetbl operator company doccomm comment keywords category manager bkmkstart bkmkend "
        b"nonshppict colorschememapping pgptbl private panose falt upr subject creatim revtim printim buptim mmathPr "
        b"wgrffmtfilter template atnid atnref"
    ).split()
)
_LETTERS = {
    b"tab": " ", b"line": "\n", b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ", b"qmspace": " ",
}  # fmt: skip
_CODE_PAGES = {
    0: "cp1252", 2: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
_TABLES = {b"fonttbl": "font", b"stylesheet": "style"}
_PROPERTIES = (b"title", b"author", b"atnauthor")
_LABELS = (b"listtext", b"pntext")
"""Groups with the number or bullet of a list item, for readers without list support."""
_ASIDES = {
    b"shptxt": "Box", b"footnote": "Footnote", b"annotation": "Comment",
    **dict.fromkeys((b"header", b"headerl", b"headerr", b"headerf"), "Header"),
    **dict.fromkeys((b"footer", b"footerl", b"footerr", b"footerf"), "Footer"),
}  # fmt: skip
_PLACES = {b"super": "super", b"up": "super", b"sub": "sub", b"dn": "sub", b"nosupersub": ""}
_PICTURES = (b"pict", b"sp")
"""Groups of which only the description of a picture is read, a property: `{\\sn wzDescription}{\\sv A gull}`."""
_STARRED = (b"picprop", b"pntext", b"shppict", b"footnote", b"annotation", b"shpinst", b"shptxt", b"atnauthor")
r"""Destinations that are read although they are marked as ignorable (`\*`)."""
_BULLETS = ("o", "§")
"""Letters that Word uses as bullets in symbol fonts."""
_DEEPEST = 2_000


@dataclass(frozen=True)
class _State:
    """State that a group inherits. `kept`: where its text goes: `text`, an aside such as `Footnote`, a property such as
    `title`, a table name (`font`, `style`), a list item's `label`, a `picture`'s property (`sn`, `sv`), or `nothing`.
    `style`, `level`: of the paragraph. `place`: `super` or `sub`. `font`: a symbol font."""

    kept: str = "text"
    skipped: int = 1
    code_page: str = ""
    style: int = 0
    level: int = 0
    in_table: bool = False
    is_deleted: bool = False
    is_struck: bool = False
    is_hidden: bool = False
    place: str = ""
    font: str = ""


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    if not raw.lstrip()[:5] == b"{\\rtf":
        raise ExtractionFailed("the file is no RTF document")
    return _Reader().read(raw)


build = extractor("rtf/13", _extract)


class _Reader:
    def __init__(self) -> None:
        self._composer = Composer()
        self._state = _State()
        self._stack: list[_State] = []
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._levels: dict[int, int] = {}
        self._bytes = bytearray()
        self._words: dict[str, list[str]] = {}
        self._names: dict[int, str] = {}
        self._spans: list[tuple[int, int]] = []
        self._edges: list[int] = []
        self._span = (1, 1)
        self._row: list[str] = []
        self._begun = 0  # number of text parts before the paragraph in a cell
        self._table: list[tuple[list[Cell], list[int]]] = []
        self._begins = False
        self._boxes: list[str] = []
        self._asides = Asides()
        self._notes = 0
        self._skip = 0
        self._starred = False

    def read(self, raw: bytes) -> Extraction | NoExtraction:
        at = 0
        while at < len(raw):
            match = _TOKEN.match(raw, at)
            if match is None:
                at += 1
                continue
            at = match.end()
            begins, self._begins = self._begins, False
            word, number, hexed, symbol, brace, plain = match.groups()
            if brace:
                self._brace(brace)
            elif hexed:
                self._byte(bytes((int(hexed, 16),)))
            elif plain:
                self._byte(plain)
            elif symbol:
                self._symbol(symbol, begins)
            elif word:
                size = int(number) if number else None
                if word == b"bin" and size:
                    at += max(0, size)
                else:
                    self._word(word, size)
            if len(self._stack) > _DEEPEST:
                raise ExtractionFailed(f"its groups are nested deeper than {_DEEPEST}")
        self._flush()
        self._leave("text")
        self._paragraph()
        self._end_table()
        self._composer.beside(self._asides)
        title, author = self._taken("title"), folded(self._taken("author"))[:300]
        return self._composer.extraction(title=title, metadata={"author": author})

    def _brace(self, brace: bytes) -> None:
        self._flush()
        if brace == b"{":
            self._stack.append(self._state)
        elif self._stack:
            before = self._stack.pop()
            self._leave(before.kept)
            self._state = before
        self._starred, self._skip, self._begins = False, 0, brace == b"{"

    def _leave(self, kept: str) -> None:
        """End a group: store its text if the surrounding group's destination `kept` differs."""
        state, now = self._state, self._state.kept
        self._state = replace(state, kept=kept)
        if now == kept:
            if now == "style" and ";" in self._words.get(now, ("",))[-1]:  # a semicolon ends a style's name
                name = self._taken(now).rstrip("; ")
                self._levels[state.style] = state.level or level_of_style(name)
        elif now == "sv":
            if self._taken("sn").strip() == "wzDescription" and (words := folded(self._taken(now))):
                self._words.setdefault("text", []).append(f" [Image: {words}] ")
            self._taken(now)
        elif now == "Box":
            self._boxes.append(self._taken(now))
        elif now == "Comment":
            self._asides.add(now, self._taken(now), author=folded(self._taken("atnauthor")))
        elif now in _ASIDES.values():
            mark = f" [{self._notes}]" if now == "Footnote" else ""
            self._asides.add(f"{now}{mark}", self._taken(now))

    def _taken(self, kept: str) -> str:
        """Return the text of a destination and clear it."""
        return "".join(self._words.pop(kept, ())).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _byte(self, data: bytes) -> None:
        """Add bytes in the current code page, without those that replace a preceding Unicode character."""
        cut = min(self._skip, len(data))
        self._skip -= cut
        if data[cut:] and self._state.kept not in ("nothing", "picture"):
            self._bytes += data[cut:]

    def _symbol(self, symbol: bytes, begins_group: bool) -> None:
        if symbol in (b"\\", b"{", b"}"):
            self._byte(symbol)
        elif symbol == b"~":
            self._character(" ")
        elif symbol == b"_":
            self._character("-")
        elif symbol in (b"\n", b"\r"):
            self._paragraph()
        elif symbol == b"*":
            self._starred = begins_group  # within a group, old programs write it before plain formatting

    def _word(self, word: bytes, number: int | None) -> None:
        self._flush()
        state = self._state
        is_starred = self._starred and word not in _STARRED and (word != b"cs" or state.kept != "text")
        is_left_out = word in _LEFT_OUT or is_starred
        self._starred = False
        if is_left_out or state.kept == "nothing":
            self._state = replace(state, kept="nothing")
        elif word in _PICTURES:
            self._state = replace(state, kept="picture")
        elif state.kept in ("picture", "sn"):
            self._state = replace(state, kept=word.decode() if word in (b"sn", b"sv") else state.kept)
        elif word in _TABLES:
            self._state = replace(state, kept=_TABLES[word])
        elif word in _PROPERTIES and state.kept == "text":
            self._state = replace(state, kept=word.decode())
        elif word in _LABELS and state.kept == "text":
            self._state = replace(state, kept="label")
        elif word in _ASIDES and state.kept == "text":
            self._enter(_ASIDES[word])
        elif state.kept == "font":
            self._font_table(word, number or 0)
        elif word in (b"par", b"sect", b"page"):
            self._paragraph()
        elif word in _LETTERS:
            self._character(_LETTERS[word])
        elif word == b"u" and number is not None:
            self._character(in_font(chr(number % 65_536), state.font))
            self._skip = state.skipped
        elif word in (b"cell", b"row", b"nestcell"):
            self._layout(word)
        else:
            self._set(word, number)

    def _enter(self, aside: str) -> None:
        """Start a note, comment, header or footer; a footnote's number is written in the text."""
        if aside == "Footnote":
            self._notes += 1
            self._character(f" [{self._notes}]")
        self._state = replace(self._state, kept=aside, in_table=False)

    def _font_table(self, word: bytes, number: int) -> None:
        if word == b"f":
            self._font = number
        elif word == b"fcharset":
            self._fonts[self._font] = _CODE_PAGES.get(number, "")

    def _merge(self, word: bytes, number: int | None) -> None:
        """Record how cells are merged and where they end, from a row definition."""
        if word == b"trowd":
            self._spans, self._edges, self._span = [], [], (1, 1)
        elif word == b"cellx":
            self._spans.append(self._span)
            self._edges.append(number or 0)
            self._span = (1, 1)
        else:
            self._span = (0, self._span[1]) if word == b"clmrg" else (self._span[0], 0)

    def _set(self, word: bytes, number: int | None) -> None:
        """Apply a control word that changes the state of its group."""
        state = self._state
        if word == b"pard":
            self._state = replace(state, in_table=False, style=0, level=0)
        elif word == b"intbl":
            self._state = replace(state, in_table=True)
        elif word == b"deleted":
            self._state = replace(state, is_deleted=number != 0)
        elif word == b"plain":
            self._state = replace(state, is_deleted=False, is_struck=False, is_hidden=False, place="", font="")
        elif word in (b"strike", b"striked"):
            self._state = replace(state, is_struck=number != 0)
        elif word == b"v":
            self._state = replace(state, is_hidden=number != 0)
        elif word in _PLACES:
            self._state = replace(state, place=_PLACES[word] if number != 0 else "")
        elif word in (b"trowd", b"clmrg", b"clvmrg", b"cellx"):
            self._merge(word, number)
        elif word == b"mac":
            self._default = "mac_roman"
        elif number is None:
            return
        elif word == b"uc":
            self._state = replace(state, skipped=max(0, min(number, 16)))
        elif word == b"ansicpg":
            self._default = _known(f"cp{number}") or self._default
        elif word == b"f":
            self._state = replace(state, code_page=self._fonts.get(number, ""), font=self._symbols(number))
        elif word == b"s":
            self._state = replace(state, style=number, level=self._levels.get(number, 0))
        elif word == b"outlinelevel":
            self._state = replace(state, level=number + 1 if 0 <= number < 9 else 0)

    def _layout(self, word: bytes) -> None:
        if self._state.kept != "text":
            self._character(" ")
        elif word in (b"cell", b"nestcell"):
            self._label_in_cell()
            self._row.append(self._taken("text"))
            self._begun = 0
        elif self._row:
            spans = [*self._spans, *[(1, 1)] * len(self._row)]
            cells = [
                Cell(text, across, 1 if text.strip() else down)
                for text, (across, down) in zip(self._row, spans, strict=False)
            ]
            self._table.append((cells, self._edges))
            self._row = []

    def _character(self, text: str) -> None:
        self._flush()
        state = self._state
        if state.kept == "font":
            self._names[self._font] = self._names.get(self._font, "") + text
        elif state.kept != "nothing" and not (state.is_deleted or state.is_struck):
            is_hidden = state.is_hidden and state.kept == "text" and bool(text.strip())
            moved = {"super": raised, "sub": lowered}.get(state.place, str)(text)
            self._words.setdefault("hidden" if is_hidden else state.kept, []).append(moved)

    def _flush(self) -> None:
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            if self._state.font:
                self._character(in_font(data.decode("latin-1"), self._state.font))
            else:
                self._character(data.decode(self._state.code_page or self._default, "replace"))

    def _symbols(self, number: int) -> str:
        """Return the name of a font if it is a symbol font, else an empty string."""
        name = self._names.get(number, "").partition(";")[0].strip()
        return name if is_symbol_font(name) else ""

    def _paragraph(self) -> None:
        self._flush()
        if self._state.kept != "text" or self._state.in_table:
            if self._state.kept == "text":
                self._label_in_cell()
            self._character("\n" if self._state.kept == "text" else " ")
            self._begun = len(self._words.get("text", ()))
            return
        self._end_table()
        text, label = self._taken("text"), self._label()
        self._asides.add("Hidden text", self._taken("hidden"))
        self._composer.styled(self._state.level, text, label)
        self._end_boxes()

    def _label_in_cell(self) -> None:
        """Write the label of a list item before its text in a cell."""
        if label := self._label():
            self._words.setdefault("text", []).insert(self._begun, f"{label} ")

    def _label(self) -> str:
        """Return the number of a list item, `-` for a bullet, or an empty string."""
        label = folded(self._taken("label"))
        return BULLET if label in _BULLETS or (label and not any(map(str.isalnum, label))) else label

    def _end_boxes(self) -> None:
        """Write the text boxes after the paragraph or table to which they are anchored."""
        for text in self._boxes:
            self._composer.block([text], "figure")
        self._boxes.clear()

    def _end_table(self) -> None:
        if self._row:
            self._layout(b"row")
        if self._table:
            self._composer.block(rows(by_edges(self._table)))
            self._table = []
            self._end_boxes()


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""
