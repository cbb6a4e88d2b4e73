"""An extraction: an item's text with its pages, headings, language and offsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple

from biblicus.models.frozen import dataclass
from biblicus.models.locator import Spot

ENTRY = 16
"""The level of a heading that is a term with its definition, an option, a function of a page of them; of one within
such an entry, the next. A chunk never holds two entries."""
SAID = 32
"""That of an entry whose line says something by itself, as one with a key and a value does."""


def named(terms: Iterable[str]) -> str:
    """The heading of an entry that explains these terms: `clusterer – clusterers`."""
    return " – ".join(dict.fromkeys(filter(None, terms)))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: where its line starts, its level (1 is the highest) and its plain words.

    Without words it marks where a part starts: at level 1 one that stands under no heading, else one that stands under
    the heading before it.
    """

    offset: int
    level: int
    title: str

    def as_tuple(self) -> tuple[int, int, str]:
        """Return the fields in order; `dataclasses.astuple` would copy each deeply."""
        return self.offset, self.level, self.title

    def __lt__(self, other: Heading) -> bool:
        return self.as_tuple() < other.as_tuple()


class Head(NamedTuple):
    """A heading within a piece of a text whose marks do not show it: where its line starts, its level, how many lines
    it takes. With none a part starts there that stands under a heading called `title`, or under none."""

    offset: int
    level: int
    lines: int = 1
    title: str = ""


class Span(NamedTuple):
    """A half-open range of code points of one extraction."""

    start: int
    end: int


class Box(NamedTuple):
    """Where a word stands on its page: its span, the page from 1, and the edges of its box in ten-thousandths of the
    page's width and height."""

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

    `pages`: the start of each page, ascending; empty where the format has no pages; `pages[0] == 0` otherwise.
    `spots`: what stands where in the format's own terms (slides, cells, time codes), ascending by offset; pages are
    told by `pages`. `headings`: ascending by offset. `masked`: ranges that are part of the text but not ranked (front
    matter).
    `title`, `language`, `metadata`: what the file itself declares, if anything. `metadata` texts are kept as written.
    `warnings`: problems that cost no text, as sentences for the user. `boxes`: of words that were read off a picture,
    by offset.
    """

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
    """Why an item has no text. `status`: `empty`, `needs ocr`, `encrypted`, `unsupported`, `too large`, `failed`, or
    `crashed`: its parser ended, or did not end, with it."""

    status: str
    reason: str

    @property
    def is_failure(self) -> bool:
        """Broken or locked files are failures; files that simply hold no text are skips."""
        return self.status in ("encrypted", "failed", "too large", "crashed")

    @property
    def sentence(self) -> str:
        """The status and, where it says more, the reason."""
        return self.status if self.reason in ("", self.status) else f"{self.status}: {self.reason}"


class Elsewhere(NamedTuple):
    """A text that was decoded by a helper, which keeps it: the helper's number."""

    helper: int


class Packed(NamedTuple):
    """A member as it lies in an archive. `blocks`: its bytes, to be taken before the next member is asked for.
    `bytes`: those that it takes there; 0 where that is not known. `left`: why it is not unpacked."""

    name: str
    blocks: Iterable[bytes] = ()
    bytes: int = 0
    left: NoExtraction | None = None


class Unopened(Exception):
    """Nothing of an archive can be unpacked. `why`: what is said of the archive itself."""

    def __init__(self, why: NoExtraction) -> None:
        super().__init__(why.sentence)
        self.why = why
