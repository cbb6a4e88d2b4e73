"""Reindex: refresh the catalog, then build a sealed run of each recipe. Nothing is ever overwritten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from biblicus import executors, telemetry
from biblicus.contracts import Call
from biblicus.corpus import auto, recipes
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog, Latest
from biblicus.corpus.changes import file_stats
from biblicus.corpus.editorial.approvals import expired_since
from biblicus.corpus.editorial.publications import runs_published
from biblicus.corpus.events import alerts
from biblicus.corpus.extracted.extractions import Raw, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import Refreshed, refresh
from biblicus.corpus.report import recording_run
from biblicus.disk import files
from biblicus.errors import (
    BiblicusError,
    CheckFailed,
    ExtraMissing,
    NotFound,
    NotMaterialized,
    RunDamaged,
    StorageFailed,
    UnknownModel,
    Untrusted,
    VectorsGone,
)
from biblicus.guards.processes import cores
from biblicus.guards.side_by_side import Helpers, no_collection
from biblicus.models.digest import digest
from biblicus.models.extraction import Extraction
from biblicus.models.manifest import SCHEMA_VERSION, Built, Manifest, unembedded
from biblicus.models.plain import count
from biblicus.models.recipe import MEANING, Recipe
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs import manifests as runs
from biblicus.runs import salvage
from biblicus.runs.parts import built_beside, common_legs, parts, shared_run
from biblicus.runs.reports import ReindexReport, RunReport
from biblicus.stores.contract import Sums
from biblicus.stores.local import LocalStore

if TYPE_CHECKING:
    from biblicus.executors.ray_executor import RayExecutor
    from biblicus.runs.build import Plan, Tally, Work

FRESH_BELOW = 4_000
"""Number of chunks below which a run with a drifting leg is always built fresh (about a second)."""
CHURN_LIMIT = 0.02
"""Share of the base's chunks added or removed, above which a run is built fresh."""
STEP_FROM = 50_000
"""Number of chunks from which a run is built on its parent; smaller ones share the files of another recipe's run."""
_WORDS_FIRST = "Words are indexed: a question can be asked now. Meaning follows; after Ctrl-C it goes on from there."
_WORTH_COMPACTING = 0.25
"""Share of unused vectors from which a store beyond its size limit is rewritten."""


def reindex(corpus: CorpusFolder, request: ReindexRequest, call: Call) -> ReindexReport:
    """Refresh and build the named recipes; without names, the default one and every recipe with a run.
    With `strict`, raise `CheckFailed` at the end if a file failed."""
    if not request.recipes and (sentence := auto.sentence(corpus)):
        call.tell(sentence)
    return _reindex(corpus, request, call, for_one_document=False)


def index_changes(corpus: CorpusFolder, call: Call, *recipes: str) -> ReindexReport:
    """Reindex for a caller that follows changes: of consecutive runs of this kind only the newest is kept.
    If a thread of this process builds `meaning` runs, they are left to it."""
    return _reindex(corpus, ReindexRequest(recipes), call, for_one_document=True)


def _reindex(corpus: CorpusFolder, request: ReindexRequest, call: Call, *, for_one_document: bool) -> ReindexReport:
    began = time.perf_counter()
    if request.ignore_local_excludes:
        corpus = corpus.of_committed_rules(call)
    named = [step for name in request.recipes for step in auto.to_build(corpus, name)]
    recipes_by_name = {recipe.name: recipe for recipe in (recipes.find(corpus, name) for name in named)}
    with telemetry.span("reindex"), corpus.writing(call), no_collection(), sharing(corpus) as helpers:
        if salvage.is_needed(corpus):
            salvage.restore(corpus, salvage.items(corpus))
        file_stats.drop_damaged(corpus)
        refreshed = refresh(corpus, call, retry_failed=request.retry_failed, helpers=helpers)
        recipes_by_name = recipes_by_name if request.recipes else _all_recipes(corpus, refreshed)
        if for_one_document and named != [MEANING] and auto.embeds_later(corpus):
            recipes_by_name.pop(MEANING, None)
        report = ReindexReport(refreshed.report)
        for run_id in runs.orphans(corpus):  # of a writer that died or failed before writing the manifest
            corpus.store.drop(run_id)
        for number, recipe in enumerate(recipes_by_name.values()):
            try:
                if number and recipe.name == MEANING:
                    call.tell(_WORDS_FIRST)
                with telemetry.span("build", {"biblicus.recipe": recipe.recipe_id}) as span:
                    current = [run.manifest for run in report.runs]
                    indexing = Indexing(corpus, recipe, refreshed, call, for_one_document, current)
                    report.runs.append(indexing.run(request.fresh))
                    if telemetry.is_on():
                        _tell(span, report.runs[-1])
            except (ExtraMissing, UnknownModel) as error:
                if request.recipes or not number:  # another user's recipe must not prevent the default one
                    raise
                report.unavailable.append({"recipe": recipe.name, **error.as_object()})
        if not request.recipes and corpus.publications.exists():
            from biblicus.runs.views import bring_back  # lazy: most corpora have none

            report.runs += bring_back(corpus, refreshed, call)
        alerts.tell(corpus, call)
        if corpus.views.exists():
            from biblicus.runs.views import refresh_views  # lazy: few corpora have readers

            refresh_views(corpus, call)
        if corpus.vectors.exists():
            from biblicus.runs import vectors  # lazy: most corpora have none

            vectors.prune(corpus, corpus.settings.cache_bytes, _WORTH_COMPACTING)
    report.ms = round((time.perf_counter() - began) * 1000, 1)
    if request.strict:
        _refuse_failures(report)
    return report


def sharing(corpus: CorpusFolder) -> Helpers | RayExecutor:
    """Return the executor for builds: local processes, or the one in the user's settings."""
    settings = corpus.settings
    if settings.executor == "local":
        return Helpers(settings.workers or cores())

    return executors.ray_executor.RayExecutor(settings.executor, settings.workers)


def _tell(span: telemetry.Span, run: RunReport) -> None:
    counts = {f"biblicus.{name}": count for name, count in run.manifest.counts.items()}
    span.set({"biblicus.corpus": run.manifest.corpus_id, "biblicus.built": run.built, **counts})


def _refuse_failures(report: ReindexReport) -> None:
    if failed := len(report.refresh.failed) or max((len(run.manifest.failed) for run in report.runs), default=0):
        raise CheckFailed(f"{count(failed, 'files')} failed.", "biblicus reindex --json | jq .runs[].failed")
    if lacking := sum(run.unembedded for run in report.runs):
        has = "has" if lacking == 1 else "have"
        raise CheckFailed(f"{count(lacking, 'chunks')} {has} no vector.", "biblicus reindex")


def _all_recipes(corpus: CorpusFolder, refreshed: Refreshed) -> dict[str, Recipe]:
    recipes_by_name = {name: recipes.find(corpus, name) for name in auto.to_build(corpus)}
    for name in refreshed.header.latest:
        try:
            recipes_by_name.setdefault(name, recipes.find(corpus, name))
        except NotFound:
            continue  # a deleted recipe keeps its runs and gets no new ones
    return recipes_by_name


@dataclass
class Indexing:
    """Builds one recipe's run. `current`: runs of other recipes by the same reindex."""

    corpus: CorpusFolder
    recipe: Recipe
    refreshed: Refreshed
    call: Call
    for_one_document: bool
    current: Sequence[Manifest] = ()

    def __post_init__(self) -> None:
        self.store = self.corpus.store
        recipe_parts = parts(self.corpus, self.recipe, self.refreshed.helpers)
        self.parts = replace(recipe_parts, legs=self.store.legs(recipe_parts.legs))
        self.materializes = any(leg.materializes for leg in self.parts.legs.values())
        self.extractions = self.refreshed.extractions.with_options(self.recipe.build.extraction)
        self.refreshed.report.leave_to(self.extractions)

    def run(self, fresh: bool) -> RunReport:
        last = self._last()
        differs: tuple[str, ...] = ()
        if last is not None and not fresh:
            differs = self.differences(last)
            if not differs:
                return self._unchanged(last)
        catalog = self._catalog()
        self._extract_all(catalog)
        return self._new(catalog, last, fresh, differs)

    # --- what stands ---

    def _last(self) -> Manifest | None:
        """Return the latest run of this recipe, or of one with an equal build."""
        latest = self.refreshed.header.latest
        latest_run = latest.get(self.recipe.name)
        if latest_run is None or latest_run.build_id != self.recipe.build_id:
            same = [entry for entry in latest.values() if entry.build_id == self.recipe.build_id]
            latest_run = max(same, key=lambda entry: entry.run_id, default=latest_run)
        if latest_run is None:
            return None
        try:
            return runs.read(self.corpus, latest_run.run_id)
        except BiblicusError:
            return None

    def differences(self, last: Manifest) -> tuple[str, ...]:
        """Return the names of everything in which a run differs from the current corpus."""
        differences = []
        if last.corpus_digest != self.refreshed.header.corpus_digest:
            differences.append("items")
        if last.build_id != self.recipe.build_id:
            differences.append("recipe")
        if last.corpus_id != self.refreshed.header.corpus_id:
            differences.append("corpus_id")
        if unembedded(last):
            differences.append("vectors")
        if self._gives_text_now(last):
            differences.append("texts")
        if self.corpus.config.layers and expired_since(self._catalog(), runs.as_of(last.run_id), self.call):
            differences.append("expired")
        now = self._components(name[11:] for name in last.components if name.startswith("extraction."))
        differences += sorted(name for name in {*now, *last.components} if now.get(name) != last.components.get(name))
        return tuple(differences)

    def _gives_text_now(self, last: Manifest) -> bool:
        """Return true if a file that failed gives a text now, which the catalog does not show."""
        if not last.failed:
            return False
        items = self._catalog().items
        failed = [raw_of(items[note.path]) for note in last.failed if note.path in items]
        self._extract(raw for raw in failed if self.extractions.is_guarded(raw.path, raw.media_type))
        return any(isinstance(self.extractions.outcome(raw), Extraction) for raw in failed)

    def _components(self, extractors: Any) -> dict[str, str]:
        return {**self.extractions.fingerprints(extractors), **self.parts.fingerprints()}

    def _unchanged(self, last: Manifest) -> RunReport:
        """Keep an up-to-date run; rebuild its materialization if it is missing, foreign or damaged."""
        built: Built | Literal["unchanged"] = "unchanged"
        if self.materializes and not self.stands(last):
            built = "rematerialised"
            if not self.made_again(last, self._catalog(), self._other()):
                return self._new(self._catalog(), None, True, ("chunks",))
        self._point_to(last.run_id)
        return self._report(last, built)

    def made_again(self, run: Manifest, catalog: Catalog, other: Manifest | None = None) -> bool:
        """Build a run's materialization again. If it would not be the same, drop it and return false."""
        self._extract_all(catalog)
        tally = self._materialise(self._work(catalog), run.run_id, other=other)
        if is_other := tally.chunks_digest() != run.chunks_digest:
            self.store.drop(run.run_id)
        return not is_other

    def stands(self, run: Manifest) -> bool:
        """Return true if a run is in place and the external data of this recipe's legs in it are available."""
        try:
            self.store.open(run).close()
            self.store.check_for_build(run.run_id)
            for name in common_legs(self.recipe, run):
                leg = self.parts.legs[name]
                if not getattr(leg, "is_whole", False):
                    self.store.reader(run.run_id, name, leg).close()
        except (NotMaterialized, Untrusted, VectorsGone, RunDamaged):
            return False
        return True

    # --- building ---

    def _catalog(self) -> Catalog:
        self.refreshed.catalog = catalog = self.refreshed.catalog or catalogs.known(self.corpus)
        if catalog is None:
            raise RunDamaged("-", "the catalog vanished")
        return catalog

    def _extract_all(self, catalog: Catalog) -> None:
        """Parse in advance all items that need a worker."""
        guarded = (path for path, e in catalog.entries.items() if self.extractions.is_guarded(path, e.media_type))
        self._extract(raw_of(catalog.items[path]) for path in guarded)

    def _extract(self, guarded: Iterable[Raw]) -> None:
        """Parse in parallel the files that are not cached."""
        missing = [raw for raw in guarded if not self.extractions.is_cached(raw)]
        with telemetry.span("extract", {"biblicus.files": len(missing)}):
            for raw, outcome in self.extractions.guarded(missing):
                self.extractions.remember(raw, outcome)

    def _new(self, catalog: Catalog, last: Manifest | None, fresh: bool, differs: tuple[str, ...]) -> RunReport:
        began = time.perf_counter()
        run_id = runs.new_run_id(self.corpus, self.recipe.name, self.call.clock())
        work = self._work(catalog)
        components = self._components(self.extractions.used(catalog.entries.items()))
        step, shared_run = None, self._other(fresh=fresh)
        may_step = last is not None and (shared_run is None or last.counts["chunks"] >= STEP_FROM)
        if last is not None and may_step and not fresh and "texts" not in differs:
            step = self._step(last, work, components)
        tally = self._materialise(work, run_id, step, last, shared_run)
        built: Built = "incremental" if step else shared_run.built if shared_run else "fresh"
        header = self.refreshed.header
        fold = self._fold()
        manifest = Manifest(
            schema_version=SCHEMA_VERSION,
            run_id=run_id,
            recipe_id=self.recipe.recipe_id,
            recipe=self.recipe.model_dump(),
            build_id=self.recipe.build_id,
            corpus_id=header.corpus_id,
            corpus_digest=header.corpus_digest,
            chunks_digest=tally.chunks_digest(),
            index_version=digest([header.corpus_digest, self.recipe.build_id, components], 16),
            parent_run_id=last.run_id if last else None,
            built=built,
            components=components,
            counts={"items": tally.items, "chunks": tally.chunks, "tokens": tally.tokens, **tally.legs},
            languages={language: count for language, count in sorted(tally.languages.items()) if count},
            sizes=self.store.sizes(run_id, list(self.parts.legs)),
            timings={
                "refresh": self.refreshed.report.ms,
                "build": round((time.perf_counter() - began) * 1000, 1),
            },
            skipped=tally.skipped,
            failed=tally.failed,
            folded=list(fold.names) if self.for_one_document else None,
        )
        with recording_run(self.corpus, manifest, self.call):
            runs.commit(self.corpus, manifest)
            self._point_to_new(run_id)
        self._prune()
        runs.fold(self.corpus, fold.doomed)
        self.store.settle()
        return self._report(manifest, built, differs)

    def _report(self, run: Manifest, built: Built | Literal["unchanged"], differs: tuple[str, ...] = ()) -> RunReport:
        languages = [leg.vectors.languages for leg in self.parts.legs.values() if hasattr(leg, "vectors")]
        counts = [run.languages[code] for code in run.languages if code and any(k and code not in k for k in languages)]
        return RunReport(run, self.recipe.recipe_id, built, differs, sum(counts))

    def _work(self, catalog: Catalog) -> Work:
        from biblicus.runs.build import Work  # lazy, like the chunking code: usually nothing changed

        now = self.refreshed
        return Work(catalog, now.stamp_of, self.parts, self.extractions, self.call, now.helpers)

    def _other(self, *, fresh: bool = False) -> Manifest | None:
        return shared_run(self, fresh=fresh) if self.materializes else None

    def _materialise(
        self,
        work: Work,
        run_id: str,
        step: Plan | None = None,
        parent: Manifest | None = None,
        other: Manifest | None = None,
    ) -> Tally:
        """Build a run's materialization: incrementally, next to another recipe's run, or fresh."""
        from biblicus.runs.build import build_fresh, build_incremental  # lazy, as above

        if not self.materializes:
            return build_fresh(None, work)
        try:
            if step is None and other is not None and isinstance(self.store, LocalStore):
                tally = built_beside(self.store, self.recipe, run_id, other, work)
            else:
                folder = self.store.begin(run_id, parent.run_id if step and parent else None)
                tally = build_incremental(folder, step, work) if step else build_fresh(folder, work)
            with telemetry.span("write"):
                corpus_digest = self.refreshed.header.corpus_digest
                self.store.seal(run_id, Sums(tally.items, tally.chunks, corpus_digest, tally.chunks_digest()))
            return tally
        except (OSError, sqlite3.Error) as error:
            cause = files.describe(error) if isinstance(error, OSError) else str(error)
            raise StorageFailed(f"the run {run_id}", cause) from error
        finally:
            if step is not None:
                step.parent.close()
            self.store.abandon(run_id)

    def _step(self, last: Manifest, work: Work, components: dict[str, str]) -> Plan | None:
        """Return the plan for an incremental build; None if it does not pay or would differ from a fresh build."""
        if not self.materializes or not self.store.builds_on_parents or last.build_id != self.recipe.build_id:
            return None
        if last.counts["chunks"] < FRESH_BELOW and any(leg.drifts for leg in self.parts.legs.values()):
            return None
        # A component may be new (the first PDF of a corpus), but none may have changed.
        if any(last.components.get(name, now) != now for name, now in components.items()):
            return None
        if unembedded(last) or not self.stands(last):
            return None
        from biblicus.runs.build import plan  # lazy, as above

        step = plan(self.store.tables(last.run_id), work)
        if step.churn > CHURN_LIMIT:
            step.parent.close()
            return None
        return step

    # --- afterwards ---

    def _point_to(self, run_id: str) -> None:
        """Make the run the latest of this recipe in the catalog's header."""
        entry = Latest(run_id=run_id, build_id=self.recipe.build_id)
        header = self.refreshed.header
        if header.latest.get(self.recipe.name) == entry:
            return
        latest = {**header.latest, self.recipe.name: entry}
        self.refreshed.header = replace(header, latest=dict(sorted(latest.items())))
        catalogs.write_header(self.corpus, self.refreshed.header)

    def _fold(self) -> runs.Fold:
        """Return the runs that this one replaces."""
        if not self.for_one_document:
            return runs.Fold()
        needed = {entry.run_id for name, entry in self.refreshed.header.latest.items() if name != self.recipe.name}
        return runs.plan_fold(self.corpus, self.recipe.build_id, needed)

    def _point_to_new(self, run_id: str) -> None:
        """Make a new run the latest; if that fails, delete the run."""
        try:
            self._point_to(run_id)
        except BaseException:
            with suppress(BiblicusError):
                present = catalogs.read_header(self.corpus)
                if present and all(entry.run_id != run_id for entry in present.latest.values()):
                    runs.delete(self.corpus, run_id)
            raise

    def _prune(self) -> None:
        """Delete old materializations of this build that no recipe points to."""
        needed = {entry.run_id for entry in self.refreshed.header.latest.values()} | {*runs_published(self.corpus)}
        mine = []
        for run_id in self.store.own():
            with suppress(BiblicusError):  # a damaged manifest: `check` reports it
                if runs.read(self.corpus, run_id).build_id == self.recipe.build_id:
                    mine.append(run_id)
        for run_id in sorted({*mine[: -self.corpus.settings.materializations]} - needed):
            self.store.drop(run_id)
