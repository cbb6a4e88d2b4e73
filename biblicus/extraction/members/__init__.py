"""What holds members: archives, mails with attachments, PDFs with files inside; and what they hold, one by one.

Members are named as the archive names them and unpacked as a stream, within bounds; nothing is written anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

from biblicus.models.extraction import NoExtraction

VERSION = "3"
"""Raised when the same archive would give other members."""
_OFFICE = "application/vnd.openxmlformats-officedocument"
_MODULES = {
    "application/zip": "zipped",
    "application/x-7z-compressed": "seven_zipped",
    "application/vnd.rar": "rarred",
    **dict.fromkeys(
        ("application/x-tar", "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd"),
        "tarred",
    ),
    "message/rfc822": "mailed",
    "application/mbox": "mailed",
    "application/vnd.ms-outlook": "mailed_by_outlook",
    "application/pdf": "portfolio",
    "multipart/related": "saved_page",
    "application/ms-tnef": "mailed_as_tnef",
    **dict.fromkeys(
        (
            f"{_OFFICE}.{kind}"
            for kind in ("wordprocessingml.document", "presentationml.presentation", "spreadsheetml.sheet")
        ),
        "embedded",
    ),
}
_SIGNS = {
    "mailed": (b"attachment", b"name=", b"text/calendar"),
    "portfolio": (b"/embeddedfile", b"/objstm"),
    "embedded": (b"embeddings/",),
}
"""One of these, in lower case, stands in files of a kind that hold members."""


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


OPENED = NoExtraction("empty", "an archive: its members are items of their own")
"""What is said of an archive that can be opened."""
LINK = NoExtraction("left out", "a link or a device")


def may_hold(media_type: str, data: bytes) -> bool:
    """Whether a file of this type and these bytes may hold members."""
    module = _MODULES.get(media_type)
    if module not in _SIGNS:
        return module is not None
    low = data.lower()
    return any(sign in low for sign in _SIGNS[module])


def holds_members(media_type: str) -> bool:
    """Whether files of this type may hold members."""
    return media_type in _MODULES


def packed(raw: bytes, name: str, media_type: str, passwords: Sequence[str] = ()) -> Iterator[Packed]:
    """The members of a file, in its own order. `name`: the file's. Raises `Unopened`, and what the parsers raise."""
    module = import_module(f"{__name__}.{_MODULES[media_type]}")
    members: Iterator[Packed] = module.members(raw, name, passwords)
    return members
