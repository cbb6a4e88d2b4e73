"""The bare command inside a corpus: how the corpus stands, and the next step."""

from __future__ import annotations

from biblicus.connectors.cli import output
from biblicus.contracts import Call
from biblicus.models.fields import NoRequest
from biblicus.service.askers.here import here
from biblicus.service.places import folder_of
from biblicus.service.verbs import STATS


def show(corpus: str | None) -> int:
    """Print a few lines. `corpus`: as `-C` names it. Raises `CorpusNotFound`."""
    stats = here(folder_of(corpus)).ask(STATS, NoRequest(), Call())
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
        else:
            output.line('Next: biblicus query "…", biblicus answer "…", or biblicus open for the browser.')
    output.line("All commands: biblicus --help", fg="bright_black")
    return 0
