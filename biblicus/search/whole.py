"""The whole text that a piece of evidence is of, as its run read it. Nothing is parsed anew: who asks does not wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BadData, NotFound, UsageError
from biblicus.models.evidence import Evidence, nothing_left
from biblicus.models.extraction import Extraction
from biblicus.runs import manifests as runs

if TYPE_CHECKING:
    from biblicus.corpus.extracted.extractions import Extractions


class Wholes:
    """Reads extractions, each once. Of one that is handed to another process nothing is left."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._corpus, self._call = corpus, call
        self._extractions: dict[str, Extractions] = {}
        self._read: dict[tuple[str, str], Extraction | None] = {}

    def __call__(self, piece: Evidence) -> Extraction | None:
        """What a piece is of; None where it changed since its run, or what read it is not here."""
        key = piece.item_id, piece.extraction_id
        if key not in self._read:
            self._call.check()
            self._read[key] = None if piece.stale else self._extraction(piece)
        extraction = self._read[key]
        holds = extraction is not None and extraction.text[piece.span_start : piece.span_end] == piece.text
        return extraction if holds else None

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return nothing_left, ()

    def _extraction(self, piece: Evidence) -> Extraction | None:
        """What the piece's run read, if that is still there."""
        from biblicus.corpus.extracted.extractions import Raw  # lazy: most questions need none

        raw = Raw(piece.path, piece.item_sha256, piece.media_type, 0)
        try:
            extractions = self._of_run(piece.run_id)
            if extractions.extraction_id(raw) != piece.extraction_id:
                return None
            outcome = extractions.get(raw)
        except (UsageError, NotFound, BadData, ValueError):  # a run or an extractor that is not here
            return None
        return outcome if isinstance(outcome, Extraction) else None

    def _of_run(self, run_id: str) -> Extractions:
        from biblicus.corpus.extracted.extractions import Extractions

        if run_id not in self._extractions:
            build = runs.read_alike(self._corpus, run_id).recipe["build"]
            self._extractions[run_id] = Extractions(self._corpus, self._call, dict(build["extraction"]))
        return self._extractions[run_id]
