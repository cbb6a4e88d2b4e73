"""Data of the search page: evidence, facets with their counts, recipes, corpora."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from biblicus.connectors.web.asking import Asked, joined
from biblicus.connectors.web.kinds import facet_name, value_name
from biblicus.connectors.web.marking import snippets
from biblicus.errors import BiblicusError
from biblicus.models.evidence import Evidence, Pending
from biblicus.models.fields import NoRequest
from biblicus.models.reading import FacetValue
from biblicus.models.requests.items import FacetsRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.verbs import FACETS, QUERY, RECIPES, fitting

MOST = 50
_SHOWN = 10
_FACETS = 8
"""Number of values shown for a facet."""
_COUNTED = 200
"""Number of best items used for facet counts."""
_OF_EVIDENCE: Mapping[str, Callable[[Evidence], Collection[str | None]]] = {
    "type": lambda piece: (piece.media_type,),
    "doctype": lambda piece: (piece.doctype,),
    "language": lambda piece: (piece.language,),
    "tag": lambda piece: piece.tags,
    "toolkit": lambda piece: piece.toolkit,
    "layer": lambda piece: (piece.layer,),
    "folder": lambda piece: (piece.path.partition("/")[0],) if "/" in piece.path else (),
    "year": lambda piece: (piece.date[:4],) if piece.date else (),
}
"""Facet values of a piece of evidence."""
_EVERY = 200
"""Number of values for a facet shown in full."""


def opened(asked: Asked) -> dict[str, Any]:
    """Return the values of a question's page that are known before anything is found."""
    names = asked.names
    explain = "explain" in asked.words
    return {
        "question": asked.word("q").strip(),
        "chosen": [name for name in asked.words.getlist("corpus") if name in names] or names,
        **dict.fromkeys(("result", "problem")),
        **dict.fromkeys(("facets", "comments", "recipes"), ()),
        "filters": chosen(asked, "/"),
        "recipe": asked.word("recipe"),
        "explain": explain,
        "explained": asked.address("/", explain=None if explain else 1),
    }


def search(asked: Asked, chosen: list[str]) -> dict[str, Any]:
    """Return the results of the question."""
    return {"result": _result(asked, asked.word("q").strip(), chosen)}


def query(asked: Asked, question: str, names: list[str]) -> dict[str, Any]:
    """Return the evidence of one corpus, or of several fused, as JSON values, with the `insufficient` flag."""
    request = _request(asked, question, limit=min(asked.number("limit") or _SHOWN, MOST))
    if len(names) > 1:
        fused = asked.corpora.query(names, request, asked.call)
        return {
            "evidence": [dict(piece) for piece in fused.evidence],
            "insufficient": fused.insufficient,
            "notes": (),
            "standing": [entry for each in fused.corpora for entry in standing(each.pending, each.corpus)],
        }
    result = asked.corpora.ask(names[0], QUERY, request, asked.call)
    pieces = [
        {**piece.as_object(), "locator": piece.locator.as_object() if piece.locator else None}
        for piece in result.evidence
    ]
    return {
        "evidence": pieces,
        "insufficient": result.insufficient,
        "notes": result.notes,
        "standing": standing(result.pending, names[0] if len(asked.names) > 1 else None),
    }


def _request(asked: Asked, question: str, **bounds: int) -> QueryRequest:
    recipe = {"recipe": asked.word("recipe")} if asked.word("recipe") else {}
    words = {"query": question, **asked.filters, **bounds, **recipe}
    request: QueryRequest = fitting(QueryRequest, words, "That does not work")
    return request


def standing(pending: Pending | None, corpus: str | None) -> list[dict[str, str | None]]:
    """Return a sentence on pending changes, if any, without the command, which is a button here.

    `corpus`: its name, if there are several."""
    sentence = pending.sentence.partition(": biblicus reindex")[0] if pending is not None else ""
    return [{"sentence": f"{corpus}: {sentence}" if corpus else sentence, "corpus": corpus}] if sentence else []


def _result(asked: Asked, question: str, names: list[str]) -> dict[str, Any]:
    result = query(asked, question, names)
    several = len(asked.names) > 1
    marked = snippets(result["evidence"], question)
    for piece, parts in zip(result["evidence"], marked, strict=True):
        piece["marked"] = parts
        piece["corpus"] = (piece.get("corpus") or names[0]) if several else None
    limit = asked.number("limit") or _SHOWN
    more = len(result["evidence"]) >= limit and limit < MOST
    result["more"] = asked.address("/", limit=min(MOST, 2 * limit)) if more else None
    return result


def called(piece: Mapping[str, Any]) -> str:
    """Return the name of a piece: its page, and its section if that has another name."""
    page, section = (" ".join(str(text or "").split()) for text in (piece.get("title"), piece.get("heading")))
    page = page or str(piece["path"])
    return f"{page} › {section}" if section and section != page else page


def place(piece: Mapping[str, Any]) -> str:
    """Return the location of a piece in a few words."""
    if piece.get("content_ref"):
        return "no text"
    locator = piece.get("locator")
    if locator and locator["kind"] != "line":
        return str(locator["label"])
    if piece.get("page"):
        return f"page {piece['page']}"
    first, last = piece["line_start"], piece["line_end"]
    return f"line {first}" if first == last else f"lines {first}–{last}"


def facets(asked: Asked, corpus: str, question: str) -> list[dict[str, Any]]:
    """Return the facets of the items that the question finds, with addresses that add or take away a value."""
    try:
        facets = asked.corpora.ask(corpus, FACETS, FacetsRequest(most=_EVERY), asked.call).facets
        results = _found(asked, corpus, question)
    except BiblicusError:
        return []
    facet_rows = []
    for facet in facets:
        if len(facet.values) < 2 and not any(name in asked.words for name in facet.values[0].filter):
            continue  # values that all items have filter nothing
        values = _values(asked, facet.name, facet.values)
        is_chosen = any(value["on"] for value in values)  # then the others are not among what was found
        for value in values:
            value["items"] = None if is_chosen and not value["on"] else _count(results, facet.name, value["texts"])
        values = [value for value in values if value["on"] or value["items"] != 0]
        by = "label" if facet.name == "year" else "items"
        values.sort(key=lambda value: (value["on"], value[by] or 0), reverse=True)
        is_whole = facet.name == asked.word("every") or len(values) <= _FACETS
        if values:
            more = 0 if is_whole else len(values) - _FACETS
            every = asked.address("/", every=facet.name) if more else None
            facet_rows.append(
                {"name": facet_name(facet.name), "values": values[: len(values) - more], "more": more, "every": every}
            )
    return facet_rows


def _found(asked: Asked, corpus: str, question: str) -> list[Evidence]:
    """Return the best evidence of each item found with the current filters."""
    request = _request(asked, question, limit=_COUNTED, max_per_source=1, max_tokens=_COUNTED * 1_000)
    return list(asked.corpora.ask(corpus, QUERY, request, asked.call).evidence)


def _count(found: Sequence[Evidence], facet: str, texts: Collection[str]) -> int | None:
    """Return how many of the items have one of these values; None if unknown."""
    values = _OF_EVIDENCE.get(facet)
    return None if values is None else sum(not set(texts).isdisjoint(values(piece)) for piece in found)


def _values(asked: Asked, facet: str, values: Iterable[FacetValue]) -> list[dict[str, Any]]:
    """Return the values of a facet by name, each with the address that toggles it."""
    by_name: dict[str, list[FacetValue]] = {}
    for value in values:
        by_name.setdefault(value_name(facet, value.value), []).append(value)
    groups = []
    for label, together in by_name.items():
        on, address = _switched(asked, [pair for value in together for pair in value.filter.items()])
        groups.append({"texts": {value.value for value in together}, "label": label, "on": on, "address": address})
    return groups


def _switched(asked: Asked, pairs: Sequence[tuple[str, str]]) -> tuple[bool, str]:
    """Return true if a value is chosen, and the address that changes that."""
    on = all(text in asked.words.getlist(name) for name, text in pairs)
    changes: dict[str, Any] = {"limit": None}
    for name, text in pairs:
        others = changes.get(name, [] if name in ("since", "until") else asked.words.getlist(name))
        others = [value for value in others if value != text]
        changes[name] = others if on else [*others, text]
    return on, asked.address("/", **changes)


def chosen(asked: Asked, path: str) -> list[dict[str, Any]]:
    """Return the current filters, each with its form fields and the address without it."""
    grouped: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, value in asked.words.multi_items():
        if name in asked.filters:
            grouped.setdefault((facet_name(name), value_name(name, value)), []).append((name, value))
    filters = []
    for (name, value), pairs in grouped.items():
        without = joined(path, [pair for pair in asked.words.multi_items() if pair not in pairs])
        filters.append({"name": name, "value": value, "fields": pairs, "without": without})
    return filters


def recipes(asked: Asked, corpus: str) -> list[str]:
    try:
        return sorted(recipe.name for recipe in asked.corpora.ask(corpus, RECIPES, NoRequest(), asked.call).recipes)
    except BiblicusError:
        return []
