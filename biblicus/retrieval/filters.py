"""What a filter means for a chunk, and the patterns that let tantivy find the same paths by itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from biblicus.contracts import RankedChunk
from biblicus.models.question import Allow, Filters
from biblicus.text.globs import fits_type, matches_path


def allowed(allow: Allow | None, chunk: RankedChunk) -> bool:
    """Whether a chunk may be ranked."""
    if allow is None:
        return True
    return (allow.item_rows is None or chunk.item in allow.item_rows) and holds(
        allow.filters, chunk.language, chunk.media_type, chunk.doctype, chunk.tags, chunk.path
    )


def holds(
    filters: Filters, language: str | None, media_type: str, doctype: str, tags: Sequence[str], path: str
) -> bool:
    """Whether an item's own fields fit; `where` was resolved to item rows by the caller."""
    return (
        all(tag in tags for tag in filters.tags)
        and (not filters.doctypes or doctype in filters.doctypes)
        and (not filters.languages or language in filters.languages)
        and (not filters.types or fits_type(media_type, filters.types))
        and (not filters.paths or matches_path(path, filters.paths))
    )


_ANY = r"[\s\S]*"
_SPECIAL = frozenset("\\.+*?()|[]{}^$-")


@lru_cache(maxsize=256)
def path_pattern(glob: str) -> str | None:
    """A glob (see `text.globs`) as a regular expression for tantivy; None for sets (`[a-z]`), whose dialects differ."""
    if "[" in glob:
        return None
    glob = glob.removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    # `**/**` means `**`, and would cost the automaton states.
    parts = glob.split("/")
    segments = [part for part, before in zip(parts, ["", *parts], strict=False) if part != "**" or before != "**"]
    pattern = ""
    for number, segment in enumerate(segments):
        is_last = number == len(segments) - 1
        if segment != "**":
            pattern += "".join(map(_piece, segment)) + ("" if is_last else "/")
        elif not is_last:
            pattern += f"({_ANY}/)?"
        elif pattern.endswith("/"):
            pattern = f"{pattern[:-1]}(/{_ANY})?"
        else:
            pattern += _ANY
    return pattern


def _piece(char: str) -> str:
    if char in "*?":
        return "[^/]*" if char == "*" else "[^/]"
    return f"\\{char}" if char in _SPECIAL else char
