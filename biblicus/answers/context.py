"""Context packs: evidence for a question, formatted for a prompt."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from biblicus import embedding, runs
from biblicus.answering.packs.joining import Home
from biblicus.answering.packs.pack import Count, context_pack
from biblicus.answers.conversations import from_sources
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UnknownModel, UnknownName, UsageError
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction, Head
from biblicus.models.locator import region_of, touched
from biblicus.models.requests.answer import ESTIMATE, ContextRequest
from biblicus.search.evidence import Wholes
from biblicus.search.query import query
from biblicus.text.media import shows_no_headings

AHEAD = 2
"""Factor of the pack's tokens for retrieval, since overlapping chunks are merged."""


def context(corpus: CorpusFolder, request: ContextRequest, call: Call) -> Pack:
    """Retrieve evidence and pack it. Raises errors of `query` and `tokenizer`.

    Items that changed since their run, or are gone, are packed without neighbours.
    """
    count = tokenizer(corpus, request.tokenizer)
    wide = replace(request.question, max_tokens=AHEAD * request.max_tokens)
    result = from_sources(partial(query, corpus))(wide, call)
    return context_pack(result, request, count=count, around=_Homes(corpus, call))


class _Homes:
    """Returns the text around a piece: its page, or the entire item without front matter."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._whole = Wholes(corpus, call)
        self._heads: dict[tuple[str, str], list[Head]] = {}

    def __call__(self, piece: Evidence) -> Home | None:
        extraction = self._whole(piece)
        if extraction is None:
            return None
        low, high = _bounds(extraction, piece)
        heads = [head for head in self._known(piece, extraction) if low <= head.offset < high]
        return Home(extraction.text[low:high], low, touched(extraction.spots, low, high), heads)

    def _known(self, piece: Evidence, extraction: Extraction) -> list[Head]:
        """Return the headings without markup in the text."""

        key = piece.item_id, piece.extraction_id
        if key not in self._heads:
            self._heads[key] = runs.cutting.heads(extraction, is_marked=not shows_no_headings(piece.media_type))
        return self._heads[key]


def _bounds(found: Extraction, piece: Evidence) -> tuple[int, int]:
    """Return the bounds of the text around a piece: its page, slide or other region, up to masked text."""
    low, high = region_of(found.spots, piece.span_start, len(found.text))
    if piece.page:
        low = found.pages[piece.page - 1]
        high = found.pages[piece.page] if piece.page < len(found.pages) else high
    for span in found.masked:
        low = max(low, span.end) if span.end <= piece.span_start else low
        high = min(high, span.start) if span.start >= piece.span_end else high
    return low, high


def tokenizer(corpus: CorpusFolder, name: str) -> Count | None:
    """Return the tokenizer of a local embedder by name, or None for the estimate. Raises `UnknownName`, `ExtraMissing`,
    `ConfigInvalid`, and `UsageError` for a model with a remote tokenizer."""
    if name == ESTIMATE:
        return None

    try:
        embedder = runs.embedders.find(corpus, name)
    except UnknownModel as error:
        tokenizer_names = [ESTIMATE, *runs.embedders.BUILT_IN, *sorted(corpus.settings.embedders)]
        raise UnknownName("tokenizer", name, tokenizer_names) from error
    if isinstance(embedder, embedding.served.ServedEmbedder):
        raise UsageError(f"The tokenizer of {name} is at its service, not here.", f"--tokenizer {ESTIMATE}")
    return lambda text: embedder.count([text])[0]
