"""Carries out a promotion or a retraction, and finishes one that was interrupted.

What is to be done is written down first, durably and under this machine's seal; then files are put in place, those that
moved are removed, and the line is added to the log. Whoever writes next finishes what was begun, so that a crash leaves
the old state or the new one. A file that somebody else changed meanwhile is left as it is, and nothing is approved.
"""

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
"""In `local/`: what is being done."""


@dataclass(frozen=True)
class Placing:
    """A file to be put in place: these bytes, from where they are kept, from another file, or as they stand here.
    `replaces`: the digest of what may lie there; empty where nothing may."""

    path: str
    sha256: str
    source: str = ""
    text: str | None = None
    replaces: str = ""


_PLACING = {"path": str, "sha256": str, "source": str, "text": str | None, "replaces": str}
_SHAPE = {"event": {str: object}, "places": [_PLACING], "removes": {str: str}}


@dataclass(frozen=True)
class Act:
    """What is to be done: `event` says it, `places` come, then `removes` go, by path and digest."""

    event: EditorialEvent
    places: tuple[Placing, ...] = ()
    removes: Mapping[str, str] = field(default_factory=dict)


def carry_out(corpus: CorpusFolder, act: Act) -> None:
    """Do it, whole or not at all. Under the lock. Raises `NotPromoted` where a file is in the way."""
    if problem := _blocked(corpus, act.places):
        raise NotPromoted(problem, "move it away, then the same once more")
    body = {"event": act.event.as_object(), "places": [asdict(place) for place in act.places], "removes": act.removes}
    seals.write_sealed(corpus.local / NAME, json.dumps(body, separators=(",", ":")).encode())
    _finish(corpus, act)


def resume(corpus: CorpusFolder) -> None:
    """Finish what a writer began that died. Under the lock."""
    where = corpus.local / NAME
    if not os.path.lexists(where):
        return
    body = seals.read_sealed(where)
    if body is None:  # cut short: nothing was begun; or another machine's
        files.remove(where)
        return
    act = _begun(body)
    if act is None or _blocked(corpus, act.places):
        files.remove(where)
        return
    _finish(corpus, act)


def _begun(body: bytes) -> Act | None:
    """What was written down; None where it is no such thing. Raises `NewerSchema`: what a newer Biblicus began, it has
    to finish."""
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
    """Keep bytes that are approved, named by their digest. Under the lock. Raises `NotPromoted`."""
    data = files.read(corpus.inside(path), limit=corpus.settings.max_file_bytes)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise NotPromoted(f"{path} changed while it was read.", "the same once more")
    keep_text(corpus, data)


def keep_text(corpus: CorpusFolder, data: bytes) -> str:
    """Keep bytes that are approved; their digest. Under the lock."""
    sha256 = hashlib.sha256(data).hexdigest()
    if kept_bytes(corpus, sha256) is None:
        files.make_folder(corpus.approved)
        files.write(corpus.approved / sha256, encoded(data))
    return sha256


def _blocked(corpus: CorpusFolder, places: Iterable[Placing]) -> str:
    """What is in the way, as a sentence; empty where nothing is."""
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
    kept = kept_bytes(corpus, place.sha256)
    files.write(where, files.blocks(source) if kept is None else kept, replace=now is not None, mode=mode)
