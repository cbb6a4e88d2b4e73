"""Verifies the pieces of evidence in a result against the present corpus."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus import recipes
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.editorial.approvals import EXPIRES, Trust, now_of
from biblicus.corpus.extracted.extractions import Extractions, Raw
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import present
from biblicus.errors import BadData, ItemNotFound, NotFound
from biblicus.guards import json as guarded_json
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.locator import locator
from biblicus.models.plain import jsonable
from biblicus.models.reading import Status, Verdict, Verdicts
from biblicus.models.requests.runs import VerifyRequest
from biblicus.runs import manifests as runs
from biblicus.text.counting import LineIndex

LIMIT = 256 << 20
_TEXTS = ("item_id", "path", "text", "hash", "item_sha256")
_NUMBERS = ("span_start", "span_end", "line_start", "line_end")


def verify(corpus: CorpusFolder, request: VerifyRequest, call: Call) -> Verdicts:
    """Return verdicts for pieces of evidence."""
    checker = _Checker(corpus, call)
    return Verdicts.of(tuple(checker.judge(rank, vars(piece)) for rank, piece in enumerate(request.evidence, 1)))


_EXAMPLE = "biblicus query TEXT --json | biblicus verify -"


def read(document: bytes) -> list[Mapping[str, Any]]:
    """Return the pieces in a JSON document: a result, a pack, an answer, a list of evidence, or one piece. A pack gives
    its entries, an answer its citations. Raises `BadData` for other data."""
    try:
        data = guarded_json.read(document, max_bytes=LIMIT)
    except guarded_json.JsonRefused as error:
        error.hint = _EXAMPLE
        raise
    return list(pieces(data))


def pieces(data: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the pieces of evidence in parsed JSON. Raises `BadData` if there are none or one lacks a field."""
    if isinstance(data, dict):
        data = _inside(data)
    if not isinstance(data, list) or not all(isinstance(piece, dict) for piece in data):
        raise BadData("This is no result with evidence.", _EXAMPLE)
    for number, piece in enumerate(data, 1):
        wrong = [key for key in _TEXTS if not isinstance(piece.get(key), str)]
        wrong += [key for key in _NUMBERS if not isinstance(piece.get(key), int) or isinstance(piece[key], bool)]
        if wrong:
            raise BadData(f"Evidence {number} lacks {wrong[0]}.", _EXAMPLE)
        yield piece


def _inside(document: Mapping[str, Any]) -> Any:
    """Return the pieces in a document; citations of statements take precedence over evidence."""
    if "statements" in document:
        statements = document["statements"]
        if not isinstance(statements, list) or not all(isinstance(statement, dict) for statement in statements):
            return None
        cited = [statement.get("citations") for statement in statements]
        return (
            [piece for pieces in cited for piece in pieces]
            if all(isinstance(citations, list) for citations in cited)
            else None
        )
    return next((document[key] for key in ("entries", "evidence") if key in document), [document])


class _Checker:
    """Loads each item once."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self.corpus, self.call = corpus, call
        self.catalog: Catalog = catalog_of(corpus)
        self.trust = Trust(corpus, now_of(call))
        self.read: dict[tuple[str, str], tuple[Raw, str, Extraction | None]] = {}

    def judge(self, rank: int, piece: Mapping[str, Any]) -> Verdict:
        self.call.check()
        status, reason, start = self._judge(piece)
        layer = piece.get("layer")
        if layer and status in ("ok", "moved") and not self._is_approved(piece["item_id"], layer):
            status, reason = "unapproved", f"the text stands, but {layer} approves it no longer"
        if status in ("missing", "stale") and piece.get("corpus_id") not in (None, self.corpus.config.corpus_id):
            name = f"the corpus {piece['corpus']}" if piece.get("corpus") else "another corpus"
            status, reason, start = "missing", f"it is of {name}, which was not asked", None
        return Verdict(rank, piece["item_id"], piece["path"], status, reason, start)

    def _judge(self, piece: Mapping[str, Any]) -> tuple[Status, str, int | None]:
        text: str = piece["text"]
        if hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != piece["hash"]:
            return "forged", "its hash is not that of its text", None
        path = self.catalog.paths.get(piece["item_id"])
        if path is None:
            return "missing", "the item is not in the corpus", None
        item = self.catalog.items[path]
        try:
            raw, extraction_id, extraction = self._extraction(item, piece)
        except ItemNotFound:
            return "missing", "the item's file is gone", None
        now = extraction.text if extraction else ""
        same_bytes = raw.sha256 == piece["item_sha256"]
        start, end = piece["span_start"], piece["span_end"]
        if same_bytes and not text and start == end == 0:
            return "ok", "the item has these bytes; no text is claimed", None
        if 0 <= start <= end and text and now[start:end] == text:
            return self._at_home(piece, item, extraction, same_bytes)
        if same_bytes and piece.get("extraction_id") == extraction_id:
            return "forged", "the item has these bytes, but other text at this span", None
        offset = now.find(text) if text else -1
        if offset >= 0:
            return "moved", f"the text now starts at {offset}", offset
        if same_bytes:
            return "stale", "the item is extracted otherwise now, and the text is gone", None
        return "stale", "the item changed and the text is gone", None

    def _is_approved(self, item_id: str, layer: str) -> bool:
        """Return True if an item may be shown now in the layer that its evidence names."""
        item = self.catalog.items[self.catalog.paths[item_id]]
        return item.layer == layer and self.trust.shows(item, item.metadata.get(EXPIRES))

    def _at_home(
        self, piece: Mapping[str, Any], item: Item, extraction: Extraction | None, same_bytes: bool
    ) -> tuple[Status, str, int | None]:
        """Return the verdict for text found at its span; its lines, page and locator must match as well."""
        start = piece["span_start"]
        if same_bytes and extraction is not None:
            index = LineIndex(extraction.text)
            lines = index.line_range(start, piece["span_end"])
            if lines != (piece["line_start"], piece["line_end"]):
                return "forged", f"these words stand on lines {lines[0]}-{lines[1]}", start
            page = bisect_right(extraction.pages, start) or None
            if piece.get("page") != page:
                return "forged", f"these words stand on page {page}" if page else "the item has no pages", start
            span = start, piece["span_end"]
            here = locator(extraction.spots, page, span, lines)
            claimed = piece.get("locator")  # older evidence has none
            if claimed is not None and jsonable(claimed) != here.as_object():
                return "forged", f"these words stand at {here.label}", start
        if piece["path"] != item.path:
            return "ok", f"the item is now {item.path}", start
        return "ok", "the text stands at its span", start

    def _extraction(self, item: Item, piece: Mapping[str, Any]) -> tuple[Raw, str, Extraction | None]:
        """Return the item's present extraction with the options of the evidence's run."""
        key = (item.item_id, str(piece.get("run_id")))
        if key not in self.read:
            raw = present(self.corpus, item)
            extractions = Extractions(self.corpus, self.call, self._options(str(piece.get("run_id"))))
            outcome = extractions.outcome(raw)
            self.read[key] = (
                raw,
                extractions.extraction_id(raw),
                outcome if isinstance(outcome, Extraction) else None,
            )
        return self.read[key]

    def _options(self, run_id: str) -> dict[str, Any]:
        try:
            recipe = recipes.resolve(runs.read_alike(self.corpus, run_id).recipe, run_id)
        except (BadData, NotFound):
            return {}  # the run is missing: only the default extraction can be checked
        return dict(recipe.build.extraction)
