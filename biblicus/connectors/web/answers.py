"""Answers of the page: statements with footnotes that open the reader, and the turns of a conversation."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from html import escape
from typing import Any, get_args
from urllib.parse import parse_qs, unquote, urlsplit

from biblicus.answers import conversations
from biblicus.answers.answer import DEFAULT
from biblicus.answers.turns import asked_as, turn_of
from biblicus.bring.incoming import slug
from biblicus.connectors.http.writing import Done, Part
from biblicus.connectors.web import marking, searching
from biblicus.connectors.web.asking import Asked, cited_address
from biblicus.connectors.web.kinds import kind_of
from biblicus.connectors.web.searching import called, place
from biblicus.connectors.web.showing import crop
from biblicus.errors import BiblicusError, UsageError
from biblicus.guards import json as safe_json
from biblicus.guards.terminal import safe
from biblicus.models.answers.answer import NEAREST, Band, band_of
from biblicus.search.language_models import answerer_for
from biblicus.service.verbs import ANSWER, GET, PERSONAS, RECEIVE

_TURNS = 20
"""Maximum number of turns in a conversation page."""
_HASH = 16
"""Characters of the hash that identifies cited words."""
_TURN = 40_000
"""Maximum characters of a turn."""


def is_written() -> bool:
    """Check if a configured language model writes answers, which takes time."""
    return answerer_for(None) != DEFAULT


def open_question(asked: Asked, question: str, turns: list[str], persona: str) -> dict[str, Any]:
    """Return the values of a question's page before its results. `turns`: those before it, as the browser kept them: a
    question that refers back is asked with words of the last one."""
    history = [_turn(text) for text in turns[-_TURNS:]]
    wording = asked_as(question, turn_of(history[-1])) if history and question else question
    page: dict[str, Any] = {"history": history, "asked": question, "kept": None}
    page |= {"persona": persona, "personas": []}
    for turn in history:
        turn["kept"] = _kept(turn)
    action = asked.address("/ask", q=None, limit=None)
    page |= {"answer": None, "answer_problem": None, "notes": [], "turn": None, "ask_on": action, "drafting": False}
    return page | searching.opened(asked.about(wording))


def answer(asked: Asked, opened: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of an open question with its footnotes, numbered in their order. Several corpora are asked for
    evidence together; the answer is made by the one with the best."""
    question, evidence = opened["question"], opened["result"]["evidence"]
    words: dict[str, Any] = {"query": question, **asked.filters}
    words |= {name: text for name in ("recipe", "persona") if (text := opened[name])}
    several = len(asked.names) > 1
    corpus = (evidence[0]["corpus"] if evidence else opened["chosen"][0]) if several else None
    reply = asked.ask(ANSWER, corpus=corpus, **words)
    notes: list[dict[str, Any]] = []
    numbers: dict[tuple[str, int, int], int] = {}
    for statement in reply["statements"]:
        statement["notes"] = []
        for piece in statement["citations"]:
            key = piece["item_id"], piece["span_start"], piece["span_end"]
            if key not in numbers:
                numbers[key] = len(notes) + 1
                notes.append(_note(piece, len(notes) + 1, question, corpus))
            statement["notes"].append(notes[numbers[key] - 1])
    band = band_of(reply["confidence"], insufficient=reply["insufficient"] or reply["answer"].startswith(NEAREST))
    turn = _as_turn(opened["asked"], question, reply["statements"], band)
    return {
        "answer": {"model": None, "persona": None, **reply, "band": band},
        "notes": notes,
        "turn": {**turn, "kept": _kept(turn)},
    }


def _note(piece: Mapping[str, Any], number: int, question: str, corpus: str | None) -> dict[str, Any]:
    return {
        "number": number,
        "title": called(piece),
        "path": piece["path"],
        "where": place(piece),
        "preview": piece["preview"],
        "stale": bool(piece.get("stale")),
        "address": cited_address(piece, q=question, corpus=corpus),
        "icon": kind_of(piece["media_type"]).icon,
        "crop": crop(piece, corpus),
    }


def personas(asked: Asked) -> list[dict[str, str]]:
    """Return the personas. Only this machine's user may list them."""
    if asked.call.guest:
        return []
    try:
        listed = asked.ask(PERSONAS)["personas"]
    except BiblicusError:
        return []
    return [{"id": entry["id"], "name": entry.get("name") or entry["id"]} for entry in listed]


# --- conversation ---


def as_note(asked: Asked, turns: list[str], persona: str) -> dict[str, Any]:
    """Keep a conversation as a note of the corpus. The conversation's page, which says where it is."""
    page = open_question(asked, "", turns, persona)
    history = page["history"]
    if not history:
        raise UsageError("There is no conversation to keep yet.", "a question first")
    words = [
        conversations.turn(
            turn["question"], turn["asked"], [_stated(asked, statement) for statement in turn["statements"]]
        )
        for turn in history
    ]
    title = conversations.title_of(history[0]["question"])
    name = f"{slug(title) or 'conversation'}.md"
    received = asked.ask(RECEIVE, text=conversations.head(title) + "".join(words), title=title, filename=name)
    address = asked.item_address(received["item_id"])
    return {**page, "kept": {"path": received["path"], "address": address}}


def _stated(asked: Asked, statement: Mapping[str, Any]) -> conversations.Stated:
    """Return a statement with its cited words in their current version."""
    passages = [_passage(asked, note) for note in statement["notes"]]
    return conversations.Stated(statement["text"], passages, statement["quoted"])


def _passage(asked: Asked, note: Mapping[str, Any]) -> conversations.Passage:
    """Return the cited words with their location; if they have changed, the words as shown before, without a
    location."""
    parts = urlsplit(note["address"])
    words = {name: values[0] for name, values in parse_qs(parts.query).items()}
    span, corpus = marking.span_of(words.get("span")), words.get("corpus", asked.corpus)
    piece: dict[str, Any] = {}
    if span is not None and corpus == asked.corpus:
        try:
            piece = asked.ask(GET, item=unquote(parts.path.removeprefix("/c/")), span=list(span))
        except BiblicusError:
            piece = {}
    digest = words.get("hash", "")
    if len(digest) < _HASH or not piece.get("sha256", "").startswith(digest):
        return conversations.Passage(note["preview"], None)
    standing_at = conversations.place(piece["path"], piece["line_start"], piece["line_end"])
    return conversations.Passage(piece["text"], standing_at)


def _kept(turn: Mapping[str, Any]) -> str:
    return json.dumps({name: turn[name] for name in _KEPT}, ensure_ascii=False)


_KEPT = ("question", "asked", "statements", "band")
_NOTE = ("number", "title", "where", "preview", "icon", "stale")


def _as_turn(question: str, wording: str, stated: Iterable[Mapping[str, Any]], band: Band) -> dict[str, Any]:
    statements = []
    for statement in stated:
        notes = [{name: note[name] for name in (*_NOTE, "address")} for note in statement["notes"]]
        statements.append({"text": statement["text"], "quoted": statement.get("quoted", False), "notes": notes})
    return {"question": question, "asked": wording, "statements": statements, "band": band}


def _turn(text: str) -> dict[str, Any]:
    """Parse a turn sent by the browser; untrusted, so only text and reader links are kept. Raises `UsageError`."""
    try:
        value = safe_json.read(text.encode("utf-8", "replace"), max_bytes=_TURN)
        return {
            "question": str(value["question"]),
            "asked": str(value["asked"]),
            "band": next(band for band in get_args(Band) if band == value["band"]),
            "statements": [_kept_statement(statement) for statement in value["statements"]],
        }
    except (safe_json.JsonRefused, KeyError, TypeError, StopIteration) as error:
        raise UsageError("The conversation that was sent back is none of this page's.", "a new conversation") from error


def _kept_statement(statement: Mapping[str, Any]) -> dict[str, Any]:
    notes = [_kept_note(note) for note in statement["notes"]]
    return {"text": str(statement["text"]), "quoted": statement["quoted"] is True, "notes": notes}


def _kept_note(note: Mapping[str, Any]) -> dict[str, Any]:
    address = str(note["address"])
    if not address.startswith("/c/"):
        raise TypeError(address)
    texts = {name: str(note[name]) for name in _NOTE if name != "stale"}
    return {**texts, "stale": note["stale"] is True, "address": address}


# --- drafts ---

_OPEN = '<p class="draft" dir="auto">'


async def paragraphs(drafts: AsyncIterator[Part]) -> AsyncIterator[str | Done[dict[str, object]]]:
    """Yield HTML that extends the page with the draft, then the result after all paragraphs are closed.

    If the model starts again, a new paragraph begins."""
    latest: str | None = None
    async for part in drafts:
        if isinstance(part, Done):
            if latest is not None:
                yield "</p>"
            yield part
        elif part is None:
            yield "<!-- -->"
        elif latest is not None and part.startswith(latest):
            yield _inert(part[len(latest) :])
            latest = part
        else:
            yield f"{'' if latest is None else '</p>'}{_OPEN}{_inert(part)}"
            latest = part


def _inert(text: str) -> str:
    return escape(safe(text, keep_newlines=True))
