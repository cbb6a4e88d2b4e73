"""Facets: values for filtering items, with their counts, and filters that match nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.editorial.approvals import shown_on
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.item import Item
from biblicus.models.reading import Facet, Facets, FacetValue
from biblicus.models.requests.items import FacetsRequest
from biblicus.models.requests.query import Filters, filters_of
from biblicus.text.fitting import day_of, fits, texts_of, toolkits_of

_COUNTED: Mapping[str, Callable[[Item], Iterable[str]]] = {
    "type": lambda item: (item.media_type,),
    "doctype": lambda item: (item.doctype,),
    "language": lambda item: (item.language,) if item.language else (),
    "tag": lambda item: item.tags,
    "toolkit": toolkits_of,
    "layer": lambda item: (item.layer,) if item.layer else (),
    "category": lambda item: texts_of(item.metadata.get("category")),
    "folder": lambda item: (item.path.partition("/")[0],) if "/" in item.path else (),
    "source": lambda item: () if item.source.kind == "corpus" else (item.source.kind,),
    "year": lambda item: (day[:4],) if (day := day_of(item.metadata)) else (),
}
"""The facets, each with a function that returns an item's values."""
_FILTERS: Mapping[str, Callable[[str], Mapping[str, str]]] = {
    "folder": lambda name: {"path": f"{name}/**"},
    "year": lambda year: {"since": year, "until": year},
}
"""Filters for a facet's value, if they are not named like the facet."""


def facets(corpus: CorpusFolder, request: FacetsRequest, call: Call) -> Facets:
    """Return the values of all items, or of those that match the filters, with counts."""
    if corpus.host is not None and not request.restricts:  # frequent request: counted once
        counted: tuple[int, Mapping[str, Counter[str]]] = corpus.host.remembered(
            "facets", lambda: _counted(corpus, request, call)
        )
    else:
        counted = _counted(corpus, request, call)
    items, counts = counted
    note = unmatched(corpus, request, call) if request.restricts and not items else ""
    return Facets(items, tuple(_facet(name, count, request.most) for name, count in counts.items() if count), note)


def _counted(corpus: CorpusFolder, request: FacetsRequest, call: Call) -> tuple[int, Mapping[str, Counter[str]]]:
    """Count the values of all matching items in one pass."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in _COUNTED}
    items = 0
    may_be_shown = shown_on(corpus, request.layer, call)
    for item in catalog_of(corpus).items.values():
        if fits(item, request) and may_be_shown(item):
            items += 1
            for name, values in _COUNTED.items():
                counts[name].update(set(values(item)))
    return items, counts


def _facet(name: str, count: Counter[str], most: int) -> Facet:
    """Return a facet with its most frequent values."""
    ranked = sorted(count.items(), key=lambda entry: (-entry[1], entry[0]))
    say = _FILTERS.get(name)
    values = [
        FacetValue(value, number, say(value) if say is not None else {name: value}) for value, number in ranked[:most]
    ]
    return Facet(name, tuple(values), len(ranked))


_NEAREST = 3
"""Number of nearest values to suggest."""


def unmatched(corpus: CorpusFolder, filters: Filters, call: Call) -> str:
    """Return a sentence that names the filters without any item, and the nearest values; empty if an item fits all."""
    active_filters = filters_of(filters)
    items = list(catalog_of(corpus).items.values())
    may_be_shown = shown_on(corpus, filters.layer, call)
    if not items or _fits(items, active_filters, may_be_shown):
        return ""
    for name, values in active_filters.items():
        if not _fits(items, {name: values}, may_be_shown):
            items = [item for item in items if may_be_shown(item)]
            return f"No item fits {_shown(name, values)}.{_nearest(items, name, values)}"
    parts = " and ".join(_shown(name, values) for name, values in active_filters.items())
    return f"Each filter fits some items, but no item fits all of {parts}."


def _fits(items: Iterable[Item], asked: Mapping[str, Any], may_be_shown: Callable[[Item], bool]) -> bool:
    filters = Filters(**asked)
    return any(fits(item, filters) and may_be_shown(item) for item in items)


def _shown(name: str, values: Any) -> str:
    if isinstance(values, dict):
        return " ".join(f"{name} {key}={value}" for key, value in values.items())
    return " ".join(f"{name}={value}" for value in _texts(values))


def _nearest(items: Sequence[Item], name: str, values: Any) -> str:
    """Suggest the values of a filter with similar spelling, else the most frequent ones."""
    options = _known(items, name, values)
    if near := [value for text in _texts(values) for value in _alike(text, options)]:
        return f" Nearest: {', '.join(dict.fromkeys(near))}."
    return f" There is: {', '.join(options[:_NEAREST])}{', …' if len(options) > _NEAREST else '.'}" if options else ""


def _texts(values: Any) -> list[str]:
    if isinstance(values, dict):
        return list(values.values())
    return [values] if isinstance(values, str) else list(values)


def _alike(text: str, known: list[str]) -> list[str]:
    """Return values spelled like a text, in whole or in the last part: `application/pdf` for `pfd`."""
    from difflib import get_close_matches  # lazy: most filters match something

    folded = {value.lower(): value for value in reversed(known)}
    folded |= {value.lower().rpartition("/")[2]: value for value in reversed(known)}
    return [folded[match] for match in get_close_matches(text.lower().strip("*/"), folded, n=_NEAREST, cutoff=0.6)]


def _known(items: Sequence[Item], name: str, values: Any) -> list[str]:
    """Return the existing values, the most frequent first; for a path, folders and files."""
    if name == "path":
        paths = [item.path for item in items]
        folders = {path[:at] for path in paths for at, letter in enumerate(path) if letter == "/"}
        return [*sorted(folders, key=lambda folder: (folder.count("/"), folder)), *paths]
    if name == "where":
        counts = Counter(text for item in items for key in values for text in texts_of(item.metadata.get(key)))
        return _ranked(counts) or [
            f"where {key}=…" for key in _ranked(Counter(key for i in items for key in i.metadata))
        ]
    of = _COUNTED.get("year" if name in ("since", "until") else name)
    return _ranked(Counter(value for item in items for value in of(item))) if of is not None else []


def _ranked(counts: Counter[str]) -> list[str]:
    return [value for value, _ in counts.most_common()]
