"""Commands about personas: list, show, new, check."""

from __future__ import annotations

from typing import Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, place_of

_ID = typer.Argument(metavar="ID", help="A persona's id: its file's name without .yml.")


def add(app: typer.Typer) -> None:
    """Register the group."""
    personas = typer.Typer(help="List, show, write and check personas: who answers, with which manual and limits.")
    personas.command("new")(new)
    personas.command("list")(list_personas)
    personas.command("show")(show)
    personas.command("check")(check)
    app.add_typer(personas, name="personas")


def list_personas(as_json: Json = False, corpus: Corpus = None) -> None:
    """List the personas of the corpus."""
    from biblicus.answers.personas import list_personas as operation

    entries = operation(place_of(corpus))
    if as_json:
        output.document({"personas": entries})
        return
    for entry in entries:
        if entry.persona is None:
            output.line(f"{entry.id:16} {entry.problem}", fg="red")
        else:
            manual = f" (manual: {entry.persona.manual_corpus})" if entry.persona.manual_corpus else ""
            output.line(f"{entry.id:16} {entry.persona.name}. {entry.persona.description}".rstrip() + manual)
    if not entries:
        output.line("No personas yet. biblicus personas new keeper writes one.")


def show(name: Annotated[str, _ID], as_json: Json = False, corpus: Corpus = None) -> None:
    """Show a persona with everything that its file leaves open spelled out."""
    from biblicus.answers.personas import show as operation
    from biblicus.guards import yaml
    from biblicus.guards.terminal import safe

    persona = operation(place_of(corpus), name)
    found = persona.model_dump(mode="json")
    if as_json:
        output.document({**found, "digest": persona.digest})
    else:
        output.raw(safe(yaml.write(found), keep_newlines=True))


def new(
    name: Annotated[str, typer.Argument(metavar="ID", help="The new persona's id: a-z, 0-9, - and _.")],
    title: Annotated[str | None, typer.Option("--name", metavar="NAME", help="What it is called.")] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Write a commented persona to .biblicus/personas/, to be edited."""
    from biblicus.answers.personas import new as operation

    place = place_of(corpus)
    path = operation(place, name, title).relative_to(place.root)
    if as_json:
        output.document({"id": name, "path": str(path)})
    else:
        output.line(f"Edit {path}, then: biblicus personas check {name}")


def check(
    name: Annotated[str | None, typer.Argument(metavar="ID", help="A persona's id; none: all of them.")] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Check a persona: its file, its recipe, its manual corpus and that corpus's index. Exit code 4 where it fails."""
    from biblicus.answers.personas import check_all as operation

    with output.watched() as call:
        found = operation(place_of(corpus), name, call)
    ok = all(one.ok for one in found)
    if as_json:
        output.document({"ok": ok, "personas": found})
    else:
        for one in found:
            output.line(f"{one.id}: {'can answer' if one.ok else 'cannot answer'}", fg="green" if one.ok else "red")
            for problem in one.problems:
                hint = f" Try: {problem['hint']}" if problem["hint"] else ""
                output.line(f"  {problem['reason']}{hint}")
            for note in one.notes:
                output.line(f"  {note}", fg="bright_black")
        if not found:
            output.line("No personas yet. biblicus personas new keeper writes one.")
    if not ok:
        raise typer.Exit(4)
