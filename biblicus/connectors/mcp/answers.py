"""The tools' answers: parameters to the desk's request, and its value in the form that was asked for.

`full` is the JSON of every surface (DESIGN §3, §7); `brief` leaves out what an agent seldom needs. Both end where the
output budget does, with `truncated` and a cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field

from biblicus.connectors.mcp import paging, parameters, references, texts
from biblicus.connectors.mcp.asking import Asked, Object
from biblicus.connectors.mcp.failures import as_told
from biblicus.errors import BiblicusError, UsageError
from biblicus.models import requests
from biblicus.models.plain import plain

_TAGS = 20
_SHOWN = 20
_Reached = tuple[Annotated[int, Field(ge=0)], list[str]]


def query(asked: Asked, given: parameters.Query) -> Object:
    """Evidence of one corpus, or of all, fused."""
    names = asked.names()
    several = given.corpus is None and len(names) > 1
    if several:
        found = plain(asked.corpora.query(names, given.request(), asked.call, remote=asked.remote))
        runs = [answered["run_id"] for answered in found["corpora"]]
    else:
        found = asked.one("query", given.corpus, given.request())
        runs = [found["run_id"]]
    start = _resumed_at(asked, given.cursor, runs)
    evidence = found["evidence"][start:]
    name = given.corpus if given.corpus is not None and len(names) > 1 else None
    if given.detail == "brief":
        evidence = [_passage(piece, piece.get("corpus", name)) for piece in evidence]
        kept = ("insufficient", "failed") if several and found["failed"] else ("insufficient",)
        found = {key: found[key] for key in kept}
    found = {**found, "evidence": []}
    if "budget" in found and paging.cost(found) > given.output_tokens // 4:
        found["budget"] = _shorter(found["budget"])
    count = paging.fitting(evidence, given.output_tokens - paging.cost(found))
    found["evidence"] = evidence[:count]
    return _cut(asked, found, count < len(evidence), [start + count, runs])


def answer(asked: Asked, given: parameters.Answer) -> Object:
    """Statements, each with references to the words that it stands on, and those words where it is none of them."""
    found = asked.one("answer", given.corpus, given.request())
    name = given.corpus if given.corpus is not None and len(asked.names()) > 1 else None
    kept = {key: found[key] for key in ("insufficient", "confidence")}
    return {"statements": [_statement(said, name) for said in found["statements"]], **kept}


def _statement(said: Mapping[str, Any], corpus: str | None) -> Object:
    citations = [_citation(piece, corpus, quoted=said["quoted"]) for piece in said["citations"]]
    return {"text": said["text"], "citations": citations}


def _citation(piece: Mapping[str, Any], corpus: str | None, *, quoted: bool) -> Object:
    ref = references.lines(piece["item_id"], piece["line_start"], piece["line_end"], corpus)
    found = {"ref": ref, **{key: piece[key] for key in ("path", "page", "stale") if piece.get(key) is not None}}
    return found if quoted else {**found, "quote": piece["preview"]}


def _resumed_at(asked: Asked, cursor: str | None, runs: list[str]) -> int:
    """How many pieces were given before. Raises `UsageError` where another run answers by now."""
    state: tuple[int, list[str]] | None = paging.resumed(asked.arguments, cursor, _Reached)
    if state is None:
        return 0
    if state[1] != runs:
        raise UsageError("The corpus was reindexed since that cursor was given.", paging.OTHER_CURSOR)
    return state[0]


def _passage(piece: Mapping[str, Any], corpus: str | None) -> Object:
    ref = references.lines(piece["item_id"], piece["line_start"], piece["line_end"], corpus)
    kept = ("path", "page", "title", "heading", "score", "snippet", "stale")
    found = {"ref": ref, **{key: piece[key] for key in kept if piece.get(key) is not None}}
    if found.get("heading") == found.get("title"):
        found.pop("heading", None)
    return {**found, "score": round(found["score"], 3)}


def items(asked: Asked, given: parameters.List) -> Object:
    """Items by path, a page at a time."""
    at = paging.resumed(asked.arguments, given.cursor, str)
    found = asked.one("items", given.corpus, given.request(cursor=at))
    shown = _items(found["items"], given.detail)
    count = paging.fitting(shown, paging.OUTPUT_TOKENS)
    if count < len(shown):  # the cursor must point behind what is shown
        found = asked.one("items", given.corpus, given.request(count, at))
        shown = _items(found["items"], given.detail)
    more = found.get("next_cursor")
    return _cut(asked, {"items": shown}, more is not None, more)


def _items(found: list[Object], detail: str) -> list[Object]:
    if detail == "full":
        return found
    kept = ("item_id", "path", "title", "media_type", "bytes", "language", "tags")
    return [{key: item[key] for key in kept if item.get(key)} for item in found]


def tree(asked: Asked, given: parameters.Tree) -> Object:
    """Folders and items. The cursor holds the last path."""
    nodes = asked.one("tree", given.corpus, given.request())["nodes"]
    last = paging.resumed(asked.arguments, given.cursor, str)
    if last is not None:
        nodes = [node for node in nodes if node["path"].split("/") > last.split("/")]
    shown = [{key: value for key, value in node.items() if value is not None} for node in nodes[: given.limit]]
    count = paging.fitting(shown, paging.OUTPUT_TOKENS)
    return _cut(asked, {"nodes": shown[:count]}, count < len(nodes), shown[count - 1]["path"] if shown else None)


def stats(asked: Asked, given: parameters.Stats) -> Object:
    """What each corpus holds; brief: the most frequent tags alone."""
    names = asked.names() if given.corpus is None else [given.corpus]
    found = []
    for name in names:
        try:
            counted = asked.one("stats", name, requests.NoRequest())
        except BiblicusError as error:
            if given.corpus is not None or len(names) == 1:
                raise
            found.append({"corpus": name, "error": as_told(error)})
            continue
        if given.detail == "brief":
            counted["tags"] = dict(list(counted["tags"].items())[:_TAGS])
            counted["runs"] = {recipe: {"current": run["current"]} for recipe, run in counted["runs"].items()}
            for key in ("corpus_digest", "corpus_id", "name"):
                counted.pop(key)
        found.append({"corpus": name, **counted})
    return {"corpora": found}


def ingest(asked: Asked, given: parameters.Ingest) -> Object:
    """What became of a document."""
    return dict(asked.one("ingest", given.corpus, given.request()))


def weight(asked: Asked, given: parameters.Weight) -> Object:
    """What became of a weight."""
    return dict(asked.one("weight", given.corpus, given.request()))


def reindex(asked: Asked, given: parameters.Reindex) -> Object:
    """The report of `reindex --json`; lists of paths that are long end early."""
    found = asked.one("reindex", given.corpus, given.request())
    return {**found, "refresh": _shorter(found["refresh"]), "runs": [_shorter(run) for run in found["runs"]]}


def _shorter(report: Mapping[str, Any]) -> Object:
    """The report with at most `_SHOWN` entries a list; `…_more` counts the others."""
    found: Object = {}
    for key, value in report.items():
        found[key] = value[:_SHOWN] if isinstance(value, list) else value
        if isinstance(value, list) and len(value) > _SHOWN:
            found[f"{key}_more"] = len(value) - _SHOWN
    return found


def _cut(asked: Asked, found: Object, truncated: bool, state: Any) -> Object:
    """With `truncated` and the cursor where there is more."""
    if not truncated:
        return found
    return {**found, "truncated": True, "cursor": paging.cursor(asked.arguments, state)}


Answer = Callable[[Asked, Any], Object]
ANSWERS: Mapping[str, Answer] = {
    "knowledge_base_query": query,
    "knowledge_base_answer": answer,
    "knowledge_base_get": texts.get,
    "knowledge_base_list": items,
    "knowledge_base_tree": tree,
    "knowledge_base_stats": stats,
    "knowledge_base_ingest": ingest,
    "knowledge_base_weight": weight,
    "knowledge_base_reindex": reindex,
}
