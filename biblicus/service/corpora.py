"""Several named corpora behind one service. A query over several is fused by rank within one budget.

They are on this machine or, read-only, at configured services. Two names are reserved: `personal` is available to
its owner on this machine only; `system` is read-only."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from biblicus import retrieval, runs, telemetry
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder, find
from biblicus.corpus.store_binding import SYSTEM, is_system
from biblicus.errors import BiblicusError, CorpusUnknown, ReadOnlyCorpus, Refused, UsageError
from biblicus.guards.deadlines import bounded
from biblicus.models.evidence import Pending, Result
from biblicus.models.fields import NoRequest
from biblicus.models.plain import LEFT_OUT, made_of, plain
from biblicus.models.question import Budget
from biblicus.models.requests.query import QueryRequest
from biblicus.models.sources.readers import Reader
from biblicus.runs.stats import Version, embedding_model
from biblicus.service import askers
from biblicus.service.askers.elsewhere import Elsewhere
from biblicus.service.askers.here import Here
from biblicus.service.askers.remote import TOKEN
from biblicus.service.places import NAME, SCHEME, folder_of, is_address, is_elsewhere
from biblicus.service.verbs import QUERY, VERSION, Q, R, Verb

if TYPE_CHECKING:
    from biblicus.service.askers.wire import Sent

_TOGETHER = 8
"""Number of corpora queried concurrently."""
_INTRODUCING = 5.0
"""Seconds for a remote service to report its corpus."""
PERSONAL = "personal"
NOWHERE: Mapping[str, Elsewhere] = {}


@dataclass(frozen=True)
class AnsweredCorpus:
    """A corpus that answered, with its run. `evidence`: number of pieces given to the fusion. `notes`: of its
    result."""

    corpus: str
    corpus_id: str
    run_id: str
    recipe_id: str
    index_version: str
    as_of: str
    insufficient: bool
    evidence: int
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)
    notes: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)

    @classmethod
    def of(cls, name: str, result: Result) -> AnsweredCorpus:
        """Return the summary of a corpus's result."""
        return made_of(cls, result, corpus=name, evidence=len(result.evidence))


@dataclass(frozen=True)
class FailedCorpus:
    """A corpus that failed, with its error."""

    corpus: str
    error: Mapping[str, str]


@dataclass(frozen=True)
class FusedResult:
    """Evidence of several corpora, fused by rank within one budget; every piece has its `corpus`."""

    query: str
    corpora: tuple[AnsweredCorpus, ...]
    failed: tuple[FailedCorpus, ...]
    evidence: Sequence[Mapping[str, Any]]
    insufficient: bool
    budget: Mapping[str, Any]
    timings: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class ServedCorpus(Version):
    """A corpus under its served name, and the index behind a bare query."""

    corpus: str
    writable: bool


@dataclass(frozen=True, kw_only=True)
class UnreadableCorpus:
    """A corpus that cannot be read, with its error."""

    corpus: str
    writable: bool
    error: Mapping[str, str]


@dataclass(frozen=True)
class ServedCorpora:
    """The corpora that the client may see."""

    corpora: tuple[ServedCorpus | UnreadableCorpus, ...]


class Corpora:
    """Askers by name. `personal` does not exist for guests, who are not on this machine."""

    def __init__(
        self, places: Mapping[str, CorpusFolder], processes: int = 1, elsewhere: Mapping[str, Elsewhere] = NOWHERE
    ) -> None:
        for name in (*places, *elsewhere):
            if not NAME.fullmatch(name):
                raise UsageError(f'"{name}" is no name for a served corpus: a-z, 0-9 and -, at most 64.', "NAME=PATH")
        self.processes: askers.processes.Processes | None = None
        self._here = {name: Here(place) for name, place in places.items()}
        if processes > 1 and places:
            self.processes = askers.processes.Processes(processes)
            self._here = {name: askers.processes.Beside(place, self.processes) for name, place in places.items()}
        self._askers: dict[str, Here | Elsewhere] = {**self._here, **elsewhere}

    @classmethod
    def open(cls, words: Iterable[str], processes: int = 1) -> Corpora:
        """Open corpora from words: `PATH`, `NAME=PATH`, `corpus://NAME`, or `NAME=https://HOST:PORT`.

        An address may end in `#NAME` for one of several corpora there; a path may be a `file:` URI. `processes`: number
        of processes that answer. Raises `CorpusNotFound`, `CorpusUnknown`,
        `UsageError`."""
        places: dict[str, CorpusFolder] = {}
        elsewhere: dict[str, Elsewhere] = {}
        for word in words:
            label, equals, path = word.partition("=")
            if not equals or not NAME.fullmatch(label):
                label, path = word.removeprefix(SCHEME) if word.startswith(SCHEME) else "", word
            if is_address(path) and not label:
                raise UsageError(f"Say how the corpus at {path} is called here.", f"office={path}")
            place = None if is_elsewhere(path) else find(folder_of(path))
            name = label or as_name(place.config.name if place else "")
            if place is not None and name in places and place.root.samefile(places[name].root):
                raise UsageError(f'The corpus "{name}" is named twice.', f"give {path} once")
            if name in places or name in elsewhere:
                raise UsageError(f'Two corpora are named "{name}".', f"another-name={path}")
            if place is not None:
                places[name] = place
            else:
                elsewhere[name] = Elsewhere(name, *((None, path) if is_address(path) else (path, None)))
        hosts = {host for corpus in elsewhere.values() for host in corpus.hosts}
        if len(hosts) > 1 and os.environ.get(TOKEN):
            hint = "keyring set biblicus https://HOST:PORT, for each, without the variable"
            raise Refused(f"One {TOKEN} is not sent to several hosts: {', '.join(sorted(hosts))}.", hint)
        return cls(places, processes, elsewhere)

    def leave_out(self, names: Collection[str]) -> None:
        """Stop serving these corpora. Raises `UsageError` if none remains."""
        for name in [name for name in self._askers if name in names]:
            self._askers.pop(name).close()
            self._here.pop(name, None)
        if not self._askers:
            raise UsageError(f"Nothing is left to serve: {', '.join(names)} is never offered here.", "NAME=PATH")

    def close(self) -> None:
        """Close every asker and end the processes."""
        if self.processes is not None:
            self.processes.close()
        for asker in self._askers.values():
            asker.close()

    def names(self, *, guest: bool = False) -> list[str]:
        """Return the names that the client may see."""
        return sorted(name for name in self._askers if not (guest and name == PERSONAL))

    def here(self) -> list[str]:
        """Return the names of local corpora."""
        return sorted(self._here)

    def meant(self, name: str | None, *, guest: bool = False, verb: Verb[Any, Any] = QUERY) -> str:
        """Return the name of the requested corpus; None: the only one.
        Raises `CorpusUnknown`, `UsageError` if a name is needed, `ReadOnlyCorpus` if the verb writes."""
        names = self.names(guest=guest)
        if name is None:
            if len(names) != 1:
                raise UsageError(f"Name a corpus: {', '.join(names) or 'none is served'}.")
            name = names[0]
        if name not in names:
            raise CorpusUnknown(name, names)
        if verb.scope != "read" and not self._is_writable(name):
            raise ReadOnlyCorpus(name)
        return name

    def ask(self, name: str | None, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply of one corpus. Raises `ReadOnlyCorpus`."""
        name = self.meant(name, guest=call.guest, verb=verb)
        with telemetry.span(verb.name, {"biblicus.corpus": name}):
            return self._askers[name].ask(verb, request, call)

    def sent(self, name: str | None, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """Like `ask`, returning the encoded reply."""
        name = self.meant(name, guest=call.guest, verb=verb)
        with telemetry.span(verb.name, {"biblicus.corpus": name}):
            return self._askers[name].sent(verb, request, call)

    def ask_here(self, name: str | None, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Like `ask`, but a local corpus never in another process: some parts of a reply are not in its JSON."""
        asker = self._askers[self.meant(name, guest=call.guest, verb=verb)]
        return Here.ask(asker, verb, request, call) if isinstance(asker, Here) else asker.ask(verb, request, call)

    def for_reader(self, reader: Reader) -> None:
        """Answer calls that name no reader for this one, instead of for the owner."""
        for asker in self._here.values():
            asker.reader = reader

    def asker(self, name: str | None, call: Call) -> Here:
        """Return the asker of a local corpus as the call's reader sees it. Raises the errors of `meant`, and
        `UsageError` for a remote one."""
        return self.owners(self.meant(name, guest=call.guest)).seen_by(call)

    def owners(self, name: str) -> Here:
        """Return the asker of a local corpus with all its items. Raises `UsageError` for a remote one."""
        if name not in self._here:
            raise UsageError(f'The corpus "{name}" is on another machine; this is for one on this machine.')
        return self._here[name]

    def may_change(self, name: str, *, guest: bool = False) -> bool:
        """Return true if a corpus is writable here; for an empty name, if any is."""
        return any(self._is_writable(label) for label in self.names(guest=guest) if name in ("", label))

    def _is_writable(self, name: str) -> bool:
        return name != SYSTEM and name in self._here and not is_system(self._here[name].corpus)

    def version_of(self, name: str | None, call: Call) -> str | None:
        """Return the `index_version` behind a bare query, or None if it is unknown."""
        try:
            # the reply itself does not wait for a remote one
            within = call if self.meant(name, guest=call.guest) in self._here else bounded(call)
            return self.ask(name, VERSION, NoRequest(), within).index_version
        except BiblicusError:
            return None

    def embedding_model(self, name: str) -> str | None:
        """Return the embedder behind a bare query; None if there is none or it is unknown."""

        try:
            return embedding_model(self.owners(name).corpus)
        except BiblicusError:
            return None

    def unread(self, name: str) -> int:
        """Return the number of a corpus's unreadable files, cached for each state; 0 if unknown."""

        try:
            asker = self.asker(name, Call())
            corpus = asker.corpus
            count: int = asker.remembered("unread", lambda: runs.stats.unread_count(corpus))
        except BiblicusError:
            return 0
        return count

    def describe(self, call: Call) -> ServedCorpora:
        """Return each corpus with name, version and writability, or its error."""
        names = self.names(guest=call.guest)
        with ThreadPoolExecutor(max(1, min(len(names), _TOGETHER)), "biblicus-corpora") as pool:
            answers = [pool.submit(copy_context().run, self._described, name, call) for name in names]
            return ServedCorpora(tuple(answer.result() for answer in answers))

    def _described(self, name: str, call: Call) -> ServedCorpus | UnreadableCorpus:
        writable = self._is_writable(name)
        within = Call(deadline=call.deadline, cancel=call.cancel, through=call.through, reader=call.reader)
        if name not in self._here:
            within = bounded(within, _INTRODUCING)
        try:
            version = self._askers[name].ask(VERSION, NoRequest(), within)
        except BiblicusError as error:
            return UnreadableCorpus(corpus=name, writable=writable, error=error.as_object())
        return ServedCorpus(**plain(version), corpus=name, writable=writable)

    def query(self, names: Sequence[str], request: QueryRequest, call: Call) -> FusedResult:
        """Query corpora concurrently; return their evidence as one list. Raises the first error if none answered."""

        began = time.perf_counter()
        chosen = [self.meant(name, guest=call.guest) for name in dict.fromkeys(names)]
        within = bounded(call) if len(chosen) > 1 and any(map(self._may_hang, chosen)) else call
        results: dict[str, Result] = {}
        failed: dict[str, BiblicusError] = {}
        together = ThreadPoolExecutor(max(1, min(len(chosen), _TOGETHER)), "biblicus-corpora")
        with together as pool, _called_off_with(call):
            tasks = [pool.submit(copy_context().run, self._askers[name].ask, QUERY, request, within) for name in chosen]
            for name, answer in zip(chosen, tasks, strict=True):
                try:
                    results[name] = answer.result()
                except BiblicusError as error:
                    failed[name] = error
        if not results:
            raise next(iter(failed.values()), UsageError("Name at least one corpus."))
        lists = {name: result.evidence for name, result in results.items()}
        limits = _bounds(request)
        bounds = [result.budget["asked"] if name in self._here else limits for name, result in results.items()]
        evidence, budget = retrieval.merging.merged(lists, bounds)
        for name, result in results.items():
            budget["dropped"] += [{**dropped, "corpus": name} for dropped in result.budget["dropped"]]
        return FusedResult(
            query=request.query,
            corpora=tuple(AnsweredCorpus.of(name, result) for name, result in results.items()),
            failed=tuple(FailedCorpus(name, error.as_object()) for name, error in failed.items()),
            evidence=[plain(piece) for piece in evidence],
            insufficient=all(result.insufficient for result in results.values()),
            budget=budget,
            timings={"total": round((time.perf_counter() - began) * 1000, 3)},
        )

    def _may_hang(self, name: str) -> bool:
        """Return true if a corpus depends on other machines; each then gets half of the time, so that results can be
        returned."""
        try:
            settings = self._here[name].corpus.settings if name in self._here else None
        except BiblicusError:
            return False
        return settings is None or bool(settings.store or settings.corpora)


@contextmanager
def _called_off_with(call: Call) -> Iterator[None]:
    """On Ctrl-C, cancel the call so that nobody is waited for."""
    try:
        yield
    except KeyboardInterrupt:
        call.cancel.set()
        raise


def _bounds(request: QueryRequest) -> dict[str, int | None]:
    """Return the budget of a request, even if a remote service has other defaults."""
    usual = Budget()
    return {
        "items": request.limit or usual.items,
        "tokens": request.max_tokens or usual.tokens,
        "characters": request.max_characters or usual.characters,
        "per_source": request.max_per_source or usual.per_source,
    }


def as_name(name: str) -> str:
    """Return a corpus's own name in the form for serving."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "corpus"
