"""The bare command inside a corpus: its state and the next step."""

from __future__ import annotations

from collections.abc import Iterable

from biblicus.connectors.cli import output
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import Untrusted
from biblicus.models.fields import NoRequest
from biblicus.service.askers.here import here
from biblicus.service.places import folder_of
from biblicus.service.verbs import STATS


def show(corpus: str | None) -> int:
    """Print a few lines. `corpus`: value of `-C`. Raises `CorpusNotFound`."""
    asker = here(folder_of(corpus))
    stats = asker.ask(STATS, NoRequest(), Call())
    if not stats.runs:
        output.line(f"{stats.name} is not indexed yet. Next: biblicus reindex", bold=True)
    else:
        passages = max(run["chunks"] for run in stats.runs.values())
        held = f"{output.count(stats.items, 'files')}, {output.count(passages, 'passages')}"
        output.line(f"{stats.name}: {held}", bold=True)
        if stats.unread:
            output.line(f"{output.summary(stats.unread)} (biblicus check --failed)", fg="yellow")
        if stats.pending is not None and stats.pending.sentence:
            output.pending(stats.pending)
        elif (error := _cannot_be_opened(asker.corpus, [run["run_id"] for run in stats.runs.values()])) is not None:
            output.line(f"{error.message} Next: {error.hint}", fg="yellow")
        else:
            output.line('Next: biblicus query "…", biblicus answer "…", or biblicus open for the browser.')
    output.line("All commands: biblicus --help", fg="bright_black")
    return 0


def _cannot_be_opened(corpus: CorpusFolder, runs: Iterable[str]) -> Untrusted | None:
    """Return the error that a query would raise for the first run this user does not trust, or None."""
    for run_id in runs:
        try:
            if corpus.store.holds(run_id):
                corpus.store.check(run_id)
        except Untrusted as error:
            return error
    return None
