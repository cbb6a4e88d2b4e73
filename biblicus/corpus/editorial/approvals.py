"""The layer of each item, which of its bytes are shown, and how a promotion or a retraction is carried out.

While an edit of an approved item is pending, the approved bytes are read from `.biblicus/approved` instead. The
catalog, runs and all commands show them, until the edit is approved.

A plan is first written down, durably and sealed by this machine. Then files are written, moved files are removed, and
the line is added to the log. The next writer finishes an interrupted plan, so a crash leaves the old state or the new
one. A file that somebody changed meanwhile is left unchanged, and nothing is approved."""

from __future__ import annotations

import hashlib
import json
import os
import time
from base64 import b64decode, encodebytes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from biblicus.config import Layer
from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, parse_line
from biblicus.corpus.editorial import log
from biblicus.corpus.editorial.log import EditorialLog, read
from biblicus.corpus.extracted.transcripts import of_item
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, seals
from biblicus.disk.seals import fits
from biblicus.errors import NewerSchema, NotPromoted, UnknownName, UnsafeInput
from biblicus.models.editorial import EditorialEvent
from biblicus.models.item import Item
from biblicus.sources.folder import SIDECAR
from biblicus.text.fitting import matches_path

if TYPE_CHECKING:
    from biblicus.models.evidence import Approval

KEY, EXPIRES = "layer", "expires"
LEFT_OUT = " pending"
"""Suffix of an approval id if the layer hides the item while an edit is pending."""
NAME = "promoting.json"
"""Name of the plan in `local/`."""


class Approved(Protocol):
    """An item, or its row in a run, as far as its approval needs it."""

    @property
    def path(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def layer(self) -> str | None: ...
    @property
    def approval(self) -> str | None: ...


class Standing(NamedTuple):
    """The approval of a path. `is_pending`: the current file differs. `is_kept`: the approved bytes are available."""

    event: EditorialEvent
    is_pending: bool
    is_kept: bool

    @property
    def sidecar(self) -> str | None:
        """Return the digest of the approved sidecar."""
        return self.event.beside.get(self.event.to_path + SIDECAR)


def layer_named(corpus: CorpusFolder, name: str) -> Layer:
    """Return the layer of this name. Raises `UnknownName`."""
    layers = corpus.config.layers
    named_layer = next((layer for layer in layers if layer.name == name), None)
    if named_layer is None:
        hint = "" if layers else "edit .biblicus/config.yml: layers"
        raise UnknownName("layer", name, [layer.name for layer in layers], hint)
    return named_layer


def check_named(corpus: CorpusFolder, names: Sequence[str]) -> None:
    """Raise `UnknownName` if the corpus lacks one of these layers."""
    for name in names:
        layer_named(corpus, name)


def layer_of(
    layers: Sequence[Layer], path: str, metadata: Mapping[str, Any], approval: EditorialEvent | None = None
) -> str | None:
    """Return the layer of an item, or None.

    In order: the most trusted layer whose path matches, the approved layer, the item's `layer` key. Else the least
    trusted layer, if it has neither a path nor a base."""
    by_path = (layer.name for layer in reversed(layers) if layer.path and matches_path(path, (layer.path,)))
    if (name := next(by_path, None)) is not None:
        return name
    by_key = {layer.name for layer in layers if not layer.path}
    if approval is not None and approval.layer in by_key:
        return approval.layer
    if (layer_name := metadata.get(KEY)) in by_key:
        return str(layer_name)
    first = layers[0]
    return first.name if not first.path and first.base is None else None


def standing_of(corpus: CorpusFolder, path: str, transcript: str = "") -> Standing | None:
    """Compare the approval of a path with its current file; None if it was never approved.

    `transcript`: path of a recording's transcript. Raises `EditorialLogDamaged`."""
    event = read(corpus).standing.get(path)
    if event is None:
        return None
    now = [path, path + SIDECAR, *([transcript] if transcript else [])]
    parts = event.parts
    differs = any(digest_at(corpus, part) != parts.get(part) for part in {*now, *parts})
    are_stored = not differs or all(is_kept(corpus, part, digest) for part, digest in parts.items())
    return Standing(event, differs, are_stored)


def digest_at(corpus: CorpusFolder, path: str) -> str | None:
    """Return the current digest of a file, or None if it cannot be read."""
    try:
        return files.sha256(corpus.inside(path))
    except (OSError, UnsafeInput):
        return None


def is_kept(corpus: CorpusFolder, path: str, digest: str) -> bool:
    """Return true if approved bytes are available, in place or as a kept copy."""
    return digest_at(corpus, path) == digest or as_approved(corpus, digest) is not None


def as_approved(corpus: CorpusFolder, sha256: str) -> bytes | None:
    """Return the kept copy of approved bytes; None if it is missing or the corpus has no layers."""
    return kept_bytes(corpus, sha256) if corpus.config.layers else None


def kept_bytes(corpus: CorpusFolder, sha256: str) -> bytes | None:
    """Return the kept bytes of a digest, or None if they are missing or damaged."""
    try:
        data = b64decode(files.read(corpus.approved / sha256, limit=files.LARGE), validate=False)
    except (OSError, UnsafeInput, ValueError):
        return None
    return data if hashlib.sha256(data).hexdigest() == sha256 else None


def encoded(data: bytes) -> bytes:
    """Encode bytes for keeping as base64, so that git does not treat the copy as a renamed file or merge edits into
    it."""
    return encodebytes(data)


def read_approved(corpus: CorpusFolder, path: str, sha256: str, limit: int | None = None) -> bytes:
    """Return a file's bytes or, if it was edited, its approved bytes. Raises `OSError`, `UnsafeInput`.
    The caller checks the digest."""
    try:
        data = files.read(corpus.inside(path), limit=limit)
    except (OSError, UnsafeInput):
        if (approved_bytes := as_approved(corpus, sha256)) is None:
            raise
        return approved_bytes
    if hashlib.sha256(data).hexdigest() == sha256:
        return data
    return data if (approved_bytes := as_approved(corpus, sha256)) is None else approved_bytes


class Trust:
    """Decides which items of a corpus may be shown on their layers.

    `as_of`: UTC, ISO 8601. `is_sealed`: for a publication, which shows items that were ever approved."""

    def __init__(self, corpus: CorpusFolder, as_of: str, *, is_sealed: bool = False) -> None:
        self._corpus = corpus
        self._layers = {layer.name: layer for layer in corpus.config.layers}
        self.log: EditorialLog = read(corpus, always=is_sealed)
        self.as_of, self.is_sealed = as_of, is_sealed

    def shows(self, item: Approved, expires: object) -> bool:
        """Return true if an item may be shown on its layer. A layer with a base requires a valid approval."""
        if self.is_sealed:
            return self.approved_once(item)
        layer = self._layers.get(item.layer or "")
        if layer is None:
            return False
        return layer.base is None or (self.approves(item) and not is_expired(expires, self.as_of))

    def approves(self, item: Approved) -> bool:
        """Return true if a current log entry approves these bytes at this path for this layer."""
        event = self.log.by_id.get(item.approval or "")
        return event is not None and event.id in self.log.standing_ids and _is_of(event, item)

    def approved_once(self, item: Approved) -> bool:
        """Return true if a log entry approved these bytes at this path, even if it was retracted later."""
        event = self.log.by_id.get(item.approval or "")
        return event is not None and event.happened == "promoted" and _is_of(event, item)

    def state(self, item: Item) -> Approval | None:
        """Return the approval state of a visible item; None if its layer requires no approval."""
        if item.approval is None:
            return "unapproved" if self.is_guarded(item.layer) else None
        if self.is_sealed:
            return "approved"
        if item.approval.endswith(LEFT_OUT):
            return "pending"
        if not self.approves(item):
            return "unapproved"
        approval = standing_of(self._corpus, item.path, of_item(item).path)
        return "pending" if approval is None or approval.is_pending else "approved"

    def is_guarded(self, layer: str | None) -> bool:
        """Return true if a layer shows only approved bytes."""
        definition = self._layers.get(layer or "")
        return definition is not None and definition.base is not None


def _is_of(event: EditorialEvent, item: Approved) -> bool:
    return (event.layer, event.to_path, event.to_sha256) == (item.layer, item.path, item.sha256)


def shown_on(corpus: CorpusFolder, layers: Sequence[str], call: Call) -> Callable[[Item], bool]:
    """Return a test whether an item may be shown now on the requested layers; without layers, all may.
    Raises `UnknownName`."""
    if not layers:
        return lambda item: True
    check_named(corpus, layers)
    trust = Trust(corpus, now_of(call))
    return lambda item: item.layer in layers and trust.shows(item, item.metadata.get(EXPIRES))


def expired_since(catalog: Catalog, since: str, call: Call) -> bool:
    """Return true if an approved item has expired since a time."""
    lines = (entry.line for entry in catalog.entries.values() if b'"expires"' in entry.line)
    items = (item for item in map(parse_line, lines) if item.approval)
    times = (item.metadata.get(EXPIRES) for item in items)
    return any(not is_expired(expires, since) and is_expired(expires, now_of(call)) for expires in times)


def now_of(call: Call) -> str:
    """Return the current second in UTC, ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(call.clock()))


def is_expired(expires: object, as_of: str) -> bool:
    """Return true if a day, month or year is over, or a time is reached."""
    if not isinstance(expires, str | int) or isinstance(expires, bool):
        return False
    text = str(expires).strip()
    return as_of >= text if "T" in text else as_of[: len(text)] > text


DERIVED_FROM = "derived_from"


@dataclass(frozen=True, slots=True)
class Orphan:
    """An item whose source has changed or is missing."""

    item_id: str
    path: str
    source: str
    reason: str


def orphaned(corpus: CorpusFolder, catalog: Catalog, items: Iterable[Item]) -> Iterator[Orphan]:
    """Yield the items derived from something that has changed or is missing."""
    for item in items:
        derived_from = item.metadata.get(DERIVED_FROM)
        entries = derived_from if isinstance(derived_from, list) else [] if derived_from is None else [derived_from]
        for entry in entries:
            source, reason = _stands(corpus, catalog, entry)
            if reason:
                yield Orphan(item.item_id, item.path, source, reason)


def _stands(corpus: CorpusFolder, catalog: Catalog, entry: object) -> tuple[str, str]:
    """Return the source that an entry names, and the problem with it; empty if there is none."""
    if not isinstance(entry, dict) or not isinstance(entry.get("item"), str):
        return "?", f"{DERIVED_FROM} is a list of: item, sha256 and, where it is a part, span"
    name: str = entry["item"]
    path = catalog.paths.get(name, name)
    source_item = catalog.items.get(path)
    if source_item is None:
        return name, f"{name} is not in the corpus, from which it was derived"
    now = source_item.sha256 if source_item.approval else digest_at(corpus, path)
    if now != entry.get("sha256"):
        return path, f"{path} changed since it was derived from it"
    return path, ""


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
