"""Searches a local corpus: selects and opens the run, applies the stages and builds the result."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from biblicus import corpus, embedding, search, telemetry
from biblicus.contracts import Call, JudgingReranker, Leg, Reranker
from biblicus.corpus import auto, calibrations, described, editorial
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Header
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.weights import WeightFile
from biblicus.disk import files
from biblicus.errors import (
    BlankQuestion,
    NoRun,
    NotMaterialized,
    RecipeNotFound,
    RunDamaged,
    RunNotFound,
    RunOutdated,
    RunPruned,
    UnknownName,
    Untrusted,
    VectorsGone,
)
from biblicus.models.evidence import Evidence, Pending, Result
from biblicus.models.manifest import Manifest, unembedded
from biblicus.models.question import Budget
from biblicus.models.recipe import Choice, Recipe
from biblicus.models.requests.query import QueryRequest
from biblicus.models.weights import Weighing, Weight
from biblicus.runs import manifests as runs
from biblicus.runs.freshness import Freshness
from biblicus.search.candidates import JUDGE, NEAR
from biblicus.search.evidence import EvidenceBuilder, Wholes
from biblicus.search.opened_run import OpenRun, shares
from biblicus.search.stages import Outcome, Stages
from biblicus.search.weighting import named, spelled
from biblicus.stores.tables import ItemRow
from biblicus.text.paths import folder_of, readmes_of

if TYPE_CHECKING:
    from biblicus.corpus.editorial.approvals import Trust
    from biblicus.corpus.editorial.publications import Publication
    from biblicus.models.answers.evaluation import RankedItem

_MISSING = "Only part of the corpus was searched, because a store does not answer: {}. Try: the same when it runs"
Answer = TypeVar("Answer")
Live = Callable[[Manifest, Call], OpenRun]
"""Opens a run without index files, over the live files."""


class LocalSearcher:
    """Answers queries to one corpus and keeps runs open. Safe for several threads.

    `resolve` returns a recipe by name, `legs` and `rerankers` create a recipe's parts, `live` opens runs without an
    index, `freshness` gives the corpus's state.
    """

    def __init__(
        self,
        corpus: CorpusFolder,
        resolve: Callable[[str | None], Recipe],
        legs: Callable[[Choice], Leg],
        rerankers: Callable[[Choice], Reranker | JudgingReranker],
        live: Live,
        freshness: Freshness | None = None,
    ) -> None:
        self._corpus, self._resolve, self._legs, self._rerankers, self._live = corpus, resolve, legs, rerankers, live
        self._freshness = freshness
        self._catalog = str(corpus.catalog)
        self._weights = WeightFile(corpus)
        self._open: dict[str, OpenRun] = {}
        self._header: tuple[object, Header | None] = (None, None)

    def close(self) -> None:
        for run in self._open.values():
            run.close()
        self._open.clear()

    def search(self, query: QueryRequest, call: Call) -> Result:
        """Return evidence for a query. Raises `BlankQuestion`, `NoRun`, `RunNotFound`, `Untrusted`, `RunDamaged`."""
        with telemetry.span("retrieval", {"gen_ai.operation.name": "retrieval"}) as span:
            result = self._asked(query, lambda: self._search(query, call))
            if telemetry.is_on():
                _tell(span, query, result)
        return result

    def rank(self, query: QueryRequest, depth: int, call: Call) -> list[RankedItem]:
        """Return the best `depth` items, each by its best chunk, for evaluation. Budgets do not apply."""
        return self._asked(query, lambda: self._rank(query, depth, call))

    def _asked(self, query: QueryRequest, answer: Callable[[], Answer]) -> Answer:
        if not query.query.strip():
            raise BlankQuestion
        while True:
            header = self._current_header()
            try:
                return answer()
            except (NotMaterialized, RunNotFound, RunPruned, RunDamaged, Untrusted, VectorsGone):
                # A writer may have replaced and pruned the run since the catalog was read; then retry with the new one.
                if query.run is not None or query.publication is not None or self._current_header() == header:
                    raise

    def _rank(self, query: QueryRequest, depth: int, call: Call) -> list[RankedItem]:
        run, recipe = self._run(query, call)
        query = spelled(query, run.toolkits) if query.toolkit else query
        weighing = self._weighing(query, run, recipe, call)
        trusted = self._trusted(query, run, self._trust(query, run))
        return Stages(run, recipe, self._rerankers, weighing, query.leg_weights, trusted).ranking(
            query.query, query.filters, depth, call
        )

    def _search(self, query: QueryRequest, call: Call) -> Result:
        began = time.perf_counter()
        run, recipe = self._run(query, call)
        query = spelled(query, run.toolkits) if query.toolkit else query
        opened = time.perf_counter()
        budget = _budget(query, recipe)
        weighing = self._weighing(query, run, recipe, call)
        trust = self._trust(query, run)
        trusted = self._trusted(query, run, trust)
        stages = Stages(run, recipe, self._rerankers, weighing, query.leg_weights, trusted)
        leg_weights = stages.fusion.weights if query.leg_weights else {}
        filters = query.filters
        bare: list[ItemRow] = []
        room = budget
        if run.has_bare:
            by_name = search.by_name

            bare = by_name.named_by(run, query.query, filters, trusted)
            room = replace(budget, items=max(1, budget.items - by_name.places(len(bare), budget.items)))
        outcome = stages.outcome(query.query, filters, room, call)
        retrieved = time.perf_counter()
        builder = EvidenceBuilder(self._corpus.root, run, recipe, trust)
        evidence = builder.evidence(outcome.spent.kept, query.query, outcome.copies)
        evidence += builder.without_text(bare[: budget.items - len(evidence)], evidence)
        evidence = self._with_contexts(evidence, run, trusted)
        built = time.perf_counter()
        insufficient = _falls_short(outcome, query.threshold)
        pending = self._pending(run) if query.publication is None else None
        looked = time.perf_counter()
        left_out = self._freshness.too_large if pending is not None and self._freshness is not None else ()
        notes = outcome.notes
        if run.has_bare or left_out:
            by_name = search.by_name

            more = by_name.unread(run, query.query, filters, trusted, is_weak=insufficient, left_out=left_out)
            notes = (*notes, *more)
        if not evidence and filters.restricts:
            notes = (*filter(None, [corpus.facets.unmatched(self._corpus, filters, call)]), *notes)
        if query.recipe is None and query.run is None and query.publication is None:
            header = self._header[1]
            lesser = auto.note(self._corpus, recipe.name, header.latest if header else {})
            notes = (*notes, lesser) if lesser else notes
        if missing := self._corpus.store.missing(began):
            notes = (_MISSING.format(", ".join(missing)), *notes)
        done = time.perf_counter()
        return Result(
            query=query.query,
            corpus_id=run.manifest.corpus_id,
            run_id=run.manifest.run_id,
            recipe_id=recipe.recipe_id,
            index_version=run.manifest.index_version,
            weights_digest=weighing.digest,
            as_of=runs.as_of(run.manifest.run_id),
            evidence=tuple(evidence),
            insufficient=insufficient,
            support=outcome.support,
            leg_weights=leg_weights,
            notes=notes,
            rerank=outcome.rerank,
            resolved=_resolved(run.manifest, recipe, outcome),
            rarity=outcome.rarity,
            unknown_names=outcome.unknown_names,
            calibration=calibrations.read(self._corpus, recipe.name) if self._is_calibrated(recipe.name) else None,
            meant=outcome.meant,
            likeness=outcome.likeness,
            judged=outcome.judged,
            whole=Wholes(self._corpus, call, run),
            pending=pending,
            budget={
                "asked": asdict(budget),
                "used": {**outcome.spent.used, "items": len(evidence)},
                "dropped": [dropped.as_object() for dropped in outcome.spent.dropped],
            },
            timings={
                "open": _ms(began, opened),
                "retrieve": _ms(opened, retrieved),
                "evidence": _ms(retrieved, built),
                "pending": _ms(built, looked),
                "total": _ms(began, done),
            },
        )

    def _with_contexts(self, evidence: list[Evidence], run: OpenRun, trusted: frozenset[int] | None) -> list[Evidence]:
        """Return the evidence with the contexts that its folders define, as far as they may be shown."""
        folders = {folder_of(piece.path) for piece in evidence}
        readmes = run.contexts({path for folder in folders for path in readmes_of(folder)})
        visible = {path: text for path, (row, text) in readmes.items() if trusted is None or row in trusted}
        if not visible and not os.path.lexists(f"{self._corpus.home}/context.yml"):
            return evidence

        declared = described.contexts.read(self._corpus)
        lines = {piece.path: described.contexts.of_path(piece.path, declared, lambda _: visible) for piece in evidence}
        return [replace(piece, context=tuple(entry.context for entry in lines[piece.path])) for piece in evidence]

    def _is_calibrated(self, recipe: str) -> bool:
        return os.path.lexists(f"{self._corpus.home}/recipes/{recipe}.calibration.json")

    def _pending(self, run: OpenRun) -> Pending | None:
        """Return the pending changes of the folder relative to the run, if `freshness` is set."""
        header = self._header[1]
        if self._freshness is None or header is None:
            return None
        return self._freshness.pending(run.manifest, run.tables.records, header.corpus_digest)

    def _trust(self, query: QueryRequest, run: OpenRun) -> Trust | None:
        """Return the approvals for the corpus's layers, or None without layers. Raises `UnknownName`."""
        is_sealed = query.publication is not None
        if not is_sealed and not query.layer and not self._corpus.config.layers:
            return None

        editorial.approvals.check_named(self._corpus, query.layer)
        return editorial.approvals.Trust(self._corpus, runs.as_of(run.manifest.run_id), is_sealed=is_sealed)

    def _trusted(self, query: QueryRequest, run: OpenRun, trust: Trust | None) -> frozenset[int] | None:
        """Return the rows of items that may be shown in the question's layers, or None if it names none."""
        if query.publication is not None and trust:
            return run.trusted([self._published(query.publication).layer], trust)
        return run.trusted(query.layer, trust) if query.layer and trust else None

    def _published(self, name: str) -> Publication:
        return editorial.publications.read(self._corpus, name).publication

    def _weighing(self, query: QueryRequest, run: OpenRun, recipe: Recipe, call: Call) -> Weighing:
        """Return the weights that apply to this question now. Raises `ConfigInvalid`."""
        weights: tuple[Weight, ...] = ()
        if query.publication is None:  # publications ignore local weights
            weights = self._weights.read().in_force(call.clock(), query.toolkit)
        toolkits = named(query.query, run.toolkits) if run.toolkits and not query.toolkit else frozenset()
        return Weighing(recipe.query.weights, weights, toolkits)

    # --- choice of the run

    def _run(self, query: QueryRequest, call: Call) -> tuple[OpenRun, Recipe]:
        header = self._current_header()
        latest = header.latest if header else {}
        if query.publication is not None:
            run = self._opened(self._published(query.publication).run_id, call)
            return run, Recipe.model_validate(run.manifest.recipe)
        if query.run is not None:
            run_id = runs.resolve(self._corpus, query.run)
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
        """Return the catalog's header, read again if the file changed."""
        stamp = files.stamp(self._catalog)
        if stamp is None or stamp != self._header[0]:
            self._header = stamp, catalogs.read_header(self._corpus)
        return self._header[1]

    def _recipe_of(self, query: QueryRequest, manifest: Manifest) -> Recipe:
        """Return the requested recipe if its build matches the run, else the run's own."""
        if query.recipe is None:
            return Recipe.model_validate(manifest.recipe)
        recipe = self._resolve(query.recipe)
        if recipe.build_id != manifest.build_id:
            raise RecipeNotFound(f"{query.recipe} for the run {manifest.run_id}", [manifest.recipe["name"]])
        return recipe

    def _opened(self, run_id: str, call: Call) -> OpenRun:
        if run_id in self._open:
            return self._open[run_id]
        manifest = runs.read(self._corpus, run_id)
        try:
            choices = Recipe.model_validate(manifest.recipe).build.legs
            legs = {name: self._legs(choice) for name, choice in choices.items()}
        except (ValueError, KeyError, UnknownName) as error:
            raise RunDamaged(run_id, "its manifest names nothing that can be searched here") from error
        if not all(leg.materializes for leg in legs.values()):
            return self._live(manifest, call)
        for name, leg in legs.items():
            for component, now in leg.fingerprints().items():
                if manifest.components.get(f"{name}.{component}") != now:
                    raise RunOutdated(run_id, f"{name}.{component}")
        store = self._corpus.store
        if not store.holds(run_id):
            header = self._current_header()
            latest_ids = {entry.run_id for entry in header.latest.values()} if header else set()
            if run_id not in latest_ids:
                raise RunPruned(run_id)
            raise NotMaterialized(run_id, self._corpus.settings.store or "", store.keeper)
        openers = {name: partial(store.reader, run_id, name, leg) for name, leg in legs.items()}
        run = OpenRun(manifest, store.open(manifest), openers, shares(manifest.languages))
        self._open[run_id] = run
        return run


def _budget(query: QueryRequest, recipe: Recipe) -> Budget:
    defaults = recipe.query.budget
    return Budget(
        items=query.limit or defaults.items,
        tokens=query.max_tokens or defaults.tokens,
        characters=query.max_characters or defaults.characters,
        per_source=query.max_per_source or defaults.per_source,
    )


def _tell(span: telemetry.Span, query: QueryRequest, result: Result) -> None:
    span.set(
        {
            "gen_ai.data_source.id": result.corpus_id,
            "gen_ai.request.top_k": result.budget["asked"]["items"],
            "biblicus.corpus": result.corpus_id,
            "biblicus.recipe": result.recipe_id,
            "biblicus.run": result.run_id,
            "biblicus.evidence": len(result.evidence),
            "biblicus.insufficient": result.insufficient,
        }
    )
    if telemetry.with_texts():
        span.set({"gen_ai.retrieval.query.text": query.query})


def _resolved(run: Manifest, recipe: Recipe, outcome: Outcome) -> dict[str, str]:
    """Return the models that determined the order, and the vector count; empty without a judge."""
    if (recipe.query.rerank or {}).get("by") != JUDGE:
        return {}

    models = {name.partition(".")[0]: value for name, value in run.components.items() if name.endswith(".model")}
    chunks = run.counts["chunks"]
    vectors = chunks - unembedded(run) if models else outcome.embedded
    if outcome.embedded:
        models = {NEAR: embedding.minilm_int8.MiniLMInt8.fingerprint}
    decided = {"judge": embedding.judge.FINGERPRINT} if outcome.rerank == "done" else {}
    return {"recipe": recipe.recipe_id, **decided, **models, "vectors": f"{vectors} of {chunks}"}


def _falls_short(outcome: Outcome, threshold: float | None) -> bool:
    """Return True if the evidence is insufficient by the recipe's thresholds, or by the question's own on mean support.
    Unknown names also make it insufficient, unless the question's threshold is 0."""
    if threshold is None:
        return outcome.insufficient
    measures = outcome.support.values()
    is_unknown = threshold > 0 and bool(outcome.unknown_names)
    return not outcome.spent.kept or is_unknown or sum(measures) < threshold * len(measures)


def _ms(began: float, ended: float) -> float:
    return round((ended - began) * 1000, 3)
