"""Builds the text of a binary document with the offsets of its headings and spots (pages, sheets, regions)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date as calendar
from typing import Any, Literal

from biblicus.extraction.kit.characters import with_fractions
from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.models.locator import PATH, Spot

_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff]")
_SPACE = re.compile(r"[^\S\n]+")
BULLET = "-"
CAPTION = -1
"""Level of a caption's style."""
_FIGURE = "[Image: "
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
    "Hidden": "Hidden text", "Footnote": "Footnotes",
    "Endnote": "Endnotes", "Comment": "Comments", "Header": _MARGINS, "Footer": _MARGINS
}  # fmt: skip
_HEADING_STYLE = re.compile(
    r"(?i)title|(?:heading|überschrift|titre|título|titolo|kop|rubrik|otsikko|nagłówek)\s*([1-9])"
)
_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?![\d-])")
_YEAR = re.compile(r"\d{4}")
_LONGEST_TITLE = 300
_MOST_SPOTS = 100_000


def encrypted(passwords: Sequence[str] = ()) -> NoExtraction:
    """Return the result for a file that does not open with the `passwords` given."""
    return NoExtraction("encrypted", f"the file asks for a{'nother' if passwords else ''} password")


ENCRYPTED = encrypted()


def clean(text: str) -> str:
    """Return text without control characters, with line feeds as line ends."""
    if text.isprintable():  # true of most texts: no control character and no line end
        return text
    return _NOT_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n").replace("\x0c", "\n"))


def folded(text: str) -> str:
    return " ".join(clean(text).split())


def sensible(title: str | None) -> str | None:
    """Return a title that a person wrote, or None for a program's default such as `Untitled` or a file name."""
    words = folded(title or "").removeprefix("Microsoft Word - ").removeprefix("Microsoft PowerPoint - ")
    return None if _NO_TITLE.match(words[:250]) else words[:_LONGEST_TITLE]


def level_of_style(name: str) -> int:
    """Return the heading level of a style by its name, `CAPTION`, or 0 for any other style."""
    match = _HEADING_STYLE.fullmatch(name.strip())
    return int(match[1] or 1) if match else CAPTION if name.strip().lower().endswith("caption") else 0


def day(text: str) -> str:
    """Return a date as ISO 8601 without the time (`2024-05-01`), or an empty string if it is no date."""
    text = text.strip()[:60]
    if _YEAR.fullmatch(text):
        return text
    if match := _DAY.match(text):
        year, month, of_month = int(match[1]), int(match[2]), int(match[3] or 1)
        try:
            date_text = calendar(year, month, of_month).isoformat()
        except ValueError:
            return ""
        return date_text if match[3] else date_text[:7]
    from email.utils import parsedate_to_datetime  # lazy: most documents name no such date

    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


class Asides:
    """Notes, comments, headers and footers of a document, grouped by the region they get after its text."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}

    def add(self, kind: str, text: str, *, author: str = "") -> None:
        """Add a note, comment, header or footer. Repeated headers and plain page numbers are dropped."""
        words, place = folded(with_fractions(text)), _PLACES[kind.partition(" ")[0]]
        line = f"{kind} by {author}: {words}" if author else f"{kind}: {words}"
        is_known = words.isdigit() or line in self.texts.get(place, ())
        if any(map(str.isalnum, words)) and not (place == _MARGINS and is_known):
            self.texts.setdefault(place, []).append(line)

    def lines(self) -> list[str]:
        """Return all texts in order."""
        return [text for texts in self.texts.values() for text in texts]


class Composer:
    """Joins parts of a document: paragraphs with a blank line between them, lines without."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._break = ""
        self._headings: list[Heading] = []
        self._spots: list[Spot] = []
        self._due: list[tuple[str, str, str, str]] = []
        self._warnings: list[str] = []
        self._path: list[tuple[int, str]] = []
        self._caption = ""  # not yet written: it belongs to the block below or above
        self._last: Literal["", "table", "figure", "picture"] = ""
        """Kind of the last block; a picture has no text."""
        self._begun = self._table = 0  # offsets of the last text and table
        self._captions: set[int] = set()  # offsets of tables whose caption is the heading of their rows
        self._resumed: Heading | None = None  # heading to resume after a captioned table
        self._places: dict[str, int] = {}
        """Number of headings by their path."""

    @property
    def is_empty(self) -> bool:
        return not (self._length or self._caption)

    def line(self, text: str) -> None:
        """Append one or more lines directly below the previous text."""
        self._append(text, "\n")

    def paragraph(self, text: str) -> None:
        """Append a text with blank lines around it."""
        if text.lstrip().startswith(_FIGURE):
            self.block([text], "figure")
            return
        self._append(text, "\n\n")
        self._break = "\n\n"

    def block(self, lines: Iterable[str], kind: Literal["table", "figure"] = "table") -> None:
        """Append a table or figure by lines with blank lines around it; its caption is directly above or below it."""
        texts = list(filter(str.strip, lines))
        if self._last in ("figure", "picture") or not texts:
            self._write_caption()
        caption, self._caption = self._caption, ""
        self._break = "\n\n"
        for number, text in enumerate(filter(None, (caption, *texts))):
            self._append(text, "\n")
            self._table = self._table if number else self._begun
        self._break = "\n\n"
        if texts or kind == "figure":
            self._last = kind if texts else "picture"
        self._name_rows(caption)

    def caption(self, text: str) -> None:
        """Append the caption of the table or figure below, or else of that above."""
        self._write_caption()
        self._caption = text.strip()

    def _write_caption(self) -> None:
        """Write a caption directly below the last block, or on its own if there is none."""
        caption, self._caption = self._caption, ""
        if caption:
            self._break = "\n" if self._last in ("table", "figure") else "\n\n"
            kind = self._last
            self._append(caption, "\n")
            self._break, self._last = "\n\n", kind
            self._name_rows(caption)
            self._last = ""

    def _name_rows(self, caption: str) -> None:
        """Make a caption the heading of its table, so that each row is found by it."""
        if caption and self._last == "table":
            above = self._headings[-1] if self._headings else Heading(0, 0, "")
            self._captions.add(self._table)
            self._headings.append(Heading(self._table, min(above.level + 1, 6), folded(caption)[:_LONGEST_TITLE]))
            self._resumed = above

    def styled(self, level: int, text: str, label: str = "") -> None:
        """Append a paragraph by the level of its style: a heading, a caption, a list item with its label, or text."""
        if level > 0:
            self.heading(level, text, number=label.strip(BULLET), located=True)
        elif level == CAPTION:
            self.caption(f"{label} {text}" if label else text)
        elif label:
            self.item(label, text)
        else:
            self.paragraph(text)

    def item(self, label: str, text: str) -> None:
        """Append a list item with its bullet or number; one with a number such as `4.2` is a paragraph."""
        if not text.strip():
            return
        if _WITHIN.match(label):
            self.paragraph(f"{label} {text}")
        else:
            self.line(f"{label} {text}" if label == BULLET or _COUNTED.fullmatch(label) else f"{BULLET} {label} {text}")

    def warn(self, sentence: str) -> None:
        """Record a warning once, for example about omitted content."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    def gap(self) -> None:
        """Put a blank line before the next text."""
        self._break = "\n\n"

    def heading(self, level: int, text: str, *, number: str = "", located: bool = False, apart: bool = False) -> None:
        """Append a heading on its own line, after its `number`. `located`: evidence below it is cited by the heading's
        path. `apart`: no citation spans this and the next region."""
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
        """Return a heading's path, with a number if an earlier heading has the same path."""
        label = path = path[: _LONGEST_TITLE - 10].rstrip()
        times = self._places.get(path, 1)
        while label in self._places:
            times += 1
            label = f"{path} ({times})"
        self._places[path] = times
        self._places.setdefault(label, 1)
        return label

    def spot(self, kind: str, name: str = "", start: str = "", end: str = "") -> None:
        """Open a spot (page, sheet, chapter or region) at the next appended text; unused if no text follows."""
        self._write_caption()
        self._due = [due for due in self._due if due[0] != kind]
        self._due.append((kind, folded(name)[:_LONGEST_TITLE], start, end))

    def beside(self, asides: Asides) -> None:
        """Append notes, comments, headers and footers, each kind in a region of its own."""
        for place, texts in asides.texts.items():
            self.spot("region", self._unlike(place))
            for text in texts:
                self.paragraph(text)

    def part(self, text: str, headings: Iterable[Heading]) -> None:
        """Append a text with its own headings, separated by blank lines."""
        body = text.strip("\n")
        cut = len(text) - len(text.lstrip("\n"))
        self.gap()
        self._append(body, "\n\n", *(Heading(h.offset - cut, h.level, h.title) for h in headings), kept=True)
        self.gap()

    def _append(self, text: str, apart: str, *headings: Heading, kept: bool = False) -> None:
        if not kept:
            text = "\n".join(_SPACE.sub(" ", line).strip() for line in clean(with_fractions(text)).split("\n"))
            text = text.strip("\n")
        if not text.strip():
            return
        if self._caption:
            self._write_caption()
        self._last = ""
        due = max(self._break, apart, key=len) if self._length else ""
        self._parts += (due, text)
        self._length += len(due)
        self._begun = self._length
        begun = [Spot(self._length, *place) for place in self._due]
        before = self._spots[-1].region if self._spots else ()
        entered = any(spot.region != before and spot.kind != "time" for spot in begun if spot.region)
        is_headed = any(heading.offset <= 0 for heading in headings)
        if entered and not is_headed:
            self._headings.append(Heading(self._length, 1, ""))  # ends the section before this region
        elif self._resumed and not is_headed:
            self._headings.append(Heading(self._length, max(1, self._resumed.level), self._resumed.title))
        self._resumed = None
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
        otherwise: Extraction | NoExtraction | None = None,
        titled: bool = True,
    ) -> Extraction | NoExtraction:
        """Return the composed document. Empty `metadata` values are dropped. `otherwise`: the result if there is no
        text. `titled`: use the first heading as title if there is no other."""
        self._write_caption()
        if self.is_empty:
            return otherwise or NoExtraction("empty", "the document holds no text")
        titles = (part.title for part in self._headings if part.title and part.offset not in self._captions)
        first = next(titles, None) if titled else None
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
    """Merge neighbouring spots of a region so that at most `_MOST_SPOTS` remain."""
    if len(spots) <= _MOST_SPOTS:
        return spots
    step = -(-len(spots) // _MOST_SPOTS)
    merged: list[Spot] = []
    for number, spot in enumerate(spots):
        if number % step and merged and spot.region and spot.region == merged[-1].region:
            merged[-1] = merged[-1]._replace(end=spot.end or merged[-1].end)
        else:
            merged.append(spot)
    return merged
