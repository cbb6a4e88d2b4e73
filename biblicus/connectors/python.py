"""The Python API, in the words of the command line: `Corpus.open(path)`, `.ingest()`, `.reindex()`, `.query()`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from biblicus.bring.ingest import IngestRequest, OnDuplicate, Same, ingest
from biblicus.bring.remove import remove
from biblicus.connectors.python_answers import Answers
from biblicus.connectors.python_desk import DeskWords
from biblicus.contracts import Call
from biblicus.corpus import events, folder, items, recipes, sidecars
from biblicus.corpus.folder import CorpusFolder, find
from biblicus.corpus.refresh import Report
from biblicus.measure import datasets
from biblicus.measure.datasets import DatasetEntry
from biblicus.measure.documents import Imported
from biblicus.models.evaluation import Evaluation
from biblicus.models.event import Event, EventPage
from biblicus.models.evidence import Evidence, Result
from biblicus.models.item import Item
from biblicus.models.manifest import Manifest
from biblicus.models.pack import Pack, PackPolicy
from biblicus.models.question import Filters, Query
from biblicus.models.reading import Excerpt, Node, Shown, Verdict
from biblicus.models.recipe import Recipe
from biblicus.runs import history as runs
from biblicus.runs.reindex import ReindexReport, reindex
from biblicus.runs.stats import stats
from biblicus.search import verify as verifying
from biblicus.search.query import searcher
from biblicus.service.places import folder_of
from biblicus.upkeep import check as checks
from biblicus.upkeep import trust

if TYPE_CHECKING:
    from biblicus.bring.bibliography import BibliographyReport
    from biblicus.bring.sources import SourceRemoval, SourceState
    from biblicus.bring.sync import SyncReport
    from biblicus.measure.synthesize import Synthesized
    from biblicus.measure.tune import Search, Tuning


class Corpus(Answers, DeskWords):
    """A corpus. Keeps the runs it searched open, so that later queries are fast; close it, or use it in a `with`.

    Every method takes a `call` for deadline, cancellation and progress, and raises `biblicus.errors.BiblicusError`.
    """

    def __init__(self, place: CorpusFolder) -> None:
        self._root = place.root
        self._searcher = searcher(place)

    @property
    def _place(self) -> CorpusFolder:
        """Made anew for every call, so that an edited `config.yml` counts."""
        return CorpusFolder(self._root)

    @classmethod
    def init(cls, path: str | Path, *, name: str | None = None) -> Corpus:
        """Make a folder a corpus. Raises `CorpusExists`."""
        return cls(folder.create(Path(path), name))

    @classmethod
    def open(cls, path: str | Path = ".") -> Corpus:
        """The corpus that holds `path`, or `corpus://NAME` of the user's places. Raises `CorpusNotFound`."""
        return cls(find(folder_of(str(path))))

    @property
    def path(self) -> Path:
        """The folder."""
        return self._root

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the runs that were opened."""
        self._searcher.close()

    # --- the folder and its items ---

    def ingest(
        self,
        *sources: str | Path,
        into: str | None = None,
        title: str | None = None,
        tags: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
        on_duplicate: OnDuplicate = "skip",
        same: Same = "bytes",
        strict: bool = False,
        text: str | bytes | None = None,
        allow_local: bool = False,
        allow_private: bool = False,
        call: Call | None = None,
    ) -> Report:
        """Refresh the catalog; bring in files, folders and addresses from outside, or a `text` (as standard input
        would)."""
        names = [str(source) for source in sources] + (["-"] if text is not None else [])
        data = text.encode() if isinstance(text, str) else text
        request = IngestRequest(
            tuple(names),
            into,
            title,
            tuple(tags),
            dict(metadata or {}),
            on_duplicate,
            same,
            strict,
            data,
            allow_local=allow_local,
            allow_private=allow_private,
        )
        return ingest(self._place, request, call or Call())

    def remove(self, *names: str, delete_file: bool = False, call: Call | None = None) -> Report:
        """Forget imports and delete the copies Biblicus made."""
        return remove(self._place, list(names), call or Call(), delete_file=delete_file)[1]

    def bibliography(
        self,
        file: str | Path,
        *,
        overwrite: bool = False,
        dry_run: bool = False,
        strict: bool = False,
        call: Call | None = None,
    ) -> BibliographyReport:
        """Tell PDFs their title, authors and more, from a BibTeX or CSL-JSON file."""
        from biblicus.bring.bibliography import BibliographyRequest, bibliography

        return bibliography(self._place, BibliographyRequest(Path(file), dry_run, overwrite, strict), call or Call())

    def tag(self, item: str, *changes: str, call: Call | None = None) -> Item:
        """Add (`+a`) and drop (`-b`) tags."""
        return sidecars.tag(self._place, item, list(changes), call or Call())[0]

    def list(self, filters: Filters = Filters()) -> Sequence[Item]:  # noqa: B008 (frozen)
        """The items of the catalog that fit."""
        return list(items.list_items(self._place, filters))

    def show(self, item: str, *, call: Call | None = None) -> Shown:
        """One item in full."""
        return items.show(self._place, item, call or Call())

    def get(
        self,
        item: str,
        *,
        lines: tuple[int, int] | None = None,
        span: tuple[int, int] | None = None,
        page: int | None = None,
        call: Call | None = None,
    ) -> Excerpt:
        """Exact text of an item: all of it, or lines (from 1, both included), a span, or a page."""
        return items.get(self._place, item, call or Call(), lines=lines, span=span, page=page)

    def tree(self, prefix: str = "", *, depth: int | None = None) -> Sequence[Node]:
        """Folders and items below `prefix`."""
        return items.tree(self._place, prefix, depth)

    def stats(self) -> dict[str, Any]:
        """Counts of what the corpus holds."""
        return stats(self._place)

    def events(self, after: str | None = None, *, limit: int = events.PAGE) -> EventPage:
        """What happened after a cursor (`now`: nothing so far; None: all that is kept), at most `limit` events."""
        return events.read(self._place, after, limit)

    def follow(self, after: str | None = None, *, call: Call | None = None) -> Iterator[Event]:
        """What happened after a cursor, then each event as it comes, until the call is cancelled (`Cancelled`)."""
        return events.follow(self._place, call or Call(), after)

    # --- sources ---

    def sources(self) -> Sequence[SourceState]:
        """The sources that are listed, and those whose documents were kept."""
        from biblicus.bring.sources import list_sources  # lazy, as below: most users have none

        return list_sources(self._place)

    def add_source(
        self,
        address: str,
        *,
        allow_local: bool = False,
        allow_private: bool = False,
        call: Call | None = None,
        **said: Any,
    ) -> SourceState:
        """List a source. `said`: what else its entry says (`name`, `kind`, `ref`, `toolkit`, `include`, …)."""
        from biblicus.bring.sources import add

        place, made = self._place, call or Call()
        return add(place, address, made, said, allow_local=allow_local, allow_private=allow_private)

    def remove_source(self, name: str, *, keep_documents: bool = False, call: Call | None = None) -> SourceRemoval:
        """Take a source from the list, and delete the copies of its documents, unless they are to be kept."""
        from biblicus.bring.sources import remove

        return remove(self._place, name, call or Call(), keep_documents=keep_documents)

    def sync(
        self,
        *names: str,
        dry_run: bool = False,
        delete: bool = True,
        allow_local: bool = False,
        allow_private: bool = False,
        strict: bool = False,
        call: Call | None = None,
    ) -> SyncReport:
        """Bring the corpus up to its sources (none named: all): new, changed, renamed and deleted documents follow."""
        from biblicus.bring.sync import SyncRequest, sync

        request = SyncRequest(names, dry_run, delete, allow_local, allow_private, strict)
        return sync(self._place, request, call or Call())

    # --- runs and evidence ---

    def reindex(
        self, *recipes: str, fresh: bool = False, strict: bool = False, call: Call | None = None
    ) -> ReindexReport:
        """Refresh and build a run for each recipe (none named: the default one and all that have a run)."""
        return reindex(self._place, list(recipes), call or Call(), fresh=fresh, strict=strict)

    def runs(self) -> Sequence[Manifest]:
        """The manifests of all runs, oldest first."""
        return [entry.manifest for entry in runs.list_runs(self._place)]

    def diff_runs(self, first: str, second: str) -> dict[str, Any]:
        """Which settings, components, counts and (while both tables are there) items differ between two runs."""
        return runs.diff(self._place, first, second)

    def verify_run(self, run: str, *, call: Call | None = None) -> dict[str, Any]:
        """Rebuild the current state in memory and compare its digests with the run's."""
        return runs.verify(self._place, run, call or Call())

    def prune_runs(
        self, *names: str, keep: int | None = None, latest: bool = False, call: Call | None = None
    ) -> dict[str, Any]:
        """Delete the runs named, or all but the newest `keep` of each build; the latest of a recipe with `latest`."""
        return runs.prune(self._place, keep, list(names), call or Call(), latest=latest)

    def recipes(self) -> Sequence[Recipe]:
        """The recipes that can be named here."""
        return [entry.recipe for entry in recipes.known(self._place)]

    def recipe(self, name: str) -> Recipe:
        """A recipe with every option spelled out. Raises `RecipeNotFound`, `ConfigInvalid`."""
        return recipes.find(self._place, name)

    def new_recipe(self, name: str, *, base: str = "lexical") -> Path:
        """Write a recipe of your own to `.biblicus/recipes/`, to be edited; returns its file."""
        return recipes.new(self._place, name, base)

    def query(
        self,
        text: str,
        *,
        filters: Filters = Filters(),  # noqa: B008 (frozen)
        limit: int | None = None,
        max_tokens: int | None = None,
        max_characters: int | None = None,
        max_per_source: int | None = None,
        recipe: str | None = None,
        run: str | None = None,
        call: Call | None = None,
    ) -> Result:
        """Evidence for a question."""
        request = Query(text, filters, limit, max_tokens, max_characters, max_per_source, recipe, run)
        return self._searcher.search(request, call or Call())

    def context(
        self,
        text: str,
        policy: PackPolicy | None = None,
        *,
        filters: Filters = Filters(),  # noqa: B008 (frozen)
        limit: int | None = None,
        max_characters: int | None = None,
        max_per_source: int | None = None,
        recipe: str | None = None,
        run: str | None = None,
        call: Call | None = None,
    ) -> Pack:
        """Evidence for a question, made into a numbered text for a prompt, with its neighbours while there is room."""
        from biblicus.answers.context import context, tokenizer  # lazy: most users ask for evidence

        place, policy = self._place, policy or PackPolicy()
        query = Query(text, filters, limit, None, max_characters, max_per_source, recipe, run)
        count = tokenizer(place, policy.tokenizer)
        return context(place, self._searcher.search, query, policy, call or Call(), count)

    # --- evaluation ---

    def import_dataset(self, path: str | Path, *, name: str | None = None, call: Call | None = None) -> Imported:
        """Register a dataset (BEIR, TREC, questions as JSON lines), and make items of its documents."""
        return datasets.bring(self._place, str(path), call or Call(), name=name)

    def datasets(self) -> Sequence[DatasetEntry]:
        """The datasets registered here."""
        return datasets.list_datasets(self._place)

    def dataset(self, name: str, *, split: str | None = None) -> DatasetEntry:
        """What a dataset, by name or path, holds, and how much of what it judges is in the corpus."""
        return datasets.show(self._place, name, split)

    def evaluate(
        self,
        dataset: str,
        *,
        recipes: Sequence[str] = (),
        runs: Sequence[str] = (),
        metrics: Sequence[str] = (),
        cutoffs: Sequence[int] = (),
        split: str | None = None,
        baseline: str | None = None,
        fail_if: Sequence[str] = (),
        reports: Sequence[str | Path] = (),
        answerer: str | None = None,
        llm: str | None = None,
        unanswerable: str | None = None,
        call: Call | None = None,
    ) -> Evaluation:
        """Measure recipes and runs on a dataset (none named: every recipe that has a run) and compare them.

        `answerer`: measure the answers it gives, with `llm` of the user's models; questions of `unanswerable`, another
        dataset, should get none.

        Conditions of `fail_if` raise nothing: the result's `gates` say which hold.
        """
        from biblicus.measure.evaluate import EvaluationRequest, evaluate  # lazy: most users do not measure

        request = EvaluationRequest(
            dataset,
            tuple(recipes),
            tuple(runs),
            tuple(metrics),
            tuple(cutoffs),
            split,
            baseline,
            tuple(fail_if),
            tuple(map(Path, reports)),
            answerer,
            llm,
            unanswerable,
        )
        return evaluate(self._place, request, call or Call())[0]

    def tune(
        self,
        dataset: str,
        *over: str,
        recipe: str | None = None,
        trials: int | None = None,
        search: Search | None = None,
        seed: int = 0,
        metric: str = "ndcg@10",
        holdout: float = 0.5,
        split: str | None = None,
        save: str | None = None,
        call: Call | None = None,
    ) -> Tuning:
        """Look for better settings of a recipe (`over`: as `retrieve.candidates=20,50,100`) on one part of a dataset,
        and check the best on the other. Nothing is written unless `save` names a new recipe."""
        from biblicus.measure.tune import TuneRequest, tune  # lazy: most users do not measure

        request = TuneRequest(dataset, recipe, over, trials, search, seed, metric, holdout, split, save)
        return tune(self._place, request, call or Call())

    def synthesize(
        self,
        *kinds: str,
        name: str | None = None,
        count: int = 100,
        seed: int = 0,
        call: Call | None = None,
    ) -> Synthesized:
        """Register a dataset of questions from the items themselves: `title`, `heading`, `cloze` (none named: all)."""
        from biblicus.measure.synthesize import make  # lazy: most users do not measure

        return make(self._place, call or Call(), name=name, count=count, kinds=kinds, seed=seed)

    def verify(
        self, evidence: Result | Pack | Sequence[Evidence] | bytes | str, *, call: Call | None = None
    ) -> Sequence[Verdict]:
        """Verdicts for a result, a pack, evidence, or any of these and an answer as JSON."""
        return verifying.verify(self._place, _as_json(evidence), call or Call())

    def check(
        self, *, read_data: bool = False, repair: bool = False, sources: bool = False, call: Call | None = None
    ) -> checks.CheckReport:
        """Look for damage, and repair it from the raw files; hold the copies against their `sources`."""
        return checks.check(self._place, call or Call(), read_data=read_data, repair=repair, sources=sources)

    def prune_cache(self, *, call: Call | None = None) -> tuple[int, int]:
        """Bound the extraction cache: how many files were deleted, and their bytes."""
        return checks.prune_cache(self._place, call or Call())

    def trust(self, *, call: Call | None = None) -> dict[str, Sequence[str]]:
        """Seal what another machine built, and vouch for the sources that are listed."""
        return dict(trust.trust(self._place, call or Call()))


def _as_json(evidence: Result | Pack | Sequence[Evidence] | bytes | str) -> bytes:
    import json

    if isinstance(evidence, bytes):
        return evidence
    if isinstance(evidence, str):
        return evidence.encode()
    if isinstance(evidence, Pack):
        evidence = [entry.piece for entry in evidence.entries]
    pieces = evidence.evidence if isinstance(evidence, Result) else evidence
    return json.dumps([piece.as_object() for piece in pieces]).encode()
