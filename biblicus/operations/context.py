"""Context: a question's evidence, made into a pack for a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from biblicus.answering.joining import Around
from biblicus.answering.pack import Count, context_pack
from biblicus.contracts import Call
from biblicus.errors import NotFound, OutOfBounds, UnknownModel, UnknownName, UnsafeInput, UsageError
from biblicus.extraction import front_matter
from biblicus.models.evidence import Evidence, Result
from biblicus.models.pack import ESTIMATE, Pack, PackPolicy
from biblicus.models.question import Query
from biblicus.models.reading import Excerpt

if TYPE_CHECKING:
    from biblicus.storage.corpus import CorpusFolder

AHEAD = 2
"""Times the pack's tokens that evidence is asked for: chunks that overlap are told once."""

Ask = Callable[[Query, Call], Result]
"""Gets the evidence, wherever the corpus is."""


class Get(Protocol):
    """Gets exact text, wherever the corpus is."""

    def __call__(self, name: str, call: Call, *, page: int | None = None) -> Excerpt: ...


def context(ask: Ask, get: Get, query: Query, policy: PackPolicy, call: Call, count: Count | None = None) -> Pack:
    """Ask for evidence and pack it. `count`: the tokenizer that the policy names, from `tokenizer`.

    Raises what `query` raises. An item that changed since its run, or that is gone, is packed without neighbours.
    """
    result = ask(replace(query, tokens=AHEAD * policy.tokens), call)
    return context_pack(result, policy, count=count, around=around(get, call))


def around(get: Get, call: Call) -> Around:
    """The text around pieces: their page, or the whole item without its front matter; each is read once."""
    known: dict[tuple[str, str, int | None], Excerpt | None] = {}

    def found(piece: Evidence) -> Excerpt | None:
        key = piece.item_id, piece.extraction_id, piece.page
        if key not in known:
            call.check()
            known[key] = None if piece.stale else _home(get, piece, call)
        return known[key]

    return found


def _home(get: Get, piece: Evidence, call: Call) -> Excerpt | None:
    """What the piece's run read of it, which may be another text than what is read now."""
    try:
        home = get(piece.item_id, call, page=piece.page)
    except (NotFound, OutOfBounds, UnsafeInput):
        return None
    start = piece.span_start - home.span_start
    if (home.extraction_id, home.item_sha256) != (piece.extraction_id, piece.item_sha256):
        return None
    if start < 0 or home.text[start : start + len(piece.text)] != piece.text:
        return None
    return _below_front_matter(home, piece)


def _below_front_matter(home: Excerpt, piece: Evidence) -> Excerpt:
    masked = front_matter.read(home.text).masked if home.span_start == 0 else ()
    end = masked[0].end if masked else 0
    if not 0 < end <= piece.span_start:
        return home
    return replace(
        home,
        text=home.text[end:],
        span_start=end,
        line_start=home.line_start + home.text.count("\n", 0, end),
    )


def tokenizer(place: CorpusFolder, name: str) -> Count | None:
    """The tokenizer of that name: that of an embedder which runs here; None for the estimate.

    Raises `UnknownName`, `ExtraMissing`, `ConfigInvalid`, and `UsageError` for a model whose tokenizer is elsewhere.
    """
    if name == ESTIMATE:
        return None
    from biblicus.embedding.remote import RemoteEmbedder  # lazy, as below: the estimate needs no model
    from biblicus.operations import embedders

    try:
        embedder = embedders.find(place, name)
    except UnknownModel as error:
        known = [ESTIMATE, *embedders.BUILT_IN, *sorted(place.settings.embedders)]
        raise UnknownName("tokenizer", name, known) from error
    if isinstance(embedder, RemoteEmbedder):
        raise UsageError(f"The tokenizer of {name} is at its service, not here.", f"--tokenizer {ESTIMATE}")
    return lambda text: embedder.count([text])[0]
