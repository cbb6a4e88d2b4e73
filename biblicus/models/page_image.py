"""Pictures of pages: as they are drawn, and as the reply that carries one."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from typing import NamedTuple

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture, from its upper left corner; right and bottom are outside."""


class Drawn(NamedTuple):
    """A picture of a page (PNG). `pages`: of the document. `boxes`: around what was to be marked, a line's neighbours
    in one. `unplaced`: characters to be marked that have no place on the page, white space aside."""

    png: bytes
    width: int
    height: int
    pages: int
    boxes: tuple[Box, ...]
    unplaced: int


@dataclass(frozen=True)
class PageImage:
    """A page of an item as a picture (PNG), with the marked characters in boxes.

    `pages`: of the item. `width`, `height`, `boxes` (left, top, right, bottom): in pixels, from the upper left corner.
    `unplaced`: marked characters that have no place on the page, white space aside. `sha256`: of the picture.
    """

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
        """The picture itself."""
        return b64decode(self.png_base64)
