"""What an extractor gives in this process: its bugs cost a file, as those of a guarded worker do, and not the run."""

from __future__ import annotations

from biblicus.contracts import Extractor, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction

_LONGEST = 200


def extracted(extractor: Extractor, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    """The outcome; a failure where the extractor raises, or its text holds half of a character, which none takes."""
    try:
        outcome = extractor.extract(raw, hint)
        if isinstance(outcome, Extraction) and not outcome.text.isascii():
            outcome.text.encode()
        return outcome
    except ExtractionFailed as error:
        return NoExtraction("failed", error.reason)
    except Exception as error:  # a reader may raise anything on a broken file
        return NoExtraction("failed", " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST])
