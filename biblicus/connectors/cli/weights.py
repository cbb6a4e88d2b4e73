"""Commands about weights: set, list, clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.commands import Command, Given
from biblicus.service.verbs import CLEAR_WEIGHTS, WEIGHT, WEIGHTS

if TYPE_CHECKING:
    from biblicus.corpus.weights import ClearedWeights, WeightList, WeightOutcome


def _set(weight: WeightOutcome, given: Given) -> None:
    until = f", until {weight.expires}" if weight.expires else ""
    output.line(f"{weight.outcome}: {given.request.target} counts {weight.multiplier:g} times{until}")


def _list(listed: WeightList, given: Given) -> None:
    output.table(
        [
            (
                f"{weight.multiplier:g}",
                weight.namespace,
                weight.pattern or weight.path or f"{weight.item} (gone)",
                ("expired " if weight.expired else "until ") + weight.expires if weight.expires else "",
            )
            for weight in listed.weights
        ]
    )
    if not listed.weights:
        output.line("No weights. biblicus weight set ITEM 2 sets one.")


def _clear(gone: ClearedWeights, given: Given) -> None:
    output.line(f"{len(gone.cleared)} cleared")


COMMANDS = (
    Command(
        "weight set",
        WEIGHT,
        _set,
        help="Set a weight, in .biblicus/weights.yml. The next question counts it; nothing is indexed anew.",
    ),
    Command("weight list", WEIGHTS, _list),
    Command("weight clear", CLEAR_WEIGHTS, _clear),
)
