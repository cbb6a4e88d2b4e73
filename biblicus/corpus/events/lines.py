"""Lines of the event log: events, and control lines that close a change, each with a checksum.

A segment begins with a `done` line; then follow, for each change, its events, an `end` line and a `done` line."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from biblicus.models.frozen import dataclass

_LINE_LIMIT = 1 << 20


@dataclass(frozen=True)
class Batch:
    """Events of one change: numbers `first` to `last`, from byte offset `start` of a segment."""

    first: int
    last: int
    start: int


def sealed(data: dict[str, Any], checksum: int = 0) -> bytes:
    """Return a control line: compact JSON that ends with a checksum over it and the events before it."""
    head = json.dumps(data, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
    return b'%b,"crc":"%08x"}\n' % (head, zlib.crc32(head, checksum))


def control(line: bytes, checksum: int = 0) -> dict[str, Any] | None:
    """Parse a control line; None if its checksum does not match."""
    head, mark, rest = line.rpartition(b',"crc":"')
    if not mark or rest != b'%08x"}\n' % zlib.crc32(head, checksum):
        return None
    try:
        data = json.loads(head + b"}")
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def done(number: int, state: str) -> bytes:
    return sealed({"done": number, "state": state})


class Scan:
    """Reads a segment from its start: complete batches, and what follows them.

    `sound_to`: offset of the end of the last complete batch. `proposed`: `end` line of a batch without a `done` line;
    `proposed_to`: offset after it. `torn`: an unreadable line there, or empty. `is_rotten`: complete batches follow
    it."""

    def __init__(self, stream: BinaryIO, first: int) -> None:
        self._stream = stream
        self._first = first
        self.number, self.state = first - 1, ""
        self.sound_to = self.proposed_to = 0
        self.proposed: dict[str, Any] | None = None
        self.torn = b""
        self.batch = Batch(0, 0, 0)
        self.is_rotten = False

    def batches(self) -> Iterator[Batch]:
        """Yield every batch that has its `done` line."""
        offset, checksum, count = 0, 0, 0
        while line := self._stream.readline(_LINE_LIMIT):
            offset += len(line)
            if line.startswith(b'{"seq":') and self.sound_to and not self.proposed:
                checksum = zlib.crc32(line, checksum)
                count += 1
            elif line.startswith(b'{"end":') and self._proposes(line, checksum, count):
                self.batch = Batch(self.number + 1, self.number + count, self.sound_to)
                self.proposed_to = offset
            elif line.startswith(b'{"done":') and self._is_done(line):
                self.sound_to, checksum, count = offset, 0, 0
                if self.proposed:
                    self.proposed = None
                    yield self.batch
            else:
                self._look_behind(line)
                return

    def _proposes(self, line: bytes, checksum: int, count: int) -> bool:
        frame = control(line, checksum)
        if frame is None or self.proposed or frame.get("end") != self.number + count or not count:
            return False
        self.proposed = frame
        return True

    def _is_done(self, line: bytes) -> bool:
        frame = control(line)
        expected = (self.proposed["end"], self.proposed["state"]) if self.proposed else None
        if frame is None or (expected is None and self.sound_to):
            return False
        end_and_state = frame.get("done", -1), frame.get("state", "")
        if end_and_state != expected if expected else end_and_state[0] != self.number:
            return False
        self.number, self.state = end_and_state
        return True

    @property
    def is_damaged(self) -> bool:
        """Return true if the damage is more than an unfinished last line."""
        return self.is_rotten or not self.sound_to or self.torn.endswith(b"\n") or self.torn.startswith(b'{"done":')

    def _look_behind(self, line: bytes) -> None:
        """After an unreadable line: if later batches are complete, it is damage and not an interrupted write."""
        self.torn = line
        self.is_rotten = not self.sound_to or control(line) is not None
        while not self.is_rotten and (line := self._stream.readline(_LINE_LIMIT)):
            self.is_rotten = line.startswith(b'{"done":') and control(line) is not None
