"""A search among a run's chunks by one of their vectors, filters first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from biblicus.models.question import Allow
from biblicus.models.requests.query import Filters
from biblicus.stores.milvus.server import listed, quoted
from biblicus.stores.milvus.tables import BODY, MilvusTables
from biblicus.text.globs import fits_type

NOTHING: Mapping[str, Any] = {}
_SPECIAL = frozenset("*?[]%_\\")


class Searching:
    """The searches of one run."""

    def __init__(self, tables: MilvusTables) -> None:
        self.tables = tables

    def search(
        self,
        field: str,
        vector: Any,
        fits: str,
        limit: int,
        fields: Sequence[str],
        how: Mapping[str, Any] = NOTHING,
        *,
        again: bool = False,
    ) -> list[dict[str, Any]]:
        """The rows nearest by inner product, best first, each with its `row`, its `distance` and these fields. `again`:
        for more of them than the search before brought, whose texts came with it."""
        (hits,) = self.tables.server.ask(
            "search",
            self.tables.chunk_rows,
            run_id=self.tables.run_id,
            data=[vector],
            anns_field=field,
            filter=fits,
            limit=limit,
            output_fields=list(dict.fromkeys([*fields, *(() if again else BODY)])),
            search_params={"metric_type": "IP", "params": dict(how)},
            consistency_level="Bounded",
        )
        rows = [{"row": hit["row"], "distance": hit["distance"], **hit["entity"]} for hit in hits]
        if not again:
            self.tables.keep(rows)
        return rows

    def fitting(self, allow: Allow | None) -> str | None:
        """The expression for what may be ranked; None where nothing may."""
        if allow is None:
            return ""
        native = fitting(allow.filters, self.tables.facts["types"])
        rows = allow.item_rows
        if native is None:
            among = self.tables.rows_where(Filters(path=allow.filters.path))
            rows = among if rows is None else rows & among
            native = fitting(replace(allow.filters, path=()), self.tables.facts["types"])
        if rows is not None and not rows:
            return None
        conditions = [native] if native else []
        if rows is not None:
            conditions.append(f"item in {listed(sorted(rows))}")
        return " and ".join(conditions)


def fitting(filters: Filters, types: Sequence[str]) -> str | None:
    """What filters mean for chunks, as an expression of Milvus (see `text.fitting`; a test compares both); None where
    paths cannot be said so. `types`: the media types that occur."""
    conditions = []
    if filters.tag:
        conditions.append(f"array_contains_all(tags, {listed(filters.tag)})")
    if filters.type:
        conditions.append(f"media_type in {listed(name for name in types if fits_type(name, filters.type))}")
    if filters.doctype:
        conditions.append(f"doctype in {listed(filters.doctype)}")
    if filters.language:
        conditions.append(f"language in {listed(filters.language)}")
    if filters.path:
        under = [_under(glob) for glob in filters.path]
        if None in under:
            return None
        conditions.append(f"({' or '.join(one for one in under if one)})")
    return " and ".join(conditions)


def _under(glob: str) -> str | None:
    """A folder with all below it; None for another glob."""
    folder = glob.removeprefix("./").removesuffix("**")
    if not folder.endswith("/") or _SPECIAL & set(folder):
        return None
    return f"path like {quoted(folder + '%')}"
