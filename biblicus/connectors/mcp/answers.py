"""Replies of the tools, in the requested level of detail.

`full` is the JSON of all interfaces (DESIGN §3, §7); `brief` omits rarely needed fields. Both are limited by the output
budget, with `truncated` and a cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from biblicus.connectors.mcp import reading, texts
from biblicus.connectors.mcp.asking import Asked, Object
from biblicus.errors import BiblicusError, UsageError
from biblicus.models.fields import NoRequest
from biblicus.models.plain import plain
from biblicus.models.requests.items import ListRequest, TreeRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.verbs import ANSWER, LIST, QUERY, REINDEX, STATS, TREE, Verb

if TYPE_CHECKING:
    from biblicus.connectors.mcp.tools import Own, Walk
    from biblicus.models.requests.answer import AnswerRequest
    from biblicus.models.requests.runs import ReindexRequest

_COPIES = 3
"""Maximum number of copies listed for a piece."""
_SHOWN = 20


class _Reached(NamedTuple):
    """Number of pieces on earlier pages, and the runs they came from."""

    pieces: Annotated[int, Field(ge=0)]
    runs: list[str]


def query(asked: Asked, own: Own, request: QueryRequest) -> Object:
    """Return evidence of one corpus, or of all, fused."""
    names = asked.names()
    several = own.corpus is None and len(names) > 1
    if several:
        reply = plain(asked.corpora.query(names, request, asked.call))
        runs = [answered["run_id"] for answered in reply["corpora"]]
    else:
        reply = asked.one(QUERY, own.corpus, request)
        runs = [reply["run_id"]]
    before = reading.resumed(asked.arguments, own.cursor, _Reached) or _Reached(0, runs)
    if before.runs != runs:
        raise UsageError("The corpus was reindexed since that cursor was given.", reading.OTHER_CURSOR)
    evidence = reply["evidence"][before.pieces :]
    if own.detail == "brief":
        name = asked.named(own.corpus)
        evidence = [_passage(piece, piece.get("corpus", name)) for piece in evidence]
        reply_fields = ("insufficient", "failed") if several and reply["failed"] else ("insufficient",)
        replies = reply["corpora"] if several else [reply]
        notes = list(dict.fromkeys(note for corpus_reply in replies for note in corpus_reply.get("notes", ())))
        reply = {
            **{key: reply[key] for key in reply_fields},
            **({"notes": notes} if notes else {}),
            **_standing(replies),
        }
    reply = {**reply, "evidence": []}
    if "budget" in reply and reading.cost(reply) > own.output_tokens // 4:
        reply["budget"] = _shorter(reply["budget"])
    count = reading.fitting(evidence, own.output_tokens - reading.cost(reply))
    reply["evidence"] = evidence[:count]
    return _cut(asked, reply, _Reached(before.pieces + count, runs) if count < len(evidence) else None)


def _standing(replies: Sequence[Mapping[str, Any]]) -> Object:
    """Return pending changes summed over all corpora, without zeros."""
    standings = [pending for reply in replies if (pending := reply.get("pending")) is not None]
    if not all(pending["walked"] for pending in standings):
        return {"pending": "not walked"}
    counts = {kind: sum(pending[kind] for pending in standings) for kind in ("new", "changed", "removed")}
    return {"pending": {kind: count for kind, count in counts.items() if count} or "none"} if standings else {}


def _cited(piece: Mapping[str, Any], corpus: str | None, *keys: str) -> Object:
    ref = texts.lines_of(piece["item_id"], piece["line_start"], piece["line_end"], corpus)
    cited = {"ref": ref, **{key: piece[key] for key in keys if piece.get(key) is not None}}
    place = piece.get("locator") or {}
    if place.get("kind") not in (None, "line", "page"):
        cited["place"] = place["label"]
    return cited


def _passage(piece: Mapping[str, Any], corpus: str | None) -> Object:
    brief = _cited(piece, corpus, "path", "page", "title", "heading", "score", "snippet", "stale", "content_ref")
    if brief.get("heading") == brief.get("title"):
        brief.pop("heading", None)
    if piece.get("copies"):
        brief["copies"] = piece["copies"][:_COPIES]
    return {**brief, "score": round(brief["score"], 3)}


def answer(asked: Asked, own: Own, request: AnswerRequest) -> Object:
    """Return statements with references to their sources, and the cited words unless the statement is a quotation."""
    reply = asked.one(ANSWER, own.corpus, request)
    name = asked.named(own.corpus)
    statements = []
    for statement in reply["statements"]:
        citations = [_cited(piece, name, "path", "page", "stale") for piece in statement["citations"]]
        for citation, piece in zip(citations, () if statement["quoted"] else statement["citations"], strict=False):
            citation["quote"] = piece["preview"]
        statements.append({"text": statement["text"], "citations": citations})
    assessment = {key: reply[key] for key in ("insufficient", "confidence")}
    return {"statements": statements, **assessment, **_standing([reply])}


def items(asked: Asked, own: Own, request: ListRequest) -> Object:
    """Return items by path, a page at a time."""

    def page(size: int | None, cursor: str | None) -> Object:
        reply = asked.one(LIST, own.corpus, replace(request, limit=size or request.limit, cursor=cursor))
        return {**reply, "items": [_item(item, own.detail) for item in reply["items"]]}

    return _paged(asked, own, "items", page)


def _item(item: Mapping[str, Any], detail: str) -> Object:
    if detail == "full":
        return dict(item)
    brief_fields = ("item_id", "path", "title", "media_type", "bytes", "language", "tags")
    return {key: item[key] for key in brief_fields if item.get(key)}


def tree(asked: Asked, own: Walk, request: TreeRequest) -> Object:
    """Return folders and items, a page at a time."""

    def page(size: int | None, cursor: str | None) -> Object:
        reply = asked.one(TREE, own.corpus, replace(request, max_entries=size or own.limit, cursor=cursor))
        nodes = [{key: value for key, value in node.items() if value is not None} for node in reply["nodes"]]
        return {**reply, "nodes": nodes}

    return _paged(asked, own, "nodes", page)


def _paged(asked: Asked, own: Own, entries: str, page: Callable[[int | None, str | None], Object]) -> Object:
    """Return a page of the requested size, or a smaller one that fits the budget, with the matching cursor."""
    at = reading.resumed(asked.arguments, own.cursor, str)
    reply = page(None, at)
    count = reading.fitting(reply[entries], reading.OUTPUT_TOKENS)
    if count < len(reply[entries]):
        reply = page(count, at)
    page_object = {key: reply[key] for key in (entries, "note") if key in reply}
    return _cut(asked, page_object, reply.get("next_cursor"))


def stats(asked: Asked, own: Own, request: None) -> Object:
    """Return the content of each corpus; brief: only the most frequent tags."""
    names = asked.names() if own.corpus is None else [own.corpus]
    counts = []
    for name in names:
        try:
            counted = asked.one(STATS, name, NoRequest())
        except BiblicusError as error:
            if own.corpus is not None or len(names) == 1:
                raise
            counts.append({"corpus": name, "error": reading.as_told(error)})
            continue
        if own.detail == "brief":
            counted["tags"] = dict(list(counted["tags"].items())[:_SHOWN])
            counted["runs"] = {
                recipe: {"current": run["current"], "bytes": sum(run["sizes"].values())}
                for recipe, run in counted["runs"].items()
            }
            for key in ("corpus_digest", "corpus_id", "name"):
                counted.pop(key)
        counts.append({"corpus": name, **counted})
    latency = asked.latency.counted() if asked.latency else {}
    return {"corpora": counts, **({"latency": latency} if latency else {})}


def whole(verb: Verb[Any, Any]) -> Callable[[Asked, Own, Any], Object]:
    """Return a handler for a verb with a short reply."""
    return lambda asked, own, request: asked.one(verb, own.corpus, request)


def reindex(asked: Asked, own: Own, request: ReindexRequest) -> Object:
    """Return the report of `reindex --json` with long lists shortened."""
    reply = asked.one(REINDEX, own.corpus, request)
    return {**reply, "refresh": _shorter(reply["refresh"]), "runs": [_shorter(run) for run in reply["runs"]]}


def _shorter(report: Mapping[str, Any]) -> Object:
    """Return the report with at most `_SHOWN` entries a list; `…_more` counts the others."""
    shortened: Object = {}
    for key, value in report.items():
        shortened[key] = value[:_SHOWN] if isinstance(value, list) else value
        if isinstance(value, list) and len(value) > _SHOWN:
            shortened[f"{key}_more"] = len(value) - _SHOWN
    return shortened


def _cut(asked: Asked, reply: Object, rest: Any) -> Object:
    """Add `truncated` and the cursor, if there is more."""
    if rest is None:
        return reply
    return {**reply, "truncated": True, "cursor": reading.cursor(asked.arguments, rest)}
