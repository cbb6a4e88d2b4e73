"""The event log `.biblicus/local/events/`: append-only, durable, rotated. Derived data; it can be deleted.

A change is logged in three steps under the writers' lock: its events and an `end` line, made durable; the change itself
(the catalog is replaced, or a manifest written); a `done` line. Only complete changes are shown. If a writer died
between the steps, the catalog or the manifest shows whether the change was made: readers check, the next writer
completes or removes the batch. So an event is shown if and only if its change was made.

Every `done` line names the state of the catalog (`corpus_digest`) after its events. If a writer finds another state,
something else wrote the catalog (git, a repair): a new log begins, and cursors of the old one are refused, because
events would be missing. A segment is named by its log and its first event: `<log>-<number>.jsonl`. It begins with a
`done` line; `end` and `done` lines have a checksum."""

from __future__ import annotations

import json
import os
import re
import secrets
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, system
from biblicus.errors import BiblicusError, EventsDamaged, EventsGone, StorageFailed, UsageError
from biblicus.models.frozen import dataclass

SEGMENT_BYTES = 1 << 20
"""Size in bytes at which a new segment is started."""
_NAME = re.compile(r"([0-9a-f]{10})-([0-9]{12})\.jsonl")
_CURSOR = re.compile(r"([0-9a-f]{10})-([0-9]{1,12})")
_BLOCK = 256


class Cursor(NamedTuple):
    """A position in a log: after the event of this number."""

    log: str
    number: int

    def __str__(self) -> str:
        return f"{self.log}-{self.number}"


class Segment(NamedTuple):
    """One file of a log."""

    log: str
    first: int
    path: Path


def parse_cursor(text: str) -> Cursor:
    """Parse a cursor. Raises `UsageError`."""
    if (match := _CURSOR.fullmatch(text)) is None:
        raise UsageError(f'"{text}" is no cursor of an event log.', "the cursor of an event, or now")
    return Cursor(match[1], int(match[2]))


def segments(corpus: CorpusFolder) -> list[Segment]:
    """Return the segments of the current log, oldest first."""
    try:
        names = os.listdir(corpus.events)
    except FileNotFoundError:
        return []
    ordered = sorted(
        Segment(match[1], int(match[2]), corpus.events / name) for name in names if (match := _NAME.fullmatch(name))
    )
    return [segment for segment in ordered if segment.log == ordered[-1].log]


def _stands(corpus: CorpusFolder, proposed: dict[str, Any]) -> bool:
    """Return true if the change of a batch without a `done` line was made."""
    if run_id := proposed.get("run"):
        return (corpus.runs / f"{run_id}.json").exists()
    with suppress(BiblicusError):
        header = catalogs.read_header(corpus)
        return header is not None and header.corpus_digest == proposed.get("state")
    return False


# --- reading ---------------------------------------------------------------------------------------------------------


def last(corpus: CorpusFolder) -> Cursor | None:
    """Return the cursor after the newest event; None if there is no log."""
    cursor = None
    for segment in segments(corpus)[-1:]:
        cursor = Cursor(segment.log, segment.first - 1)
        for batch in _visible(corpus, segment, True):
            cursor = Cursor(segment.log, batch.last)
    return cursor


def read(corpus: CorpusFolder, after: Cursor | None) -> Iterator[tuple[Cursor, dict[str, Any]]]:
    """Yield the events after a cursor, or all that are kept. Never waits for a writer.

    Raises `EventsGone` if the cursor is of another log or the events after it were deleted, and `EventsDamaged`."""
    present = segments(corpus)
    if after is not None:
        _refuse_gone(corpus, after, present)
    number = after.number if after else 0
    for index, segment in enumerate(present):
        if index + 1 < len(present) and present[index + 1].first <= number + 1:
            continue
        for batch in _visible(corpus, segment, index + 1 == len(present)):
            if batch.last > number:
                yield from _events(segment, batch, number)


def _refuse_gone(corpus: CorpusFolder, after: Cursor, present: list[Segment]) -> None:
    newest = last(corpus)
    if newest is None or newest.log != after.log or not present[0].first - 1 <= after.number <= newest.number:
        raise EventsGone(str(after))


@contextmanager
def _opened(segment: Segment) -> Iterator[BinaryIO]:
    try:
        with files.opened(segment.path) as descriptor, open(descriptor, "rb", closefd=False) as stream:
            yield stream
    except FileNotFoundError:
        raise EventsGone(f"{segment.log}-{segment.first - 1}") from None


def _visible(corpus: CorpusFolder, segment: Segment, is_last: bool) -> Iterator[Batch]:
    """Yield the segment's batches whose change was made."""
    with _opened(segment) as stream:
        scan = Scan(stream, segment.first)
        yield from scan.batches()
    if scan.is_rotten or not scan.sound_to:
        raise EventsDamaged(segment.path.name)
    if scan.proposed is not None and _stands(corpus, scan.proposed):
        yield scan.batch


def _events(segment: Segment, batch: Batch, after: int) -> Iterator[tuple[Cursor, dict[str, Any]]]:
    with _opened(segment) as stream:
        stream.seek(batch.start)
        for number, line in enumerate(islice(stream, batch.last - batch.first + 1), batch.first):
            if number > after:
                try:
                    data = json.loads(line)
                    if data.pop("seq") != number:
                        raise ValueError
                except (ValueError, KeyError, AttributeError, RecursionError):
                    raise EventsDamaged(segment.path.name) from None
                yield Cursor(segment.log, number), data


def is_sound(corpus: CorpusFolder) -> bool:
    """Return true if every segment is readable to its end. An unfinished batch is no damage."""
    present = segments(corpus)
    numbers = [segment.first - 1 for segment in present[1:]]
    try:
        for segment, ends_at in zip_longest(present, numbers):
            with _opened(segment) as stream:
                scan = Scan(stream, segment.first)
                for _ in scan.batches():
                    pass
            if scan.is_damaged or (ends_at is not None and scan.number != ends_at):
                return False
    except (OSError, BiblicusError):
        return False
    return True


# --- writing, under the lock -----------------------------------------------------------------------------------------


@contextmanager
def recording(
    corpus: CorpusFolder, lines: Iterable[bytes], *, before: str, state: str, run_id: str | None = None
) -> Iterator[None]:
    """Log the change made within this context. `lines`: each event as JSON without its opening brace.

    `before`, `state`: the catalog's digest before and after. If the change fails, the next writer checks whether its
    events apply. Raises `StorageFailed` before anything is changed."""
    try:
        log = _Log.open(corpus, before)
        try:
            log.propose(lines, state, run_id)
        except BaseException:
            log.close()
            raise
    except OSError as error:
        raise StorageFailed(str(corpus.events), files.describe(error)) from error
    try:
        yield
        log.confirm()
    finally:
        log.close()


def settle(corpus: CorpusFolder) -> None:
    """Complete or remove the batch of a dead writer, before other traces are cleaned up. Does nothing without a log."""
    present = segments(corpus)
    if not present:
        return
    try:
        with closing(_Log(corpus, present[-1])) as log:
            log.settle()
    except OSError as error:
        raise StorageFailed(str(corpus.events), files.describe(error)) from error


def forget(corpus: CorpusFolder) -> None:
    """Delete the log; the next change begins another."""
    with suppress(FileNotFoundError):
        for name in sorted(os.listdir(corpus.events)):
            if _NAME.fullmatch(name):
                files.remove(corpus.events / name)


class _Log:
    """The newest segment, opened for writing. `number`, `state`: of the last complete batch."""

    def __init__(self, corpus: CorpusFolder, segment: Segment) -> None:
        self.corpus, self.segment = corpus, segment
        self._descriptor = system.open_file(segment.path, system.APPEND)
        self.number, self.state = segment.first - 1, ""
        self._end = b""

    @classmethod
    def open(cls, corpus: CorpusFolder, before: str) -> _Log:
        """Open the log that continues from the state `before`; begin another if this one differs or is damaged."""
        present = segments(corpus)
        if present:
            log = cls(corpus, present[-1])
            try:
                if log.settle() and log.state == before:
                    return log._rotated(present)
            except BaseException:
                log.close()
                raise
            log.close()
        generation = int(present[-1].log[:4], 16) + 1 if present else 1
        new_segment = _begin(corpus, f"{generation % 0xFFFF:04x}{secrets.token_hex(3)}", 0, before)
        for segment in present:
            files.remove(segment.path)
        return cls(corpus, new_segment)._at(0, before)

    def close(self) -> None:
        os.close(self._descriptor)

    def _at(self, number: int, state: str) -> _Log:
        self.number, self.state = number, state
        return self

    def settle(self) -> bool:
        """Find the end and cut off a batch whose change was not made. Return false if the segment is damaged."""
        size = os.fstat(self._descriptor).st_size
        tail = system.read_at(self._descriptor, 4096, max(0, size - 4096)).splitlines(keepends=True)
        frame = control(tail[-1]) if tail and tail[-1].startswith(b'{"done":') else None
        if frame is not None:
            self._at(frame["done"], frame["state"])
            return True
        with open(self._descriptor, "rb", closefd=False) as stream:
            stream.seek(0)
            scan = Scan(stream, self.segment.first)
            for _ in scan.batches():
                pass
        if scan.is_damaged:
            return False
        self._at(scan.number, scan.state)
        if scan.proposed is not None and _stands(self.corpus, scan.proposed):
            self._at(scan.proposed["end"], scan.proposed["state"])
            os.ftruncate(self._descriptor, scan.proposed_to)
            self._append(done(self.number, self.state))
        else:
            os.ftruncate(self._descriptor, scan.sound_to)
        return True

    def _rotated(self, present: list[Segment]) -> _Log:
        """Return this log or, if the segment is full, its next segment; delete the oldest ones beyond the size
        limit."""
        if os.fstat(self._descriptor).st_size < SEGMENT_BYTES:
            return self
        files.sync(self._descriptor)
        new_segment = _begin(self.corpus, self.segment.log, self.number, self.state)
        remaining = [*present, new_segment]
        total = sum(os.stat(segment.path).st_size for segment in remaining)
        while total > self.corpus.settings.event_bytes and len(remaining) > 2:
            total -= os.stat(remaining[0].path).st_size
            files.remove(remaining.pop(0).path)
        number, state = self.number, self.state
        self.close()
        return _Log(self.corpus, new_segment)._at(number, state)

    def propose(self, lines: Iterable[bytes], state: str, run_id: str | None) -> None:
        """Write the events and their `end` line, and make them durable."""
        sound_to = os.fstat(self._descriptor).st_size
        try:
            numbered = (b'{"seq":%d,%b\n' % (number, line) for number, line in enumerate(lines, self.number + 1))
            checksum, count = 0, 0
            while block := list(islice(numbered, _BLOCK)):
                data = b"".join(block)
                checksum, count = zlib.crc32(data, checksum), count + len(block)
                self._append(data)
            end = {"end": self.number + count, "state": state}
            self._append(sealed({**end, "run": run_id} if run_id else end, checksum))
            files.sync(self._descriptor)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._descriptor, sound_to)
            raise
        self._end = done(self.number + count, state)

    def confirm(self) -> None:
        """Append the `done` line. It need not be durable: after a power cut the change itself proves it."""
        with suppress(OSError):
            self._append(self._end)

    def _append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]


def _begin(corpus: CorpusFolder, log: str, number: int, state: str) -> Segment:
    """Begin a new segment, durably, with the state that it continues from."""
    files.make_folder(corpus.events)
    path = corpus.events / f"{log}-{number + 1:012d}.jsonl"
    files.write(path, done(number, state))
    return Segment(log, number + 1, path)


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
