"""A corpus for Python programs: every verb is a method (`methods`); additional methods are defined here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus import search, upkeep
from biblicus.connectors.python.methods import Methods
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder, find
from biblicus.corpus.founding import create
from biblicus.models.event import Event
from biblicus.models.evidence import Evidence, Result
from biblicus.models.manifest import Manifest
from biblicus.models.plain import encoded
from biblicus.models.reading import Verdict
from biblicus.models.recipe import Recipe
from biblicus.models.sources.readers import Reader
from biblicus.service import askers
from biblicus.service.askers.here import Here
from biblicus.service.askers.loops import followed
from biblicus.service.places import folder_of

if TYPE_CHECKING:
    from biblicus.models.answers.answer import Answer
    from biblicus.models.answers.pack import Pack

_LOOK = 0.2
"""Seconds between two requests for events."""


class Corpus(Methods):
    """A corpus. Caches open runs for fast queries; call `close`, or use it in a `with` statement.

    Every method takes a `call` for deadline, cancellation and progress, and raises `biblicus.errors.BiblicusError`."""

    def __init__(self, corpus: CorpusFolder, reader: Reader | None = None) -> None:
        self._owners = Here(corpus)
        self._owners.reader = reader

    @property
    def _asker(self) -> Here:  # type: ignore[override]  # as its reader sees it
        return self._owners.seen_by(Call())

    @classmethod
    def init(cls, path: str | Path, *, name: str | None = None) -> Corpus:
        """Create a corpus in a folder. Raises `CorpusExists`, and `UsageError` if the parent folder is missing."""
        return cls(create(Path(path), name))

    @classmethod
    def open(cls, path: str | Path = ".", *, reader: Reader | None = None) -> Corpus:
        """Open the corpus that includes `path`, or `corpus://NAME` from the user's configuration. Raises
        `CorpusNotFound`. `reader`: who sees it; None: the owner."""
        return cls(find(folder_of(str(path))), reader)

    @property
    def asker(self) -> Here:
        """Return the asker, for connectors that call verbs by name."""
        return self._asker

    @property
    def path(self) -> Path:
        """Return the folder."""
        return self._owners.root

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close open runs."""
        self._owners.close()

    def follow(self, after: str | None = None, *, call: Call | None = None) -> Iterator[Event]:
        """Yield events after a cursor, then new ones as they occur, until the call is cancelled (`Cancelled`)."""
        return followed(self._asker, after, call or Call(), _LOOK)

    def runs(self) -> Sequence[Manifest]:
        """Return the manifests of all runs, oldest first."""
        from biblicus.runs.history import list_runs  # imported late, as below: few programs need runs

        return list_runs(self._asker.corpus)

    def recipes(self) -> Sequence[Recipe]:
        """Return the available recipes."""
        from biblicus.corpus.recipes import known

        return [entry.recipe for entry in known(self._asker.corpus)]

    def verify(
        self, evidence: Result | Pack | Answer | Sequence[Evidence] | bytes | str, *, call: Call | None = None
    ) -> Sequence[Verdict]:
        """Return verdicts for a result, a pack, an answer, evidence, or any of these as JSON."""

        return askers.loops.proved(self._asker, search.verify.read(_as_json(evidence)), call or Call()).evidence

    def prune_cache(self, *, call: Call | None = None) -> tuple[int, int]:
        """Prune the caches; return the number and bytes of deleted entries."""

        return upkeep.check.prune_cache(self._asker.corpus, call or Call())


def _as_json(evidence: object) -> bytes:

    if isinstance(evidence, bytes | str):
        return evidence.encode() if isinstance(evidence, str) else evidence
    return encoded(evidence)
