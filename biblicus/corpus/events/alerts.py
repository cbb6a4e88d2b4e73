"""Alerts: saved questions. After each run, sentences that answer them and were not there before become events.

A question's file is committed, `.biblicus/alerts/<name>.json`; what this clone has seen is local. A sentence answers
when it has at least half of the question's words. It is told once for an item, by the digest of its text."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import field
from html import escape
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.editorial.approvals import now_of, shown_on
from biblicus.corpus.events import log
from biblicus.corpus.extracted.extractions import Extractions, of_default_recipe, raw_of
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files, seals
from biblicus.errors import AlertNotFound, BadData, ConfigInvalid, EventsGone, UsageError
from biblicus.guards import json as guarded_json
from biblicus.guards.terminal import safe
from biblicus.models.extraction import Extraction
from biblicus.models.fields import compact
from biblicus.models.frozen import dataclass
from biblicus.models.item import Item
from biblicus.models.locator import locator
from biblicus.models.plain import LEFT_OUT
from biblicus.models.records import Record
from biblicus.models.requests.alerts import AddAlertRequest, AlertRequest, AlertsRequest
from biblicus.text.counting import LineIndex
from biblicus.text.fitting import fits
from biblicus.text.sentences import sentences
from biblicus.text.terms.analysis import stemmer_of, terms

LIMIT = 64 << 10
_KEPT = 500
"""Passages of an alert that its feed has."""
_LONGEST = 600
"""Characters of a sentence; of a longer one each line is one."""
_STATE: Any = {"cursor": str, "seen": [str], "told": [dict]}


@dataclass(frozen=True, kw_only=True)
class Passage(Record):
    """A sentence that an alert told. `hash`: sha256 of the text. `at`: ISO 8601 UTC."""

    item_id: str
    path: str
    title: str
    place: str
    text: str
    hash: str
    at: str
    span_start: int
    span_end: int


@dataclass(frozen=True, kw_only=True)
class Alert:
    """An alert as its file states it. `filters`: as in a query. `told`: passages so far, the newest first."""

    name: str
    query: str
    filters: Mapping[str, Any] = field(default_factory=dict, metadata=LEFT_OUT)
    told: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class AlertList:
    """The alerts, by name."""

    alerts: tuple[Alert, ...]


@dataclass(frozen=True)
class Feed:
    """An Atom feed (RFC 4287) of an alert."""

    xml: str


def add(corpus: CorpusFolder, request: AddAlertRequest, call: Call) -> Alert:
    """Save a question; what answers it now is not told. Raises `UsageError` for a name that is taken."""
    with corpus.writing(call):
        if request.name in names(corpus):
            raise UsageError(f"There is an alert {request.name} already.", f"biblicus alerts remove {request.name}")
        if not terms(request.query, ""):
            raise UsageError("The question has no words.", f'biblicus alerts add {request.name} "QUESTION"')
        files.make_folder(corpus.home / "alerts")
        document = {"query": request.query, "filters": {**compact(request.filters)}}
        files.write(_file(corpus, request.name), json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")
        _look(corpus, request, call)
    return _alert(corpus, request.name, (), call)


def remove(corpus: CorpusFolder, request: AlertRequest, call: Call) -> Alert:
    """Delete an alert and what it has seen. Raises `AlertNotFound`."""
    with corpus.writing(call):
        alert = _alert(corpus, request.name, request.layer, call)
        for path in (_file(corpus, request.name), _state_file(corpus, request.name)):
            if path.exists():
                files.remove(path)
    return alert


def list_alerts(corpus: CorpusFolder, request: AlertsRequest, call: Call) -> AlertList:
    """Return the alerts with what they told."""
    return AlertList(tuple(_alert(corpus, name, request.layer, call) for name in names(corpus)))


def feed(corpus: CorpusFolder, request: AlertRequest, call: Call) -> Feed:
    """Return an alert's passages as an Atom feed, the newest first. Raises `AlertNotFound`."""
    alert = _alert(corpus, request.name, request.layer, call)
    home = f"urn:biblicus:{corpus.config.corpus_id}:alert:{alert.name}"
    entries = "".join(_entry(home, passage) for passage in alert.told)
    updated = alert.told[0].at if alert.told else "1970-01-01T00:00:00Z"
    head = f"<id>{home}</id><title>{_xml(alert.query)}</title><updated>{updated}</updated>"
    author = f"<author><name>{_xml(corpus.config.name)}</name></author>"
    xml = f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">{head}{author}\n'
    return Feed(f"{xml}{entries}</feed>\n")


def tell(corpus: CorpusFolder, call: Call) -> None:
    """After a run: tell the passages of items that changed since the last look. Requires the writers' lock."""
    for name in names(corpus):
        try:
            _look(corpus, read(corpus, name), call)
        except ConfigInvalid as error:
            call.tell(error.message)


def names(corpus: CorpusFolder) -> list[str]:
    """Return the names of all alerts."""
    return sorted(path.stem for path in (corpus.home / "alerts").glob("*.json") if path.name[0] != ".")


def read(corpus: CorpusFolder, name: str) -> AddAlertRequest:
    """Read an alert's file. Raises `AlertNotFound`, `ConfigInvalid`."""
    where = f"{FOLDER}/alerts/{name}.json"
    try:
        data = guarded_json.read(files.read(_file(corpus, name), limit=LIMIT), max_bytes=LIMIT)
        return AddAlertRequest(name, data["query"], **data["filters"])
    except FileNotFoundError:
        raise AlertNotFound(name) from None
    except (BadData, OSError, UsageError, KeyError, TypeError) as error:
        raise ConfigInvalid(where, "It is no saved question.", f"edit {where}") from error


def _file(corpus: CorpusFolder, name: str) -> Path:
    return (corpus.home / "alerts") / f"{name}.json"


def _state_file(corpus: CorpusFolder, name: str) -> Path:
    return corpus.local / "alerts" / f"{name}.json"


def _alert(corpus: CorpusFolder, name: str, layers: tuple[str, ...], call: Call) -> Alert:
    """Return an alert with the passages that the reader may see now: those of present items."""
    request = read(corpus, name)
    catalog, is_shown = catalog_of(corpus), shown_on(corpus, layers, call)
    state = seals.read_object(_state_file(corpus, name), _STATE) or {"told": ()}
    passages = [
        Passage.model_validate(passage)
        for passage in state["told"]
        if (path := catalog.paths.get(passage["item_id"])) is not None and is_shown(catalog.items[path])
    ]
    return Alert(name=name, query=request.query, filters=compact(request.filters), told=tuple(passages))


def _look(corpus: CorpusFolder, request: AddAlertRequest, call: Call) -> None:
    """Tell the passages that are new since the last look. A first look tells nothing, and sees everything."""
    state_file = _state_file(corpus, request.name)
    state = seals.read_object(state_file, _STATE)
    last_state = state or {"cursor": "", "seen": [], "told": []}
    catalog, newest = catalog_of(corpus), log.last(corpus)
    extractions, at = of_default_recipe(corpus, call), now_of(call)
    seen_keys, fresh = {*last_state["seen"]}, dict[str, Passage]()
    for item in _changed(corpus, catalog, last_state["cursor"]):
        call.check()
        if fits(item, request):
            for passage in _passages(item, extractions, request.query, at):
                if (key := f"{item.item_id} {passage.hash[:16]}") not in seen_keys:
                    fresh.setdefault(key, passage)
    new_passages = [*fresh.values()] if state else []
    new_state = {
        "cursor": str(log.Cursor(newest.log, newest.number + len(new_passages))) if newest else "",
        "seen": [*last_state["seen"], *fresh],
        "told": [*(passage.model_dump() for passage in reversed(new_passages)), *last_state["told"]][:_KEPT],
    }
    digest = catalog.header.corpus_digest
    lines = [_event(request.name, passage) for passage in new_passages]
    files.make_folder(state_file.parent)
    with log.recording(corpus, lines, before=digest, state=digest) if lines else nullcontext():
        seals.write_sealed(state_file, json.dumps(new_state, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _changed(corpus: CorpusFolder, catalog: Catalog, cursor: str) -> Iterable[Item]:
    """Return the items that were added or changed after a cursor; all if the log does not go back to it."""
    try:
        item_ids = {data["item_id"] for _, data in log.read(corpus, log.parse_cursor(cursor)) if "sha256" in data}
    except (EventsGone, UsageError):
        return catalog.items.values()
    paths = (catalog.paths.get(item_id) for item_id in sorted(item_ids))
    return (catalog.items[path] for path in paths if path is not None)


def _passages(item: Item, extractions: Extractions, query: str, at: str) -> Iterator[Passage]:
    """Yield the sentences of an item that have at least half of the question's words."""
    outcome = extractions.outcome(raw_of(item))
    if not isinstance(outcome, Extraction):
        return
    stemmer = stemmer_of(item.language or "en") or ""
    query_terms = {*terms(query, stemmer, stemmer)} or {*terms(query, stemmer)}
    index = LineIndex(outcome.text)
    for start, end in _sentences(outcome.text):
        text = outcome.text[start:end]
        if not query_terms or 2 * len(query_terms & {*terms(text, stemmer)}) < len(query_terms):
            continue
        lines = index.line_range(start, end)
        page = bisect_right(outcome.pages, start) or None
        text = " ".join(text.split())
        yield Passage(
            item_id=item.item_id,
            path=item.path,
            title=item.title,
            place=locator(outcome.spots, page, (start, end), lines).label,
            text=text,
            hash=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            at=at,
            span_start=start,
            span_end=end,
        )


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text):
        if end - start <= _LONGEST:
            yield start, end
            continue
        for line in text[start:end].splitlines(keepends=True):
            if words := line.strip():
                first = start + line.index(words[0])
                yield first, first + len(words)
            start += len(line)


def _event(name: str, passage: Passage) -> bytes:
    """Return the event of a passage as the log takes it: a line of JSON without its opening brace."""
    values = {key: value for key, value in passage.model_dump().items() if key not in ("at", "span_start", "span_end")}
    event = {"event": "alert.found", "at": passage.at, "alert": name, **values}
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))[1:].encode("utf-8", "surrogatepass")


def _entry(home: str, passage: Passage) -> str:
    key = f"{home}:{passage.item_id}:{passage.hash[:16]}"
    title = f"{passage.title or passage.path}, {passage.place}"
    return (
        f"<entry><id>{_xml(key)}</id><title>{_xml(title)}</title><updated>{passage.at}</updated>"
        f'<content type="text">{_xml(passage.text)}</content><category term="{_xml(passage.path)}"/></entry>\n'
    )


def _xml(text: str) -> str:
    return escape(safe(text, keep_newlines=True))
