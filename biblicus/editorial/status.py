"""Editorial status: approved, pending, expired and orphaned items; the log; differences from the approved bytes.

A layer may require checks for a promotion: `verify`, `links`, `eval`. Each returns a problem, or nothing."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from posixpath import normpath
from typing import NamedTuple

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of, named
from biblicus.corpus.described.links import addresses_in
from biblicus.corpus.editorial import log as editorial
from biblicus.corpus.editorial.approvals import (
    EXPIRES,
    Orphan,
    Trust,
    digest_at,
    is_expired,
    now_of,
    orphaned,
    read_approved,
    standing_of,
)
from biblicus.corpus.extracted.transcripts import of_item
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import NotPromoted, UnsafeInput
from biblicus.errors.families import typed
from biblicus.measure.golden import check_golden
from biblicus.models.editorial import EditorialEvent
from biblicus.models.fields import NoRequest
from biblicus.models.item import Item
from biblicus.models.plain import LEFT_OUT
from biblicus.models.requests.editorial import EditorialDiffRequest, EditorialLogRequest
from biblicus.models.requests.measure import GoldenRequest
from biblicus.text.decoding import decode, is_binary
from biblicus.text.links import link_to


@dataclass(frozen=True, slots=True)
class LayerState:
    """Numbers of a layer.

    `base`: the layer from which items are promoted. Layers with approval count the approved items, those of them
    pending or expired, and items without approval."""

    name: str
    items: int
    base: str | None = field(default=None, metadata=LEFT_OUT)
    approved: int = 0
    pending: int = 0
    expired: int = 0
    unapproved: int = 0


@dataclass(frozen=True, slots=True)
class EditorialNote:
    """An item that needs attention."""

    path: str
    layer: str
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class EditorialStatus:
    """Status of the layers. `notes`: items pending, unapproved, expired, or approved and gone.

    `orphaned`: items derived from something that has changed since."""

    layers: tuple[LayerState, ...]
    notes: tuple[EditorialNote, ...]
    orphaned: tuple[Orphan, ...]


@dataclass(frozen=True, slots=True)
class EditorialLines:
    """Entries of the log, newest first."""

    events: tuple[EditorialEvent, ...]


@dataclass(frozen=True, slots=True)
class EditorialDiff:
    """Difference of a file from its approved bytes: `diff` as in git; empty if there is none.

    `is_binary`: the bytes that differ are not text."""

    path: str
    layer: str
    approved_sha256: str
    sha256: str
    diff: str
    is_binary: bool = False


class _Kind(NamedTuple):
    """Status of an item in a layer with approval, and a note on it."""

    name: str
    note: EditorialNote | None = None


def status(corpus: CorpusFolder, request: NoRequest, call: Call) -> EditorialStatus:
    """Return the status of every layer from the current folder and log."""
    catalog = catalog_of(corpus)
    trust = Trust(corpus, now_of(call))
    counts: dict[str, dict[str, int]] = {layer.name: {"items": 0} for layer in corpus.config.layers}
    notes: list[EditorialNote] = []
    items = list(catalog.items.values())
    for item in items:
        call.check()
        if item.layer not in counts:
            continue
        count = counts[item.layer]
        count["items"] += 1
        if trust.is_guarded(item.layer):
            kind = _kind(corpus, trust, item)
            count[kind.name] = count.get(kind.name, 0) + 1
            notes += [kind.note] if kind.note else []
    paths = {item.path for item in items}
    for path, event in sorted(trust.log.standing.items()):
        if path not in paths:
            name = typed(path)
            reason, hint = "approved, and its file is gone", f"git checkout {name}, or biblicus retract {name}"
            if os.path.lexists(corpus.inside(path)):
                reason, hint = "approved, and no item", "biblicus reindex, which says why"
            notes.append(EditorialNote(path, event.layer, reason, hint))
    bases = {layer.name: layer.base for layer in corpus.config.layers}
    layers = tuple(LayerState(name, base=bases[name], **count) for name, count in counts.items())
    return EditorialStatus(layers, tuple(notes), tuple(orphaned(corpus, catalog, items)))


def _kind(corpus: CorpusFolder, trust: Trust, item: Item) -> _Kind:
    layer = item.layer or ""
    approval = standing_of(corpus, item.path, of_item(item).path)
    if approval is None or approval.event.layer != layer:
        hint = f"biblicus promote {typed(item.path)} --to {layer}"
        return _Kind("unapproved", EditorialNote(item.path, layer, "not approved", hint))
    if is_expired(item.metadata.get(EXPIRES), trust.as_of):
        reason = f"expired ({item.metadata[EXPIRES]})"
        return _Kind("expired", EditorialNote(item.path, layer, reason, f"edit {item.path}"))
    if not approval.is_pending:
        return _Kind("approved")
    reason = "edited since it was approved" if approval.is_kept else "edited, and what was approved is gone"
    hint = f"biblicus editorial diff {typed(item.path)}" if approval.is_kept else "git checkout .biblicus/approved"
    return _Kind("pending", EditorialNote(item.path, layer, reason, hint))


def log(corpus: CorpusFolder, request: EditorialLogRequest, call: Call) -> EditorialLines:
    """Return entries of the log, newest first."""
    events = list(reversed(editorial.read(corpus).events))
    if request.item is not None:
        name = request.item.removeprefix("./")
        events = [event for event in events if name in (event.item_id, event.from_path, event.to_path)]
    return EditorialLines(tuple(events[: request.limit]))


def diff(corpus: CorpusFolder, request: EditorialDiffRequest, call: Call) -> EditorialDiff:
    """Return the difference of an item's file from its approved bytes. Raises `NotPromoted` if it has none."""
    item = named(catalog_of(corpus), request.item)
    event = editorial.read(corpus).standing.get(item.path)
    if event is None:
        raise NotPromoted(f"{item.path} is not approved for any layer.", "biblicus editorial status")
    parts: list[str] = []
    binary = False
    for path in sorted({*event.parts, item.path}):
        approved, now = _bytes_of(corpus, path, event.parts.get(path)), _bytes_of(corpus, path)
        if approved == now:
            continue
        if is_binary(approved[:8192]) or is_binary(now[:8192]):
            binary = True
            continue
        before, after = (decode(raw).text.splitlines(keepends=True) for raw in (approved, now))
        lines = difflib.unified_diff(before, after, f"approved/{path}", path)
        parts += [line if line.endswith("\n") else f"{line}\n" for line in lines]
    now_sha256 = digest_at(corpus, item.path) or ""
    return EditorialDiff(item.path, event.layer, event.to_sha256, now_sha256, "".join(parts), binary)


def _bytes_of(corpus: CorpusFolder, path: str, sha256: str | None = None) -> bytes:
    """Return the bytes of a file, or its approved bytes; empty if unreadable."""
    try:
        limit = corpus.settings.max_text_bytes
        return read_approved(corpus, path, sha256, limit) if sha256 else files.read(corpus.inside(path), limit=limit)
    except (OSError, UnsafeInput):
        return b""


class Candidate(NamedTuple):
    """Item to promote: its catalog entry, its file's current bytes, and the target path."""

    item: Item
    raw: bytes
    target: str


def problems(corpus: CorpusFolder, wanted: tuple[str, ...], candidate: Candidate, call: Call) -> Iterator[str]:
    """Yield the problems, check by check."""
    catalog = catalog_of(corpus)
    for name in wanted:
        call.check()
        if problem := _CHECKS[name](corpus, catalog, candidate, call):
            yield f"{name}: {problem}"


def _verify(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check that the item's recorded origins exist with the recorded bytes."""
    return next((problem.reason for problem in orphaned(corpus, catalog, [candidate.item])), "")


def _links(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check that the targets of relative links exist."""
    folder = PurePosixPath(candidate.target).parent
    for address, line in addresses_in(decode(candidate.raw).text, candidate.item.media_type):
        link = link_to(address, line)
        if link is None or link.name.startswith("/"):
            continue
        path = normpath(str(folder / link.name))
        if path.startswith(".."):
            return f"{address} leads out of the corpus"
        if not corpus.inside(path).exists():
            return f"{path} is not there, to which it links"
    return ""


def _eval(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check the golden questions with the current index."""
    report = check_golden(corpus, GoldenRequest(), call)
    return next(
        (f"the golden question {case.question!r} does not hold" for case in report.golden if not case.holds), ""
    )


_Check = Callable[[CorpusFolder, Catalog, Candidate, Call], str]
_CHECKS: Mapping[str, _Check] = {"verify": _verify, "links": _links, "eval": _eval}
