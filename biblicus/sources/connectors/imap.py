"""Mailboxes of an IMAP server (RFC 3501): each message is an item, flags are its tags.

A message is identified by its folder, the folder's UIDVALIDITY and its UID. A message marked as deleted is gone."""

from __future__ import annotations

import imaplib
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
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
    _box: Mailbox | None = None
    _open: str = ""
    _places: dict[str, tuple[str, int]] = field(default_factory=dict)

    def list(self, since: State) -> Iterator[Page]:
        self._box = self._connected()
        try:
            for name, mark in self._folders(self._box):
                yield Page(self._messages(self._box, name, mark))
            yield Page(complete=True)
        finally:
            self._box.shutdown()

    def _connected(self) -> Mailbox:
        """Connect and log in. Raises `IngestionError`."""
        account = self.sync.reach.account
        if account is None:
            raise IngestionError(self.sync.url, "it needs an account", "biblicus sources add … --account NAME")
        try:
            secret = account.secret_for(urlsplit(self.sync.url).hostname or "")
        except ValueError as error:
            raise IngestionError(self.sync.url, str(error), "edit accounts in your own settings") from None
        box = Mailbox(self.sync.url, self.sync.reach, self.sync.call)
        try:
            box.login(account.user, secret)
        except imaplib.IMAP4.error:
            box.shutdown()
            raise IngestionError(self.sync.url, "it refuses the account", status=401) from None
        return box

    def _folders(self, box: Mailbox) -> Iterator[tuple[str, str]]:
        """Yield the name of each folder as the server has it, and its separator."""
        for line in self._asked(box.list()):
            match = _FOLDER.fullmatch(line) if isinstance(line, bytes) else None
            if match is None or b"\\noselect" in match["flags"].lower():
                continue
            name = match["name"].decode("latin-1").strip('"')
            if not self.options.folders or decoded(name) in self.options.folders:
                yield name, (match["mark"] or b"/").decode()[-1]

    def _messages(self, box: Mailbox, name: str, mark: str) -> tuple[Listed, ...]:
        count = self._select(box, name)
        validity = (box.response("UIDVALIDITY")[1] or [b"0"])[0] or b"0"
        folder = "/".join(part(piece) for piece in decoded(name).split(mark))
        entries = []
        lines = self._asked(box.fetch("1:*", "(UID FLAGS RFC822.SIZE)")) if count else ()
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
        box = self._box
        if box is None:
            raise AssertionError("messages are fetched while they are listed")
        if self._open != name:
            self._select(box, name)
        answer = self._asked(box.uid("FETCH", str(uid), "(BODY.PEEK[])"))
        data = next((piece[1] for piece in answer if isinstance(piece, tuple)), None)
        if data is None:
            raise IngestionError(entry.uri or entry.id, "it is not there any more")
        headers = BytesHeaderParser().parsebytes(data)
        thread = re.search(r"<([^<>\s]{1,250})>", f"{headers.get('References', '')} {headers.get('Message-ID', '')}")
        tags = tuple((entry.etag or "").split(" ")[1:])
        metadata = {"thread": thread[1]} if thread else {}
        return Document(entry.path, data, entry.uri or "", tags=tags, metadata=metadata)

    def _select(self, box: Mailbox, name: str) -> int:
        """Open a folder for reading, and return the number of its messages."""
        self._open = name
        return int(self._asked(box.select(f'"{name}"', readonly=True))[0] or 0)

    def _asked(self, answer: tuple[str, Sequence[Any]]) -> Sequence[Any]:
        """Return the data of an answer. Raises `IngestionError`."""
        if answer[0] != "OK":
            raise IngestionError(self.sync.url, f"it answers {answer[0]}")
        return [line for line in answer[1] if line is not None]


def decoded(name: str) -> str:
    """Decode a folder's name from modified UTF-7 (RFC 3501, 5.1.3)."""

    def text(match: re.Match[str]) -> str:
        inner = match[1].replace(",", "/")
        return b64decode(inner + "=" * (-len(inner) % 4)).decode("utf-16-be", "replace") if inner else "&"

    return re.sub(r"&([A-Za-z0-9+,]*)-", text, name)
