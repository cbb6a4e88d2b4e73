"""Facets: by which values the items can be filtered, and how many fit each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.editorial.approvals import shown_on
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.item import Item
from biblicus.models.reading import Facet, Facets, FacetValue
from biblicus.models.requests.items import FacetsRequest
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
"""What is counted, and which values an item has of it."""
_FILTERS: Mapping[str, Callable[[str], Mapping[str, str]]] = {
    "folder": lambda name: {"path": f"{name}/**"},
    "year": lambda year: {"since": year, "until": year},
}
"""How a filter says a value, where it is not by the facet's own name."""


def facets(corpus: CorpusFolder, request: FacetsRequest, call: Call) -> Facets:
    """The values that items have, and how many fit each: of all items, or of those that fit the filters."""
    if corpus.host is not None and not request.restricts:  # what a page asks each time is counted once
        counted: tuple[int, Mapping[str, Counter[str]]] = corpus.host.remembered(
            "facets", lambda: _counted(corpus, request, call)
        )
    else:
        counted = _counted(corpus, request, call)
    items, counts = counted
    return Facets(items, tuple(_facet(name, count, request.most) for name, count in counts.items() if count))


def _counted(corpus: CorpusFolder, request: FacetsRequest, call: Call) -> tuple[int, Mapping[str, Counter[str]]]:
    """One look at each item that fits."""
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
    """A facet with its most frequent values."""
    ranked = sorted(count.items(), key=lambda entry: (-entry[1], entry[0]))
    say = _FILTERS.get(name)
    values = [
        FacetValue(value, number, say(value) if say is not None else {name: value}) for value, number in ranked[:most]
    ]
    return Facet(name, tuple(values), len(ranked))
