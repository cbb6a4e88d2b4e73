"""Front matter: a block of YAML, TOML or JSON at the very start of a text, read as data, never cut from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from biblicus.errors import BadData
from biblicus.models.extraction import Span

_YAML_END = re.compile(r"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_TOML_END = re.compile(r"\n\+\+\+[ \t]*\r?(?:\n|\Z)")
_JSON_END = re.compile(r"\n\}[ \t]*\r?(?:\n|\Z)")
_USUAL = frozenset(("title", "date", "tags", "categories", "slug", "description"))
_LINE = re.compile(
    r"[ \t]*(?:#.*|-(?:[ \t].*)?|[\]}].*)?\Z|[ \t]+\S.*|[\"']?[^\W\d][\w .-]{0,60}[\"']?[ \t]*:(?:[ \t].*)?\Z"
)
"""A line of keys and values, of a list or a comment, or one that goes on."""
_KEY = re.compile(
    r"^[\"']?(?:title|description|summary|date|(?:\w+_)?keywords|tags|categor(?:y|ies)|layout|slug|permalink|alias(?:es)?"
    r"|ms\.\w+)[\"']?[ \t]*:",
    re.MULTILINE | re.IGNORECASE,
)
"""One of the keys that few front matter lacks, and that nobody speaks under between two rules (`Q: …`, `Ada: …`)."""
_LONGEST = 1 << 20
"""Characters. A rule of dashes at the start of a book is not searched to its end."""


class FrontMatter(NamedTuple):
    """`masked`: the block with its fences, where there is one that could be read, or holds nothing but lines of keys
    and values, a usual key among them: too many, or one twice. `warnings`: why it could not be read."""

    metadata: Mapping[str, object]
    masked: tuple[Span, ...]
    warnings: tuple[str, ...]


_NONE = FrontMatter({}, (), ())


def read(text: str) -> FrontMatter:
    """The front matter of a text: YAML between `---`, TOML between `+++`, or an object of JSON in braces.

    What cannot be read and may be none stays ordinary text, with a warning.
    """
    fence = text[:3]
    if text.startswith("{"):
        return _in_json(text)
    if fence not in ("---", "+++"):
        return _NONE
    first_line = text[: text.find("\n") + 1]
    if first_line.strip() != fence:
        return _NONE
    closing = (_YAML_END if fence == "---" else _TOML_END).search(text, len(first_line) - 1, _LONGEST)
    if closing is None:
        return _NONE
    masked = (Span(0, closing.end()),)
    if fence == "+++":
        return _in_toml(text[len(first_line) : closing.start() + 1], masked)
    from biblicus.guards import yaml  # lazy: who only asks for fingerprints parses nothing

    try:
        # the opening fence goes along as YAML's document mark, so that lines are the file's own
        metadata = yaml.read(text[: closing.start() + 1])
    except BadData as error:
        block = text[len(first_line) : closing.start()]
        if _KEY.search(block) and all(map(_LINE.match, block.splitlines())):
            return FrontMatter({}, masked, (f"The front matter cannot be read: {error.message}",))
        return FrontMatter({}, (), (f"The front matter cannot be read and is indexed as text: {error.message}",))
    if metadata is None:
        return FrontMatter({}, masked, ())
    return FrontMatter(metadata, masked, ()) if isinstance(metadata, dict) else _NONE


def _in_toml(block: str, masked: tuple[Span, ...]) -> FrontMatter:
    """Front matter in TOML, as Hugo and Zola have it; groups of tags (`[taxonomies]`) are its own keys."""
    import tomllib  # lazy, as above

    try:
        found = _plain(tomllib.loads(block))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return FrontMatter({}, masked, (f"The front matter cannot be read: {error}",))
    groups = found.get("taxonomies")
    return FrontMatter({**groups, **found} if isinstance(groups, dict) else found, masked, ())


def _plain(value: Any) -> Any:
    """A value with dates and times as texts, as YAML's are read."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | float) else str(value)


def _in_json(text: str) -> FrontMatter:
    """Front matter in JSON: an object with a usual key, above a text."""
    from biblicus.guards import json  # lazy, as above

    end = _JSON_END.search(text, 0, _LONGEST)
    if end is None or not text[end.end() :].strip():
        return _NONE
    try:
        found = json.read(text[: end.end()], max_bytes=_LONGEST)
    except json.JsonRefused:
        return _NONE
    is_known = isinstance(found, dict) and not _USUAL.isdisjoint(found)
    return FrontMatter(found, (Span(0, end.end()),), ()) if is_known else _NONE
