"""Names of a corpus for Typer's shell completion: items, tags, recipes, runs, personas, datasets.

Shells evaluate candidates, so names with characters that a shell interprets are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from biblicus.connectors.cli.front.options import Option
from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.service import verbs
from biblicus.service.askers.here import Here, here
from biblicus.service.places import folder_of

if TYPE_CHECKING:
    from biblicus.models.item import Item

_SAFE = re.compile(r"[\w./@%+,:~-]+")
_KINDS = {"base": "recipe", "first": "run", "second": "run", "target": "item"}
_NAMED = {"datasets show": "dataset", "personas": "persona", "recipes show": "recipe", "runs": "run"}


def _items(asker: Here) -> Iterable[Item]:
    return asker.catalog(asker.corpus).items.values()


_NAMES: dict[str, Callable[[Here], Iterable[str]]] = {
    "item": lambda asker: (item.path for item in _items(asker)),
    "tag": lambda asker: {tag for item in _items(asker) for tag in item.tags},
    "recipe": lambda asker: [entry.name for entry in _reply(asker, verbs.RECIPES).recipes],
    "run": lambda asker: [entry.run_id for entry in _reply(asker, verbs.RUNS).runs],
    "persona": lambda asker: [entry.id for entry in _reply(asker, verbs.PERSONAS).personas],
    "dataset": lambda asker: [entry.name for entry in _reply(asker, verbs.DATASETS).datasets],
}


def completer(words: str, option: Option) -> Callable[..., list[str]] | None:
    """Return the function that completes an option of a command, or None if its values are no names of a corpus."""
    of_command = next((kind for start, kind in _NAMED.items() if words.startswith(start)), "")
    kind = of_command if option.name in ("name", "names") else _KINDS.get(option.name, option.name.removesuffix("s"))
    if kind not in _NAMES or (words == "personas new" and option.name == "name"):
        return None

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        place = ctx.params.get("corpus") or ctx.find_root().params.get("corpus_path")
        try:
            names = sorted(set(_NAMES[kind](here(folder_of(place)))))
        except BiblicusError:  # no corpus here, or a damaged one: the command itself will report it
            return []
        return [name for name in names if name.startswith(incomplete) and _SAFE.fullmatch(name)]

    return complete


def _reply(asker: Here, verb: verbs.Verb[Any, Any]) -> Any:
    return asker.ask(verb, verb.request(), Call())
