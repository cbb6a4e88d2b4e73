"""The editorial log, `.biblicus/editorial.jsonl`: one line for each review, promotion and retraction.

Lines are ordered by time and digest, in whatever order a merge left them; duplicates count once. Current approvals,
replaced approvals and reviewers follow from the lines alone."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import EditorialLogDamaged, UnsafeInput
from biblicus.models.editorial import EditorialEvent
from biblicus.models.frozen import dataclass

WHERE = f"{FOLDER}/editorial.jsonl"
ATTRIBUTES = b"approved/* -text\neditorial.jsonl -text merge=union\n"
"""Attributes that make git keep bytes unchanged and merge lines of both branches."""
_MARKER = re.compile(rb"(?:<{7}|>{7}|\|{7})(?: .*)?|={7}")


@dataclass(frozen=True)
class EditorialLog:
    """The lines in order."""

    events: tuple[EditorialEvent, ...] = ()

    @cached_property
    def standing(self) -> Mapping[str, EditorialEvent]:
        """Return the current approvals by path."""
        approvals: dict[str, EditorialEvent] = {}
        before: dict[str, EditorialEvent] = {}
        for event in self.events:
            if event.happened == "promoted":
                if event.way == "move" and (moved := approvals.pop(event.from_path, None)):
                    before[event.from_path] = moved
                approvals[event.to_path] = event
            elif event.happened == "retracted":
                approvals.pop(event.from_path, None)
                again = before.get(event.to_path)
                if event.way == "move" and again and again.to_sha256 == event.to_sha256:
                    approvals[event.to_path] = again
        return approvals

    @cached_property
    def by_id(self) -> Mapping[str, EditorialEvent]:
        """Return every line by its id."""
        return {event.id: event for event in self.events}

    @cached_property
    def standing_ids(self) -> frozenset[str]:
        """Return the ids of the lines that approve something now."""
        return frozenset(event.id for event in self.standing.values())

    @cached_property
    def digest(self) -> str:
        """Return a digest of the current approvals, or empty if there are none."""
        ids = sorted(self.standing_ids)
        return hashlib.sha256(" ".join(ids).encode()).hexdigest()[:16] if ids else ""

    def reviewers(self, layer: str, path: str, parts: Mapping[str, str]) -> list[str]:
        """Return who reviewed these bytes for a layer since the last retraction, in order."""
        names: dict[str, None] = {}
        for event in self.events:
            if event.layer != layer or path not in (event.from_path, event.to_path):
                continue
            if event.happened == "retracted":
                names.clear()
            elif event.happened == "reviewed" and event.parts == dict(parts):
                names[event.by] = None
        return list(names)

    def origin(self, path: str) -> EditorialEvent | None:
        """Return the promotion that created the file at this path, or None."""
        origin = None
        for event in self.events:
            if event.happened == "retracted" and event.from_path == path:
                origin = None
            elif event.happened == "promoted" and event.to_path == path and event.way != "stay":
                origin = event
        return origin


NOTHING = EditorialLog()


def read(corpus: CorpusFolder, *, always: bool = False) -> EditorialLog:
    """Read the log; empty if the corpus has no layers, unless `always`. Raises `EditorialLogDamaged`."""
    if not always and not corpus.config.layers:
        return NOTHING
    stamp = files.stamp(corpus.editorial, follow=False)
    return NOTHING if stamp is None else _read(corpus.editorial, stamp)


@lru_cache(maxsize=8)
def _read(path: Path, stamp: files.Stamp) -> EditorialLog:
    return parsed(_bytes(path))


def _bytes(path: Path) -> bytes:
    try:
        return files.read(path, limit=files.LARGE)
    except (OSError, UnsafeInput) as error:
        raise EditorialLogDamaged(WHERE, "it cannot be read") from error


def parsed(data: bytes) -> EditorialLog:
    """Parse a log. Raises `EditorialLogDamaged`."""
    lines = data.split(b"\n")
    if lines.pop():
        raise EditorialLogDamaged(WHERE, "its last line is cut short")
    events: dict[str, EditorialEvent] = {}
    for number, line in enumerate(lines, 1):
        if _MARKER.fullmatch(line.rstrip(b"\r")):
            raise EditorialLogDamaged(WHERE, f"line {number} marks a conflict", "biblicus check --repair")
        try:
            event = EditorialEvent.of(line)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise EditorialLogDamaged(WHERE, f"line {number} is not what was written") from error
        events[event.id] = event
    return EditorialLog(tuple(sorted(events.values(), key=lambda event: event.order)))


def add(corpus: CorpusFolder, event: EditorialEvent) -> None:
    """Add a line durably, unless it exists. Call under the lock."""
    log = read(corpus)
    if event.id in log.by_id:
        return
    write(corpus, (*log.events, event))


def write(corpus: CorpusFolder, events: Iterable[EditorialEvent]) -> None:
    """Write the log in order, and git's merge attributes."""
    ordered = sorted(events, key=lambda event: event.order)
    if not is_merged_by_git(corpus):
        tell_git(corpus)
    files.write(corpus.editorial, b"".join(event.line() for event in ordered))


def is_merged_by_git(corpus: CorpusFolder) -> bool:
    """Return true if git's merge attributes are present."""
    try:
        lines = files.read(corpus.home / ".gitattributes", limit=files.SMALL).replace(b"\r\n", b"\n").split(b"\n")
    except (OSError, UnsafeInput):
        return False
    return set(ATTRIBUTES.split(b"\n")) <= set(lines)


def tell_git(corpus: CorpusFolder) -> None:
    """Write git's merge attributes. Call under the lock."""
    where = corpus.home / ".gitattributes"
    if where.is_symlink():
        files.remove(where)
    files.write(where, ATTRIBUTES)


def mend(corpus: CorpusFolder) -> bool:
    """Remove conflict markers and sort the lines; return true if anything changed. Call under the lock.
    Other damage is left to git: a lost line could approve something retracted."""
    if not os.path.lexists(corpus.editorial):
        return False
    data = _bytes(corpus.editorial)
    lines = [line.rstrip(b"\r") for line in data.split(b"\n")]
    event_lines = [line for line in lines if line and not _MARKER.fullmatch(line)]
    try:
        log = parsed(b"".join(line + b"\n" for line in event_lines))
    except EditorialLogDamaged:
        return False
    if data == b"".join(event.line() for event in log.events):
        return False
    write(corpus, log.events)
    return True
