"""Detect renames: new paths with the bytes of exactly one vanished path. Members follow their file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from biblicus.corpus.catalog import Items
from biblicus.models.item import Item
from biblicus.text.paths import file_of, is_member


def renamed(old: Items, gone: Sequence[str], fresh: Mapping[str, str]) -> tuple[dict[str, Item], list[str]]:
    """Return the previous item of each renamed path, and the new paths that are ambiguous.

    `old`: previous items. `gone`: vanished paths. `fresh`: new paths with the digests of their bytes."""
    files = {path: sha256 for path, sha256 in fresh.items() if not is_member(path)}
    members = {path: sha256 for path, sha256 in fresh.items() if is_member(path)}
    twins, ambiguous = _alike(old, [path for path in gone if not is_member(path)], files)
    for path in members:
        file = file_of(path)
        if file in twins and (was := old.get(twins[file].path + path[len(file) :])) is not None:
            twins[path] = was
    followed = {twin.path for twin in twins.values()}
    rest = [path for path in gone if is_member(path) and path not in followed]
    moved, _ = _alike(old, rest, {path: sha256 for path, sha256 in members.items() if path not in twins})
    return twins | moved, ambiguous


def _alike(old: Items, gone: Sequence[str], fresh: Mapping[str, str]) -> tuple[dict[str, Item], list[str]]:
    """Match vanished and new paths by digest; return unique pairs, and the ambiguous new paths."""
    items = [item for path in gone if (item := old[path]).bytes]
    vanished = {item.sha256: item for item in items}
    gone_by = Counter(item.sha256 for item in items)
    new = {path: sha256 for path, sha256 in fresh.items() if sha256 in vanished}
    new_by = Counter(new.values())
    twins = {path: vanished[sha256] for path, sha256 in new.items() if gone_by[sha256] == new_by[sha256] == 1}
    return twins, sorted(new.keys() - twins.keys())
