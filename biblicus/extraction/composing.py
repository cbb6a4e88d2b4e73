"""Composes the text of a document that is none itself: paragraphs, headings, tables and spots, with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.models.locator import PATH, Spot

_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff]")
_SPACE = re.compile(r"[^\S\n]+")
_NUMBER = re.compile(r"[-+(]?[^\w\s]{0,3}\d[\d.,:/%\s–—-]*\W{0,3}")
_SINCE = re.compile(r"(?:\w{3,9}\.? )?(?:\d{1,2}[./])?(?:19|20)\d\d\s?[–—-]\s?\S.{0,20}")
"""Since when something lasts: `2019 – today`."""
_TIME = re.compile(r"(?:1[5-9]|20|21)\d\d(?:[-/](?:\d\d){1,2}(?:-\d\d)?)?")
"""A year, a season (`2023/24`), a month or a day."""
BULLET = "-"
_COUNTED, _WITHIN = re.compile(r"\d{1,3}[.)]"), re.compile(r"\w{1,5}\.\w")
_NO_TITLE = re.compile(
    r"(?i)\W*(?:untitled(?: (?:document|page|presentation|spreadsheet))?[ \d]*|anonymous|unknown|title|document\d*"
    r"|slide \d+|(?:powerpoint )?presentation\d*|workbook\d*"
    r"|présentation powerpoint|powerpoint-präsentation|presentación de powerpoint|apresentação do powerpoint"
    r"|presentazione (?:standard )?di powerpoint|презентация powerpoint|powerpoint (?:演示文稿|プレゼンテーション)"
    r"|no slide title|kein folientitel|aucun titre de diapositive|sin título de diapositiva|没有幻灯片标题"
    r"|.{0,200}\.(?:docx?|tex|dvi|indd|pdf|odt|pptx?|xlsx?|rtf|qxd|ps|jpe?g|png|mp[34]|m4a|wav|mov))?\W*\Z"
)
_MARGINS = "Headers and footers"
_PLACES = {
    "Footnote": "Footnotes", "Endnote": "Endnotes", "Comment": "Comments", "Header": _MARGINS, "Footer": _MARGINS
}  # fmt: skip
_HEADING_STYLE = re.compile(
    r"(?i)title|(?:heading|überschrift|titre|título|titolo|kop|rubrik|otsikko|nagłówek)\s*([1-9])"
)
_LONGEST_TITLE = 300
_COLONS = (":", "：")
_AFTER_LABEL = " :："
_LONGEST_NAME = 60
"""Characters of a column's name; what is longer is no name."""
_FEWEST_LINES = 3
"""Lines of all cells of a row that are rows of their own."""
_FEWEST_PARTS, _SHORTEST_TEXT = 4, 120
"""Lines of a cell beside others, and its characters, that are a text and no value."""
_MOST_SPOTS = 100_000


def encrypted(passwords: Sequence[str] = ()) -> NoExtraction:
    """What is said of a file that opens with another password only."""
    return NoExtraction("encrypted", f"the file asks for a{'nother' if passwords else ''} password")


ENCRYPTED = encrypted()


def clean(text: str) -> str:
    """Text without control characters, its line ends line feeds."""
    if text.isprintable():  # and most are: neither one of those nor the end of a line
        return text
    return _NOT_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n").replace("\x0c", "\n"))


def folded(text: str) -> str:
    """Text on one line, white space folded."""
    return " ".join(clean(text).split())


def sensible(title: str | None) -> str | None:
    """A title that a person gave, not a program's file name."""
    words = folded(title or "").removeprefix("Microsoft Word - ").removeprefix("Microsoft PowerPoint - ")
    return None if _NO_TITLE.match(words[:250]) else words[:_LONGEST_TITLE]


def level_of_style(name: str) -> int:
    """The level of a heading's style by its name; 0 for any other style."""
    match = _HEADING_STYLE.fullmatch(name.strip())
    return int(match[1] or 1) if match else 0


class Asides:
    """What a document holds beside its text, by the place that it gets behind it."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}

    def add(self, kind: str, text: str, *, author: str = "") -> None:
        """A note, a comment, or what stands above or below each page: that once, and no mere number of the page."""
        words, place = folded(text), _PLACES[kind.partition(" ")[0]]
        line = f"{kind} by {author}: {words}" if author else f"{kind}: {words}"
        is_known = words.isdigit() or line in self.texts.get(place, ())
        if words and not (place == _MARGINS and is_known):
            self.texts.setdefault(place, []).append(line)

    def lines(self) -> list[str]:
        """All of it, in order."""
        return [text for texts in self.texts.values() for text in texts]


class Composer:
    """Joins texts: paragraphs are apart by a blank line, lines by none."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._break = ""
        self._headings: list[Heading] = []
        self._spots: list[Spot] = []
        self._due: list[tuple[str, str, str, str]] = []
        self._warnings: list[str] = []
        self._path: list[tuple[int, str]] = []
        self._places: dict[str, int] = {}
        """Paths of headings, and how often each was there."""

    @property
    def is_empty(self) -> bool:
        return not self._length

    def line(self, text: str) -> None:
        """A line, or several, right below what stands."""
        self._append(text, "\n")

    def paragraph(self, text: str) -> None:
        """A text with blank lines around it."""
        self._append(text, "\n\n")
        self._break = "\n\n"

    def item(self, label: str, text: str) -> None:
        """An entry of a list, behind its bullet or number; what is numbered within a number (`4.2`) is a paragraph."""
        if not text.strip():
            return
        if _WITHIN.match(label):
            self.paragraph(f"{label} {text}")
        else:
            self.line(f"{label} {text}" if label == BULLET or _COUNTED.fullmatch(label) else f"{BULLET} {label} {text}")

    def warn(self, sentence: str) -> None:
        """Something of the document is left out."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    def gap(self) -> None:
        """What follows stands apart."""
        self._break = "\n\n"

    def heading(self, level: int, text: str, *, number: str = "", located: bool = False, apart: bool = False) -> None:
        """A heading on a line of its own, behind its `number`. `located`: evidence below it is cited by its path.
        `apart`: and none reaches from there into what stands below the next."""
        line = folded(text)
        if not line:
            return
        words = line[:_LONGEST_TITLE]
        level = max(1, min(level, 6))
        if located or apart:
            above = [entry for entry in self._path if entry[0] < level]
            path = self._unlike(f"{above[-1][1]}{PATH}{words}" if above else words)
            self._path = [*above, (level, path)]
            self.spot("region" if apart else "heading", path)
        self._append(f"{number} {line}".strip(), "\n\n", Heading(0, level, words))
        self._break = "\n\n"

    def _unlike(self, path: str) -> str:
        """A heading's path, with a number where an earlier heading has the same: each opens its own place."""
        label = path = path[: _LONGEST_TITLE - 10].rstrip()
        times = self._places.get(path, 1)
        while label in self._places:
            times += 1
            label = f"{path} ({times})"
        self._places[path] = times
        self._places.setdefault(label, 1)
        return label

    def spot(self, kind: str, name: str = "", start: str = "", end: str = "") -> None:
        """What is composed from here on stands there; nothing, if nothing follows."""
        self._due = [due for due in self._due if due[0] != kind]
        self._due.append((kind, folded(name)[:_LONGEST_TITLE], start, end))

    def beside(self, asides: Asides) -> None:
        """What stands beside the text, behind it: each kind is a place of its own."""
        for place, texts in asides.texts.items():
            self.spot("region", self._unlike(place))
            for text in texts:
                self.paragraph(text)

    def part(self, text: str, headings: Iterable[Heading]) -> None:
        """A text that has headings itself, apart from what stands."""
        body = text.strip("\n")
        cut = len(text) - len(text.lstrip("\n"))
        self.gap()
        self._append(body, "\n\n", *(Heading(h.offset - cut, h.level, h.title) for h in headings), kept=True)
        self.gap()

    def _append(self, text: str, apart: str, *headings: Heading, kept: bool = False) -> None:
        if not kept:
            text = "\n".join(_SPACE.sub(" ", line).strip() for line in clean(text).split("\n")).strip("\n")
        if not text.strip():
            return
        due = max(self._break, apart, key=len) if self._length else ""
        self._parts += (due, text)
        self._length += len(due)
        begun = [Spot(self._length, *place) for place in self._due]
        before = self._spots[-1].region if self._spots else ()
        entered = any(spot.region != before and spot.kind != "time" for spot in begun if spot.region)
        if entered and not any(heading.offset <= 0 for heading in headings):
            self._headings.append(Heading(self._length, 1, ""))  # it stands under no heading of what was before
        self._spots += begun
        self._due.clear()
        for heading in headings:
            self._headings.append(Heading(self._length + max(0, heading.offset), heading.level, heading.title))
        self._length += len(text)
        self._break = "\n"

    def extraction(
        self,
        *,
        title: str | None = None,
        language: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        warnings: Sequence[str] = (),
        otherwise: NoExtraction | None = None,
        titled: bool = True,
    ) -> Extraction | NoExtraction:
        """What was composed. `metadata` that is empty is left out. `otherwise`: why there is nothing. `titled`: a
        heading may be the title."""
        if self.is_empty:
            return otherwise or NoExtraction("empty", "the document holds no text")
        first = next((heading.title for heading in self._headings if heading.title), None) if titled else None
        return Extraction(
            "".join(self._parts) + "\n",
            headings=tuple(self._headings),
            title=sensible(title) or first,
            language=language,
            metadata={key: value for key, value in (metadata or {}).items() if value},
            warnings=tuple(dict.fromkeys((*self._warnings, *warnings)))[:20],
            spots=tuple(_thinned(self._spots)),
        )


def _thinned(spots: list[Spot]) -> list[Spot]:
    """No more spots than can be kept: of neighbours in one region some are left out, which makes cells coarser."""
    if len(spots) <= _MOST_SPOTS:
        return spots
    step = -(-len(spots) // _MOST_SPOTS)
    kept: list[Spot] = []
    for number, spot in enumerate(spots):
        if number % step and kept and spot.region and spot.region == kept[-1].region:
            kept[-1] = kept[-1]._replace(end=spot.end or kept[-1].end)
        else:
            kept.append(spot)
    return kept


def rows(table: Sequence[Sequence[str]]) -> list[str]:
    """A table as lines: each row's values with the names of their columns, where its first row holds names."""
    lined = [row for wide in table for row in _side_by_side(wide) if any(map(folded, row))]
    cells = [[folded(cell) for cell in row] for row in lined]
    names = cells[0] if len(cells) > 1 and is_header(cells[0], cells[1]) else []
    lines: list[str] = []
    for number, (row, parts) in enumerate(zip(cells, lined, strict=True)):
        if not names and (apart := _apart(parts)):
            lines += apart
        else:
            lines.append(row_line(row, () if number == 0 else names))
    return lines


def _apart(row: Sequence[str]) -> list[str]:
    """The lines of a row that only sets two texts side by side, as letterheads do; none for a row of values."""
    texts = [[folded(line) for line in cell.split("\n") if line.strip()] for cell in row]
    filled = list(filter(None, texts))
    longest = max(filled, key=len)
    fewest = 2 if len(filled) == 1 else _FEWEST_PARTS
    if len(filled) > 2 or len(longest) < fewest or sum(map(len, longest)) < _SHORTEST_TEXT:
        return []
    return [line for text in filled for line in text]


def _side_by_side(row: Sequence[str]) -> list[Sequence[str]]:
    """The rows that a row is whose cells hold as many short lines each, where people set figures one below the other;
    not what they only wrapped."""
    columns = [cell.rstrip().split("\n") for cell in row]
    filled = [lines for lines in columns if any(lines)]
    count = len(filled[0]) if len(filled) > 1 else 0
    if count < _FEWEST_LINES or any(len(lines) != count for lines in filled):
        return [row]
    if any(len(line) > _LONGEST_NAME for lines in filled for line in lines):
        return [row]
    if not any(_are_figures(lines) for lines in filled):
        return [row]
    return [[lines[number] if len(lines) == count else "" for lines in columns] for number in range(count)]


def _are_figures(lines: Sequence[str]) -> bool:
    """Whether lines hold numbers, and no words beside them."""
    filled = [line.strip() for line in lines if any(map(str.isalnum, line))]
    return bool(filled) and all(map(is_number, filled))


def row_line(row: Sequence[str], names: Sequence[str]) -> str:
    """A row on one line: `Name: Ada | Age: 36`, or without names `Ada | 36`."""
    if len([cell for cell in row if cell]) == 1 and not any(names[: len(row)]):
        return next(cell for cell in row if cell)
    shown = []
    for number, cell in enumerate(row):
        name = names[number] if number < len(names) else ""
        if cell:
            shown.append(f"{name.rstrip(_AFTER_LABEL)}: {cell}" if name and name != cell else cell)
    return " | ".join(shown)


def is_header(row: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a row names the columns of the one below: two short texts or more, all different, none a number; years
    and days name columns of other numbers."""
    names = [cell for cell in row if cell]
    if len(names) < 2 or len(set(names)) < len(names) or any(len(name) > _LONGEST_NAME for name in names):
        return False
    named = [(name, cell) for name, cell in zip(row, below, strict=False) if cell and name]
    is_label = [name.endswith(_COLONS) for name in names]
    is_above = any(name.endswith(_COLONS) and cell.endswith(_COLONS) for name, cell in named if name != names[-1])
    if is_above or (is_label[0] and not all(is_label)):
        return False  # labels of what stands beside them
    return len(named) >= 2 and (not any(map(is_number, names)) or _names_times(names, named, below))


def _names_times(names: Sequence[str], named: Sequence[tuple[str, str]], below: Sequence[str]) -> bool:
    """Whether all the numbers in a row are years or days, two or more, above what is none and beside a word."""
    counted = [cell for name, cell in named if is_number(name)]
    return (
        all(_TIME.fullmatch(name) for name in names if is_number(name))
        and len(counted) >= 2
        and not any(map(_TIME.fullmatch, counted))
        and not all(map(is_number, filter(None, below)))
    )


def is_number(cell: str) -> bool:
    """Whether a cell holds a number, a day or a time, and no words but until when it lasts."""
    return _NUMBER.fullmatch(cell) is not None or _SINCE.fullmatch(cell) is not None
