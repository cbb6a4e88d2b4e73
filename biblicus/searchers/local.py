"""Searches a corpus on this machine: retrieve → budget → evidence, from a sealed run's own snapshot."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from biblicus import plugins
from biblicus.contracts import Call, Hit, LegReader
from biblicus.errors import (
    BlankQuestion,
    NoRun,
    NotMaterialized,
    RecipeNotFound,
    RunDamaged,
    RunNotFound,
    RunOutdated,
    UnknownName,
    UnsafeInput,
    Untrusted,
    UsageError,
)
from biblicus.models.evaluation import RankedItem
from biblicus.models.evidence import Evidence, Result
from biblicus.models.item import Item
from biblicus.models.manifest import Manifest
from biblicus.models.question import Allow, Budget, Query, Question
from biblicus.models.recipe import Recipe
from biblicus.retrieval.budget import Candidate, Spent, spend
from biblicus.retrieval.snippet import snippet
from biblicus.storage import catalog as catalogs
from biblicus.storage import files, runs, seals
from biblicus.storage.catalog import Header
from biblicus.storage.corpus import CorpusFolder
from biblicus.storage.tables import ChunkRow, ItemRow, TableReader
from biblicus.text.paths import to_os
from biblicus.text.tokens import estimate

CHANGED = "changed"
"""An item's stamp that says: it is not what the run saw (only where the live files are ranked)."""
_BEST = 3
"""How many of the best chunks decide whether a result is sufficient."""


class Tables(Protocol):
    """What a search needs of a run's tables."""

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]: ...

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]: ...

    def rows_where(self, where: Mapping[str, str]) -> frozenset[int]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class OpenRun:
    """A run ready to be searched."""

    manifest: Manifest
    tables: Tables
    leg: str
    reader: LegReader
    languages: Mapping[str, float]

    def close(self) -> None:
        self.reader.close()
        self.tables.close()


Live = Callable[[Manifest, Call], OpenRun]
"""Opens a run that has no materialization, over the live files."""


class LocalSearcher:
    """Answers queries against one corpus; keeps the runs it opened. Safe for several threads."""

    def __init__(self, place: CorpusFolder, resolve: Callable[[str | None], Recipe], live: Live) -> None:
        self._place, self._resolve, self._live = place, resolve, live
        self._open: dict[str, OpenRun] = {}
        self._header: tuple[object, Header | None] = (None, None)

    def close(self) -> None:
        for run in self._open.values():
            run.close()
        self._open.clear()

    def search(self, query: Query, call: Call) -> Result:
        """Evidence for a query. Raises `BlankQuestion`, `NoRun`, `RunNotFound`, `Untrusted`, `RunDamaged`."""
        if not query.text.strip():
            raise BlankQuestion
        while True:
            header = self._current_header()
            try:
                return self._search(query, call)
            except (NotMaterialized, RunNotFound, RunDamaged, Untrusted):
                # A writer may have replaced and pruned the run since the catalog was read: then the next one answers.
                if query.run_id is not None or self._current_header() == header:
                    raise

    def rank(self, query: Query, depth: int, call: Call) -> list[RankedItem]:
        """The best `depth` items, each by its best chunk: what evaluation scores. Budgets do not count here."""
        run, recipe = self._run(query, call)
        budget = Budget(items=depth, tokens=None, per_source=1)
        _, spent = self._retrieve(run, recipe, query, Question(query.text, run.languages), budget, call)
        return [_ranked_item(run, candidate) for candidate in spent.kept]

    def _search(self, query: Query, call: Call) -> Result:
        began = time.perf_counter()
        run, recipe = self._run(query, call)
        opened = time.perf_counter()
        budget = _budget(query, recipe)
        question = Question(query.text, run.languages)
        candidates, spent = self._retrieve(run, recipe, query, question, budget, call)
        best = [_with_context(candidate) for candidate in candidates[:_BEST]]
        support = run.reader.support(question, best)
        retrieved = time.perf_counter()
        evidence = self._evidence(run, recipe, spent.kept, query.text)
        done = time.perf_counter()
        return Result(
            query=query.text,
            corpus_id=run.manifest.corpus_id,
            run_id=run.manifest.run_id,
            recipe_id=recipe.recipe_id,
            index_version=run.manifest.index_version,
            weights_digest=None,
            as_of=runs.as_of(run.manifest.run_id),
            evidence=evidence,
            insufficient=not evidence or support < recipe.query.threshold.get(run.leg, 0.0),
            budget={"asked": _asked(budget), "used": spent.used, "dropped": spent.dropped},
            timings={
                "open": _ms(began, opened),
                "retrieve": _ms(opened, retrieved),
                "evidence": _ms(retrieved, done),
                "total": _ms(began, done),
            },
        )

    # --- which run ---

    def _run(self, query: Query, call: Call) -> tuple[OpenRun, Recipe]:
        header = self._current_header()
        latest = header.latest if header else {}
        if query.run_id is not None:
            run_id = runs.resolve(self._place, query.run_id)
            run = self._opened(run_id, call)
            return run, self._recipe_of(query, run.manifest)
        recipe = self._resolve(query.recipe)
        entry = latest.get(recipe.name)
        if entry is None or entry.build_id != recipe.build_id:
            same = [other for other in latest.values() if other.build_id == recipe.build_id]
            entry = max(same, key=lambda other: other.run_id, default=None)
        if entry is None:
            raise NoRun(query.recipe or recipe.name, query.recipe is None)
        return self._opened(entry.run_id, call), recipe

    def _current_header(self) -> Header | None:
        """The catalog's first line, read again where the file changed."""
        try:
            found = os.stat(self._place.catalog)
            stamp = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        except OSError:
            stamp = None
        if stamp is None or stamp != self._header[0]:
            self._header = stamp, catalogs.read_header(self._place)
        return self._header[1]

    def _recipe_of(self, query: Query, manifest: Manifest) -> Recipe:
        """The recipe asked for if its build fits the run, else the one that the run was sealed with."""
        if query.recipe is None:
            return Recipe.model_validate(manifest.recipe)
        recipe = self._resolve(query.recipe)
        if recipe.build_id != manifest.build_id:
            raise RecipeNotFound(f"{query.recipe} for the run {manifest.run_id}", [manifest.recipe["name"]])
        return recipe

    def _opened(self, run_id: str, call: Call) -> OpenRun:
        if run_id in self._open:
            return self._open[run_id]
        manifest = runs.read(self._place, run_id)
        try:
            ((leg, choice),) = Recipe.model_validate(manifest.recipe).build.legs.items()
            module = plugins.find("retrieval", choice["engine"])
            engine = module.build(module.Options(**{k: v for k, v in choice.items() if k != "engine"}))
        except (ValueError, KeyError, UnknownName) as error:
            raise RunDamaged(run_id, "its manifest names nothing that can be searched here") from error
        if not engine.materializes:
            return self._live(manifest, call)
        for name, now in engine.fingerprints().items():
            if manifest.components.get(f"{leg}.{name}") != now:
                raise RunOutdated(run_id, f"{leg}.{name}")
        folder = runs.folder(self._place, run_id)
        if not folder.exists():
            raise NotMaterialized(run_id)
        seals.check_folder(folder)
        tables = TableReader(folder)
        run = OpenRun(manifest, tables, leg, engine.open(folder / leg), shares(manifest.languages))
        self._open[run_id] = run
        return run

    # --- retrieve ---

    def _retrieve(
        self, run: OpenRun, recipe: Recipe, query: Query, question: Question, budget: Budget, call: Call
    ) -> tuple[list[Candidate], Spent]:
        """Candidates in order, as many as the budget can use, and what of them it keeps."""
        filters = query.filters
        allow = None
        if filters:
            rows = run.tables.rows_where(filters.where) if filters.where else None
            allow = Allow(filters, rows)
        k = max(recipe.query.retrieve.candidates, budget.items)
        while True:
            call.check()
            hits = run.reader.search(question, allow, k, call)
            candidates = _candidates(run, hits)
            spent = spend(candidates, budget)
            if len(hits) < k or spent.filled:
                return candidates, spent
            k *= 4

    # --- evidence ---

    def _evidence(self, run: OpenRun, recipe: Recipe, kept: Sequence[Candidate], text: str) -> list[Evidence]:
        rows: dict[int, ItemRow] = {candidate.item: candidate.chunk.row for candidate in kept}
        items = {number: row.item for number, row in rows.items()}
        stale = {number: self._is_stale(row, items[number]) for number, row in rows.items()}
        pieces = [
            _piece(rank, run, recipe, candidate, items[candidate.item], text) for rank, candidate in enumerate(kept, 1)
        ]
        return [
            replace(piece, stale=True) if stale[candidate.item] else piece
            for piece, candidate in zip(pieces, kept, strict=True)
        ]

    def _is_stale(self, row: ItemRow, item: Item) -> bool:
        """Whether the item's file changed or vanished since the run read it."""
        if row.stamp == CHANGED:
            return True
        path = f"{self._place.root}/{to_os(row.path)}"
        try:
            now = os.lstat(path)
            if row.stamp == f"{now.st_size}:{now.st_mtime_ns}:{now.st_ctime_ns}:{now.st_ino}":
                return False
            return now.st_size != item.bytes or files.sha256(path) != item.sha256
        except (OSError, UnsafeInput):
            return True


def shares(counts: Mapping[str, int]) -> dict[str, float]:
    """Languages by their share of chunks, most frequent first."""
    total = sum(counts.values()) or 1
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return {language: count / total for language, count in ordered if language}


def _budget(query: Query, recipe: Recipe) -> Budget:
    for name in ("items", "tokens", "characters", "per_source"):
        if (asked := getattr(query, name)) is not None and asked < 1:
            raise UsageError(f"A budget of {asked} {name} holds nothing.", "biblicus query --help")
    own = recipe.query.budget
    return Budget(
        items=query.items or own.items,
        tokens=query.tokens or own.tokens,
        characters=query.characters or own.characters,
        per_source=query.per_source or own.per_source,
    )


def _asked(budget: Budget) -> dict[str, int | None]:
    return {
        "items": budget.items,
        "tokens": budget.tokens,
        "characters": budget.characters,
        "per_source": budget.per_source,
    }


class _Found(NamedTuple):
    """What a candidate was made from."""

    chunk: ChunkRow
    row: ItemRow


def _with_context(candidate: Candidate) -> str:
    """A chunk with what was ranked beside it."""
    found: _Found = candidate.chunk
    return f"{found.row.title}\n{found.chunk.heading or ''}\n{found.chunk.text}"


def _candidates(run: OpenRun, hits: Sequence[Hit]) -> list[Candidate]:
    """Hits with their chunks, in order of score, ties by item id and span."""
    chunks = run.tables.chunks([hit.row for hit in hits])
    items = run.tables.items(sorted({chunk.item for chunk in chunks.values()}))
    found = []
    for hit in hits:
        if (chunk := chunks.get(hit.row)) is None:
            raise RunDamaged(run.manifest.run_id, "its index names a chunk that its tables lack")
        row = items[chunk.item]
        found.append((-hit.score, row.item_id, chunk.start, chunk, row))
    found.sort(key=lambda entry: entry[:3])
    return [
        Candidate(
            text=chunk.text,
            tokens=estimate(chunk.text),
            source=item_id,
            chunk_id=f"{item_id}:{chunk.ordinal}",
            path=row.path,
            score=-negative,
            item=chunk.item,
            chunk=_Found(chunk, row),
        )
        for negative, item_id, _, chunk, row in found
    ]


def _piece(rank: int, run: OpenRun, recipe: Recipe, candidate: Candidate, item: Item, question: str) -> Evidence:
    chunk, row = candidate.chunk
    text = candidate.text
    uri = item.source.uri
    return Evidence(
        rank=rank,
        score=candidate.score,
        corpus_id=run.manifest.corpus_id,
        item_id=item.item_id,
        chunk_id=candidate.chunk_id,
        path=item.path,
        source_uri=uri,
        media_type=item.media_type,
        text=text,
        snippet=snippet(text, question, run.languages),
        stage="retrieve",
        stage_scores={run.leg: candidate.score},
        recipe_id=recipe.recipe_id,
        run_id=run.manifest.run_id,
        hash=hashlib.sha256(text.encode()).hexdigest(),
        item_sha256=item.sha256,
        extraction_id=row.extraction_id,
        span_start=chunk.start,
        span_end=chunk.start + len(text),
        line_start=chunk.line_start,
        line_end=chunk.line_start + text.count("\n"),
        page=chunk.page,
        heading=chunk.heading,
        title=item.title,
        language=item.language,
        doctype=item.doctype,
        tags=item.tags,
        citation_url=uri if uri.startswith(("https://", "http://")) else None,
    )


def _ranked_item(run: OpenRun, candidate: Candidate) -> RankedItem:
    found: _Found = candidate.chunk
    return RankedItem(
        candidate.source,
        candidate.path,
        candidate.score,
        candidate.chunk_id,
        found.chunk.start,
        found.chunk.end,
        {run.leg: candidate.score},
    )


def _ms(began: float, ended: float) -> float:
    return round((ended - began) * 1000, 3)
