"""Source code: the whole decoded file, as it is."""

from __future__ import annotations

from biblicus.contracts import Extractor, MediaHint
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]


class Code:
    """Decodes, and looks for nothing else: a `---` line at the top of a source file is no front matter."""

    fingerprint = "code/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        return nothing() if not text or text.isspace() else Extraction(text, warnings=warnings)


def build(options: Options) -> Extractor:
    """The extractor for source code."""
    return Code()
