"""The command that says what a bare query is answered from: version."""

from __future__ import annotations

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, place_of


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(version)


def version(as_json: Json = False, corpus: Corpus = None) -> None:
    """Show which run answers a bare query: index version, build, when it was built, and whether it is current."""
    from biblicus.runs.version import version as operation

    found = operation(place_of(corpus))
    if as_json:
        output.document(found)
        return
    for key, value in found.items():
        output.line(f"{key:14} {str(value).lower() if isinstance(value, bool) else value}")
