"""Mailboxes of an IMAP server (RFC 3501): each message is an item, flags are its tags.

A message is identified by its folder, the folder's UIDVALIDITY and its UID. A message marked as deleted is gone."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from biblicus.contracts import Given
from biblicus.errors import IngestionError
from biblicus.guards.network.mailbox import Mailbox
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.door import Sync, sync_of
from biblicus.sources.naming import part

_TAGS = {"\\flagged": "flagged", "\\answered": "answered", "\\draft": "draft"}
_FOLDER = re.compile(rb'\((?P<flags>[^)]*)\) (?:"(?P<mark>\\?.)"|NIL) (?P<name>.+)')
_MESSAGE = re.compile(rb"UID (\d+)|FLAGS \(([^)]*)\)|RFC822\.SIZE (\d+)")


class Options(BaseModel):
    """`folders`: names of folders, or one text with commas; none: all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folders: tuple[str, ...] = Field(default=(), max_length=1_000)

    @field_validator("folders", mode="before")
    @classmethod
    def _apart(cls, value: Any) -> Any:
        return tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else value


def build(options: Options, given: Given) -> Mail:
    """Return the mail of an account."""
    return Mail(options, sync_of(given))


@dataclass
class Mail:
    """The messages of a user. `_open`: the folder that is open."""

    options: Options
    sync: Sync
    _open: str = ""
    _places: dict[str, tuple[str, int]] = field(default_factory=dict)

    def list(self, since: State) -> Iterator[Page]:
        box = self._box
        try:
            for name, mark in self._folders():
                yield Page(self._messages(name, mark))
            yield Page(complete=True)
        finally:
            box.shutdown()

    @cached_property
    def _box(self) -> Mailbox:
        """Connect once. Raises `IngestionError`, `UrlRefused`."""
        return Mailbox(self.sync.url, self.sync.reach, self.sync.call)

    def _folders(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each folder as the server has it, and its separator."""
        for line in self._asked(self._box.list()):
            match = _FOLDER.fullmatch(line) if isinstance(line, bytes) else None
            if match is None or b"\\noselect" in match["flags"].lower():
                continue
            name = match["name"].decode("latin-1").strip('"')
            if not self.options.folders or decoded(name) in self.options.folders:
                yield name, (match["mark"] or b"/").decode()[-1]

    def _messages(self, name: str, mark: str) -> tuple[Listed, ...]:
        count = self._select(name)
        validity = (self._box.response("UIDVALIDITY")[1] or [b"0"])[0] or b"0"
        folder = "/".join(part(piece) for piece in decoded(name).split(mark))
        entries = []
        lines = self._asked(self._box.fetch("1:*", "(UID FLAGS RFC822.SIZE)")) if count else ()
        for line in lines:
            facts = {match.lastindex: match[match.lastindex or 0] for match in _MESSAGE.finditer(line)}
            flags = facts.get(2, b"").decode("latin-1").lower().split()
            if 1 not in facts or "\\deleted" in flags:
                continue
            uid, size = int(facts[1]), int(facts.get(3, b"0"))
            id = f"{name}/{validity.decode()}/{uid}"
            tags = [_TAGS.get(flag, flag) for flag in flags if flag in _TAGS or flag[0] not in "\\$"]
            self._places[id] = name, uid
            etag = " ".join((str(size), *sorted(tags)))
            uri = f"imap://{urlsplit(self.sync.url).hostname}/{quote(name)};UIDVALIDITY={validity.decode()}/;UID={uid}"
            entries.append(Listed(id, etag, path=f"{folder}/{validity.decode()}-{uid}.eml", uri=uri, size=size))
        return tuple(entries)

    def fetch(self, entry: Listed) -> Document | str:
        name, uid = self._places[entry.id]
        if self._open != name:
            self._select(name)
        answer = self._asked(self._box.uid("FETCH", str(uid), "(BODY.PEEK[])"))
        data = next((piece[1] for piece in answer if isinstance(piece, tuple)), None)
        if data is None:
            raise IngestionError(entry.uri or entry.id, "it is not there any more")
        headers = BytesHeaderParser().parsebytes(data)
        thread = re.search(r"<([^<>\s]{1,250})>", f"{headers.get('References', '')} {headers.get('Message-ID', '')}")
        tags = tuple((entry.etag or "").split(" ")[1:])
        metadata = {"thread": thread[1]} if thread else {}
        return Document(entry.path, data, entry.uri or "", tags=tags, metadata=metadata)

    def _select(self, name: str) -> int:
        """Open a folder for reading, and return the number of its messages."""
        self._open = name
        return int(self._asked(self._box.select(f'"{name}"', readonly=True))[0] or 0)

    def _asked(self, answer: tuple[str, Sequence[Any]]) -> Sequence[Any]:
        """Return the data of an answer. Raises `IngestionError`."""
        if answer[0] != "OK":
            raise IngestionError(self.sync.url, f"it answers {answer[0]}")
        return [line for line in answer[1] if line is not None]


def decoded(name: str) -> str:
    """Decode a folder's name from modified UTF-7 (RFC 3501, 5.1.3). An invalid name stays as it is."""
    text, *pieces = name.split("&")
    for piece in pieces:
        code, _, rest = piece.partition("-")
        try:
            data = b64decode(code.replace(",", "/") + "=" * (-len(code) % 4))
        except ValueError:
            return name
        text += (data.decode("utf-16-be", "replace") or "&") + rest
    return text
