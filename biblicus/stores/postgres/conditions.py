"""What filters mean for a table of items, in PostgreSQL's words (see `text.fitting`; a test compares both)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from psycopg import sql

from biblicus.models.item import DATES
from biblicus.models.requests.query import FILTERS, Filters
from biblicus.retrieval.filters import path_pattern
from biblicus.stores.postgres.server import texts

Condition = tuple[str, Sequence[Any]]
"""An expression over a row of items `i`, and the values for its places."""

_TOOLKIT_OF_GIT = "CASE i.facts #>> '{source,kind}' WHEN 'git' THEN split_part(substr(i.path, 9), '/', 1) END"
TOOLKIT = f"coalesce(nullif(i.facts #> '{{metadata,toolkit}}', 'null'), to_jsonb({_TOOLKIT_OF_GIT}))"
"""What an item is about (`text.fitting.toolkits_of`), as JSON; null for nothing."""
_HAS = "(jsonb_typeof(i.facts #> %s::text[]) IN ('string', 'array') AND i.facts #> %s::text[] ?| %s::text[])"
_KIND, _URI = "i.facts #>> '{source,kind}'", "i.facts #>> '{source,uri}'"
_ENDS = "('', '/', '#', '?', '@', ':')"
_SOURCE = (
    f"({_KIND} = %s OR starts_with(i.path, %s)"
    f" OR starts_with({_URI}, %s) AND (substr({_URI}, length(%s) + 1, 1) IN {_ENDS} OR right(%s, 1) IN {_ENDS}))"
)
_DAY_FORMS = "'^[0-9]{4}(-[0-9]{2}(-[0-9]{2}([T ].*)?)?)?$'"


def fitting(filters: Filters, types: Callable[[Sequence[str]], Sequence[str]]) -> Condition | None:
    """The condition for the items that fit; None where a filter cannot be said in SQL. `types`: the media types that
    occur and are among those wanted."""
    conditions: list[Condition] = []
    for name in FILTERS:
        if not (wanted := getattr(filters, name)):
            continue
        if name == "type":
            condition: Condition | None = "i.media_type = ANY(%s::text[])", [list(types(wanted))]
        else:
            condition = _MEANINGS[name](wanted) if name in _MEANINGS else None
        if condition is None:
            return None
        conditions.append(condition)
    return " AND ".join(["true", *(text for text, _ in conditions)]), [
        value for _, some in conditions for value in some
    ]


def _one_of(column: str) -> Callable[[Any], Condition]:
    return lambda wanted: (f"{column} = ANY(%s::text[])", [texts(wanted)])


def _path(globs: Sequence[str]) -> Condition | None:
    patterns = [path_pattern(glob) for glob in globs]
    if None in patterns:  # a set, whose dialects differ
        return None
    return "i.path ~ ANY(%s::text[])", [[f"^(?:{pattern})$" for pattern in texts(patterns)]]


def _holds(key: str, wanted: Sequence[str]) -> Condition:
    path = ["metadata", *texts([key])]
    return _HAS, [path, path, texts(wanted)]


def _where(wanted: Mapping[str, str]) -> Condition:
    conditions = [_holds(key, [text]) for key, text in wanted.items()]
    return " AND ".join(text for text, _ in conditions), [value for _, some in conditions for value in some]


def _source(wanted: Sequence[str]) -> Condition:
    named = texts([source for source in wanted if source])
    values = [value for one in named for value in (one, f"imports/{one}/", one, one, one)]
    return f"({' OR '.join([_SOURCE] * len(named)) or 'false'})", values


def _day() -> str:
    """The first of `DATES` that begins with a day, a month or a year."""
    cases = "".join(
        f" WHEN jsonb_typeof(i.facts #> '{{metadata,{key}}}') IN ('string', 'number')"
        f" AND i.facts #>> '{{metadata,{key}}}' ~ {_DAY_FORMS} THEN left(i.facts #>> '{{metadata,{key}}}', 10)"
        for key in DATES
    )
    return f'(CASE{cases} END) COLLATE "C"'


_DAY = _day()


def _bounded(sign: str) -> Callable[[str], Condition]:
    return lambda day: (f"left({_DAY}, %s) {sign} %s", [len(day), day])


_MEANINGS: Mapping[str, Callable[[Any], Condition | None]] = {
    "tag": lambda wanted: ("i.tags @> %s::text[]", [texts(wanted)]),
    "doctype": _one_of("i.doctype"),
    "language": _one_of("i.language"),
    "layer": _one_of("i.facts ->> 'layer'"),
    "path": _path,
    "where": _where,
    "toolkit": lambda wanted: _holds("toolkit", wanted),
    "category": lambda wanted: _holds("category", wanted),
    "source": _source,
    "since": _bounded(">="),
    "until": _bounded("<="),
    "hash": lambda wanted: (
        "(i.facts ->> 'content_hash' = ANY(%s::text[]) OR 'sha256:' || (i.facts ->> 'sha256') = ANY(%s::text[]))",
        [texts(wanted), texts(wanted)],
    ),
}


def rows_of(view: sql.Composable, condition: Condition) -> tuple[sql.Composed, Sequence[Any]]:
    """A query for the rows of the items that fit, with the first of their chunks, and how many each has."""
    text, values = condition
    return sql.SQL("SELECT i.row, i.first, i.chunks FROM {} AS i WHERE ").format(view) + sql.SQL(text), values
