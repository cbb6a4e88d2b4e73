"""Data of the answer page: statements with footnotes that link to the reader, and omitted text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from biblicus.answers import conversations
from biblicus.answers.answer import DEFAULT
from biblicus.answers.turns import asked_as, turn_of
from biblicus.bring.naming import slug
from biblicus.connectors.web import marking
from biblicus.connectors.web.asking import Asked, cited_address, item_address
from biblicus.connectors.web.searching import called, place, standing
from biblicus.errors import BiblicusError, UsageError
from biblicus.guards import json as safe_json
from biblicus.models.answers.answer import NEAREST
from biblicus.models.evidence import Pending
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


def answer(asked: Asked, *, drafting: bool = False) -> dict[str, Any]:
    """Return the page's values; while drafting, only those known before the answer."""
    question = asked.word("q").strip()
    page: dict[str, Any] = {
        "question": question,
        "persona": asked.word("persona"),
        "personas": _personas(asked),
        "answer": None,
        "problem": None,
        "notes": [],
        "drafting": drafting,
    }
    if question and not drafting:
        try:
            made = _answer(asked, question, asked.word("persona"))
        except BiblicusError as error:
            return {**page, "problem": error}
        return {**page, **made}
    return page


def _answer(asked: Asked, question: str, persona: str) -> dict[str, Any]:
    """Return the answer with its footnotes, numbered in order of appearance."""
    words: dict[str, Any] = {"query": question, **asked.filters}
    if persona:
        words["persona"] = persona
    reply = asked.ask(ANSWER, **words)
    corpus = asked.corpus if len(asked.names) > 1 else None
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
    counts = reply.get("pending")
    return {
        "answer": {"model": None, "persona": None, "is_nearest": reply["answer"].startswith(NEAREST), **reply},
        "notes": notes,
        "standing": standing(Pending(**counts) if counts else None, corpus),
    }


def _note(piece: Mapping[str, Any], number: int, question: str, corpus: str | None) -> dict[str, Any]:
    """Return a footnote: the location of the cited words."""
    return {
        "number": number,
        "title": called(piece),
        "path": piece["path"],
        "where": place(piece),
        "preview": piece["preview"],
        "stale": bool(piece.get("stale")),
        "address": cited_address(piece, q=question, corpus=corpus),
    }


def _personas(asked: Asked) -> list[dict[str, str]]:
    """Return the personas. Only this machine's user may list them."""
    if asked.call.guest:
        return []
    try:
        listed = asked.ask(PERSONAS)["personas"]
    except BiblicusError:
        return []
    return [{"id": entry["id"], "name": entry.get("name") or entry["id"]} for entry in listed]


# --- conversation ---


def converse(asked: Asked, question: str, turns: list[str], persona: str, *, drafting: bool = False) -> dict[str, Any]:
    """Return a conversation's page; while drafting, the page of the earlier turns.

    The browser sends the history back; the server stores nothing of it."""
    history = [_turn(text) for text in turns[-_TURNS:]]
    page: dict[str, Any] = {"history": history, "persona": persona, "personas": _personas(asked), "problem": None}
    page |= {"kept": None, "standing": [], "older": len(history), "drafting": drafting, "question": question}
    for turn in history:
        turn["kept"] = _kept(turn)
    if question and not drafting:
        wording = asked_as(question, turn_of(history[-1]) if history else None)
        try:
            made = _answer(asked, wording, persona)
        except BiblicusError as error:
            return {**page, "problem": error}
        turn = _as_turn(question, wording, made)
        history.append({**turn, "kept": _kept(turn)})
        page |= {"standing": made["standing"], "question": ""}
    return page


def as_note(asked: Asked, turns: list[str], persona: str) -> dict[str, Any]:
    """Save a conversation as a note in the corpus. Return the conversation's page with the note's location."""
    page = converse(asked, "", turns, persona)
    history = page["history"]
    if not history:
        raise UsageError("There is no conversation to keep yet.", "a question first")
    words = [
        conversations.turn(turn["question"], turn["asked"], [_stated(asked, said) for said in turn["statements"]])
        for turn in history
    ]
    title = conversations.title_of(history[0]["question"])
    name = f"{slug(title) or 'conversation'}.md"
    received = asked.ask(RECEIVE, text=conversations.head(title) + "".join(words), title=title, filename=name)
    address = item_address(received["item_id"], corpus=asked.word("corpus") or None)
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
    known = words.get("hash", "")
    if len(known) < _HASH or not piece.get("sha256", "").startswith(known):
        return conversations.Passage(note["preview"], None)
    standing_at = conversations.place(piece["path"], piece["line_start"], piece["line_end"])
    return conversations.Passage(piece["text"], standing_at)


def _kept(turn: Mapping[str, Any]) -> str:
    return json.dumps({name: turn[name] for name in _KEPT}, ensure_ascii=False)


_KEPT = ("question", "asked", "statements", "insufficient")
_NOTE = ("number", "title", "where", "preview", "stale")


def _as_turn(question: str, wording: str, made: Mapping[str, Any]) -> dict[str, Any]:
    statements = [
        {
            "text": statement["text"],
            "quoted": statement.get("quoted", False),
            "notes": [{name: note[name] for name in (*_NOTE, "address")} for note in statement["notes"]],
        }
        for statement in made["answer"]["statements"]
    ]
    insufficient = made["answer"]["insufficient"]
    return {"question": question, "asked": wording, "statements": statements, "insufficient": insufficient}


def _turn(text: str) -> dict[str, Any]:
    """Parse a turn sent by the browser; untrusted, so only text and reader links are kept. Raises `UsageError`."""
    try:
        value = safe_json.read(text.encode("utf-8", "replace"), max_bytes=_TURN)
        return {
            "question": str(value["question"]),
            "asked": str(value["asked"]),
            "insufficient": value["insufficient"] is True,
            "statements": [
                {
                    "text": str(one["text"]),
                    "quoted": one["quoted"] is True,
                    "notes": [_kept_note(note) for note in one["notes"]],
                }
                for one in value["statements"]
            ],
        }
    except (safe_json.JsonRefused, KeyError, TypeError) as error:
        raise UsageError("The conversation that was sent back is none of this page's.", "a new conversation") from error


def _kept_note(note: Mapping[str, Any]) -> dict[str, Any]:
    address = str(note["address"])
    if not address.startswith("/c/"):
        raise TypeError(address)
    texts = {name: str(note[name]) for name in _NOTE if name != "stale"}
    return {**texts, "stale": note["stale"] is True, "address": address}
