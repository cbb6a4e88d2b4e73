"""Filters that nothing fits: which of them, and the nearest values that items have."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from biblicus.models.requests.items import FacetsRequest, ListRequest
from biblicus.models.requests.query import LIMIT, filters_of
from biblicus.service.verbs import FACETS, LIST

if TYPE_CHECKING:
    from biblicus.connectors.cli.front.commands import Given

_HINT = " Try: biblicus facets"
_SHOWN = 3
"""Values that are named as the nearest."""


def problem(given: Given) -> str | None:
    """A sentence on the filters of a request, where no item fits them; None where one does."""
    asked = filters_of(given.request)
    if _fits(given, asked):
        return None
    for name, values in asked.items():
        if not _fits(given, {name: values}):
            return f"no item fits {_shown(name, values)}.{_nearest(given, name, values)}"
    parts = " and ".join(_shown(name, values) for name, values in asked.items())
    return f"each filter fits some items, but none fits all of {parts}."


def _fits(given: Given, filters: dict[str, Any]) -> bool:
    return bool(given.ask(LIST, ListRequest(**filters, limit=1)).items)


def _shown(name: str, values: Any) -> str:
    if isinstance(values, dict):
        return " ".join(f"--{name} {key}={value}" for key, value in values.items())
    return " ".join(f"--{name} {value}" for value in ([values] if isinstance(values, str) else values))


def _nearest(given: Given, name: str, values: Any) -> str:
    """The values of a filter that are spelled most alike, else the most frequent ones; a hint as a sentence."""
    known = _known(given, name, values)
    if near := [found for text in _texts(values) for found in _alike(text, known)]:
        return f" Nearest: {', '.join(dict.fromkeys(near))}."
    return f" There is: {', '.join(known[:_SHOWN])}{', …' if len(known) > _SHOWN else '.'}" if known else _HINT


def _texts(values: Any) -> list[str]:
    if isinstance(values, dict):
        return list(values.values())
    return [values] if isinstance(values, str) else list(values)


def _alike(text: str, known: list[str]) -> list[str]:
    """Values spelled like a text, or whose last part is: `application/pdf` like `pfd`."""
    folded = {value.lower(): value for value in reversed(known)}
    folded |= {value.lower().rpartition("/")[2]: value for value in reversed(known)}
    return [folded[match] for match in get_close_matches(text.lower().strip("*/"), folded, n=_SHOWN, cutoff=0.6)]


def _known(given: Given, name: str, values: Any) -> list[str]:
    """The values that items have, the most frequent first; of a path, the folders and files."""
    if name == "path":
        paths = [item.path for item in given.ask(LIST, ListRequest(limit=LIMIT)).items]
        folders = {path[:at] for path in paths for at, letter in enumerate(path) if letter == "/"}
        return [*sorted(folders, key=lambda folder: folder.count("/")), *paths]
    facets = given.ask(FACETS, FacetsRequest(most=LIMIT)).facets
    names = list(values) if isinstance(values, dict) else [name]
    found = [value.value for facet in facets if facet.name.rpartition(".")[2] in names for value in facet.values]
    if isinstance(values, dict) and not found:  # no item has the key
        keys = [facet.name for facet in facets if facet.name.startswith(("where", "metadata"))]
        return [f"--where {key.rpartition('.')[2]}=…" for key in keys]
    return found
