"""The short way of a question on this machine: it spares what a command line's parser costs to import.

Typer takes a third of a cold question's time; with pydantic, two thirds of a warm one's to the daemon. A plain
`biblicus query …` is therefore read here, from a table; whatever is not plain (help, a mistake, another option or
place) is left to the command itself, which means the same. `tests/connectors/test_express.py` compares both.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.models.plain import jsonable

if TYPE_CHECKING:
    from pathlib import Path

    from biblicus.models.evidence import Result
    from biblicus.models.question import Query
    from biblicus.service.askers.in_turn import Reader

_TEXT: dict[str, str] = {
    "--recipe": "recipe",
    "--run": "run",
    "-C": "corpus",
    "--corpus": "corpus",
    "--at": "at",
    "--since": "since",
    "--until": "until",
}
_TEXTS: dict[str, str] = {
    "--tag": "tag", "--type": "type", "--doctype": "doctype", "--language": "language", "--path": "path",
    "--toolkit": "toolkit", "--category": "category", "--source": "source",
}  # fmt: skip
_NUMBERS: dict[str, str] = {
    "-n": "limit",
    "--limit": "limit",
    "--max-tokens": "max_tokens",
    "--max-characters": "max_characters",
    "--max-per-source": "max_per_source",
}


def ask(arguments: Sequence[str]) -> int | None:
    """The exit code of a plain question that was answered; None: nothing was done, the command is to do it."""
    said = parse(arguments)
    if said is None:
        return None
    try:
        found = _answer(said)
    except Exception:  # whatever is wrong, the command finds it too, and says it
        return None
    if found is None:
        return None
    try:
        _print(*found, as_json=said["json"])
    except BrokenPipeError:  # as `app.run` does: the reader of our output left
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def parse(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The options of a plain question, and its `text`; None where it is not plain."""
    if not arguments or arguments[0] != "query":
        return None
    said: dict[str, Any] = {"text": [], "json": False}
    words = iter(arguments[1:])
    for word in words:
        if word == "--":
            said["text"] += words
        elif word == "--json":
            said["json"] = True
        elif not word.startswith("-"):
            said["text"].append(word)
        elif (value := next(words, "-")).startswith("-") or not _take(said, word, value):
            return None
    plain = bool(said["text"]) and not ("recipe" in said and "run" in said)
    return said if plain else None


def _take(said: dict[str, Any], option: str, value: str) -> bool:
    if option in _TEXT:
        said[_TEXT[option]] = value
    elif option in _TEXTS:
        said.setdefault(_TEXTS[option], []).append(value)
    elif option in _NUMBERS and value.isascii() and value.isdigit() and 0 < int(value) < 1 << 31:
        said[_NUMBERS[option]] = int(value)
    else:
        return False
    return True


def query_of(said: dict[str, Any]) -> Query:
    """The query that the options come to."""
    from biblicus.models.question import Filters, Query

    def many(name: str, form: Callable[[str], str] = str) -> tuple[str, ...]:
        return tuple(form(value) for value in said.get(name, ()))

    by_item = (many("toolkit"), many("category"), many("source"), said.get("since"), said.get("until"))
    native = (many("tag"), many("type"), many("doctype"), many("language", str.lower), many("path"))
    filters = Filters(*native, {}, *by_item)
    limit, tokens, characters = said.get("limit"), said.get("max_tokens"), said.get("max_characters")
    own = said.get("max_per_source")
    return Query(" ".join(said["text"]), filters, limit, tokens, characters, own, said.get("recipe"), said.get("run"))


def _answer(said: dict[str, Any]) -> tuple[Result, Reader] | None:
    """The result, and who gave it; None where the place is not this machine, or the command would refuse."""
    from biblicus.contracts import Call
    from biblicus.models.item import DOCTYPES
    from biblicus.service.places import targets

    places = targets(said.get("corpus"), said.get("at"))
    if len(places) != 1 or places[0].folder is None or set(said.get("doctype", ())) - set(DOCTYPES):
        return None
    reader = _reader(places[0].kind, places[0].folder)
    return reader.query(query_of(said), Call()), reader


def _reader(kind: str, folder: Path) -> Reader:
    if kind == "local":
        from biblicus.service.askers.here import Here

        return Here(folder)
    from biblicus.service.askers.daemon import DaemonSearcher
    from biblicus.service.askers.in_turn import There

    return There(DaemonSearcher(folder).ask)


def _print(result: Result, reader: Reader, *, as_json: bool) -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names may hold bytes that are no UTF-8: printing them must not fail
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if as_json and not sys.stdout.isatty():
        import json

        sys.stdout.write(json.dumps(result, ensure_ascii=False, default=jsonable) + "\n")
    else:
        from biblicus.connectors.cli.evidence import show

        show(result, reader, as_json=as_json)
    sys.stdout.flush()
