"""Announce OCR before it begins, because it may take long."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from biblicus.corpus.extracted.transcripts import Raw
from biblicus.extraction.pdf import scanned_pages
from biblicus.models.extraction import Extraction

if TYPE_CHECKING:
    from biblicus.corpus.extracted.extractions import Extractions
    from biblicus.extraction.ocr.stage import Stage


def told_of(unread: Extractions, raws: Sequence[Raw], stage: Stage) -> None:
    """Report how many pages OCR is about to read, and roughly how long it takes."""
    pages = files_with_any = 0
    for raw in raws:
        outcome = unread.get(raw)
        count = 0
        if unread.choose(raw.path, raw.media_type) == "picture":
            count = 1
        elif stage.every_page and isinstance(outcome, Extraction):
            count = len(outcome.pages)
        elif outcome is not None:
            count = scanned_pages(outcome)
        pages += count
        files_with_any += bool(count)
    if pages:
        workers = min(unread.corpus.settings.workers or os.cpu_count() or 1, files_with_any)
        seconds = pages * stage.engine.seconds_a_page / workers
        some = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
        many = f"{pages} page{'s' if pages > 1 else ''} of {files_with_any} file{'s' if files_with_any > 1 else ''}"
        unread.call.tell(f"OCR by {stage.name}: {many}, about {some}.")
