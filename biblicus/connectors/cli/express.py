"""The short way of a question to the daemon: it spares what a command line's parser and validator cost to import.

Typer and pydantic take two thirds of a warm question's time. A plain `biblicus query … --at daemon` is therefore read
here, from a table; whatever is not plain (help, a mistake, another option or place) is left to the command itself,
which means the same. `tests/connectors/test_express.py` compares both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.models.plain import plain

if TYPE_CHECKING:
    from biblicus.models.question import Query

_TEXT: dict[str, str] = {"--recipe": "recipe", "--run": "run", "-C": "corpus", "--corpus": "corpus", "--at": "at"}
_TEXTS: dict[str, str] = {
    "--tag": "tag", "--type": "type", "--doctype": "doctype", "--language": "language", "--path": "path",
}  # fmt: skip
_NUMBERS: dict[str, str] = {
    "-n": "limit",
    "--limit": "limit",
    "--max-tokens": "max_tokens",
    "--max-characters": "max_characters",
    "--max-per-source": "max_per_source",
}


def ask(arguments: Sequence[str]) -> int | None:
    """The exit code of a plain question that the daemon answered; None: nothing was done, the command is to do it."""
    said = parse(arguments)
    if said is None:
        return None
    from biblicus.operations.places import targets

    try:
        places = targets(said.get("corpus"), said.get("at"))
        if len(places) != 1 or places[0].kind != "daemon" or places[0].folder is None:
            return None
        return _answered(said, places[0].folder)
    except Exception:  # whatever is wrong, the command finds it too, and says it
        return None


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

    filters = Filters(many("tag"), many("type"), many("doctype"), many("language", str.lower), many("path"))
    limit, tokens, characters = said.get("limit"), said.get("max_tokens"), said.get("max_characters")
    own = said.get("max_per_source")
    return Query(" ".join(said["text"]), filters, limit, tokens, characters, own, said.get("recipe"), said.get("run"))


def _answered(said: dict[str, Any], folder: Any) -> int | None:
    import json

    from biblicus.contracts import Call
    from biblicus.operations.readers import There
    from biblicus.searchers.daemon import DaemonSearcher

    query, reader = query_of(said), There(DaemonSearcher(folder).ask)
    result = reader.query(query, Call())
    if said["json"] and not sys.stdout.isatty():
        sys.stdout.write(json.dumps(plain(result), ensure_ascii=False) + "\n")
    else:
        from biblicus.connectors.cli.query import show  # lazy: it needs Typer, which a program's question does not

        show(result, reader, as_json=said["json"])
    sys.stdout.flush()
    return 0
