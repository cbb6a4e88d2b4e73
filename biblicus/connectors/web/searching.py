"""Data of the search page: evidence, facets with their counts, recipes, corpora."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from biblicus.connectors.web.asking import Asked, cited_address, further, joined
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
}
"""Facet values of a piece of evidence."""
_EVERY = 200
"""Number of values for a facet shown in full."""


def search(asked: Asked) -> dict[str, Any]:
    """Return the page's values: results of a question, or the corpus."""
    question = asked.word("q").strip()
    names = asked.names
    chosen = [name for name in asked.words.getlist("corpus") if name in names] or names
    page: dict[str, Any] = {"question": question, "chosen": chosen, "result": None, "problem": None}
    if question:
        try:
            page["result"] = _result(asked, question, chosen)
        except BiblicusError as error:
            page["problem"] = error
    return {
        **page,
        "facets": _facets(asked, chosen[0], question) if len(chosen) == 1 else [],
        "recipes": _recipes(asked, chosen[0]) if chosen else [],
        "filters": _chosen(asked),
        "recipe": asked.word("recipe"),
    }


def query(asked: Asked, question: str, names: list[str]) -> dict[str, Any]:
    """Return the evidence of one corpus, or of several fused, as JSON values, with the `insufficient` flag."""
    words: dict[str, Any] = {"query": question, **asked.filters, "limit": min(asked.number("limit") or _SHOWN, MOST)}
    if recipe := asked.word("recipe"):
        words["recipe"] = recipe
    request: QueryRequest = fitting(QueryRequest, words, "That does not work")
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
        corpus = piece.get("corpus") or names[0]
        piece["address"] = cited_address(piece, q=question, corpus=corpus if several else None)
        piece["marked"] = parts
        piece["where"] = place(piece)
        piece["corpus"] = corpus if several else None
        piece["name"] = called(piece)
        piece["stale"] = bool(piece.get("stale"))
        piece["copies"] = piece.get("copies", [])
    limit = asked.number("limit") or _SHOWN
    more = len(result["evidence"]) >= limit and limit < MOST
    result["more"] = asked.address("/", limit=min(MOST, 2 * limit)) if more else None
    return result


def called(piece: Mapping[str, Any]) -> str:
    """Return the name of a piece: its page, and its section if that has another name."""
    page = str(piece.get("title") or piece["path"])
    section = piece.get("heading")
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


def _facets(asked: Asked, corpus: str, question: str) -> list[dict[str, Any]]:
    """Return the facets with addresses that add or remove a value. With a question, only for its items."""
    try:
        whole = asked.word("every")
        request = FacetsRequest(most=_EVERY if whole else _FACETS)
        facets = asked.corpora.ask(corpus, FACETS, request, asked.call).facets
        found = _found(asked, corpus, question) if question else None
    except BiblicusError:
        return []
    shown = []
    here = asked.address("/", limit=None)
    for facet in facets:
        if len(facet.values) < 2 and not any(name in asked.words for name in facet.values[0].filter):
            continue  # values that all items have filter nothing
        most = _EVERY if facet.name == whole else _FACETS
        values = [_value(asked, facet.name, value, here) for value in facet.values[:most]]
        more = facet.values_in_all - len(values)
        if found is not None:
            is_chosen = any(value["on"] for value in values)  # the other values are not in the results then
            for value in values:
                is_counted = value["on"] or not is_chosen
                value["items"] = _count(found, facet.name, value["value"]) if is_counted else None
            values = [value for value in values if value["on"] or value["items"] != 0]
        if not values:
            continue
        every = asked.address("/", every=facet.name) if more and most == _FACETS else None
        shown.append({"name": facet.name, "values": values, "more": more, "every": every})
    return shown


def _found(asked: Asked, corpus: str, question: str) -> list[Evidence]:
    """Return the best evidence of each item found with the current filters."""
    words = {"query": question, **asked.filters, "limit": _COUNTED, "max_per_source": 1, "max_tokens": _COUNTED * 1_000}
    if recipe := asked.word("recipe"):
        words["recipe"] = recipe
    request: QueryRequest = fitting(QueryRequest, words, "That does not work")
    return list(asked.corpora.ask(corpus, QUERY, request, asked.call).evidence)


def _count(found: Sequence[Evidence], facet: str, value: str) -> int | None:
    """Return how many of the items have a value; None if unknown."""
    values = _OF_EVIDENCE.get(facet)
    return None if values is None else sum(value in values(piece) for piece in found)


def _value(asked: Asked, facet: str, value: FacetValue, here: str) -> dict[str, Any]:
    """Return a value of a facet with the address that toggles it. `here`: the current address."""
    if any(name in asked.words for name in value.filter):
        on, address = _switched(asked, value.filter)
    else:
        on, address = False, further(here, value.filter)
    label = short_type(value.value) if facet == "type" else value.value
    return {"value": value.value, "label": label, "items": value.items, "on": on, "address": address}


_CALLED = {
    "plain": "text",
    "mpeg": "mp3",
    "rfc822": "mail",
    "quicktime": "mov",
    "msword": "doc",
    "ms-excel": "xls",
    "ms-powerpoint": "ppt",
    "ms-outlook": "msg",
    "wordprocessingml.document": "docx",
    "spreadsheetml.sheet": "xlsx",
    "presentationml.presentation": "pptx",
    "opendocument.text": "odt",
    "opendocument.spreadsheet": "ods",
    "opendocument.presentation": "odp",
    "opendocument.graphics": "odg",
    "xml.writer": "sxw",
    "xml.calc": "sxc",
    "xml.impress": "sxi",
}
"""Names that differ from the end of the media type."""


def short_type(media_type: str) -> str:
    """Return a short name for a media type: `pdf`, `xlsx`, `text`."""
    parts = media_type.rpartition("/")[2].partition("+")[0].removeprefix("x-").split(".")
    return _CALLED.get(".".join(parts[-2:])) or _CALLED.get(parts[-1], parts[-1].removeprefix("x-")) or media_type


def _switched(asked: Asked, pairs: Mapping[str, str]) -> tuple[bool, str]:
    """Check if a value is selected; return also the address that toggles it."""
    on = all(text in asked.words.getlist(name) for name, text in pairs.items())
    changes: dict[str, Any] = {"limit": None}
    for name, text in pairs.items():
        others = [] if name in ("since", "until") else [one for one in asked.words.getlist(name) if one != text]
        changes[name] = others if on else [*others, text]
    return on, asked.address("/", **changes)


def _chosen(asked: Asked) -> list[dict[str, str]]:
    """Return the current filters, each with the address without it."""
    chosen = []
    for name, value in asked.words.multi_items():
        if name in asked.filters:
            rest = [pair for pair in asked.words.multi_items() if pair != (name, value)]
            chosen.append({"name": name, "value": value, "without": joined("/", rest)})
    return chosen


def _recipes(asked: Asked, corpus: str) -> list[str]:
    try:
        return sorted(recipe.name for recipe in asked.corpora.ask(corpus, RECIPES, NoRequest(), asked.call).recipes)
    except BiblicusError:
        return []
