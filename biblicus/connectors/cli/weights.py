"""Commands about weights: set, list, clear."""

from __future__ import annotations

from typing import Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, place_of
from biblicus.models.plain import plain

_TARGET = "An item by id or path, or a pattern of paths: docs/**, *.md."


def add(app: typer.Typer) -> None:
    """Register the group."""
    weight = typer.Typer(help="Make items count more, or less, than their scores: set, list and clear weights.")
    weight.command("set")(set_weight)
    weight.command("list")(list_weights)
    weight.command("clear")(clear)
    app.add_typer(weight, name="weight")


def set_weight(
    target: Annotated[str, typer.Argument(metavar="ITEM|PATTERN", help=_TARGET)],
    multiplier: Annotated[
        float, typer.Argument(metavar="MULTIPLIER", help="What scores are multiplied by: 0.1 to 10.")
    ],
    namespace: Annotated[
        str,
        typer.Option("--namespace", metavar="NAME", help="global, or the toolkit whose questions it counts for."),
    ] = "global",
    ttl: Annotated[float | None, typer.Option("--ttl", metavar="DAYS", help="It expires after so many days.")] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Set a weight, in .biblicus/weights.yml. The next question counts it; nothing is indexed anew."""
    from biblicus.contracts import Call
    from biblicus.corpus.weights import set_weight as operation

    found = operation(place_of(corpus), target, multiplier, Call(), namespace=namespace, ttl_days=ttl)
    if as_json:
        output.document(found)
    else:
        until = f", until {found.weight.expires}" if found.weight.expires else ""
        output.line(f"{found.outcome}: {target} counts {found.weight.multiplier:g} times{until}")


def list_weights(as_json: Json = False, corpus: Corpus = None) -> None:
    """List the weights."""
    from biblicus.contracts import Call
    from biblicus.corpus.weights import list_weights as operation

    found = operation(place_of(corpus), Call())
    if as_json:
        output.document({"weights": found})
        return
    output.table(
        [
            (
                f"{one.weight.multiplier:g}",
                one.weight.namespace,
                one.weight.pattern or one.path or f"{one.weight.item} (gone)",
                ("expired " if one.expired else "until ") + one.weight.expires if one.weight.expires else "",
            )
            for one in found
        ]
    )
    if not found:
        output.line("No weights. biblicus weight set ITEM 2 sets one.")


def clear(
    target: Annotated[str | None, typer.Argument(metavar="ITEM|PATTERN", help=f"{_TARGET} None: all of them.")] = None,
    namespace: Annotated[
        str | None, typer.Option("--namespace", metavar="NAME", help="Only of this namespace.")
    ] = None,
    expired: Annotated[bool, typer.Option("--expired", help="Only what has expired.")] = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Clear weights."""
    from biblicus.contracts import Call
    from biblicus.corpus.weights import clear_weights as operation

    gone = operation(place_of(corpus), target, Call(), namespace=namespace, expired=expired)
    if as_json:
        output.document({"cleared": [plain(weight.model_dump(mode="json")) for weight in gone]})
    else:
        output.line(f"{len(gone)} cleared")
