"""Run an extractor in this process; an error fails the file, not the run."""

from __future__ import annotations

from biblicus.contracts import Extractor, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction

_LONGEST = 200


def extracted(extractor: Extractor, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    """Return the outcome; a failure if the extractor raises or its text contains a lone surrogate."""
    try:
        outcome = extractor.extract(raw, hint)
        if isinstance(outcome, Extraction) and not outcome.text.isascii():
            outcome.text.encode()
        return outcome
    except ExtractionFailed as error:
        return NoExtraction("failed", error.reason)
    except Exception as error:  # a reader may raise anything on a broken file
        return NoExtraction("failed", " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST])
