"""Converts candidates to evidence: provenance, snippet, hashes, and if the item changed since its run."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus import corpus, runs
from biblicus.contracts import Call
from biblicus.corpus import extracted
from biblicus.corpus.extracted.transcripts import KEY, NONE, of_item
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.models.evidence import Approval, ContentRef, Evidence, nothing_left
from biblicus.models.extraction import Extraction, Head
from biblicus.models.frozen import dataclass
from biblicus.models.item import Item
from biblicus.models.locator import Spot, locator
from biblicus.models.recipe import Recipe
from biblicus.models.unread import in_words
from biblicus.retrieval.budget import Candidate
from biblicus.retrieval.fusion import FUSED
from biblicus.retrieval.snippet import beginnings, best_part
from biblicus.search.candidates import PAGE, RERANK, Found
from biblicus.search.opened_run import OpenRun
from biblicus.search.weighting import WEIGHTS
from biblicus.stores.tables import ItemRow
from biblicus.text.citations import citation_url
from biblicus.text.fitting import day_of, texts_of
from biblicus.text.paths import file_of, is_member, to_os

if TYPE_CHECKING:
    from biblicus.corpus.editorial.approvals import Trust
    from biblicus.corpus.extracted.extractions import Extractions

BY_NAME = "name"
"""Name of the stage that finds items without text."""
CHANGED = "changed"
"""Stamp of a live item whose content differs from the run's."""


@dataclass(frozen=True)
class EvidenceBuilder:
    """Creates the evidence of a run's candidates. `root`: the corpus folder.

    `trust`: approvals of its layers, if any.
    """

    root: Path
    run: OpenRun
    recipe: Recipe
    trust: Trust | None = None

    def evidence(self, kept: Sequence[Candidate], question: str, copies: Mapping[str, Sequence[str]]) -> list[Evidence]:
        """Return the evidence. `copies`: paths of copies by chunk id."""
        rows: dict[int, ItemRow] = {candidate.item: candidate.chunk.row for candidate in kept}
        of_items = {number: self._of_item(row) for number, row in rows.items()}
        words = beginnings(question, self.run.languages)
        return [
            self._piece(rank, candidate, of_items[candidate.item], words, copies.get(candidate.chunk_id, ()))
            for rank, candidate in enumerate(kept, 1)
        ]

    def _of_item(self, row: ItemRow) -> dict[str, Any]:
        """Return the fields that all evidence of an item shares."""
        item, manifest = row.item, self.run.manifest
        toolkit, approval = item.metadata.get("toolkit"), self._approval(row.item)
        return {
            "corpus_id": manifest.corpus_id,
            "item_id": item.item_id,
            "path": item.path,
            "source_uri": item.source.uri,
            "media_type": item.media_type,
            "recipe_id": self.recipe.recipe_id,
            "run_id": manifest.run_id,
            "item_sha256": item.sha256,
            "extraction_id": row.extraction_id,
            "title": item.title,
            "language": item.language,
            "doctype": item.doctype,
            "date": day_of(item.metadata),
            "tags": item.tags,
            "toolkit": texts_of(toolkit) if toolkit else (),
            "layer": item.layer,
            "approval": approval,
            "stale": self._is_stale(row, item, approval) or None,
        }

    def _piece(
        self, rank: int, candidate: Candidate, of_item: Mapping[str, Any], words: Sequence[str], copies: Sequence[str]
    ) -> Evidence:
        content: Found = candidate.chunk
        chunk, _, stages = content
        text = candidate.text
        first, last = chunk.line_start, chunk.line_start + text.count("\n")
        span = chunk.start, chunk.start + len(text)
        own_spots = json.loads(chunk.spots) if chunk.spots else ()
        placed = [part for part in own_spots if not isinstance(part, str)]
        spots = tuple(Spot(*part) for part in placed if len(part) == len(Spot._fields))
        # spots, headings and sections are in one list and differ by form, as `runs.cutting` writes them
        brief = [part for part in placed if len(part) <= len(Head._fields) and part[0] < len(text)]
        heads = tuple(Head(chunk.start + at, *rest) for at, *rest in brief if not isinstance(rest[0], str))
        below = [part for part in brief if isinstance(part[1], str)]
        snippet, part = best_part(text, [at for at, _ in below], words)
        return Evidence(
            **of_item,
            rank=rank,
            score=candidate.score,
            chunk_id=candidate.chunk_id,
            text=text,
            snippet=snippet,
            stage=next((stage for stage in (WEIGHTS, RERANK, PAGE) if stage in stages), FUSED),
            stage_scores=stages,
            hash=hashlib.sha256(text.encode()).hexdigest(),
            span_start=span[0],
            span_end=span[1],
            line_start=first,
            line_end=last,
            page=chunk.page,
            locator=locator(spots, chunk.page, span, (first, last)),
            heading=(below[part - 1][1] or None) if part else chunk.heading,
            copies=tuple(copies),
            citation_url=citation_url(of_item["source_uri"], of_item["media_type"], first, last, chunk.page),
            spots=spots,
            heads=heads,
            sections=tuple([part for part in own_spots if isinstance(part, str)]),
            opening=chunk.heading or "",
        )

    def _approval(self, item: Item) -> Approval | None:
        return self.trust.state(item) if self.trust and item.layer else None

    def without_text(self, rows: Sequence[ItemRow], after: Sequence[Evidence]) -> list[Evidence]:
        """Return evidence for items without text, ranked after the texts."""
        score = min([piece.score for piece in after] + [0.0])
        pieces = []
        for rank, row in enumerate(rows, len(after) + 1):
            item, reason = row.item, (row.note or "-empty")[1:]
            pieces.append(
                Evidence(
                    **self._of_item(row),
                    rank=rank,
                    score=score,
                    chunk_id=f"{item.item_id}:0",
                    text="",
                    snippet=f"Found by its name: it {in_words(reason)}.",
                    stage=BY_NAME,
                    stage_scores={BY_NAME: 1.0},
                    hash=hashlib.sha256(b"").hexdigest(),
                    span_start=0,
                    span_end=0,
                    line_start=1,
                    line_end=1,
                    citation_url=citation_url(item.source.uri, item.media_type, None, None),
                    content_ref=ContentRef(item.path, item.media_type, item.bytes, item.sha256, reason),
                )
            )
        return pieces

    def _is_stale(self, row: ItemRow, item: Item, approval: Approval | None) -> bool:
        """Return True if the item's file or transcript changed or vanished since its run; approved items are never
        stale."""
        if approval in ("approved", "pending"):
            return False
        if row.stamp == CHANGED:
            return True
        path = f"{self.root}/{to_os(file_of(row.path))}"
        try:
            transcript = of_item(item) if KEY in item.metadata else NONE
            if transcript.path and files.sha256(f"{self.root}/{to_os(transcript.path)}") != transcript.sha256:
                return True
            now = os.lstat(path)
            if row.stamp == str(files.stamp_of(now)):
                return False
            if is_member(row.path):
                return _digest_of_member(self.root, row.path) != item.sha256
            return now.st_size != item.bytes or files.sha256(path) != item.sha256
        except (OSError, UnsafeInput):
            return True


def _digest_of_member(root: Path, path: str) -> str:
    return extracted.contents.facts(corpus.folder.CorpusFolder(root), path).sha256


class Wholes:
    """Loads the complete texts around pieces of evidence as their run extracted them, each once, without parsing files.

    It is not transferred to other processes. `run`: an open run with a cache for other questions.
    """

    def __init__(self, corpus: CorpusFolder, call: Call, run: OpenRun | None = None) -> None:
        self._corpus, self._call, self._run = corpus, call, run
        self._extractions: dict[str, Extractions] = {}
        self._read: dict[tuple[str, str], Extraction | None] = {}

    def __call__(self, piece: Evidence) -> Extraction | None:
        """Return the extraction of a piece, or None if it changed or its extractor is unavailable."""
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
        """Return the cached extraction of the piece's run, or None."""
        from biblicus.errors import BadData, NotFound, UsageError

        run = self._run if self._run and self._run.manifest.run_id == piece.run_id else None
        if run and (cached := run.texts.of(piece.item_id, piece.extraction_id)) is not None:
            return cached
        raw = extracted.transcripts.Raw(piece.path, piece.item_sha256, piece.media_type, 0)
        try:
            extractions = self._of_run(piece.run_id)
            if extractions.extraction_id(raw) != piece.extraction_id:
                return None
            outcome = extractions.get(raw)
        except (UsageError, NotFound, BadData, ValueError):  # the run or extractor is not available
            return None
        if not isinstance(outcome, Extraction):
            return None
        if run:
            run.texts.keep(piece.item_id, piece.extraction_id, outcome)
        return outcome

    def _of_run(self, run_id: str) -> Extractions:
        if run_id not in self._extractions:
            current = self._run.manifest if self._run else None
            manifest = (
                current if current and current.run_id == run_id else runs.manifests.read_alike(self._corpus, run_id)
            )
            build = manifest.recipe["build"]
            self._extractions[run_id] = extracted.extractions.Extractions(
                self._corpus, self._call, dict(build["extraction"])
            )
        return self._extractions[run_id]
