"""Build the `meaning` runs of a corpus in the background while lexical runs answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, Cancelled
from biblicus.models.recipe import MEANING
from biblicus.runs.embedding import embed_words
from biblicus.runs.reindex import index_changes
from biblicus.runs.reports import ReindexReport

_LOOK = 1.0
"""Seconds between two checks if `meaning` is behind."""
_AFTER_FAILURE = 60.0
"""Seconds until a failure is tried again."""
log = logging.getLogger("biblicus.meaning")


class Meaning:
    """Thread that embeds whenever the lexical run is newer. `done`: called with the report of each run."""

    def __init__(self, corpus: Callable[[], CorpusFolder], done: Callable[[ReindexReport], None], call: Call) -> None:
        self._corpus, self._done = corpus, done
        self._call = Call(cancel=threading.Event(), progress=call.progress)
        self._thread = threading.Thread(target=self._run, name="biblicus-meaning", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop; finished vectors are kept, and the next start continues from there."""
        self._call.cancel.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wait = _LOOK
        while not self._call.cancel.wait(wait):
            wait = _LOOK
            try:
                corpus = self._corpus()
                if auto.is_behind(corpus) and embed_words(corpus, self._call):
                    self._done(index_changes(corpus, self._call, MEANING))
            except Cancelled:
                return
            except BiblicusError as error:
                wait = _AFTER_FAILURE
                log.warning("%s: %s", error.code, error.message)
            except Exception:  # the thread survives every failure
                wait = _AFTER_FAILURE
                log.exception("meaning could not be built")
