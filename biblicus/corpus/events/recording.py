"""Create the log's events for a change of the catalog or a new run, under the lock.

In one log the events lead from one state of the catalog to the next without a gap: an item ingested, changed or
removed, in order of path. A reader that keeps its last cursor misses none and sees none twice (see `reading`)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from biblicus.contracts import Call
from biblicus.corpus.events import log
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.models.manifest import Manifest

if TYPE_CHECKING:
    from biblicus.corpus.report import Report  # it imports this module

_FIELDS = re.compile(
    rb'\{("item_id":"[^"]*","path":"(?:[^"\\]|\\.)*"),"media_type":"[^"]*","bytes":\d+,("sha256":"\w*")'
)


def recording_items(
    corpus: CorpusFolder,
    report: Report,
    old: Mapping[str, Entry],
    new: Mapping[str, Entry],
    states: tuple[str, str],
    call: Call,
) -> AbstractContextManager[None]:
    """Log the change from the entries `old` to `new` made within this context. `states`: the catalog's digests."""
    return log.recording(corpus, _of_items(report, old, new, _at(call)), before=states[0], state=states[1])


def recording_run(corpus: CorpusFolder, manifest: Manifest, call: Call) -> AbstractContextManager[None]:
    """Log that a run is sealed by the manifest written within this context."""
    fields = {
        "run_id": manifest.run_id,
        "recipe_id": manifest.recipe_id,
        "index_version": manifest.index_version,
        "corpus_digest": manifest.corpus_digest,
    }
    line = b'"event":"run.sealed","at":"%b",%b' % (_at(call), json.dumps(fields, separators=(",", ":"))[1:].encode())
    state = manifest.corpus_digest
    return log.recording(corpus, [line], before=state, state=state, run_id=manifest.run_id)


def _at(call: Call) -> bytes:
    now = call.clock()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03d}Z".encode()


def _of_items(report: Report, old: Mapping[str, Entry], new: Mapping[str, Entry], at: bytes) -> Iterator[bytes]:
    for entry in report.added:
        yield _line(b"item.ingested", at, new[entry["path"]])
    for entry in report.changed:
        yield _line(b"item.changed", at, new[entry["path"]])
    for entry in report.renamed:
        moved = json.dumps(entry["from"], ensure_ascii=False).encode()
        yield _line(b"item.changed", at, new[entry["path"]])[:-1] + b',"from":%b}' % moved
    for entry in report.removed:
        yield _line(b"item.removed", at, old[entry["path"]])


def _line(kind: bytes, at: bytes, entry: Entry) -> bytes:
    """Return an event of an item; id, path and digest are copied from the catalog's line."""
    match = _FIELDS.match(entry.line)
    if match is None:
        raise AssertionError("a catalog line without its first fields")
    return b'"event":"%b","at":"%b",%b,%b}' % (kind, at, *match.groups())
