"""What the extractor of a format reads of a file."""

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.models.extraction import Extraction, NoExtraction


def outcome_of(
    name: str, raw: bytes | str, media_type: str = "x/y", path: str = "a", **options: object
) -> Extraction | NoExtraction:
    content = raw.encode() if isinstance(raw, str) else raw
    outcome = plugins.make("extraction", name, options).extract(content, MediaHint(path, media_type))
    assert isinstance(outcome, Extraction | NoExtraction)
    return outcome


def read(name: str, raw: bytes | str, media_type: str = "x/y", path: str = "a", **options: object) -> Extraction:
    outcome = outcome_of(name, raw, media_type, path, **options)
    assert isinstance(outcome, Extraction), outcome
    return outcome


def outline(extraction: Extraction) -> list[tuple[int, str]]:
    """The headings by level."""
    return [(heading.level, heading.title) for heading in extraction.headings]
