"""Queries, answers and verification over several corpora (`--also`), opened and fused in this process like `serve`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Given
from biblicus.connectors.cli.query import show_piece
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models.evidence import Evidence, Result
from biblicus.models.plain import plain, revived
from biblicus.models.requests.query import QueryRequest
from biblicus.models.sources.readers import Reader
from biblicus.service.corpora import AnsweredCorpus, Corpora, FailedCorpus, FusedResult, Gathered
from biblicus.service.places import SCHEME, is_address

if TYPE_CHECKING:
    from biblicus.answers.conversations import Ask
    from biblicus.models.answers.answer import Answer
    from biblicus.models.reading import Verdict, Verdicts


def fused(given: Given) -> FusedResult | None:
    """Print the fused results and return None, or return them for JSON. Failed corpora are named on standard error.
    Raises the first error if all fail."""
    options = given.own
    _refuse(given, {"--refresh": options.refresh, "--format": options.format, "--null": options.null})
    with _opened(given) as corpora:
        result = corpora.query(corpora.named, given.request, given.call)
        _remark(result.failed, corpora, given)
        if given.common.json:
            return result
        _show(result, {answered.corpus: _option(answered.corpus, corpora, given) for answered in result.corpora})
    return None


def proved(evidence: Sequence[Mapping[str, Any]], given: Given) -> Verdicts:
    """Return verdicts for pieces, each from its own corpus, or from the first one if it is of none of them.
    Among clones, the corpus with the piece's corpus name is used."""
    from biblicus.models.reading import Verdicts
    from biblicus.service.askers import loops

    _refuse(given, {})
    with _opened(given) as corpora:
        corpus_ids = {name: corpora.corpus_id(name, given.call) for name in corpora.named}
        ranks: dict[str, list[int]] = {}
        for rank, piece in enumerate(evidence):
            clones = [name for name, corpus_id in corpus_ids.items() if corpus_id == piece.get("corpus_id")]
            home = piece["corpus"] if piece.get("corpus") in clones else next(iter(clones), corpora.named[0])
            ranks.setdefault(home, []).append(rank)
        verdicts: dict[int, Verdict] = {}
        for name, of_corpus in ranks.items():
            judged = loops.proved(corpora.only(name), [evidence[rank] for rank in of_corpus], given.call).evidence
            verdicts.update(zip(of_corpus, judged, strict=True))
    return Verdicts.of(tuple(replace(verdicts[rank], rank=rank + 1) for rank in sorted(verdicts)))


@contextmanager
def asked(given: Given) -> Iterator[Several]:
    """Yield several corpora for answering."""
    _refuse(given, {"--persona": given.request.persona})
    with _opened(given) as corpora:
        yield Several(corpora, given)


class Several:
    """Queries several corpora as one, and keeps the last results."""

    def __init__(self, corpora: Corpora, given: Given) -> None:
        self._corpora, self._given = corpora, given
        self._gathered: Gathered | None = None

    @property
    def ask(self) -> Ask:
        """Return a function that gets the evidence."""
        from biblicus.answers.several import together

        def ask(question: QueryRequest, call: Call) -> Result:
            gathered = self._gathered = self._corpora.gather(self._corpora.named, question, call)
            return together(gathered.results, gathered.evidence, gathered.budget)

        return ask

    def with_sources(self, answer: Answer) -> Answer:
        """Return the answer with the sources of each corpus; failed ones are also named on standard error."""
        assert self._gathered is not None
        _remark(self._gathered.failed, self._corpora, self._given)
        sources = {"corpora": plain(self._gathered.corpora), "failed": plain(self._gathered.failed)}
        return replace(answer, searched={**answer.searched, **sources})

    @property
    def roots(self) -> Mapping[str | None, Path]:
        """Return the folders of local corpora by name."""
        return {name: self._corpora.owners(name).corpus.root for name in self._corpora.here()}

    def show_state(self) -> None:
        """Print pending changes of each folder."""
        assert self._gathered is not None
        _show_state(self._gathered.corpora)


@contextmanager
def _opened(given: Given) -> Iterator[Corpora]:
    corpora = Corpora.open([given.corpus or ".", *given.own.also], is_frank=True)
    try:
        _refuse_twice(corpora)
        if given.common.as_reader is not None:
            corpora.for_reader(Reader(given.common.as_reader))
        yield corpora
    finally:
        corpora.close()


def _refuse(given: Given, single: Mapping[str, object]) -> None:
    """Raise `UsageError` for options that are for one corpus."""
    for option, value in {"--at": given.common.at, **single}.items():
        if value:
            example = f"biblicus {given.command.words} TEXT --also NAME=https://HOST:PORT"
            raise UsageError(f"Give --also or {option}, not both.", example)


def _refuse_twice(corpora: Corpora) -> None:
    """Raise `UsageError` if two names are the same folder: its evidence would be duplicated."""
    roots: dict[str, str] = {}
    for name in corpora.here():
        root = os.path.realpath(corpora.owners(name).corpus.root)
        if root in roots:
            raise UsageError(f'"{roots[root]}" and "{name}" are the same corpus.', "name it once")
        roots[root] = name


def _remark(failed: Sequence[FailedCorpus], corpora: Corpora, given: Given) -> None:
    """Print the errors of failed corpora, with remedies."""
    for failure in failed:
        hint = failure.error.get("hint", "")
        if failure.corpus not in corpora.here():
            hint = f"{hint}, where it is" if hint.startswith("biblicus ") else ""
        elif option := _option(failure.corpus, corpora, given):
            hint = hint.replace("biblicus ", f"biblicus {option} ", 1)
        output.remark(f"{failure.corpus}: {failure.error['message']}{f' Try: {hint}' if hint else ''}")


def _show(result: FusedResult, options: dict[str, str]) -> None:
    """Print fused results. `options`: option that selects each corpus in other commands."""
    for piece in result.evidence:
        show_piece(revived(Evidence, piece), result.query, options[piece["corpus"]])
    if not result.evidence:
        output.line("Nothing found. Other words or fewer filters may help.")
    elif result.insufficient:
        output.line("The evidence is thin: the best match holds little of the question.", fg="yellow")
    _show_state(result.corpora)


def _show_state(corpora: Sequence[AnsweredCorpus]) -> None:
    """Print notes and pending changes of each corpus."""
    for answered in corpora:
        for note in answered.notes:
            output.line(f"{answered.corpus}: {note}", fg="yellow")
        if answered.pending is not None and answered.pending.sentence:
            output.line(f"{answered.corpus}: {answered.pending.sentence}", fg="yellow")


def _option(name: str, corpora: Corpora, given: Given) -> str:
    """Return the option that selects this corpus in other commands."""
    if name in corpora.here():
        folder = os.path.relpath(corpora.owners(name).corpus.root)
        return "" if folder == os.curdir else f"-C {quote(folder)}"
    words = (given.corpus or "", *given.own.also)
    place = next(word for word in words if word == f"{SCHEME}{name}" or word.startswith(f"{name}="))
    place = place.removeprefix(f"{name}=")
    return f"{'--at' if is_address(place) else '-C'} {quote(place)}"
