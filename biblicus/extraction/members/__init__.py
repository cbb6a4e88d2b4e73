"""What holds members: archives, mails with attachments, PDFs with files inside; and what they hold, one by one.

Members are named as the archive names them and unpacked as a stream, within bounds; nothing is written anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

from biblicus import plugins
from biblicus.models.extraction import NoExtraction, Packed

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
    "application/pdf": "portfolio",
    "multipart/related": "saved_page",
    **dict.fromkeys(
        (
            f"{_OFFICE}.{kind}"
            for kind in ("wordprocessingml.document", "presentationml.presentation", "spreadsheetml.sheet")
        ),
        "embedded",
    ),
}
_PLUGINS = {"application/vnd.ms-outlook": "ole", "application/ms-tnef": "tnef"}
"""Extractors whose module has `members`, as a third party's may."""
_SIGNS = {
    "mailed": (b"attachment", b"name=", b"text/calendar"),
    "portfolio": (b"/embeddedfile", b"/objstm"),
    "embedded": (b"embeddings/",),
}
"""One of these, in lower case, stands in files of a kind that hold members."""


OPENED = NoExtraction("empty", "an archive: its members are items of their own")
"""What is said of an archive that can be opened."""
LINK = NoExtraction("left out", "a link or a device")


def may_hold(media_type: str, data: bytes) -> bool:
    """Whether a file of this type and these bytes may hold members."""
    module = _MODULES.get(media_type)
    if module not in _SIGNS:
        return holds_members(media_type)
    low = data.lower()
    return any(sign in low for sign in _SIGNS[module])


def holds_members(media_type: str) -> bool:
    """Whether files of this type may hold members."""
    return media_type in _MODULES or media_type in _PLUGINS


def packed(raw: bytes, name: str, media_type: str, passwords: Sequence[str] = (), module: str = "") -> Iterator[Packed]:
    """The members of a file, in its own order. `name`: the file's; `module`: of a third party's plug-in that reads it.
    Raises `Unopened`, and what the parsers raise."""
    if media_type in _PLUGINS and not module:
        module = plugins.find("extraction", _PLUGINS[media_type]).__name__
    holder = import_module(module or f"{__name__}.{_MODULES[media_type]}")
    members: Iterator[Packed] = holder.members(raw, name, passwords)
    return members
