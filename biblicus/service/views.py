"""The corpus as its readers see it: each request of a reader is answered by a view, or refused. Requests of clients
restricted ("pinned") to layers are limited to these, or refused.

`verbs.FOR_READERS` lists the verbs that a view answers. Every other verb is refused until it is listed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from biblicus import runs
from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.described.readers import Visibility, path_of, visibility
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import LayerPinned, NotMaterialized, ReaderLimited, RunDamaged, Untrusted, VectorsGone
from biblicus.models.requests.items import GetBatchRequest
from biblicus.models.requests.runs import VerifyRequest
from biblicus.models.sources.readers import Reader
from biblicus.service import askers
from biblicus.service.verbs import FOR_READERS, Q, R, Verb

if TYPE_CHECKING:
    from biblicus.service.askers.here import Here

_WITHHELD = ("persona", "publication", "layer")
"""Fields of requests that lead to files that views share."""
_WAITING = 2.0
"""Seconds until an older view answers while a newer one is made."""
_LOOK = 0.05


def refuse(verb: Verb[Any, Any], request: Any) -> None:
    """Raise `ReaderLimited` for a verb or a field that views do not answer."""
    if verb.name not in FOR_READERS:
        raise ReaderLimited(f"The verb {verb.name}")
    for name in _WITHHELD:
        if getattr(request, name, None):
            raise ReaderLimited(f"The field {name}")


class Views:
    """The views of a corpus, by the names that rules mention. Thread-safe."""

    def __init__(self, host: Here) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._rules: tuple[object, Visibility | None, Catalog | None] = (None, None, None)
        self._askers: dict[frozenset[str], tuple[object, Here]] = {}
        self._made: dict[frozenset[str], Future[None]] = {}
        self._cancel = threading.Event()

    def asker(self, reader: Reader, call: Call) -> Here:
        """Return the asker for a reader: the corpus's own if no item has readers, else the one of a view.
        Raises `DeadlineExceeded` while a first view is made."""
        stamp, rules, catalog = self._current()
        if rules is None or catalog is None:
            return self._host
        corpus = self._host.corpus
        names = rules.names(reader, corpus.settings.groups)
        with self._lock:
            cached = self._askers.get(names)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        views = runs.views

        view, hidden = views.view_of(corpus, names), rules.hidden(names)
        is_current = views.is_current(view, views.source_of(corpus, catalog, hidden))
        if not is_current:
            self._make(corpus, view, names, call, views.is_safe(view, hidden))
            is_current = views.is_current(view, views.source_of(corpus, catalog, hidden))
        views.touch(view)
        with self._lock:
            asker = cached[1] if cached else askers.here.Here(view)
            self._askers[names] = stamp if is_current else None, asker
        return asker

    def ask(self, verb: Verb[Q, R], request: Q, call: Call, reader: Reader, view: Here) -> R:
        """Return a view's reply. Raises the verb's errors, and `ReaderLimited` if views do not answer it."""
        within = replace(call, reader=None)
        try:
            return view.ask(verb, request, within)
        except (NotMaterialized, RunDamaged, Untrusted, VectorsGone):
            runs.views.forget(view.corpus)
            with self._lock:
                self._askers.clear()
            return self.asker(reader, call).ask(verb, request, within)

    @property
    def exist(self) -> bool:
        """Return true if any item has readers."""
        return self._current()[1] is not None

    def close(self) -> None:
        """Stop the making of views and close their askers."""
        self._cancel.set()
        with self._lock:
            askers, self._askers = self._askers, {}
        for _, asker in askers.values():
            asker.close()

    def _current(self) -> tuple[object, Visibility | None, Catalog | None]:
        """Return the present rules with the stamp of all files that decide them; cached until one changes."""
        corpus = self._host.corpus
        stamp = *self._host.stamp(), files.stamp(path_of(corpus))
        if self._rules[0] != stamp:
            catalog = self._host.catalog(corpus)
            rules = visibility(corpus, catalog)
            self._rules = stamp, rules, catalog if rules is not None else None
        return self._rules

    def _make(self, corpus: CorpusFolder, view: CorpusFolder, names: frozenset[str], call: Call, is_safe: bool) -> None:
        """Make a view in a thread that outlives an impatient request. `is_safe`: the older view may answer instead."""
        with self._lock:
            future = self._made.get(names)
            if future is None or future.done():
                future = self._made[names] = Future()
                within = Call(cancel=self._cancel, clock=call.clock)
                work = (future, corpus, view, names, within)
                threading.Thread(target=_make, args=work, name="biblicus-view", daemon=True).start()
        waited = 0.0
        while True:
            with suppress(TimeoutError):
                return future.result(_LOOK)
            waited += _LOOK
            if is_safe and waited >= _WAITING:
                return None
            call.check()


def _make(made: Future[None], corpus: CorpusFolder, view: CorpusFolder, names: frozenset[str], call: Call) -> None:
    try:
        corpus.refuse_links()
        with corpus.locked(call):
            runs.views.bring_up(corpus, view, names, call)
        made.set_result(None)
    except BaseException as error:
        made.set_exception(error)


OPEN = frozenset({"version", "recipes"})
"""Verbs that reveal nothing about other layers."""


def may_be_pinned(verb: Verb[Any, Any]) -> bool:
    """Return true if a pinned client may use a verb."""
    kind = verb.request
    return verb.name in OPEN or kind in (GetBatchRequest, VerifyRequest) or _has_layer(kind)


def pinned(verb: Verb[Any, Any], request: Any, layers: Sequence[str]) -> Any:
    """Return the request limited to these layers. Raises `LayerPinned` if it asks for more."""
    if isinstance(request, GetBatchRequest):
        return replace(request, requests=tuple(pinned(verb, part, layers) for part in request.requests))
    if isinstance(request, VerifyRequest):
        pieces = (piece if piece.layer in layers else replace(piece, layer=layers[0]) for piece in request.evidence)
        return replace(request, evidence=tuple(pieces))
    if _has_layer(type(request)):
        if beyond := [name for name in request.layer if name not in layers]:
            raise LayerPinned(f"The layer {beyond[0]}", layers)
        return replace(request, layer=request.layer or tuple(layers))
    if verb.name not in OPEN:
        raise LayerPinned(f"The verb {verb.name}", layers)
    return request


def _has_layer(kind: Any) -> bool:
    return any(entry.name == "layer" and str(entry.type).startswith("tuple") for entry in fields(kind))
