"""Read the bytes of items: files from the corpus, members from the archive or mail that contains them.

A file's members are listed once, and the list is cached by the file's content. Members are unpacked on demand in a
guarded worker; none is ever written to disk."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus import extraction, guards
from biblicus.contracts import Call
from biblicus.corpus.editorial.approvals import as_approved, digest_at, read_approved
from biblicus.corpus.extracted.plugged import Plugged, plugged
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.extraction import workers
from biblicus.models.digest import digest
from biblicus.models.extraction import NoExtraction
from biblicus.models.frozen import dataclass
from biblicus.text import media
from biblicus.text.fitting import matches_path
from biblicus.text.paths import MEMBER, depth_of, file_of, holder_of, is_member

if TYPE_CHECKING:
    from biblicus.extraction.workers.unpacking import Member, Unpacker

_KIND = "members"
_SHAPE = {"members": [(str, str, int, str)], "left": [(str, str, str)]}
_HEAD = 8_192
_BY_MACHINE = ("it took longer than", "it used more than", "the parser crashed")
_ASIDE = 64 << 20
"""Maximum size in bytes of skipped members kept in memory for later requests."""


class Facts(NamedTuple):
    """Digest and size of an item's bytes."""

    sha256: str
    bytes: int


class Listed(NamedTuple):
    """A member in its archive's listing."""

    name: str
    sha256: str
    bytes: int
    media_type: str


class Left(NamedTuple):
    """A member that was not unpacked, with the reason; without a name: why there are no more members."""

    name: str
    why: NoExtraction

    @property
    def is_by_machine(self) -> bool:
        """Return true if the unpacker ended early, which may not be the file's fault."""
        return not self.name and self.why.reason.startswith(_BY_MACHINE)


@dataclass(frozen=True)
class Listing:
    """The members of a file, in its own order."""

    members: tuple[Listed, ...] = ()
    left: tuple[Left, ...] = ()


class Contents(AbstractContextManager["Contents"]):
    """Reads files and members. Keeps one worker, and its position in the archive read last."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._corpus, self._call = corpus, call
        self._unpacker: Unpacker | None = None
        self._wanted: dict[str, list[str]] = {}
        self._open = ""
        self._stream: Iterator[Member] = iter(())
        self._aside: dict[str, bytes] = {}
        self._places: dict[str, dict[str, int]] = {}

    @cached_property
    def _plugged(self) -> Plugged:
        return plugged(self._corpus)

    def __exit__(self, *_: object) -> None:
        if self._unpacker is not None:
            self._unpacker.__exit__(None, None, None)

    # --- bytes ---

    def read(self, path: str, approved: str = "", limit: int | None = None) -> bytes:
        """Return the bytes of a file or a member. Raises `OSError` if it is missing, `UnsafeInput`.

        `approved`: digest of the approved bytes, which are read while an edit is pending. `limit`: maximum bytes of a
        file; by default that of the corpus."""
        if not is_member(path):
            limit = limit or self._corpus.settings.max_file_bytes
            if approved:
                return read_approved(self._corpus, path, approved, limit)
            return files.read(self._corpus.inside(path), limit=limit)
        return self._member(path)

    def facts(self, path: str, approved: str = "") -> Facts:
        """Return digest and size of a file or member. `approved`: as for `read`. Raises the errors of `read`."""
        if not is_member(path):
            is_edited = bool(approved) and digest_at(self._corpus, path) != approved
            if is_edited and (approved_bytes := as_approved(self._corpus, approved)) is not None:
                return Facts(approved, len(approved_bytes))
            where = self._corpus.inside(path)
            return Facts(files.sha256(where), where.stat().st_size)
        holder = holder_of(path)
        name = path[len(holder) + len(MEMBER) :]
        listing = self.listing(holder, self.facts(holder).sha256)
        listed = next((member for member in listing.members if member.name == name), None)
        if listed is None:
            raise FileNotFoundError(path)
        return Facts(listed.sha256, listed.bytes)

    def source(self, path: str, sha256: str) -> Path | Callable[[], bytes]:
        """Return the path of a file, or a function that reads a member later. Raises `UnsafeInput`.
        All members needed are registered before the first is read."""
        if not is_member(path):
            if os.path.lexists(self._corpus.approved / sha256) and digest_at(self._corpus, path) != sha256:
                return partial(read_approved, self._corpus, path, sha256, self._corpus.settings.max_text_bytes)
            return self._corpus.inside(path)
        holder = holder_of(path)
        self._wanted.setdefault(holder, []).append(path[len(holder) + len(MEMBER) :])
        return partial(self._member, path)

    def place(self, path: str) -> tuple[str, int]:
        """Return a member's container and its position there, or ("", 0) for a file.
        Read many members in this order: archives are unpacked from the start, and only a bounded part is remembered."""
        if not is_member(path):
            return "", 0
        holder = holder_of(path)
        if holder not in self._places:
            listed: Sequence[Listed] = ()
            with suppress(OSError, UnsafeInput):  # it is gone, which is reported when it is read
                listed = self.listing(holder, self.facts(holder).sha256).members
            self._places[holder] = {member.name: at for at, member in enumerate(listed)}
        return holder, self._places[holder].get(path[len(holder) + len(MEMBER) :], 0)

    def _member(self, path: str) -> bytes:
        holder = holder_of(path)
        name = path[len(holder) + len(MEMBER) :]
        if self._open == holder and (data := self._aside.pop(name, None)) is not None:
            return data
        for is_again in (False, True):
            if is_again or self._open != holder:
                self._begin(holder, name)
            for member in self._stream:
                if member.name == name and member.left is None:
                    return member.data
                if sum(map(len, self._aside.values())) + len(member.data) <= _ASIDE and member.left is None:
                    self._aside[member.name] = member.data
        raise FileNotFoundError(path)

    def _begin(self, holder: str, name: str) -> None:
        data = self.read(holder, limit=self._corpus.settings.max_text_bytes)
        names = self._wanted.get(holder, [])
        self._open, self._aside = holder, {}
        self._stream = self._members(holder, data, names if name in names else [name])

    # --- lists ---

    def listing(self, path: str, sha256: str) -> Listing:
        """List the members of a file or member with this digest. Raises the errors of `read`."""

        limits = [*self._bounds(), self._corpus.settings.max_text_bytes]
        key = digest([_version(), *self._plugged.versions, sha256, limits, path.rpartition("/")[2]], 32)
        if (cached := self._corpus.kept.get(_KIND, key, _SHAPE)) is not None:
            return _listing(cached)
        data = self.read(path, limit=self._corpus.settings.max_text_bytes)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise UnsafeInput(f"{path} changed while it was read.")
        kind = self._plugged.media_type(path, data[:_HEAD])
        if kind not in self._plugged.holders and not extraction.members.may_hold(kind, data):
            return Listing()
        self._open = ""
        members, left = [], []
        for member in self._members(path, data, None):
            if member.left is not None:
                left.append(Left(member.name, member.left))
            else:
                kind = self._plugged.media_type(member.name, member.data)
                members.append(Listed(member.name, member.sha256, member.bytes, kind))
        listing = Listing(tuple(members), tuple(left))
        if listing != Listing() and not any(entry.is_by_machine for entry in left):  # empty: a password may be missing
            self._corpus.kept.put(_KIND, key, _as_json(listing))
        return listing

    def unpacked(self, path: str, data: bytes) -> Iterator[Member]:
        """Yield the members of bytes that are not yet a file, nested ones included."""
        names = [member.name for member in self._members(path, data, None)]
        return self._members(path, data, names)

    def _members(self, path: str, data: bytes, wanted: Sequence[str] | None) -> Iterator[Member]:
        settings = self._corpus.settings
        if self._unpacker is None:
            limits = guards.process.Limits(
                seconds=settings.extraction_seconds,
                memory=settings.extraction_memory,
                output=settings.max_text_bytes,
                preload=tuple(sorted(set(self._plugged.holders.values()))),
                walls=settings.sandbox == "on",
            )
            self._unpacker = workers.unpacking.Unpacker(
                limits, workers.unpacking.Bounds(*self._bounds(), settings.max_text_bytes), self._call
            )
        media_type = self._plugged.media_type(path, data[:_HEAD])
        module = self._plugged.holders.get(media_type, "")
        if not module and not extraction.members.holds_members(media_type):
            return iter(())
        name = path.rpartition("/")[2]
        return self._unpacker.members(data, name, media_type, wanted, self._passwords(path), module)

    def _passwords(self, path: str) -> tuple[str, ...]:
        return passwords_for(self._corpus, self._call, path)

    def _bounds(self) -> tuple[int, int, int]:
        settings = self._corpus.settings
        return settings.archive_members, settings.archive_bytes, settings.archive_ratio


def passwords_for(corpus: CorpusFolder, call: Call, path: str) -> tuple[str, ...]:
    """Return passwords for a path: those typed by the user, then those in the settings for it or its file."""
    passwords = corpus.settings.passwords
    fitting = (
        passwords[glob] for glob in passwords if matches_path(path, [glob]) or matches_path(file_of(path), [glob])
    )
    return (*call.passwords, *fitting)


BY_BIBLICUS = NoExtraction("empty", "Biblicus wrote it; results are no evidence")


def closed(path: str) -> NoExtraction:
    """Return the reason for an archive that the configuration does not open."""
    kind = "an archive in an archive" if is_member(path) else "an archive that stays closed"
    return NoExtraction("unsupported", f"{kind} (archive_depth: {depth_of(path) + 1} in .biblicus/config.yml opens it)")


def _version() -> str:
    return f"{extraction.members.VERSION} {media.VERSION}"


def _as_json(listing: Listing) -> bytes:
    left = [[entry.name, entry.why.status, entry.why.reason] for entry in listing.left]
    return json.dumps({"members": listing.members, "left": left}, ensure_ascii=False, separators=(",", ":")).encode()


def _listing(kept: Mapping[str, Any]) -> Listing:
    left = tuple(Left(name, NoExtraction(status, reason)) for name, status, reason in kept["left"])
    return Listing(tuple(Listed(*row) for row in kept["members"]), left)


def read(corpus: CorpusFolder, path: str, call: Call | None = None, approved: str = "") -> bytes:
    """Return the bytes of one item. Raises `OSError` if it is missing, `UnsafeInput`."""
    with Contents(corpus, call or Call()) as contents:
        return contents.read(path, approved)


def facts(corpus: CorpusFolder, path: str, call: Call | None = None, approved: str = "") -> Facts:
    """Return digest and size of one item's bytes. Raises the errors of `read`."""
    with Contents(corpus, call or Call()) as contents:
        return contents.facts(path, approved)
