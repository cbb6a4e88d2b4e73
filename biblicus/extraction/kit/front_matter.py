"""Front matter: a block of YAML, TOML or JSON at the very start of a text. It is parsed and stays in the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from biblicus import guards
from biblicus.contracts import MediaHint
from biblicus.errors import BadData
from biblicus.extraction.kit.texts import ReadText
from biblicus.models.extraction import Extraction, NoExtraction, Span
from biblicus.models.sources import readers

_YAML_END, _TOML_END, _JSON_END = (
    re.compile(rf"\n(?:{sign})[ \t]*\r?(?:\n|\Z)") for sign in (r"---|\.\.\.", r"\+\+\+", r"\}")
)
_LETTER = re.compile(r"[^\r\n]")
_USUAL = frozenset(("title", "date", "tags", "categories", "slug", "description"))
_LINE = re.compile(
    r"[ \t]*(?:#.*|-(?:[ \t].*)?|[\]}].*)?\Z|[ \t]+\S.*|[\"']?[^\W\d][\w .-]{0,60}[\"']?[ \t]*:(?:[ \t].*)?\Z"
)
"""A line of a key and value, list item or comment, or a continuation line."""
_KEY = re.compile(
    r"^[\"']?(?:title|description|summary|date|(?:\w+_)?keywords|tags|categor(?:y|ies)|layout|slug|permalink|alias(?:es)?"
    r"|ms\.\w+)[\"']?[ \t]*:",
    re.MULTILINE | re.IGNORECASE,
)
"""A key that most front matter has and that dialogue between two rules (`Q: …`, `Ada: …`) lacks."""
_FENCE = re.compile(r"(?:---|\+\+\+)[ \t]*\r?\n|\{\s*\"")
_SAMPLE = 4096
"""Characters of a text in which its readers are looked for, if its front matter cannot be parsed."""
_LONGEST = 1 << 20
"""Maximum characters of a block, so that a leading rule of dashes does not cause a search of the entire text."""


class FrontMatter(NamedTuple):
    """Parsed front matter. `masked`: the block with its fences, if it was parsed or its lines are all keys and values
    with a usual key. `warnings`: why the block could not be parsed."""

    metadata: Mapping[str, object]
    masked: tuple[Span, ...]
    warnings: tuple[str, ...]


_NONE = FrontMatter({}, (), ())


def fronted(read_text: ReadText) -> ReadText:
    """Return a reader of texts that have front matter: `read_text` sees blanks instead, and the block stays in a text
    that it returns as it is."""

    def extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        front = read(text)
        blank, rest = apart(text, front)
        outcome = read_text(blank + rest, warnings + front.warnings, hint)
        if not isinstance(outcome, Extraction):
            return outcome
        is_kept = bool(blank) and outcome.text.startswith(blank)
        return replace(
            outcome,
            text=text[: len(blank)] + outcome.text[len(blank) :] if is_kept else outcome.text,
            masked=(*front.masked, *outcome.masked) if is_kept else outcome.masked,
            metadata={**outcome.metadata, **front.metadata},
        )

    return extract


def apart(text: str, front: FrontMatter) -> tuple[str, str]:
    """Return blanks with the line ends of the front matter, and the text after it."""
    end = front.masked[0].end if front.masked else 0
    return _LETTER.sub(" ", text[:end]), text[end:]


def read(text: str) -> FrontMatter:
    """Parse the front matter of a text: YAML between `---`, TOML between `+++`, or a JSON object. A block that cannot
    be parsed and may be ordinary text is kept as text, with a warning; if it may name readers, they are unreadable."""
    front = _parsed(text)
    if not front.metadata and readers.KEY in text[:_SAMPLE] and _FENCE.match(text):
        return front._replace(metadata={readers.KEY: None})
    return front


def _parsed(text: str) -> FrontMatter:
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

    try:
        # includes the opening fence (YAML's document marker), so that line numbers are those of the file
        metadata = guards.yaml.read(text[: closing.start() + 1])
    except BadData as error:
        block = text[len(first_line) : closing.start()]
        if _KEY.search(block) and all(map(_LINE.match, block.splitlines())):
            return FrontMatter({}, masked, (f"The front matter cannot be read: {error.message}",))
        return FrontMatter({}, (), (f"The front matter cannot be read and is indexed as text: {error.message}",))
    if metadata is None:
        return FrontMatter({}, masked, ())
    return FrontMatter(metadata, masked, ()) if isinstance(metadata, dict) else _NONE


def _in_toml(block: str, masked: tuple[Span, ...]) -> FrontMatter:
    """Parse TOML front matter, as Hugo and Zola write it; keys of `[taxonomies]` move to the top level."""
    import tomllib  # lazy, as above

    try:
        fields = _plain(tomllib.loads(block))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return FrontMatter({}, masked, (f"The front matter cannot be read: {error}",))
    groups = fields.get("taxonomies")
    return FrontMatter({**groups, **fields} if isinstance(groups, dict) else fields, masked, ())


def _plain(value: Any) -> Any:
    """Return a value with dates and times as strings, as the YAML parser returns them."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | float) else str(value)


def _in_json(text: str) -> FrontMatter:
    """Parse JSON front matter: an object with a usual key, followed by text."""

    end = _JSON_END.search(text, 0, _LONGEST)
    if end is None or not text[end.end() :].strip():
        return _NONE
    try:
        fields = guards.json.read(text[: end.end()], max_bytes=_LONGEST)
    except guards.json.JsonRefused:
        return _NONE
    is_known = isinstance(fields, dict) and not _USUAL.isdisjoint(fields)
    return FrontMatter(fields, (Span(0, end.end()),), ()) if is_known else _NONE
