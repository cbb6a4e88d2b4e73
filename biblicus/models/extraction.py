"""An extraction: an item's text with its pages, headings, language and offsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple

from biblicus.models.frozen import dataclass
from biblicus.models.locator import Spot

ENTRY = 16
"""Level of a heading that is an entry: a term with its definition, an option, a function of a page of them.
An entry inside an entry has the next level. A chunk never contains two entries."""
CAPTION = 12
"""Level of a table's caption as the heading of its rows; after the table its section's heading is repeated."""
SAID = 32
"""Level of an entry whose heading line is informative itself, such as a key with a value."""


def named(terms: Iterable[str]) -> str:
    """Return the heading of an entry that explains these terms: `clusterer – clusterers`."""
    return " – ".join(dict.fromkeys(filter(None, terms)))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: offset of its line, its level (1 is the highest) and its plain words.

    Without words it marks the start of a section: at level 1 one without a heading, else one that continues the heading
    before it."""

    offset: int
    level: int
    title: str

    def as_tuple(self) -> tuple[int, int, str]:
        """Return the fields in order; `dataclasses.astuple` would copy each deeply."""
        return self.offset, self.level, self.title

    def __lt__(self, other: Heading) -> bool:
        return self.as_tuple() < other.as_tuple()


class Head(NamedTuple):
    """A heading in a chunk that no mark shows: offset of its line, level, and number of its lines.

    With 0 lines it marks the start of a section under the heading `title`, or under none."""

    offset: int
    level: int
    lines: int = 1
    title: str = ""


class Span(NamedTuple):
    """A half-open range of code points of one extraction."""

    start: int
    end: int


class Box(NamedTuple):
    """Position of a word on its page: its span, the page from 1, and the edges of its box.
    The edges are in ten-thousandths of the page's width and height."""

    start: int
    end: int
    page: int
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True)
class Extraction:
    """The text of an item. All offsets are Unicode code points of `text`.

    `pages`: start of each page, ascending, `pages[0] == 0`; empty if the format has no pages. `spots`: positions in the
    format's own terms (slides, cells, time codes), ascending by offset; pages are in `pages`. `headings`: ascending by
    offset. `masked`: ranges that are in the text but not ranked (front matter).
    `title`, `language`, `metadata`: as the file declares them; `metadata` texts are kept as written. `warnings`: minor
    problems, as sentences for the user. `boxes`: of words from OCR, by offset."""

    text: str
    pages: tuple[int, ...] = ()
    headings: tuple[Heading, ...] = ()
    masked: tuple[Span, ...] = ()
    title: str | None = None
    language: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True)
class NoExtraction:
    """Why an item has no text.

    `status`: `empty`, `needs ocr`, `encrypted`, `unsupported`, `too large`, `failed`, or `crashed` (its parser ended or
    hung)."""

    status: str
    reason: str

    @property
    def is_failure(self) -> bool:
        """Return true for broken or locked files, false for files that have no text."""
        return self.status in ("encrypted", "failed", "too large", "crashed")

    @property
    def sentence(self) -> str:
        """Return the status, with the reason if it says more."""
        return self.status if self.reason in ("", self.status) else f"{self.status}: {self.reason}"


class Elsewhere(NamedTuple):
    """A text that a helper process decoded and keeps: the helper's number."""

    helper: int


class Packed(NamedTuple):
    """A member of an archive.

    `blocks`: its bytes, to be read before the next member. `bytes`: its packed size; 0 if unknown. `left`: why it is
    not unpacked."""

    name: str
    blocks: Iterable[bytes] = ()
    bytes: int = 0
    left: NoExtraction | None = None


class Unopened(Exception):
    """An archive cannot be unpacked at all. `why`: the reason."""

    def __init__(self, why: NoExtraction) -> None:
        super().__init__(why.sentence)
        self.why = why
