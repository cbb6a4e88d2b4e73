"""Cached searcher: runs stay open between queries and are closed when the corpus has a newer state."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from biblicus import search
from biblicus.config import settings_file
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import CorpusNotFound

if TYPE_CHECKING:
    from biblicus.runs.freshness import Freshness
    from biblicus.search.searcher import LocalSearcher


class Warm:
    """Lends the searcher of a corpus's current state to several threads.

    When a writer replaces the catalog, the next query gets a new searcher. The old one, with its open runs, is closed
    after the last query that uses it, so a long-running process neither serves an old run nor accumulates pruned
    ones."""

    def __init__(self, corpus: CorpusFolder, freshness: Callable[[], Freshness | None]) -> None:
        self._root, self._view, self._freshness = corpus.root, corpus.view, freshness
        self._catalog, self._config = str(corpus.catalog), str(corpus.config_file)
        self._lock = threading.Lock()
        self._stamp: object = None
        self._present: _Lent | None = None

    @property
    def _corpus(self) -> CorpusFolder:
        return CorpusFolder(self._root, None, self._view)

    @contextmanager
    def lent(self) -> Iterator[LocalSearcher]:
        """Yield the searcher. Raises `CorpusNotFound` if the corpus is gone."""
        stamp = self.stamp()
        if stamp[:2] == (None, None):
            self.close()
            raise CorpusNotFound(self._root.name)
        loan = self._take(stamp)
        try:
            yield loan.searcher
        finally:
            self._give_back(loan)

    def close(self) -> None:
        """Close everything that no query uses."""
        with self._lock:
            loan, self._present, self._stamp = self._present, None, None
            if loan is not None:
                loan.retire()

    def stamp(self) -> tuple[object, object, object]:
        """Return the stamps of catalog, configuration and user settings, which determine the run that answers.
        None for a missing file."""
        return files.stamp(self._catalog), files.stamp(self._config), files.stamp(settings_file())

    def _take(self, stamp: object) -> _Lent:
        with self._lock:
            if self._present is None or stamp != self._stamp:
                if self._present is not None:
                    self._present.retire()
                self._present, self._stamp = (
                    _Lent(search.query.searcher(self._corpus, freshness=self._freshness())),
                    stamp,
                )
            self._present.users += 1
            return self._present

    def _give_back(self, held: _Lent) -> None:
        with self._lock:
            held.users -= 1
            held.close_if_idle()


class _Lent:
    """A searcher, its number of users, and a flag if it was replaced. Protected by the owner's lock."""

    def __init__(self, searcher: LocalSearcher) -> None:
        self.searcher, self.users, self.retired = searcher, 0, False

    def retire(self) -> None:
        self.retired = True
        self.close_if_idle()

    def close_if_idle(self) -> None:
        if self.retired and not self.users:
            self.searcher.close()
