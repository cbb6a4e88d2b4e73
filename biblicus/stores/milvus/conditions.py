"""What filters mean for chunks, in the words of Milvus's expressions (see `text.fitting`; a test compares both)."""

from __future__ import annotations

from collections.abc import Sequence

from biblicus.models.requests.query import Filters
from biblicus.stores.milvus.server import listed, quoted
from biblicus.text.globs import fits_type

_SPECIAL = frozenset("*?[]%_\\")


def fitting(filters: Filters, types: Sequence[str]) -> str | None:
    """The expression for what an index has fields for; None where paths cannot be said so. `types`: the media types
    that occur."""
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
