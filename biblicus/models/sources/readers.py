"""Readers of an item: the people and groups who may see it, and the person who asks."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from biblicus.models.frozen import dataclass

KEY = "readers"
"""Metadata key of an item's readers."""
GROUP = "group:"
"""Prefix of a group among readers: `group:hr`."""
_LONGEST = 200

Rule = tuple[str, ...]
"""Readers of whom one suffices. Empty: only the owner, at a terminal."""
OWNER: Rule = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """The person who asks. An empty name sees what is open to all."""

    name: str = ""
    groups: tuple[str, ...] = ()


ANYBODY = Reader()


def name_of(text: object) -> str:
    """Return a reader's name in normal form; empty if it is no name."""
    name = unicodedata.normalize("NFC", text).strip() if isinstance(text, str) else ""
    return name if name.isprintable() and len(name.removeprefix(GROUP)) > 0 and len(name) <= _LONGEST else ""


def rule_of(value: object) -> Rule | None:
    """Return the rule in a value of front matter, a sidecar or `access.yml`; None if it is unreadable."""
    entries = value.split(",") if isinstance(value, str) else value
    if not isinstance(entries, list | tuple) or not all(map(name_of, entries)):
        return None
    return tuple(sorted({name_of(entry) for entry in entries}))


def combined(values: Sequence[object]) -> list[Any]:
    """Return the metadata for rules of several origins, all of which must agree: a list, or a list of lists.
    An unreadable rule becomes an empty list, so that only the owner sees the item."""
    rules = {rule for value in values for rule in _rules(value)}
    lists = [list(rule) for rule in sorted(rules)]
    return lists[0] if len(lists) == 1 else lists


def rules_of(metadata: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules in an item's metadata, all of which must agree."""
    return _rules(metadata[KEY]) if KEY in metadata else ()


def _rules(value: object) -> tuple[Rule, ...]:
    if isinstance(value, list) and value and all(isinstance(entry, list) for entry in value):
        rules = [rule_of(entry) for entry in value]
    else:
        rules = [rule_of(value)]
    return tuple(OWNER if rule is None else rule for rule in rules)
