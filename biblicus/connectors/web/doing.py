"""Actions on the page for users with the `ingest` scope: uploads, tags, weights, and jobs; and notes on exact words."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import QueryParams

from biblicus.connectors.http.following import stops
from biblicus.connectors.http.service import Service
from biblicus.connectors.web.asking import Asked, item_address
from biblicus.connectors.web.marking import span_of
from biblicus.errors import BiblicusError, ReaderLimited, ScopeMissing, UsageError
from biblicus.models.fields import NoRequest
from biblicus.models.plain import plain
from biblicus.service.jobs import ENDED, Job
from biblicus.service.verbs import ADD_NOTE, NOTES, RECEIVE, REINDEX, REMOVE_NOTE, SOURCES, SYNC, TAG, WEIGHT, Verb

MOST_FILES = 100
"""Maximum number of files in a form."""
_NAME = re.compile(r';\s*name="([^"]*)"', re.IGNORECASE)
_FILE = re.compile(r';\s*filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_BOUNDARY = re.compile(r'multipart/form-data;\s*boundary="?([0-9A-Za-z\'()+_,./:=?-]{1,70})"?', re.IGNORECASE)
_BY_JOB: Mapping[str, Verb[Any, Any]] = {"reindex": REINDEX, "sync": SYNC}


class Sent(NamedTuple):
    """A form with files: its fields, and names and bytes of the files."""

    fields: QueryParams
    files: list[tuple[str, bytes]]


def sent(content_type: str, body: bytes) -> Sent:
    """Parse a multipart form (RFC 7578). Raises `UsageError`."""
    match = _BOUNDARY.match(content_type)
    if match is None:
        raise UsageError("This form is sent with files.")
    fields: list[tuple[str, str]] = []
    files: list[tuple[str, bytes]] = []
    _, *parts = (b"\r\n" + body).split(b"\r\n--" + match[1].encode())
    for part in parts[:-1]:  # the last is the text after the end
        head, blank, value = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        words = head.decode("utf-8", "replace")
        name, file = _NAME.search(words), _FILE.search(words)
        if not blank or name is None or len(fields) + len(files) > 2 * MOST_FILES:
            raise UsageError("The form cannot be read.")
        if file is None:
            fields.append((name[1], value.decode("utf-8", "replace")))
        elif file[1]:  # an empty file field has a part, too
            named = file[1].replace('\\"', '"').replace("%22", '"')
            files.append((re.split(r"[/\\]", named)[-1], value))
    return Sent(QueryParams(fields), files)


def brought(asked: Asked, service: Service, files: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    """Ingest the files; return the outcome of each, and the job that indexes them together."""
    if not files:
        raise UsageError("Choose a file first.")
    if len(files) > MOST_FILES:
        raise UsageError(f"At most {MOST_FILES} files at once, not {len(files)}.")
    outcomes: list[dict[str, Any]] = []
    for name, data in files:
        try:
            words = {"content_base64": b64encode(data).decode(), "filename": name, "index": False}
            request = RECEIVE.read(words, "That does not work")
            received = plain(asked.corpora.ask(asked.corpus, RECEIVE, request, asked.call))
            outcomes.append({"name": name, "problem": None, **received})
        except BiblicusError as error:
            outcomes.append({"name": name, "problem": error})
    is_news = any(outcome["problem"] is None and outcome["outcome"] != "duplicate" for outcome in outcomes)
    job = begun(asked, service, "reindex", QueryParams()) if is_news else None
    return {"outcomes": outcomes, "job": job and asked.address(f"/corpus/jobs/{job.job_id}")}


def tagged(asked: Asked, fields: QueryParams) -> str:
    """Add and remove tags. Return the item's address."""
    refuse_guest(asked)
    changes = [word if word[:1] in "+-" else f"+{word}" for word in re.split(r"[\s,]+", fields.get("tags", "")) if word]
    if not changes:
        raise UsageError("Say a tag to add, or -tag to take one away.")
    item_id = asked.ask(TAG, item=fields.get("item", ""), changes=changes)["item_id"]
    return asked.item_address(item_id)


def weighed(asked: Asked, fields: QueryParams) -> str:
    """Set an item's weight, or clear it if no number is given. Return the item's address."""
    words = fields.get("multiplier", "").strip()
    try:
        multiplier = float(words) if words else None
    except ValueError:
        raise UsageError("A weight is a number from 0.1 to 10.") from None
    asked.ask(WEIGHT, target=fields.get("item", ""), multiplier=multiplier)
    return asked.item_address(fields.get("item", ""))


def begun(asked: Asked, service: Service, what: str, fields: QueryParams) -> Job:
    """Start a job: a reindex, or a sync of one source or all. Raises `Busy`."""
    verb = _BY_JOB[what]
    if verb.scope == "local":
        refuse_guest(asked)
    name = asked.corpora.meant(asked.corpus, guest=asked.call.guest, verb=verb)
    words: dict[str, Any] = {"names": fields.getlist("name")} if what == "sync" and fields.get("name") else {}
    request = verb.read(words)
    return service.jobs.start(what, name, lambda call: asked.corpora.ask(name, verb, request, call))


def refuse_guest(asked: Asked) -> None:
    """Raise `ScopeMissing` for guests: the verb is only for this machine's user."""
    if asked.call.guest:
        raise ScopeMissing("local")


def job(asked: Asked, service: Service, job_id: str) -> dict[str, Any]:
    """Return the values of a job's page."""
    stored_job = service.jobs.get(job_id)
    if stored_job.corpus not in asked.names:
        raise ScopeMissing("read")
    result = plain(stored_job.result) or {}
    refresh = result.get("refresh") or result
    lists = {kind: refresh.get(kind) for kind in ("added", "changed", "renamed", "removed")}
    return {
        "job": stored_job,
        "ended": stored_job.state in ENDED,
        "changes": {kind: len(paths) for kind, paths in lists.items() if isinstance(paths, list) and paths},
        "failed": list(refresh.get("failed") or ())[:MOST_FILES],
    }


async def progress(service: Service, job_id: str) -> AsyncIterator[str]:
    """Yield a job's progress as server-sent events until it ends."""
    last = None
    while True:
        stored_job = service.jobs.get(job_id)
        step = stored_job.progress
        now = {
            "state": stored_job.state,
            **({"step": step.step, "done": step.done, "total": step.total} if step else {}),
        }
        if now != last:
            last = now
            yield f"event: progress\ndata: {json.dumps(now)}\n\n"
        if stored_job.state in ENDED or await stops(service):
            return


def sources(asked: Asked) -> dict[str, Any]:
    """Return the corpus's sources; only for this machine's user."""
    refuse_guest(asked)
    listed = plain(asked.corpora.ask(asked.corpus, SOURCES, NoRequest(), asked.call))["sources"]
    return {"sources": listed}


# --- notes: beside their item, among the results of a question, and all of them ---

_SHOWN = 3
"""Maximum number of notes among results."""
_LONGEST = 2_000
_LEFT_OUT = {"title": "", "line_start": None, "by": ""}


class Part(NamedTuple):
    """Part of a comment; `link`: it is the address of a web page."""

    text: str
    link: bool = False


def notes_of(asked: Asked, *, corpus: str | None = None, **request: Any) -> list[dict[str, Any]]:
    """Return notes with the address of their words; none where the corpus has readers, who are not shown notes."""
    corpus_field = {"corpus": corpus or asked.word("corpus") or None}
    try:
        notes = asked.ask(NOTES, corpus=corpus, **request, layer=asked.words.getlist("layer"))["notes"]
    except ReaderLimited:
        return []
    return [
        _LEFT_OUT | note | {"address": _address(note, corpus_field), "parts": list(_parts(note["text"]))}
        for note in notes
    ]


def notes_about(asked: Asked, question: str, corpus: str) -> list[dict[str, Any]]:
    """Return the notes that have the question's words, or stand on them."""
    several = len(asked.names) > 1
    return notes_of(asked, corpus=corpus if several else None, query=question[:_LONGEST])[:_SHOWN]


def _address(note: Mapping[str, Any], own: Mapping[str, str | None]) -> str | None:
    if note["status"] == "missing":
        return None
    if note["status"] == "lost":
        return item_address(note["item_id"], **own)
    span = f"{note['span_start']}-{note['span_end']}"
    return item_address(note["item_id"], **own, page=note.get("page"), span=span, hash=note["hash"][:16]) + "#mark"


def _parts(text: str) -> Iterator[Part]:
    """Yield a comment in parts. Addresses of web pages are links, which nothing follows before somebody clicks."""
    for line in text.splitlines(keepends=True):
        for number, word in enumerate(line.split(" ")):
            if number:
                yield Part(" ")
            yield Part(word, _is_link(word.strip()))


def _is_link(word: str) -> bool:
    try:
        parts = urlsplit(word)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and word.isprintable()


def all_notes(asked: Asked) -> dict[str, Any]:
    """Return the values of the page with all notes, or those with the words of the address."""
    return {"notes": notes_of(asked, query=asked.word("q")), "query": asked.word("q")}


def noted(asked: Asked, fields: QueryParams) -> str:
    """Write a note on a span or on quoted words. Return the address of the words."""
    where: dict[str, Any] = {"span": span_of(fields.get("span"))}
    if words := fields.get("quote", "").strip():
        where = {"quote": words}
    text = fields.get("text", "").strip()
    if not text:
        raise UsageError("Write what you want to note.")
    by = {"by": fields["by"].strip()} if fields.get("by", "").strip() else {}
    note = asked.ask(ADD_NOTE, item=fields.get("item", ""), text=text, **where, **by)
    return str(_address(note, {"corpus": asked.word("corpus") or None}))


def unnoted(asked: Asked, fields: QueryParams) -> str:
    """Delete a note. Return the address of its item, or of all notes where that is gone."""
    note = asked.ask(REMOVE_NOTE, note=fields.get("note", ""))
    return asked.address("/corpus/notes") if note["status"] == "missing" else asked.item_address(note["item_id"])
