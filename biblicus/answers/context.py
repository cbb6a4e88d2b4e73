"""Context: a question's evidence, made into a pack for a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pydantic import ValidationError

from biblicus.answering.joining import Home
from biblicus.answering.pack import Count, context_pack
from biblicus.contracts import Call
from biblicus.corpus.extractions import Extractions, Raw
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BadData, NotFound, UnknownModel, UnknownName, UsageError
from biblicus.models.evidence import Evidence, Result
from biblicus.models.extraction import Extraction
from biblicus.models.pack import ESTIMATE, Pack, PackPolicy
from biblicus.models.question import Query
from biblicus.runs import manifests as runs

AHEAD = 2
"""Times the pack's tokens that evidence is asked for: chunks that overlap are told once."""

Ask = Callable[[Query, Call], Result]
"""Gets the evidence, wherever the corpus is."""


def context(
    place: CorpusFolder, ask: Ask, query: Query, policy: PackPolicy, call: Call, count: Count | None = None
) -> Pack:
    """Ask for evidence and pack it. `count`: the tokenizer that the policy names, from `tokenizer`.

    Raises what `query` raises. An item that changed since its run, or that is gone, is packed without neighbours.
    """
    result = ask(replace(query, tokens=AHEAD * policy.tokens), call)
    return context_pack(result, policy, count=count, around=_Homes(place, call))


class _Homes:
    """Where pieces stand: their page, or the whole item, without front matter. Each item is read once, and nothing is
    parsed anew: who asks does not wait for that."""

    def __init__(self, place: CorpusFolder, call: Call) -> None:
        self._place, self._call = place, call
        self._extractions: dict[str, Extractions] = {}
        self._read: dict[tuple[str, str], Extraction | None] = {}

    def __call__(self, piece: Evidence) -> Home | None:
        key = piece.item_id, piece.extraction_id
        if key not in self._read:
            self._call.check()
            self._read[key] = None if piece.stale else self._extraction(piece)
        found = self._read[key]
        if found is None or found.text[piece.span_start : piece.span_end] != piece.text:
            return None
        low, high = _bounds(found, piece)
        return Home(found.text[low:high], low)

    def _extraction(self, piece: Evidence) -> Extraction | None:
        """What the piece's run read, if that is still there."""
        raw = Raw(piece.path, piece.item_sha256, piece.media_type, 0)
        try:
            extractions = self._of_run(piece.run_id)
            if extractions.extraction_id(raw) != piece.extraction_id:
                return None
            outcome = extractions.get(raw)
        except (UsageError, NotFound, BadData, ValidationError):  # a run or an extractor that is not here
            return None
        return outcome if isinstance(outcome, Extraction) else None

    def _of_run(self, run_id: str) -> Extractions:
        if run_id not in self._extractions:
            build = runs.read(self._place, run_id).recipe["build"]
            self._extractions[run_id] = Extractions(self._place, self._call, dict(build["extraction"]))
        return self._extractions[run_id]


def _bounds(found: Extraction, piece: Evidence) -> tuple[int, int]:
    """How far the text around a piece goes: to the ends of its page, and to what is masked."""
    low, high = 0, len(found.text)
    if piece.page:
        low = found.pages[piece.page - 1]
        high = found.pages[piece.page] if piece.page < len(found.pages) else high
    for span in found.masked:
        low = max(low, span.end) if span.end <= piece.span_start else low
        high = min(high, span.start) if span.start >= piece.span_end else high
    return low, high


def tokenizer(place: CorpusFolder, name: str) -> Count | None:
    """The tokenizer of that name: that of an embedder which runs here; None for the estimate.

    Raises `UnknownName`, `ExtraMissing`, `ConfigInvalid`, and `UsageError` for a model whose tokenizer is elsewhere.
    """
    if name == ESTIMATE:
        return None
    from biblicus.embedding.remote import RemoteEmbedder  # lazy, as below: the estimate needs no model
    from biblicus.runs import embedders

    try:
        embedder = embedders.find(place, name)
    except UnknownModel as error:
        known = [ESTIMATE, *embedders.BUILT_IN, *sorted(place.settings.embedders)]
        raise UnknownName("tokenizer", name, known) from error
    if isinstance(embedder, RemoteEmbedder):
        raise UsageError(f"The tokenizer of {name} is at its service, not here.", f"--tokenizer {ESTIMATE}")
    return lambda text: embedder.count([text])[0]
