"""Several corpora by name: the desks behind one service. A query over several is fused by rank.

Two names are reserved. `personal` is served on this machine alone and listed to nobody else; `system` is read-only.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder, find
from biblicus.errors import BiblicusError, CorpusUnknown, ReadOnlyCorpus, UsageError
from biblicus.models import requests
from biblicus.models.evidence import Evidence, Result
from biblicus.models.plain import plain
from biblicus.service.desk import VERBS, Desk

NAME = re.compile(r"[a-z0-9-]{1,64}")
PERSONAL = "personal"
SYSTEM = "system"
RRF = 60
"""k of reciprocal rank fusion: 1 / (k + rank) (Cormack, Clarke, Büttcher 2009)."""


class Corpora:
    """Desks by name. `remote`: the asker is not on this machine, so `personal` does not exist for them."""

    def __init__(self, places: Mapping[str, CorpusFolder]) -> None:
        for name in places:
            if not NAME.fullmatch(name):
                raise UsageError(f'"{name}" is no name for a served corpus: a-z, 0-9 and -, at most 64.', "NAME=PATH")
        self._desks = {name: Desk(place) for name, place in places.items()}

    @classmethod
    def open(cls, words: Iterable[str]) -> Corpora:
        """From `PATH` (named by its configuration) or `NAME=PATH`. Raises `CorpusNotFound`, `UsageError`."""
        places: dict[str, CorpusFolder] = {}
        for word in words:
            given, equals, path = word.partition("=")
            if not equals or not NAME.fullmatch(given):
                given, path = "", word
            place = find(Path(path))
            name = given or as_name(place.config.name)
            if name in places:
                raise UsageError(f'Two corpora are named "{name}".', f"another-name={path}")
            places[name] = place
        return cls(places)

    def close(self) -> None:
        """Close every desk."""
        for desk in self._desks.values():
            desk.close()

    def names(self, *, remote: bool = False) -> list[str]:
        """The corpora that the asker may know of."""
        return sorted(name for name in self._desks if not (remote and name == PERSONAL))

    def meant(self, name: str | None, *, remote: bool = False, verb: str = "query") -> str:
        """The corpus of this name; None: the only one. Raises `CorpusUnknown`, `UsageError` where none is named, and
        `ReadOnlyCorpus` where the verb would change `system`."""
        names = self.names(remote=remote)
        if name is None:
            if len(names) != 1:
                raise UsageError(f"Name a corpus: {', '.join(names) or 'none is served'}.")
            name = names[0]
        if name not in names:
            raise CorpusUnknown(name, names)
        if VERBS[verb].scope != "read" and name == SYSTEM:
            raise ReadOnlyCorpus(name)
        return name

    def desk(self, name: str | None, *, remote: bool = False) -> Desk:
        """The desk of this name; None: the only one. Raises `CorpusUnknown`, `UsageError` where none is named."""
        return self._desks[self.meant(name, remote=remote)]

    def ask(self, verb: str, name: str | None, request: requests.Request, call: Call, *, remote: bool = False) -> Any:
        """Answer a verb from one corpus. Raises `ReadOnlyCorpus` for what would change `system`."""
        name = self.meant(name, remote=remote, verb=verb)
        with telemetry.span(verb, {"biblicus.corpus": name}):
            return self._desks[name].ask(verb, request, call, guest=remote)

    def describe(self, *, remote: bool = False) -> dict[str, Any]:
        """`corpora[]`: name, version and whether it may be written to; one that cannot be read has its `error`."""
        call = Call()
        found = []
        for name in self.names(remote=remote):
            entry: dict[str, Any] = {"corpus": name, "writable": name != SYSTEM}
            try:
                entry.update(self._desks[name].version(requests.NoRequest(), call))
            except BiblicusError as error:
                entry["error"] = error.as_object()
            found.append(entry)
        return {"corpora": found}

    def query(
        self, names: Sequence[str], request: requests.QueryRequest, call: Call, *, remote: bool = False
    ) -> dict[str, Any]:
        """One list of evidence from several corpora, fused by rank; each piece names its `corpus`.

        `corpora[]` says what answered and from which run, `failed[]` what did not and why. Raises the first error where
        none answered.
        """
        began = time.perf_counter()
        desks = {name: self.desk(name, remote=remote) for name in dict.fromkeys(names)}
        results: dict[str, Result] = {}
        failed: dict[str, BiblicusError] = {}
        for name, desk in desks.items():
            try:
                results[name] = desk.query(request, call)
            except BiblicusError as error:
                failed[name] = error
        if not results:
            raise next(iter(failed.values()), UsageError("Name at least one corpus."))
        return {
            "query": request.query,
            "corpora": [_answered(name, result) for name, result in results.items()],
            "failed": [{"corpus": name, "error": error.as_object()} for name, error in failed.items()],
            "evidence": _fused(results, request.limit),
            "insufficient": all(result.insufficient for result in results.values()),
            "timings": {"total": round((time.perf_counter() - began) * 1000, 3)},
        }


def as_name(name: str) -> str:
    """A corpus's own name in the form that is served."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "corpus"


def _answered(name: str, result: Result) -> dict[str, Any]:
    kept = ("corpus_id", "run_id", "recipe_id", "index_version", "as_of", "insufficient")
    return {"corpus": name, **{key: getattr(result, key) for key in kept}, "evidence": len(result.evidence)}


def _fused(results: Mapping[str, Result], limit: int | None) -> list[dict[str, Any]]:
    """Pieces by 1 / (k + rank), then by name of corpus; `score` stays the engine's own."""
    wanted = limit or max(result.budget["asked"]["items"] for result in results.values())
    pieces: list[tuple[float, str, Evidence]] = [
        (1 / (RRF + piece.rank), name, piece) for name, result in results.items() for piece in result.evidence
    ]
    pieces.sort(key=lambda entry: (-entry[0], entry[1], entry[2].rank))
    return [
        {**plain(piece), "rank": rank, "corpus": name, "stage_scores": {**piece.stage_scores, "rrf": round(value, 6)}}
        for rank, (value, name, piece) in enumerate(pieces[:wanted], 1)
    ]
