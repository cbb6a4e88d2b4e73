"""One question to several corpora: `query --also`. They are opened and fused as `serve` does, in this process."""

from __future__ import annotations

import os
from contextlib import closing
from shlex import quote
from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.query import show_piece
from biblicus.errors import UsageError
from biblicus.models.evidence import Evidence
from biblicus.models.plain import revived
from biblicus.service.corpora import Corpora
from biblicus.service.places import SCHEME, is_address

if TYPE_CHECKING:
    from biblicus.connectors.cli.front.commands import Given
    from biblicus.service.corpora import FusedResult


def fused(given: Given) -> FusedResult | None:
    """What the corpora bring together; None where it was printed. One that does not answer is named on standard error.
    Raises the first error where none does."""
    single = {
        "--at": given.common.at,
        "--refresh": given.own.refresh,
        "--format": given.own.format,
        "--null": given.own.null,
    }
    for option, value in single.items():
        if value:
            raise UsageError(f"Give --also or {option}, not both.", "biblicus query TEXT --also NAME=https://HOST:PORT")
    with closing(Corpora.open([given.corpus or ".", *given.own.also], is_frank=True)) as corpora:
        _refuse_twice(corpora)
        result = corpora.query(corpora.names(), given.request, given.call)
        for failed in result.failed:
            output.remark(f"{failed.corpus}: {failed.error['message']}")
        if given.common.json:
            return result
        _show(result, {answered.corpus: _option(answered.corpus, corpora, given) for answered in result.corpora})
    return None


def _refuse_twice(corpora: Corpora) -> None:
    """Raises `UsageError` where a folder is asked by two names: each piece of it would come twice."""
    roots: dict[str, str] = {}
    for name in corpora.here():
        root = os.path.realpath(corpora.asker(name).corpus.root)
        if root in roots:
            raise UsageError(f'"{roots[root]}" and "{name}" are the same corpus.', "name it once")
        roots[root] = name


def _show(result: FusedResult, options: dict[str, str]) -> None:
    """`options`: by which other commands are told each corpus."""
    for piece in result.evidence:
        show_piece(revived(Evidence, piece), result.query, piece["corpus"], options[piece["corpus"]])
    if not result.evidence:
        output.line("Nothing found. Other words or fewer filters may help.")
    elif result.insufficient:
        output.line("The evidence is thin: the best match holds little of the question.", fg="yellow")
    for answered in result.corpora:
        for note in answered.notes:
            output.line(f"{answered.corpus}: {note}", fg="yellow")
        if answered.pending is not None and answered.pending.sentence:
            output.line(f"{answered.corpus}: {answered.pending.sentence}", fg="yellow")


def _option(name: str, corpora: Corpora, given: Given) -> str:
    """How another command is told the corpus that has this name here."""
    if name in corpora.here():
        folder = os.path.relpath(corpora.asker(name).corpus.root)
        return "" if folder == os.curdir else f"-C {quote(folder)}"
    words = (given.corpus or "", *given.own.also)
    place = next(word for word in words if word == f"{SCHEME}{name}" or word.startswith(f"{name}="))
    place = place.removeprefix(f"{name}=")
    return f"{'--at' if is_address(place) else '-C'} {quote(place)}"
