"""Carry out a promotion or a retraction, and finish an interrupted one.

The plan is first written down, durably and sealed by this machine. Then files are written, moved files are removed,
and the line is added to the log. The next writer finishes an interrupted plan, so a crash leaves the old state or the
new one. A file that somebody changed meanwhile is left unchanged, and nothing is approved."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from biblicus.corpus.editorial import log
from biblicus.corpus.editorial.approvals import digest_at, encoded, kept_bytes
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, seals
from biblicus.disk.seals import fits
from biblicus.errors import NewerSchema, NotPromoted
from biblicus.models.editorial import EditorialEvent

NAME = "promoting.json"
"""Name of the plan in `local/`."""


@dataclass(frozen=True)
class Placing:
    """A file to write: from a kept copy, another file, or `text`.

    `replaces`: digest of the existing file that it may replace; empty if there may be none."""

    path: str
    sha256: str
    source: str = ""
    text: str | None = None
    replaces: str = ""


_PLACING = {"path": str, "sha256": str, "source": str, "text": str | None, "replaces": str}
_SHAPE = {"event": {str: object}, "places": [_PLACING], "removes": {str: str}}


@dataclass(frozen=True)
class Act:
    """A plan: `places` are written, then `removes` deleted (path and digest), then `event` logged."""

    event: EditorialEvent
    places: tuple[Placing, ...] = ()
    removes: Mapping[str, str] = field(default_factory=dict)


def carry_out(corpus: CorpusFolder, act: Act) -> None:
    """Carry out a plan completely or not at all. Call under the lock. Raises `NotPromoted` if a file is in the way."""
    if problem := _blocked(corpus, act.places):
        raise NotPromoted(problem, "move it away, then the same once more")
    body = {"event": act.event.as_object(), "places": [asdict(place) for place in act.places], "removes": act.removes}
    seals.write_sealed(corpus.local / NAME, json.dumps(body, separators=(",", ":")).encode())
    _finish(corpus, act)


def resume(corpus: CorpusFolder) -> None:
    """Finish the plan of an interrupted writer. Call under the lock."""
    where = corpus.local / NAME
    if not os.path.lexists(where):
        return
    body = seals.read_sealed(where)
    if body is None:  # cut short before any change, or from another machine
        files.remove(where)
        return
    act = _begun(body)
    if act is None or _blocked(corpus, act.places):
        files.remove(where)
        return
    _finish(corpus, act)


def _begun(body: bytes) -> Act | None:
    """Parse a plan; None if it is invalid. Raises `NewerSchema` if a newer Biblicus wrote it and must finish it."""
    document = seals.read_shaped(body, {str: object}, None)
    if document is None:
        return None
    if isinstance(version := document.pop(seals.VERSION, 1), int) and version > 1:
        raise NewerSchema(f".biblicus/local/{NAME}", version, 1)
    if not fits(document, _SHAPE):
        return None
    try:
        event = EditorialEvent.of(json.dumps(document["event"], ensure_ascii=False, separators=(",", ":")).encode())
    except ValueError:
        return None
    return Act(event, tuple(Placing(**place) for place in document["places"]), document["removes"])


def keep(corpus: CorpusFolder, path: str, sha256: str) -> None:
    """Keep a copy of approved bytes, named by their digest. Call under the lock. Raises `NotPromoted`."""
    data = files.read(corpus.inside(path), limit=corpus.settings.max_file_bytes)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise NotPromoted(f"{path} changed while it was read.", "the same once more")
    keep_text(corpus, data)


def keep_text(corpus: CorpusFolder, data: bytes) -> str:
    """Keep a copy of approved bytes and return their digest. Call under the lock."""
    sha256 = hashlib.sha256(data).hexdigest()
    if kept_bytes(corpus, sha256) is None:
        files.make_folder(corpus.approved)
        files.write(corpus.approved / sha256, encoded(data))
    return sha256


def _blocked(corpus: CorpusFolder, places: Iterable[Placing]) -> str:
    """Return a sentence that names the file in the way, or an empty string."""
    for place in places:
        where = corpus.inside(place.path)
        if os.path.lexists(where) and digest_at(corpus, place.path) not in {place.sha256, place.replaces}:
            return f"{place.path} is there, and nothing is written over."
        if place.sha256 not in (_source_digest(corpus, place), digest_at(corpus, place.path)):
            return f"{place.source or place.path} changed meanwhile."
    return ""


def _source_digest(corpus: CorpusFolder, place: Placing) -> str | None:
    if place.text is not None:
        return hashlib.sha256(place.text.encode("utf-8", "surrogateescape")).hexdigest()
    if kept_bytes(corpus, place.sha256) is not None:
        return place.sha256
    return digest_at(corpus, place.source) if place.source else None


def _finish(corpus: CorpusFolder, act: Act) -> None:
    for place in act.places:
        _put(corpus, place)
    for path, sha256 in act.removes.items():
        if digest_at(corpus, path) == sha256:
            files.remove(corpus.inside(path))
    log.add(corpus, act.event)
    files.remove(corpus.local / NAME)


def _put(corpus: CorpusFolder, place: Placing) -> None:
    now = digest_at(corpus, place.path)
    if now == place.sha256:
        return
    where = corpus.inside(place.path)
    files.make_folder(where.parent)
    if place.text is not None:
        files.write(where, place.text.encode("utf-8", "surrogateescape"), replace=now is not None)
        return
    source = corpus.inside(place.source or place.path)
    mode = source.stat().st_mode & 0o777 if source.is_file() else None
    approved = kept_bytes(corpus, place.sha256)
    files.write(where, files.blocks(source) if approved is None else approved, replace=now is not None, mode=mode)
