"""Files inside other files: members of archives, mail attachments, files embedded in PDF and Office documents.

Members keep their names in the archive. They are unpacked as streams within limits; nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

from biblicus import plugins
from biblicus.models.extraction import NoExtraction, Packed

VERSION = "5"
"""Version of this unpacking. Increase it when the same archive would give other members."""
_OFFICE = "application/vnd.openxmlformats-officedocument"
_MODULES = {
    "application/zip": "members.zipped",
    "application/x-7z-compressed": "members.libraries",
    "application/vnd.rar": "members.libraries",
    **dict.fromkeys(
        ("application/x-tar", "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd"),
        "members.tarred",
    ),
    "message/rfc822": "messages.mail",
    "application/mbox": "messages.mail",
    "application/pdf": "pdf.pdfium",
    "multipart/related": "web.mhtml",
    "application/x-confluence+xml": "members.confluence",
    **dict.fromkeys(
        (
            f"{_OFFICE}.{kind}"
            for kind in ("wordprocessingml.document", "presentationml.presentation", "spreadsheetml.sheet")
        ),
        "members.embedded",
    ),
}
_PLUGINS = {"application/vnd.ms-outlook": "ole", "application/ms-tnef": "tnef"}
"""Plug-ins whose module has a `members` function; third-party plug-ins may have one as well."""
_SIGNS = {
    "messages.mail": (b"attachment", b"name=", b"text/calendar"),
    "pdf.pdfium": (b"/embeddedfile", b"/objstm"),
    "members.embedded": (b"embeddings/",),
}
"""Byte strings in lower case; a file of the kind has at least one of them if it has members."""


OPENED = NoExtraction("empty", "an archive: its members are items of their own")
"""The result for an archive that opens."""
LINK = NoExtraction("left out", "a link or a device")


def may_hold(media_type: str, data: bytes) -> bool:
    """Return True if a file of this type and with these bytes may have members."""
    module = _MODULES.get(media_type)
    if module not in _SIGNS:
        return holds_members(media_type)
    low = data.lower()
    return any(sign in low for sign in _SIGNS[module])


def holds_members(media_type: str) -> bool:
    """Return True if files of this type may have members."""
    return media_type in _MODULES or media_type in _PLUGINS


def packed(raw: bytes, name: str, media_type: str, passwords: Sequence[str] = (), module: str = "") -> Iterator[Packed]:
    """Yield the members of a file in its own order. `name`: the file's name; `module`: the module of a third-party
    plug-in. Raises `Unopened` and the parsers' errors."""
    if media_type in _PLUGINS and not module:
        module = plugins.find("extraction", _PLUGINS[media_type]).__name__
    holder = import_module(module or f"biblicus.extraction.{_MODULES[media_type]}")
    members: Iterator[Packed] = holder.members(raw, name, passwords)
    return members
