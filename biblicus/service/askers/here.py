"""Asker in this process; it keeps open runs and the catalog between requests."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus import runs, service
from biblicus.contracts import Call
from biblicus.corpus.folder import Closed, CorpusFolder, find
from biblicus.disk import changes
from biblicus.errors import CorpusNotFound, ReaderLimited
from biblicus.guards import deadlines
from biblicus.models.requests.query import QueryRequest
from biblicus.models.sources.readers import Reader
from biblicus.service import askers
from biblicus.service.askers import Served
from biblicus.service.verbs import LIMITED, QUERY, Q, R, Verb
from biblicus.service.warm import Warm

if TYPE_CHECKING:
    from biblicus.corpus.catalog import Catalog
    from biblicus.models.evidence import Result
    from biblicus.runs.freshness import Freshness
    from biblicus.service.views import Views


_REMEMBERED = 64 << 20
"""Maximum bytes of a catalog kept in memory: some hundred thousand items."""


class Here(Served):
    """One corpus on this machine. Thread-safe."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self.root, self._view = corpus.root, corpus.view
        self.reader: Reader | None = None
        """Reader of calls without one; None: the owner."""
        self._files = str(corpus.config_file), str(corpus.catalog)
        self._warm = Warm(corpus, self._freshness)
        self._remembered: dict[str, tuple[object, Any]] = {}
        self._kept: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._views: Views | None = None
        self.embeds_later = False
        self.progress: tuple[str, int, int] | None = None

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Run the verb. Raises its errors."""
        if call.layers:
            request = service.views.pinned(verb, request, call.layers)
        if self._view:
            service.views.refuse(verb, request)
        elif (reader := call.reader or self.reader) is not None and verb.name in LIMITED:
            call = replace(call, reader=reader)
        elif reader is not None:
            view = self.views.asker(reader, call)
            if view is not self:
                return self.views.ask(verb, request, call, reader, view)
        with changes.told(self.root), deadlines.during(call):
            return verb.run(self.corpus, request, call)

    def seen_by(self, call: Call) -> Here:
        """Return the asker of the corpus as the call's reader sees it."""
        reader = call.reader or self.reader
        return self if reader is None else self.views.asker(reader, call)

    @property
    def views(self) -> Views:
        """Return the corpus as its readers see it."""
        with self._lock:
            if self._views is None:
                self._views = service.views.Views(self)
            return self._views

    @property
    def corpus(self) -> CorpusFolder:
        """Return the corpus, created anew for each request, so that an edited `config.yml` applies. Raises
        `CorpusNotFound`."""
        if not any(map(os.path.exists, self._files)):
            raise CorpusNotFound(self.root.name)
        return CorpusFolder(self.root, self, self._view)

    def close(self) -> None:
        """Close open runs and other kept values."""
        self._warm.close()
        self._remembered.clear()
        with self._lock:
            resources, self._kept = self._kept, {}
            views, self._views = self._views, None
        if views is not None:
            views.close()
        for value in resources.values():
            value.close()

    # --- interface for the verbs: `corpus.folder.Host` ---

    def catalog(self, corpus: CorpusFolder) -> Catalog:
        """Return the catalog, cached until it is replaced: reading ten thousand items takes 200 ms."""
        from biblicus.corpus.catalog import catalog_of  # lazy: an MCP server starts before the first request

        def read() -> Catalog:
            return catalog_of(CorpusFolder(self.root, None, self._view))

        is_kept = os.path.exists(self._files[1]) and os.path.getsize(self._files[1]) <= _REMEMBERED
        catalog: Catalog = self.remembered("catalog", read) if is_kept else read()
        return catalog

    def stamp(self) -> tuple[object, ...]:
        """Return the stamps of the files that decide the corpus's state."""
        return self._warm.stamp()

    def search(self, request: QueryRequest, call: Call) -> Result:
        """Return evidence from a cached searcher."""
        with self._warm.lent() as searcher:
            return searcher.search(request, call)

    def elsewhere(self, name: str) -> Callable[[QueryRequest, Call], Result]:
        """Return a function that queries a corpus of the user's settings. Raises `ReaderLimited` in a view."""
        if self._view:
            raise ReaderLimited(f"The corpus {name}")

        return lambda request, call: askers.in_turn.asker_of(name, None, lambda _: None).ask(QUERY, request, call)

    def remembered(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a value that is computed once for each state of the corpus."""
        stamp = self._warm.stamp(), os.environ.get("BIBLICUS_DEFAULT_RECIPE")
        cached = self._remembered.get(name)
        if cached is None or cached[0] != stamp:
            cached = self._remembered[name] = stamp, make()
        return cached[1]

    def look_ahead(self) -> None:
        """Start to compare the folder in parallel, for a process with one query."""
        if (freshness := self._freshness()) is not None:
            freshness.begin()

    def _freshness(self) -> Freshness | None:
        if self._view:
            return None

        return runs.freshness.freshness(CorpusFolder(self.root, self))

    def kept(self, name: str, make: Callable[[], Closed]) -> Closed:
        """Return a value that is made once and closed with the asker."""
        with self._lock:
            if name not in self._kept:
                self._kept[name] = make()
            value: Closed = self._kept[name]
        return value


def here(folder: Path) -> Here:
    """Return the asker of the corpus that contains `folder`. Raises `CorpusNotFound`."""

    return Here(find(folder))
