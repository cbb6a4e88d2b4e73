"""Rich Text Format: its paragraphs, with their outline where styles or levels say it; tables by row.

Read in one pass over its tokens (RTF 1.9.1): no group is nested in Python's stack.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.composing import Composer, rows
from biblicus.extraction.text import Options
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_LEFT_OUT = frozenset(
    (
        *(b"fonttbl", b"colortbl", b"stylesheet", b"listtable", b"listoverridetable", b"pict", b"object", b"themedata"),
        *(b"datastore", b"generator", b"fldinst", b"xmlnstbl", b"rsidtbl", b"revtbl", b"latentstyles", b"filetbl"),
        *(
            b"operator",
            b"company",
            b"doccomm",
            b"keywords",
            b"category",
            b"manager",
            b"bkmkstart",
            b"bkmkend",
            b"nonshppict",
        ),
        *(b"colorschememapping", b"pgptbl", b"listtext", b"pntext", b"private", b"panose", b"falt", b"upr", b"subject"),
        *(b"creatim", b"revtim", b"printim", b"buptim", b"mmathPr", b"wgrffmtfilter", b"template", b"atnid", b"atnref"),
    )
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
_DEEPEST = 2_000


@dataclass(frozen=True)
class _State:
    """What a group inherits. `kept`: of `text`, `title`, `author`, `font` and nothing."""

    kept: str = "text"
    skipped: int = 1
    code_page: str = ""


class Rtf:
    """Parsed in a guarded worker."""

    guarded = True
    fingerprint = "rtf/1"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        if not raw.lstrip()[:5] == b"{\\rtf":
            raise ExtractionFailed("the file is no RTF document")
        return _Reader().read(raw)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for RTF."""
    return Rtf()


class _Reader:
    """One document."""

    def __init__(self) -> None:
        self._composer = Composer()
        self._state = _State()
        self._stack: list[_State] = []
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._bytes = bytearray()
        self._words: list[str] = []
        self._properties: dict[str, list[str]] = {}
        self._level = 0
        self._in_table = False
        self._row: list[str] = []
        self._table: list[list[str]] = []
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
            word, number, hexed, symbol, brace, plain = match.groups()
            if brace:
                self._brace(brace)
            elif hexed:
                self._byte(bytes((int(hexed, 16),)))
            elif plain:
                self._byte(plain)
            elif symbol:
                self._symbol(symbol)
            elif word:
                size = int(number) if number else None
                if word == b"bin" and size:
                    at += max(0, size)
                else:
                    self._word(word, size)
            if len(self._stack) > _DEEPEST:
                raise ExtractionFailed(f"its groups are nested deeper than {_DEEPEST}")
        self._paragraph()
        self._end_table()
        properties = {key: " ".join("".join(parts).split()) for key, parts in self._properties.items()}
        author = properties.get("author", "")[:300]
        return self._composer.extraction(title=properties.get("title"), metadata={"author": author} if author else {})

    def _brace(self, brace: bytes) -> None:
        self._flush()
        if brace == b"{":
            self._stack.append(self._state)
        elif self._stack:
            self._state = self._stack.pop()
        self._starred, self._skip = False, 0

    def _byte(self, data: bytes) -> None:
        """Text in the code page of now; what stands for a character that was given by its number is left out."""
        cut = min(self._skip, len(data))
        self._skip -= cut
        if data[cut:] and self._state.kept != "nothing":
            self._bytes += data[cut:]

    def _symbol(self, symbol: bytes) -> None:
        if symbol in (b"\\", b"{", b"}"):
            self._byte(symbol)
        elif symbol == b"~":
            self._character(" ")
        elif symbol == b"_":
            self._character("-")
        elif symbol in (b"\n", b"\r"):
            self._paragraph()
        elif symbol == b"*":
            self._starred = True

    def _word(self, word: bytes, number: int | None) -> None:
        self._flush()
        if self._starred and word not in (b"shppict", b"footnote", b"annotation", b"shptxt"):
            self._state = replace(self._state, kept="nothing")
        self._starred = False
        if word in _LEFT_OUT:
            kept = "font" if word == b"fonttbl" else "nothing"
            self._state = replace(self._state, kept=kept)
        elif word in (b"title", b"author") and self._state.kept == "text":
            self._state = replace(self._state, kept=word.decode())
        elif word in (b"par", b"sect", b"page"):
            self._paragraph()
        elif word in _LETTERS:
            self._character(_LETTERS[word])
        elif word == b"u" and number is not None:
            self._character(chr(number % 65_536))
            self._skip = self._state.skipped
        elif number is not None and word in (b"uc", b"ansicpg", b"f", b"fcharset", b"outlinelevel"):
            self._set(word, number)
        elif word == b"mac":
            self._default = "mac_roman"
        elif word in (b"pard", b"intbl", b"cell", b"row", b"nestcell"):
            self._layout(word)

    def _set(self, word: bytes, number: int) -> None:
        if word == b"uc":
            self._state = replace(self._state, skipped=max(0, min(number, 16)))
        elif word == b"ansicpg":
            self._default = _known(f"cp{number}") or self._default
        elif word == b"fcharset":
            self._fonts[self._font] = _CODE_PAGES.get(number, "")
        elif word == b"outlinelevel" and 0 <= number < 9:
            self._level = number + 1
        elif word == b"f":
            self._font = number
            if self._state.kept != "font":
                self._state = replace(self._state, code_page=self._fonts.get(number, ""))

    def _layout(self, word: bytes) -> None:
        if word == b"pard":
            self._in_table, self._level = False, 0
        elif word == b"intbl":
            self._in_table = True
        elif word in (b"cell", b"nestcell"):
            self._row.append("".join(self._words))
            self._words.clear()
        elif self._row:
            self._table.append(self._row)
            self._row = []

    def _character(self, text: str) -> None:
        self._flush()
        kept = self._state.kept
        if kept == "text":
            self._words.append(text)
        elif kept in ("title", "author"):
            self._properties.setdefault(kept, []).append(text)

    def _flush(self) -> None:
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            if self._state.kept != "font":
                self._character(data.decode(self._state.code_page or self._default, "replace"))

    def _paragraph(self) -> None:
        self._flush()
        if self._state.kept != "text":
            return
        if self._in_table:
            self._words.append(" ")
            return
        self._end_table()
        text = "".join(self._words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._words.clear()
        if self._level:
            self._composer.heading(self._level, text, located=True)
        else:
            self._composer.paragraph(text)

    def _end_table(self) -> None:
        if self._row:
            self._layout(b"row")
        if self._table:
            self._composer.gap()
            for line in rows(self._table):
                self._composer.line(line)
            self._composer.gap()
            self._table = []


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""
