"""Unpacks archives in a sandboxed worker process, one member at a time within limits, and validates its replies.

The worker waits for each request, so that time limits count for each member and none is held in memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from biblicus.errors import BadData, BiblicusError, ExtractionFailed
from biblicus.extraction.workers.wire import WireRefused, outcome_of
from biblicus.guards.process import End, Limits, Say, Worker, reply, serve
from biblicus.models.extraction import NoExtraction, Unopened
from biblicus.text.paths import from_os

if TYPE_CHECKING:
    from biblicus.contracts import Call
    from biblicus.models.extraction import Packed

HEAD = 8_192
"""First bytes of a member, used to detect its type."""
_LONGEST_NAME = 1_000
_LONGEST_REASON = 300
_DRIVE = re.compile(r".:(?!:)")
"""A name that starts with a drive letter: `C:`, but not `B::Deparse.3perl` (Perl)."""
_SMALL = 1 << 20
"""Members below this size are exempt from the ratio limit."""
_OTHER = "the unpacker's answer is not what was agreed"
_LEAVES = NoExtraction("failed", "its name leaves the archive, or is none")


@dataclass(frozen=True)
class Bounds:
    """Limits of unpacking one file. `members`: maximum number; `bytes`: maximum total; `ratio`: maximum of unpacked to
    packed bytes; `largest`: maximum bytes of a member that is returned."""

    members: int
    bytes: int
    ratio: int
    largest: int


@dataclass(frozen=True)
class Member:
    """A member of an archive. `data`: its bytes or the first of them. `left`: why it was not unpacked; with an empty
    name, why the listing ends."""

    name: str
    data: bytes = b""
    bytes: int = 0
    sha256: str = ""
    left: NoExtraction | None = None


# --- in the worker ---


def main(limits_json: str) -> None:
    """Unpack until the parent closes the pipe."""
    members: Iterator[Member] = iter(())

    def answer(header: Mapping[str, Any], body: bytes, say: Say) -> tuple[Mapping[str, Any], bytes]:
        nonlocal members
        if "media_type" in header:
            members = _unpacked(header, body)
        if (member := next(members, None)) is None:
            return {"end": True}, b""
        left = member.left and [member.left.status, member.left.reason]
        return {**asdict(member), "data": None, "left": left}, member.data

    serve(limits_json, answer)


def _unpacked(header: Mapping[str, Any], raw: bytes) -> Iterator[Member]:
    """Yield the members and catch every error, which ends only this file."""
    from biblicus.extraction.members import packed  # lazy: the parsers stay out of the parent

    try:
        yield from _counted(
            packed(raw, header["name"], header["media_type"], header["passwords"], header["module"]),
            Bounds(**header["bounds"]),
            len(raw),
            None if header["wanted"] is None else frozenset(header["wanted"]),
        )
    except MemoryError:
        raise
    except Unopened:  # reported for the archive itself
        return
    except BiblicusError as error:
        yield Member("", left=NoExtraction("failed", _line(error.message)))
    except Exception as error:  # a parser may raise anything on a broken file
        yield Member("", left=NoExtraction("failed", f"the rest is damaged: {_line(str(error))}"))


def _counted(
    members: Iterator[Packed], bounds: Bounds, raw_bytes: int, wanted: frozenset[str] | None
) -> Iterator[Member]:
    """Yield the members within the limits under unique names: all with their first bytes, or the wanted ones
    completely."""
    names: set[str] = set()
    unpacked_bytes = 0
    for number, packed in enumerate(members):
        if number >= bounds.members:
            yield Member("", left=_too_large(f"there are more than {bounds.members:,} members (archive_members)"))
            return
        is_refused, name = _named(packed.name, names)
        left = _LEAVES if is_refused else packed.left
        if left is not None:
            yield Member(name, left=left)
            continue
        if wanted is not None and name not in wanted:
            continue
        digest, head, size = hashlib.sha256(), bytearray(), 0
        try:
            for block in packed.blocks:
                size += len(block)
                unpacked_bytes += len(block)
                left = _excess(bounds, size, packed.bytes or raw_bytes, unpacked_bytes)
                if left is not None:
                    break
                digest.update(block)
                room = (HEAD if wanted is None else bounds.largest) - len(head)
                head += block[: max(0, room)]
        except MemoryError:
            raise
        except ExtractionFailed as error:  # affects only this member
            left = NoExtraction("failed", f"it is damaged: {_line(error.reason)}")
        if left is not None:
            yield Member(name, left=left)
            if unpacked_bytes > bounds.bytes or not packed.bytes:
                yield Member("", left=NoExtraction(left.status, f"the rest is left out: {left.reason}"))
                return
            continue
        if wanted is None or size <= bounds.largest:
            yield Member(name, bytes(head), size, digest.hexdigest())


def _excess(bounds: Bounds, size: int, packed_bytes: int, unpacked_bytes: int) -> NoExtraction | None:
    if unpacked_bytes > bounds.bytes:
        return _too_large(f"the members are larger than {bounds.bytes:,} bytes together (archive_bytes)")
    if size > _SMALL and size > bounds.ratio * packed_bytes:
        return _too_large(f"it unpacks to more than {bounds.ratio} times its size (archive_ratio)")
    return None


def _too_large(reason: str) -> NoExtraction:
    return NoExtraction("too large", reason)


def _named(said: str, names: set[str]) -> tuple[bool, str]:
    """Return True if a member's name leaves its archive, and the unique normalised name that it gets."""
    parts = [part for part in said.split("/") if part not in ("", ".")]
    is_refused = said.startswith("/") or ".." in parts or "\0" in said or parts[:1] == [] or _DRIVE.match(parts[0])
    safe = [part for part in parts if part != ".." and part[1:] != ":"] or ["unnamed"]
    name = from_os("/".join(safe).replace("\0", ""))[:_LONGEST_NAME]
    stem, dot, suffix = name.rpartition(".")
    if not stem or "/" in suffix:
        stem, dot, suffix = name, "", ""
    number = 1
    while name in names:
        number += 1
        name = f"{stem} ({number}){dot}{suffix}"
    names.add(name)
    return bool(is_refused), name


def _line(message: str) -> str:
    return " ".join(message.encode("utf-8", "replace").decode().split())[:_LONGEST_REASON]


# --- in the parent ---


class Unpacker(AbstractContextManager["Unpacker"]):
    """A worker that unpacks one file after another; started on demand and again after a failure."""

    def __init__(self, limits: Limits, bounds: Bounds, call: Call) -> None:
        self._limits, self.bounds, self._call = limits, bounds, call
        self._worker: Worker | None = None

    def __exit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def members(
        self,
        raw: bytes,
        name: str,
        media_type: str,
        wanted: Sequence[str] | None = None,
        passwords: Sequence[str] = (),
        module: str = "",
    ) -> Iterator[Member]:
        """Yield the members with their first bytes, or the `wanted` ones completely. One file at a time: a new call
        ends the previous one. `module`: of a third-party plug-in that unpacks the format."""
        header = {"name": name, "media_type": media_type, "wanted": wanted, "passwords": list(passwords)}
        task: tuple[Mapping[str, Any], bytes] = {**header, "module": module, "bounds": asdict(self.bounds)}, raw
        names: set[str] = set()
        try:
            while True:
                answer, body = self._asked(*task)
                if "end" in answer:
                    return
                member = _checked(answer, body, self.bounds)
                if member.name in names or len(names) > self.bounds.members:
                    raise ExtractionFailed(_OTHER)
                names.add(member.name)
                yield member
                if not member.name:
                    return
                task = {}, b""
        except ExtractionFailed as error:
            self.__exit__()
            yield Member("", left=NoExtraction("failed", error.reason))

    def _asked(self, header: Mapping[str, Any], body: bytes) -> tuple[Mapping[str, Any], bytes]:
        """Return the worker's next reply. Raises `ExtractionFailed`, and when the call is cancelled."""
        if self._worker is None:
            self._worker = Worker("biblicus.extraction.workers.unpacking", self._limits)
        try:
            answer = reply(self._worker, self._call, (header, body))
        except BadData as error:
            raise ExtractionFailed(_OTHER) from error
        if isinstance(answer, End):
            raise ExtractionFailed(answer.cause)
        return answer


def _checked(header: Mapping[str, Any], body: bytes, bounds: Bounds) -> Member:
    """Return a member after validating every field, since the sender may be compromised. Raises `ExtractionFailed`."""
    try:
        name, size, sha256, left = (header[key] for key in ("name", "bytes", "sha256", "left"))
        reason = None if left is None else outcome_of(*left)
    except (KeyError, TypeError, ValueError, WireRefused) as error:
        raise ExtractionFailed(_OTHER) from error
    if not (isinstance(name, str) and isinstance(sha256, str) and type(size) is int and 0 <= size <= bounds.bytes):
        raise ExtractionFailed(_OTHER)
    parts = name.split("/")
    is_inside = all(part not in ("", ".", "..") for part in parts) and "\0" not in name and "!/" not in name
    if (name and not is_inside) or len(name) > 2 * _LONGEST_NAME or (not name and reason is None):
        raise ExtractionFailed(_OTHER)
    if reason is None and len(sha256) != 64:
        raise ExtractionFailed(_OTHER)
    return Member(name, body, size, sha256, reason)
