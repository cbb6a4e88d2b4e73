"""The methods of a corpus, one a verb.

Written by `make docs` from service/verbs.py and connectors/python/table.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

from biblicus.answers.answer_as import GraphHook
from biblicus.answers.personas import PersonaCheck, PersonaEntry
from biblicus.bring.bibliography import BibliographyReport
from biblicus.bring.sources import SourceRemoval, SourceState
from biblicus.bring.sync import SyncReport
from biblicus.contracts import Call, LLMClient
from biblicus.corpus.described.contexts import FolderContext
from biblicus.corpus.editorial.publications import Publication
from biblicus.corpus.events.alerts import Alert
from biblicus.corpus.report import Report
from biblicus.corpus.weights import ListedWeight, WeightOutcome
from biblicus.editorial.notes import PlacedNote
from biblicus.editorial.promote import Promotion
from biblicus.editorial.status import EditorialDiff, EditorialStatus
from biblicus.measure.datasets import DatasetEntry
from biblicus.measure.documents import Imported
from biblicus.measure.golden import GoldenReport
from biblicus.measure.stored import StoredEntry, StoredEvaluation
from biblicus.measure.synthesize import Synthesized
from biblicus.measure.tune import Tuning
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.evaluation import Evaluation
from biblicus.models.answers.pack import Pack
from biblicus.models.answers.persona import Persona, PersonaAnswer
from biblicus.models.editorial import EditorialEvent
from biblicus.models.event import EventPage
from biblicus.models.evidence import Result
from biblicus.models.fields import Share
from biblicus.models.item import Item
from biblicus.models.page_image import PageImage
from biblicus.models.reading import Excerpt, Facet, FilePart, Node, Quotations, Shown
from biblicus.models.recipe import Recipe
from biblicus.models.requests.answer import PackPolicy
from biblicus.models.requests.query import Filters
from biblicus.models.weights import Weight
from biblicus.runs.reports import ReindexReport
from biblicus.service.askers.here import Here
from biblicus.upkeep.doctor import DoctorReport
from biblicus.upkeep.kinds import CheckReport

class _Filters(TypedDict, total=False):
    tag: str | Sequence[str]
    type: str | Sequence[str]
    doctype: str | Sequence[str]
    language: str | Sequence[str]
    path: str | Sequence[str]
    where: Mapping[str, str]
    toolkit: str | Sequence[str]
    category: str | Sequence[str]
    source: str | Sequence[str]
    layer: str | Sequence[str]
    since: str | None
    until: str | None
    hash: str | Sequence[str]

class _Query(_Filters, total=False):
    limit: int | None
    max_tokens: int | None
    max_characters: int | None
    max_per_source: int | None
    threshold: float | None
    recipe: str | None
    run: str | None
    publication: str | None
    leg_weights: Mapping[str, Share]

class Methods:
    """One method a verb."""

    _asker: Here

    def query(
        self,
        query: str | Path,
        *,
        filters: Filters | None = ...,
        refresh: bool = ...,
        call: Call | None = ...,
        **fields: Unpack[_Query],
    ) -> Result:
        """Return evidence; with `refresh`, after indexing changes if that is fast."""

    def context(
        self,
        query: str | Path,
        policy: PackPolicy | None = ...,
        *,
        limit: int | None = ...,
        max_tokens: int = ...,
        max_characters: int | None = ...,
        max_per_source: int | None = ...,
        threshold: float | None = ...,
        recipe: str | None = ...,
        run: str | None = ...,
        publication: str | None = ...,
        leg_weights: Mapping[str, Share] = ...,
        format: Literal["markdown", "xml", "json", "plain"] = ...,
        order: Literal["rank", "source", "document"] = ...,
        neighbours: int = ...,
        share: float = ...,
        tokenizer: str = ...,
        filters: Filters | None = ...,
        call: Call | None = ...,
        **fields: Unpack[_Filters],
    ) -> Pack:
        """Return a pack, with the settings of `policy` if given."""

    def answer(
        self,
        query: str | Path,
        *,
        tag: str | Sequence[str] = ...,
        type: str | Sequence[str] = ...,
        doctype: str | Sequence[str] = ...,
        language: str | Sequence[str] = ...,
        path: str | Sequence[str] = ...,
        where: Mapping[str, str] = ...,
        toolkit: str | Sequence[str] = ...,
        category: str | Sequence[str] = ...,
        source: str | Sequence[str] = ...,
        layer: str | Sequence[str] = ...,
        since: str | None = ...,
        until: str | None = ...,
        hash: str | Sequence[str] = ...,
        limit: int | None = ...,
        max_tokens: int | None = ...,
        max_characters: int | None = ...,
        max_per_source: int | None = ...,
        threshold: float | None = ...,
        recipe: str | None = ...,
        run: str | None = ...,
        publication: str | None = ...,
        leg_weights: Mapping[str, Share] = ...,
        answerer: str | None = ...,
        max_words: int | None = ...,
        debug: bool = ...,
        filters: Filters | None = ...,
        llm: str | LLMClient | None = ...,
        call: Call | None = ...,
        **options: Any,
    ) -> Answer:
        """Return a plain answer. `llm`: the name of a configured language model, or a client."""

    def answer_as(
        self,
        persona: str | None,
        query: str | Path,
        *,
        tag: str | Sequence[str] = ...,
        type: str | Sequence[str] = ...,
        doctype: str | Sequence[str] = ...,
        language: str | Sequence[str] = ...,
        path: str | Sequence[str] = ...,
        where: Mapping[str, str] = ...,
        toolkit: str | Sequence[str] = ...,
        category: str | Sequence[str] = ...,
        source: str | Sequence[str] = ...,
        layer: str | Sequence[str] = ...,
        since: str | None = ...,
        until: str | None = ...,
        hash: str | Sequence[str] = ...,
        limit: int | None = ...,
        max_tokens: int | None = ...,
        max_characters: int | None = ...,
        max_per_source: int | None = ...,
        threshold: float | None = ...,
        recipe: str | None = ...,
        run: str | None = ...,
        publication: str | None = ...,
        leg_weights: Mapping[str, Share] = ...,
        answerer: str | None = ...,
        max_words: int | None = ...,
        debug: bool = ...,
        filters: Filters | None = ...,
        llm: str | LLMClient | None = ...,
        ontology_context: Any = ...,
        graph: GraphHook | None = ...,
        call: Call | None = ...,
        **options: Any,
    ) -> PersonaAnswer:
        """"""

    def list(
        self, *, sort: str = ..., filters: Filters | None = ..., call: Call | None = ..., **fields: Unpack[_Filters]
    ) -> tuple[Item, ...]:
        """List items that match the filters, in pages."""

    def show(
        self, item: str | Path, *, layer: str | Sequence[str] = ..., links: bool = ..., call: Call | None = ...
    ) -> Shown:
        """Show one item's metadata and facts about its text."""

    def get(
        self,
        item: str | Path,
        *,
        layer: str | Sequence[str] = ...,
        lines: tuple[int, int] | None = ...,
        span: tuple[int, int] | None = ...,
        page: int | None = ...,
        locator: str | None = ...,
        spots: bool = ...,
        call: Call | None = ...,
    ) -> Excerpt:
        """Return the exact text of an item, with its sha256."""

    def page_image(
        self,
        item: str | Path,
        *,
        layer: str | Sequence[str] = ...,
        page: int | None = ...,
        mark: str | Sequence[str] = ...,
        pixels: int = ...,
        crop: bool = ...,
        call: Call | None = ...,
    ) -> PageImage:
        """Return a page of a PDF as a picture, with spans marked."""

    def file_part(
        self,
        item: str | Path,
        *,
        layer: str | Sequence[str] = ...,
        start: int = ...,
        length: int = ...,
        call: Call | None = ...,
    ) -> FilePart:
        """Return a range of bytes of an item's file."""

    def tree(
        self, prefix: str = ..., *, layer: str | Sequence[str] = ..., depth: int | None = ..., call: Call | None = ...
    ) -> tuple[Node, ...]:
        """List the folders and items below a folder."""

    def facets(
        self, *, most: int = ..., filters: Filters | None = ..., call: Call | None = ..., **fields: Unpack[_Filters]
    ) -> tuple[Facet, ...]:
        """List the values of each filter, with the number of items."""

    def stats(self, *, call: Call | None = ...) -> dict[str, Any]:
        """Count what the corpus holds, and list its runs."""

    def version(self, *, call: Call | None = ...) -> dict[str, Any]:
        """Show the versions of the corpus, the run and the software."""

    def verify_citations(self, *files: str | Path, strict: bool = ..., call: Call | None = ...) -> Quotations:
        """Check whether passages quoted in Markdown documents still stand in the items that they cite."""

    def events(self, after: str | None = ..., *, limit: int = ..., call: Call | None = ...) -> EventPage:
        """List events, in pages."""

    def weights(self, *, call: Call | None = ...) -> tuple[ListedWeight, ...]:
        """List the weights."""

    def set_weight(
        self,
        target: str | Path,
        multiplier: float | None,
        *,
        namespace: str = ...,
        ttl_days: float | None = ...,
        call: Call | None = ...,
    ) -> WeightOutcome:
        """Set or remove a weight."""

    def reindex(
        self,
        *recipes: str | Path,
        fresh: bool = ...,
        retry_failed: bool = ...,
        strict: bool = ...,
        ignore_local_excludes: bool = ...,
        call: Call | None = ...,
    ) -> ReindexReport:
        """Refresh the catalog and build runs."""

    def ingest(
        self,
        *sources: str | Path,
        into: str | None = ...,
        title: str | None = ...,
        tags: str | Sequence[str] = ...,
        metadata: Mapping[str, str] = ...,
        on_duplicate: Literal["skip", "error", "keep"] = ...,
        same: Literal["bytes", "text"] = ...,
        allow_local: bool = ...,
        allow_private: bool = ...,
        strict: bool = ...,
        ignore_local_excludes: bool = ...,
        text: str | bytes | None = ...,
        call: Call | None = ...,
    ) -> Report:
        """Refresh the catalog from the folder, and bring in files and addresses from outside it."""

    def remove(self, *items: str | Path, delete_file: bool = ..., call: Call | None = ...) -> Report:
        """Forget imports, and delete the copies that Biblicus made."""

    def tag(self, item: str | Path, *changes: str | Path, call: Call | None = ...) -> Item:
        """Add and remove tags. They are written to the sidecar, never to the file."""

    def bibliography(
        self,
        file: str | Path,
        *,
        overwrite: bool = ...,
        dry_run: bool = ...,
        strict: bool = ...,
        call: Call | None = ...,
    ) -> BibliographyReport:
        """Give PDFs their title, authors and more from a BibTeX or CSL-JSON file."""

    def sources(self, *, call: Call | None = ...) -> tuple[SourceState, ...]:
        """List the sources with their address, whether you trust them, and the state of the last sync."""

    def add_source(
        self,
        address: str | Path,
        *,
        name: str | None = ...,
        kind: str | None = ...,
        ref: str | None = ...,
        toolkit: str | None = ...,
        category: str | None = ...,
        tags: str | Sequence[str] = ...,
        include: str | Sequence[str] = ...,
        exclude: str | Sequence[str] = ...,
        doctypes: Sequence[Mapping[str, str]] = ...,
        web: str | None = ...,
        links: str | None = ...,
        prefix: str | None = ...,
        depth: int | None = ...,
        max_pages: int | None = ...,
        max_entries: int | None = ...,
        account: str | None = ...,
        options: Mapping[str, str] = ...,
        every: str | None = ...,
        allow_local: bool = ...,
        allow_private: bool = ...,
        call: Call | None = ...,
    ) -> SourceState:
        """Add a source to the list. Nothing is fetched before a sync."""

    def import_sources(
        self, file: str | Path, *, allow_local: bool = ..., call: Call | None = ...
    ) -> tuple[SourceState, ...]:
        """Add the repositories of a YAML file as sources."""

    def export_sources(self, *, call: Call | None = ...) -> tuple[Mapping[str, Any], ...]:
        """List the repositories among the sources, with their branches."""

    def remove_source(self, name: str | Path, *, keep_documents: bool = ..., call: Call | None = ...) -> SourceRemoval:
        """Remove a source from the list, and delete the copies of its documents."""

    def sync(
        self,
        *names: str | Path,
        dry_run: bool = ...,
        delete: bool = ...,
        retry_failed: bool = ...,
        allow_local: bool = ...,
        allow_private: bool = ...,
        strict: bool = ...,
        call: Call | None = ...,
    ) -> SyncReport:
        """Update the corpus from its sources."""

    def promote(
        self,
        item: str | Path,
        *,
        to: str,
        reason: str = ...,
        reviewer: str | None = ...,
        index: bool = ...,
        call: Call | None = ...,
    ) -> Promotion:
        """Approve an item's bytes for a layer, and move its file there."""

    def retract(
        self,
        item: str | Path,
        *,
        reason: str = ...,
        reviewer: str | None = ...,
        index: bool = ...,
        call: Call | None = ...,
    ) -> Promotion:
        """Withdraw an approval, and move the file back."""

    def editorial_status(self, *, call: Call | None = ...) -> EditorialStatus:
        """List what is approved on each layer, and what is pending, expired or orphaned."""

    def editorial_log(
        self, item: str | None = ..., *, limit: int = ..., call: Call | None = ...
    ) -> tuple[EditorialEvent, ...]:
        """List what was reviewed, promoted and retracted, newest first."""

    def editorial_diff(self, item: str | Path, *, call: Call | None = ...) -> EditorialDiff:
        """Show how an item's file differs from its approved version."""

    def publish(
        self,
        name: str | Path,
        *,
        layer: str | None = ...,
        recipe: str | None = ...,
        reason: str = ...,
        reviewer: str | None = ...,
        call: Call | None = ...,
    ) -> dict[str, Any]:
        """Seal a run over what is approved, under a name."""

    def publications(self, *, call: Call | None = ...) -> tuple[Publication, ...]:
        """List the publications: what was sealed, when and by whom."""

    def context_of(
        self, path: str | Path, *, layer: str | Sequence[str] = ..., call: Call | None = ...
    ) -> tuple[FolderContext, ...]:
        """Show the instructions that the folders above a path contain."""

    def notes(
        self, query: str = ..., *, item: str | None = ..., layer: str | Sequence[str] = ..., call: Call | None = ...
    ) -> tuple[PlacedNote, ...]:
        """List notes, with the present position of their words."""

    def export_notes(
        self,
        query: str = ...,
        *,
        item: str | None = ...,
        layer: str | Sequence[str] = ...,
        form: str = ...,
        call: Call | None = ...,
    ) -> str:
        """Export notes as Markdown: quotations with footnotes, or links for Obsidian."""

    def add_note(
        self,
        item: str | Path,
        text: str | Path,
        *,
        quote: str | None = ...,
        span: tuple[int, int] | None = ...,
        by: str | None = ...,
        call: Call | None = ...,
    ) -> PlacedNote:
        """Write a note on exact words of an item."""

    def remove_note(self, note: str | Path, *, call: Call | None = ...) -> PlacedNote:
        """Delete a note."""

    def alerts(self, *, layer: str | Sequence[str] = ..., call: Call | None = ...) -> tuple[Alert, ...]:
        """List saved questions, with the passages that they reported."""

    def alert_feed(self, name: str | Path, *, layer: str | Sequence[str] = ..., call: Call | None = ...) -> str:
        """Return the passages of a saved question as an Atom feed."""

    def add_alert(
        self,
        name: str | Path,
        query: str | Path,
        *,
        filters: Filters | None = ...,
        call: Call | None = ...,
        **fields: Unpack[_Filters],
    ) -> Alert:
        """Save a question. New passages that answer it are reported once, after each run."""

    def remove_alert(self, name: str | Path, *, layer: str | Sequence[str] = ..., call: Call | None = ...) -> Alert:
        """Delete a saved question."""

    def clear_weights(
        self, target: str | None = ..., *, namespace: str | None = ..., expired: bool = ..., call: Call | None = ...
    ) -> tuple[Weight, ...]:
        """Clear weights."""

    def diff_runs(self, first: str | Path, second: str | Path, *, call: Call | None = ...) -> dict[str, Any]:
        """List the settings, components and items that differ between two runs."""

    def verify_run(self, run: str | Path, *, call: Call | None = ...) -> dict[str, Any]:
        """Rebuild the current state in memory, and compare its digests with the run's."""

    def keep_runs(self, *names: str | Path, release: bool = ..., call: Call | None = ...) -> dict[str, Any]:
        """Keep runs permanently: they are not pruned."""

    def prune_runs(
        self, *names: str | Path, keep: int | None = ..., latest: bool = ..., call: Call | None = ...
    ) -> dict[str, Any]:
        """Delete runs: their manifests and materializations."""

    def recipe(self, name: str | Path, *, call: Call | None = ...) -> Recipe:
        """Show a recipe with all its options."""

    def new_recipe(
        self,
        name: str | Path,
        *,
        base: str = ...,
        ocr: str | None = ...,
        languages: str | Sequence[str] = ...,
        call: Call | None = ...,
    ) -> Path:
        """Write a new recipe, for you to edit."""

    def check(
        self,
        *,
        failed: bool = ...,
        sandbox: bool = ...,
        read_data: bool = ...,
        repair: bool = ...,
        sources: bool = ...,
        call: Call | None = ...,
    ) -> CheckReport:
        """Look for incomplete, altered or missing files."""

    def doctor(self, *, remote: bool = ..., allow_private: bool = ..., call: Call | None = ...) -> DoctorReport:
        """Look for near copies, dead links, secrets, and stale, unread or untitled items."""

    def trust(self, *, call: Call | None = ...) -> dict[str, Any]:
        """Trust listed sources, and indexes that were built elsewhere."""

    def personas(self, *, call: Call | None = ...) -> tuple[PersonaEntry, ...]:
        """List the personas of the corpus."""

    def persona(self, name: str | Path, *, call: Call | None = ...) -> Persona:
        """Show a persona with all its defaults."""

    def new_persona(self, name: str | Path, *, title: str | None = ..., call: Call | None = ...) -> Path:
        """Write a commented persona, for you to edit."""

    def check_personas(self, name: str | None = ..., *, call: Call | None = ...) -> tuple[PersonaCheck, ...]:
        """Check whether personas can answer."""

    def datasets(self, *, call: Call | None = ...) -> tuple[DatasetEntry, ...]:
        """List the registered datasets."""

    def dataset(self, name: str | Path, *, split: str | None = ..., call: Call | None = ...) -> DatasetEntry:
        """Show a dataset's size, and how many of its judged documents are in the corpus."""

    def import_dataset(self, path: str | Path, *, name: str | None = ..., call: Call | None = ...) -> Imported:
        """Register a dataset, and import its documents as items if it has any."""

    def synthesize(
        self, *kinds: str | Path, name: str | None = ..., count: int = ..., seed: int = ..., call: Call | None = ...
    ) -> Synthesized:
        """Generate questions from the corpus itself, without a model."""

    def evaluate(
        self,
        dataset: str | Path,
        *,
        recipes: str | Sequence[str] = ...,
        runs: str | Sequence[str] = ...,
        metrics: str | Sequence[str] = ...,
        cutoffs: int | Sequence[int] = ...,
        split: str | None = ...,
        baseline: str | None = ...,
        fail_if: str | Sequence[str] = ...,
        wait: bool = ...,
        reports: str | Path | Sequence[str | Path] = ...,
        answerer: str | None = ...,
        llm: str | None = ...,
        calibrate: bool = ...,
        unanswerable: str | None = ...,
        procedures: str | Sequence[str] = ...,
        commands: str | Sequence[str] = ...,
        seconds: float | None = ...,
        call: Call | None = ...,
    ) -> Evaluation:
        """Measure recipes and runs on a dataset, and compare them."""

    def evaluations(self, *, call: Call | None = ...) -> tuple[StoredEntry, ...]:
        """List the stored evaluations."""

    def evaluation(self, name: str | Path, *, call: Call | None = ...) -> StoredEvaluation:
        """Show a stored evaluation, with the texts of what changed."""

    def check_golden(
        self,
        file: str | None = ...,
        *,
        recipe: str | None = ...,
        reports: str | Path | Sequence[str | Path] = ...,
        call: Call | None = ...,
    ) -> GoldenReport:
        """Ask the golden questions, and report which pass."""

    def tune(
        self,
        dataset: str | Path,
        *over: str | Path,
        recipe: str | None = ...,
        metric: str = ...,
        seed: int = ...,
        holdout: float = ...,
        split: str | None = ...,
        save: str | None = ...,
        even_if_chance: bool = ...,
        call: Call | None = ...,
    ) -> Tuning:
        """Search for better settings of a recipe, and check them on held-out questions."""
