"""Page images: as drawn, and as a reply."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from typing import NamedTuple

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels from the upper left corner; right and bottom are exclusive."""


class Drawn(NamedTuple):
    """An image of a page (PNG).

    `pages`: of the document. `boxes`: around the marked text, neighbours on a line in one. `unplaced`: marked
    characters without a position on the page, except white space."""

    png: bytes
    width: int
    height: int
    pages: int
    boxes: tuple[Box, ...]
    unplaced: int


@dataclass(frozen=True)
class PageImage:
    """A page of an item as an image (PNG), with boxes around the marked characters.

    `pages`: of the item. `width`, `height`, `boxes` (left, top, right, bottom): in pixels, from the upper left corner.
    `unplaced`: marked characters without a position on the page, except white space. `sha256`: of the image."""

    item_id: str
    path: str
    item_sha256: str
    page: int
    pages: int
    width: int
    height: int
    boxes: tuple[Box, ...]
    unplaced: int
    sha256: str
    png_base64: str

    @property
    def png(self) -> bytes:
        """Return the image's bytes."""
        return b64decode(self.png_base64)
