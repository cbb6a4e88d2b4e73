"""Source code: the whole decoded file, as it is, with the definitions of Python, and what the lines of other languages
define or declare, as its headings."""

from __future__ import annotations

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import of_text
from biblicus.extraction.source_code import declared, lines
from biblicus.extraction.source_code.documented import with_documentation
from biblicus.extraction.source_code.python_source import definitions
from biblicus.models.extraction import Extraction, Heading, NoExtraction

PYTHON = "text/x-python"


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Decode, and read no front matter: a `---` line at the top of a source file is none.

    Definitions are headings with their qualified name in the file (`Class.method`); what stands outside of all is
    headed by the empty name."""
    headings: list[Heading] = []
    if hint.media_type == PYTHON:
        headings = with_documentation(text, definitions(text))
    elif hint.media_type in lines.LANGUAGES:
        headings = lines.definitions(text, hint.media_type)
    elif hint.media_type in declared.LANGUAGES:
        headings = declared.definitions(text, hint.media_type)
    return Extraction(text, headings=tuple(headings), warnings=warnings)


build = of_text("code/7", _extract)
