"""Filters as SQL conditions on the table of items, for fields that no index has.

`text.fitting` is the same in Python, for items in memory; a test compares both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biblicus.models.item import DATES
from biblicus.models.requests.query import Filters

Condition = tuple[str, Sequence[str]]
"""An SQL expression over a row of `items`, and the values for its question marks."""

_HAS = (
    "EXISTS (SELECT 1 FROM json_each(metadata) AS m,"
    " json_each(CASE m.type WHEN 'array' THEN m.value ELSE json_array(m.value) END) AS v"
    " WHERE m.key = ? AND v.type = 'text' AND v.value IN ({marks}))"
)
_URI = "coalesce(uri, path)"
_CONTENT, _BYTES = "json_extract(record, '$.content_hash')", "'sha256:' || json_extract(record, '$.sha256')"
_ENDS = "('/', '#', '?', '@', ':')"
_BEGINS = "substr({text}, 1, length(?)) = ?"
_SOURCE = (
    f"(kind = ? OR {_BEGINS.format(text='path')} OR {_URI} = ?"
    f" OR {_BEGINS.format(text=_URI)} AND (substr({_URI}, length(?) + 1, 1) IN {_ENDS} OR substr(?, -1) IN {_ENDS}))"
)
_YEAR = "[0-9][0-9][0-9][0-9]"
_FORMS = (_YEAR, f"{_YEAR}-[0-9][0-9]", f"{_YEAR}-[0-9][0-9]-[0-9][0-9]", f"{_YEAR}-[0-9][0-9]-[0-9][0-9][T ]*")


def fitting(filters: Filters) -> tuple[str, Sequence[str]]:
    """Return a query for the rows of matching items (see `Filters.by_item`), and its values."""
    conditions = list(_conditions(filters))
    where = " AND ".join(["1", *(sql for sql, _ in conditions)])
    values = [value for _, values in conditions for value in values]
    if not filters.hash:
        return f"SELECT row FROM items WHERE {where}", values
    marks = ",".join("?" * len(filters.hash))
    # With a limit each record is unpacked once, and only if the item matches the other filters.
    return (
        f"SELECT row FROM (SELECT row, record FROM items WHERE {where} LIMIT -1)"
        f" WHERE {_CONTENT} IN ({marks}) OR {_BYTES} IN ({marks})"
    ), [*values, *filters.hash, *filters.hash]


def _conditions(filters: Filters) -> Iterator[Condition]:
    for key, text in filters.where.items():
        yield _holds(key, [text])
    if filters.toolkit:
        yield _holds("toolkit", filters.toolkit)
    if filters.category:
        yield _holds("category", filters.category)
    if filters.source:
        named = [source for source in filters.source if source]
        values = [value for source in named for value in _of_source(source)]
        yield f"({' OR '.join([_SOURCE] * len(named)) or '0'})", values
    if filters.layer:
        marks = ",".join("?" * len(filters.layer))
        yield f"layer IN ({marks})", filters.layer
    if filters.since:
        yield f"substr({_DAY}, 1, length(?)) >= ?", (filters.since, filters.since)
    if filters.until:
        yield f"substr({_DAY}, 1, length(?)) <= ?", (filters.until, filters.until)


def _holds(key: str, wanted: Sequence[str]) -> Condition:
    return _HAS.format(marks=",".join("?" * len(wanted))), [key, *wanted]


def _of_source(source: str) -> Sequence[str]:
    folder = f"imports/{source}/"
    return source, folder, folder, source, source, source, source, source


def _day() -> str:
    """Return an SQL expression for the first of `DATES` that is a day, a month or a year."""
    cases = ""
    for key in DATES:
        value = f"json_extract(metadata, '$.{key}')"
        forms = " OR ".join(f"{value} GLOB '{form}'" for form in _FORMS)
        typed = f"json_type(metadata, '$.{key}') IN ('text', 'integer')"
        cases += f" WHEN {typed} AND ({forms}) THEN substr({value}, 1, 10)"
    return f"CASE{cases} END"


_DAY = _day()
