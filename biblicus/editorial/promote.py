"""Promote and retract: a file operation visible to git, a copy of the approved bytes, and one line in the log."""

from __future__ import annotations

import getpass
import hashlib
import os
import shlex
import time
from calendar import timegm
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal

from biblicus.config import Layer
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import catalog_of, named
from biblicus.corpus.changes.synced import synced_from
from biblicus.corpus.described.describe import derived_id
from biblicus.corpus.described.sidecars import changed
from biblicus.corpus.editorial import log as editorial
from biblicus.corpus.editorial.approvals import (
    DERIVED_FROM,
    KEY,
    Act,
    Placing,
    carry_out,
    digest_at,
    keep,
    keep_text,
    kept_bytes,
    layer_named,
    standing_of,
)
from biblicus.corpus.editorial.log import EditorialLog
from biblicus.corpus.extracted.transcripts import paired
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.disk import files
from biblicus.editorial.status import Candidate, problems
from biblicus.errors import BiblicusError, ItemNotFound, NotPromoted, Refused
from biblicus.errors.families import typed
from biblicus.guards import yaml
from biblicus.models.editorial import EditorialEvent, Happened
from biblicus.models.item import Item
from biblicus.models.plain import LEFT_OUT
from biblicus.models.requests.editorial import PromoteRequest, RetractRequest
from biblicus.runs.reindex import index_changes
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import file_of, is_member

_AHEAD = 3600


@dataclass(frozen=True)
class Promotion:
    """Result of a promotion or retraction.

    `outcome`: `reviewed` if more reviews are required; `already` if nothing changed. `event`: the line of the log.
    `reviewers`: reviewers of these bytes; `reviews`: number required. `note`: further information."""

    outcome: Literal["promoted", "reviewed", "already", "retracted"]
    item_id: str
    layer: str
    from_path: str
    path: str
    sha256: str
    by: str
    event: str
    reviewers: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    reviews: int = 1
    checks: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    note: str = field(default="", metadata=LEFT_OUT)


def promote(corpus: CorpusFolder, request: PromoteRequest, call: Call) -> Promotion:
    """Approve an item's bytes for a layer. Raises `NotPromoted`, `UnknownName`, `ItemNotFound`."""
    return _shown(corpus, _promoted(corpus, request, call), request.index, call)


def _shown(corpus: CorpusFolder, done: Promotion, index: bool, call: Call) -> Promotion:
    """Return the result after indexing it, if anything is indexed."""
    header = catalogs.read_header(corpus) if index and done.outcome in ("promoted", "retracted") else None
    if header is None or not header.latest:
        return done
    try:
        index_changes(corpus, call)
    except BiblicusError as error:  # it is done all the same
        return replace(done, note=f"{done.note} It is not indexed: {error.message}".strip())
    return done


def _promoted(corpus: CorpusFolder, request: PromoteRequest, call: Call) -> Promotion:
    with corpus.writing(call):
        layer = layer_named(corpus, request.to)
        if layer.base is None:
            raise NotPromoted(f"{layer.name} takes what is put there: nothing is promoted to it.", "biblicus list")
        refresh(corpus, call)
        log = editorial.read(corpus)
        try:
            item = named(catalog_of(corpus), request.item)
        except ItemNotFound:
            if (before := _done_before(corpus, log, request)) is None:
                raise
            return before
        promotion = _Promoting(corpus, layer, log, item, request, call).run()
        refresh(corpus, call)
        return promotion


def _done_before(corpus: CorpusFolder, log: EditorialLog, request: PromoteRequest) -> Promotion | None:
    """Return the same earlier promotion, if it moved the file away and is still valid."""
    for event in reversed(log.events):
        if event.from_path == request.item.removeprefix("./") and event.layer == request.to and event.way == "move":
            approval = standing_of(corpus, event.to_path)
            if approval is not None and approval.event == event and not approval.is_pending:
                return _told("already", event)
    return None


def _told(
    outcome: Literal["promoted", "reviewed", "already", "retracted"],
    event: EditorialEvent,
    reviewers: tuple[str, ...] = (),
    reviews: int = 1,
    note: str = "",
) -> Promotion:
    facts = event.item_id, event.layer, event.from_path, event.to_path, event.to_sha256, event.by, event.id
    return Promotion(outcome, *facts, reviewers, reviews, event.checks, note)


class _Promoting:
    """One promotion, with the lock held."""

    def __init__(
        self, corpus: CorpusFolder, layer: Layer, log: EditorialLog, item: Item, request: PromoteRequest, call: Call
    ) -> None:
        self.corpus, self.layer, self.log, self.item, self.request, self.call = corpus, layer, log, item, request, call
        self.entries = catalog_of(corpus).entries
        self.here = item.path
        self.by = request.reviewer or who()

    def run(self) -> Promotion:
        if is_member(self.here):
            file = file_of(self.here)
            raise Refused(
                f"{self.here} lies in {file}, which is promoted as a whole.", f"biblicus promote {typed(file)}"
            )
        target, way = self._way()
        parts = parts_at(self.corpus, self.here)
        approval = self.log.standing.get(self.here)
        if way == "stay" and approval is not None and approval.layer == self.layer.name and approval.parts == parts:
            return _told("already", approval)
        self._check(target)
        before = self.log.reviewers(self.layer.name, self.here, parts)
        reviewers = tuple(dict.fromkeys((*before, self.by)))
        required_reviews = self.layer.requires.reviews
        if len(reviewers) < required_reviews:
            event = self._event("reviewed", "stay", self.here, parts)
            if self.by not in before:
                carry_out(self.corpus, Act(event))
            return _told("reviewed", event, reviewers, required_reviews)
        act = self._act(target, way, parts)
        carry_out(self.corpus, act)
        return _told("promoted", act.event, reviewers, required_reviews)

    def _way(self) -> tuple[str, str]:
        """Return the target path, and the kind of operation. Raises `NotPromoted`."""
        layer, here = self.layer, self.here
        if self.item.layer == layer.name:
            return here, "stay"
        if self.item.layer != layer.base:
            where = f"in {self.item.layer}" if self.item.layer else "in no layer"
            base = layer_named(self.corpus, layer.base or "")
            remedy = f"biblicus promote {typed(here)} --to {layer.base}"
            if base.base is None:  # takes the files put there
                remedy = (
                    f"{shlex.join(['mv', here, base.folder])}, then again"
                    if base.folder
                    else "edit .biblicus/config.yml"
                )
            raise NotPromoted(f"{here} is {where}, and {layer.name} is promoted from {layer.base}.", remedy)
        base = layer_named(self.corpus, layer.base or "")
        if base.base is not None:
            approval = standing_of(self.corpus, here, _transcript(self.corpus, here))
            if approval is None or approval.is_pending or approval.event.layer != base.name:
                remedy = f"biblicus promote {typed(here)} --to {base.name}"
                raise NotPromoted(f"{here} is not approved in {base.name} as it is now.", remedy)
        if not layer.path:
            return here, "key"
        if layer.by == "move" and (source := synced_from(self.corpus, here)):
            raise NotPromoted(
                f"{here} follows the source {source}, and would come again.", f"by: copy, in the layer {layer.name}"
            )
        return layer.folder + here.removeprefix(base.folder), layer.by

    def _check(self, target: str) -> None:
        checks = self.layer.requires.checks
        raw = files.read(self.corpus.inside(self.here), limit=self.corpus.settings.max_file_bytes) if checks else b""
        for problem in problems(self.corpus, checks, Candidate(self.item, raw, target), self.call):
            raise NotPromoted(
                f"{self.here} does not pass what {self.layer.name} asks: {problem}.", "mend it, then again"
            )

    def _act(self, target: str, way: str, parts: Mapping[str, str]) -> Act:
        """Return the operations; the approved bytes are already stored."""
        for path, sha256 in parts.items():
            keep(self.corpus, path, sha256)
        if way == "stay":
            return Act(self._event("promoted", way, target, parts))
        if way == "key":
            placed = self._own_sidecar(target, target, {KEY: self.layer.name})
            return Act(self._event("promoted", way, target, {**parts, placed.path: placed.sha256}), (placed,))
        if not self._may_replace(target):
            raise NotPromoted(
                f"{target} is there, and nothing is written over.", f"biblicus editorial diff {typed(target)}"
            )
        there = _moved(parts, self.here, target)
        places = {new: Placing(new, parts[old], source=old, replaces=self._digest(new)) for new, old in there.items()}
        fields: dict[str, Any] = {}
        if way == "copy":
            source = {"item": self.item.item_id, "sha256": parts[self.here]}
            fields = {"id": self._id_of(target), DERIVED_FROM: [source]}
        elif (replaced := self.entries.get(target)) and (origin := self.log.origin(self.here)) and origin.way == "copy":
            fields = {"id": replaced.item_id}  # the copy's own id would make it another item
        if fields:
            places[target + SIDECAR] = self._own_sidecar(target, self.here, fields)
        now = {path: place.sha256 for path, place in places.items()}
        removes = dict(parts) if way == "move" else {}
        left = {path: sha256 for path, sha256 in self._parts_there(target).items() if path not in now}
        for path, sha256 in left.items():  # parts approved there: the old sidecar is kept, other transcripts are not
            (now if path == target + SIDECAR else removes)[path] = sha256
        return Act(self._event("promoted", way, target, now), tuple(places.values()), removes)

    def _id_of(self, target: str) -> str:
        """Return the id of a copy: its current one, or the first unused one."""
        if (before := self.entries.get(target)) is not None:
            return before.item_id
        taken = {entry.item_id for entry in self.entries.values()}
        return next(free for number in count() if (free := derived_id(target, number)) not in taken)

    def _own_sidecar(self, path: str, source: str, fields: Mapping[str, Any]) -> Placing:
        """Return the writing of a sidecar with more fields than that of `source`; it is stored as approved."""
        text = changed(_sidecar_text(self.corpus, source), path, fields)
        keep_text(self.corpus, text.encode())
        return _sidecar(path, text, self._digest(path + SIDECAR))

    def _digest(self, path: str) -> str:
        return digest_at(self.corpus, path) or ""

    def _parts_there(self, target: str) -> dict[str, str]:
        """Return the parts of the replaced item by path; none if there is none."""
        return parts_at(self.corpus, target) if os.path.lexists(self.corpus.inside(target)) else {}

    def _may_replace(self, target: str) -> bool:
        """Check if the target is free, or has only an unedited earlier promotion of this file."""
        if not any(os.path.lexists(self.corpus.inside(path)) for path in (target, target + SIDECAR)):
            return True
        approval, origin = standing_of(self.corpus, target), self.log.origin(target)
        return bool(approval and origin and not approval.is_pending and origin.from_path == self.here)

    def _event(self, happened: Happened, way: str, target: str, parts: Mapping[str, str]) -> EditorialEvent:
        return EditorialEvent(
            at=now_after(self.log, self.call),
            happened=happened,
            item_id=self.item.item_id,
            layer=self.layer.name,
            way=way,
            from_path=self.here,
            from_sha256=digest_at(self.corpus, self.here) or "",
            to_path=target,
            to_sha256=parts[target],
            beside={path: sha256 for path, sha256 in parts.items() if path != target},
            by=self.by,
            reason=self.request.reason,
            checks=self.layer.requires.checks,
        )


def retract(corpus: CorpusFolder, request: RetractRequest, call: Call) -> Promotion:
    """Retract an approval. Raises `NotPromoted`, `ItemNotFound`.

    The file moves back to its origin, with any pending edit; a copy is deleted unless it was edited."""
    return _shown(corpus, _retracted(corpus, request, call), request.index, call)


def _retracted(corpus: CorpusFolder, request: RetractRequest, call: Call) -> Promotion:
    with corpus.writing(call):
        refresh(corpus, call)
        log = editorial.read(corpus)
        try:
            item = named(catalog_of(corpus), request.item)
        except ItemNotFound:
            if (gone := _of_gone(corpus, log, request)) is None:
                raise
            act, note = Act(_retraction(log, gone, "stay", gone.to_path, gone.to_sha256, request, call)), ""
        else:
            event = log.standing.get(item.path)
            if event is None:
                raise NotPromoted(f"{item.path} is not approved for any layer.", "biblicus editorial status")
            act, note = _taking_back(corpus, log, item, event, request, call)
        carry_out(corpus, act)
        refresh(corpus, call)
        return _told("retracted", act.event, note=note)


def _taking_back(
    corpus: CorpusFolder, log: EditorialLog, item: Item, event: EditorialEvent, request: RetractRequest, call: Call
) -> tuple[Act, str]:
    """Return the operations, and a note."""
    here = item.path
    origin = log.origin(here)
    way = origin.way if origin else "stay"
    parts = parts_at(corpus, here)
    target, places, removes, note = here, list[Placing](), dict[str, str](), ""
    if origin and way == "move":
        target = origin.from_path
        _refuse_outside(target)
        there = _moved(parts, here, target)
        places = [Placing(new, parts[old], source=old) for new, old in there.items()]
        if (copied_id := _id_as_copied(corpus, log, target)) and here + SIDECAR in parts:  # promoted with another id
            text = changed(_sidecar_text(corpus, here), target, {"id": copied_id})
            places = [*(place for place in places if place.path != target + SIDECAR), _sidecar(target, text)]
        removes = parts
    elif way == "copy":
        target = here
        if parts == event.parts:
            removes = parts
        else:
            note = f"{here} was edited, and stays where it is; it is approved no longer"
    elif origin and way == "key":
        base = next((layer.base for layer in corpus.config.layers if layer.name == event.layer), None)
        text = changed(_sidecar_text(corpus, here), here, {KEY: base or ""})
        places = [_sidecar(here, text, digest_at(corpus, here + SIDECAR) or "")]
    retracted = _retraction(log, replace(event, item_id=item.item_id), way, target, parts[here], request, call)
    return Act(retracted, tuple(places), removes), note


def _id_as_copied(corpus: CorpusFolder, log: EditorialLog, path: str) -> str:
    """Return the id of a copy at a path before its next promotion; empty if it was no copy."""
    copied = log.origin(path)
    if copied is None or copied.way != "copy":
        return ""
    sidecar_bytes = kept_bytes(corpus, copied.parts.get(path + SIDECAR, ""))
    sidecar_values = yaml.read(sidecar_bytes.decode()) if sidecar_bytes else None
    return str(sidecar_values.get("id", "")) if isinstance(sidecar_values, dict) else ""


def _of_gone(corpus: CorpusFolder, log: EditorialLog, request: RetractRequest) -> EditorialEvent | None:
    """Return the approval of a path whose file is gone, which can be retracted too."""
    event = log.standing.get(request.item.removeprefix("./"))
    return event if event is not None and not os.path.lexists(corpus.inside(event.to_path)) else None


def _retraction(
    log: EditorialLog, event: EditorialEvent, way: str, target: str, sha256: str, request: RetractRequest, call: Call
) -> EditorialEvent:
    """Return the log entry of a retraction."""
    return EditorialEvent(
        at=now_after(log, call),
        happened="retracted",
        item_id=event.item_id,
        layer=event.layer,
        way=way,
        from_path=event.to_path,
        from_sha256=event.to_sha256,
        to_path=target,
        to_sha256=sha256,
        by=request.reviewer or who(),
        reason=request.reason,
    )


def _refuse_outside(path: str) -> None:
    """Raise `Refused` if a log entry refers to a path outside the corpus."""
    parts = path.split("/")
    if path.startswith("/") or {"", ".", ".."} & set(parts) or parts[0] in (FOLDER, ".git"):
        raise Refused(f"The log says that the file came from {path}, which is no place in the corpus.")


def parts_at(corpus: CorpusFolder, path: str) -> dict[str, str]:
    """Return the current digests of an item's file, sidecar and transcript, by path."""
    attached_paths = [path + SIDECAR, _transcript(corpus, path)]
    digests = {part: digest for part in (path, *attached_paths) if part and (digest := digest_at(corpus, part))}
    if path not in digests:
        raise NotPromoted(f"{path} cannot be read.", f"biblicus show {typed(path)}")
    return digests


def _transcript(corpus: CorpusFolder, path: str) -> str:
    """Return the path of a recording's transcript; empty if there is none."""
    folder, slash, _ = path.rpartition("/")
    names = os.listdir(corpus.inside(path).parent)
    return paired(folder + slash + name for name in names).get(path, "")


def _moved(parts: Iterable[str], here: str, target: str) -> dict[str, str]:
    """Return the old path of each part by its new one; a transcript stays beside its recording."""
    folder, slash, _ = target.rpartition("/")
    return {
        target + path.removeprefix(here) if path.startswith(here) else folder + slash + path.rpartition("/")[2]: path
        for path in parts
    }


def _sidecar(path: str, text: str, replaces: str = "") -> Placing:
    """Return the writing of a sidecar."""
    sha256 = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    return Placing(path + SIDECAR, sha256, text=text, replaces=replaces)


def _sidecar_text(corpus: CorpusFolder, path: str) -> str:
    where = corpus.inside(path + SIDECAR)
    return files.read(where, limit=files.SMALL).decode("utf-8", "replace") if where.exists() else ""


def who() -> str:
    """Return the user's name from git or the system; it is not verified."""
    if name := os.environ.get("GIT_AUTHOR_NAME", "").strip():
        return name
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def now_after(log: EditorialLog, call: Call) -> str:
    """Return the time of a new log entry: after the last one, unless that is an hour or more ahead."""
    microseconds = int(call.clock() * 1_000_000)
    if log.events and (last := _microseconds(log.events[-1].at)) < microseconds + _AHEAD * 1_000_000:
        microseconds = max(microseconds, last + 1)
    seconds, rest = divmod(microseconds, 1_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest:06}Z"


def _microseconds(at: str) -> int:
    return timegm(time.strptime(at[:19], "%Y-%m-%dT%H:%M:%S")) * 1_000_000 + int(at[20:26])
