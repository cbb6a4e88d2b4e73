"""All operations on a corpus: each verb with its request, reply, scope and function.

Every interface is derived from this table: command-line options, HTTP routes and OpenAPI, MCP schemas, messages of
daemons and services, Python methods, reference pages. Classes and functions are `module:name`, imported when used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from biblicus import corpus
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models.fields import NoRequest, Request
from biblicus.models.frozen import dataclass

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from biblicus.answers.personas import NewPersona, PersonaChecks, Personas
    from biblicus.bring.bibliography import BibliographyReport
    from biblicus.bring.receive import Received
    from biblicus.bring.sources import RepositoryList, SourceRemoval, Sources, SourceState
    from biblicus.bring.sync import SyncReport
    from biblicus.corpus.described.contexts import ContextOf
    from biblicus.corpus.events.alerts import Alert, AlertList, Feed
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.corpus.recipes import NewRecipe, Recipes
    from biblicus.corpus.report import Report
    from biblicus.corpus.weights import ClearedWeights, WeightList, WeightOutcome
    from biblicus.editorial.notes import ExportedNotes, NoteList, PlacedNote
    from biblicus.editorial.promote import Promotion
    from biblicus.editorial.publish import PublicationList, PublishReport
    from biblicus.editorial.status import EditorialDiff, EditorialLines, EditorialStatus
    from biblicus.measure.datasets import DatasetEntry, Datasets
    from biblicus.measure.documents import Imported
    from biblicus.measure.evaluate import Evaluated
    from biblicus.measure.golden import GoldenReport
    from biblicus.measure.stored import StoredEvaluation, StoredEvaluations
    from biblicus.measure.synthesize import Synthesized
    from biblicus.measure.tune import Tuning
    from biblicus.models.answers.answer import Answer
    from biblicus.models.answers.pack import Pack
    from biblicus.models.answers.persona import Persona, PersonaAnswer
    from biblicus.models.event import EventPage
    from biblicus.models.evidence import Result
    from biblicus.models.item import Item
    from biblicus.models.manifest import Manifest
    from biblicus.models.page_image import PageImage
    from biblicus.models.reading import Excerpt, Excerpts, Facets, FilePart, ItemPage, Quotations, Shown, Tree, Verdicts
    from biblicus.models.recipe import Recipe
    from biblicus.models.requests import alerts, answer, bring, editorial, items, measure, notes, query, runs
    from biblicus.runs.history import Runs
    from biblicus.runs.reports import ReindexReport
    from biblicus.runs.stats import Stats, Version
    from biblicus.upkeep.check import CheckReport
    from biblicus.upkeep.doctor import DoctorReport

Scope = Literal["local", "read", "ingest"]
"""Users of a verb: only this machine's user, readers, or clients that may ingest."""
Kind = Literal["one", "pages", "stream"]
"""One reply, pages (`cursor`, `next_cursor`), or a stream of replies."""

Q = TypeVar("Q", bound=Request)
R = TypeVar("R")


@dataclass(frozen=True)
class Verb(Generic[Q, R]):
    """An operation. `request_at`, `reply_at`, `run_at`: locations of its classes and its function."""

    name: str
    request_at: str
    reply_at: str
    run_at: str
    summary: str
    scope: Scope = "read"
    kind: Kind = "one"

    @cached_property
    def request(self) -> type[Q]:
        return cast(
            "type[Q]", _at(f"models.requests.{self.request_at}" if self.request_at else "models.fields:NoRequest")
        )

    @cached_property
    def reply(self) -> type[R]:
        return cast("type[R]", _at(self.reply_at))

    @cached_property
    def run(self) -> Callable[[CorpusFolder, Q, Call], R]:
        return cast("Callable[[CorpusFolder, Q, Call], R]", _at(self.run_at))

    def read(self, document: Mapping[str, Any], problem: str = "", hint: str = "") -> Q:
        """Parse a request from JSON. Raises `UsageError` that names the field."""
        request: Q = fitting(self.request, document, problem or f"The request does not fit {self.name}", hint)
        refuse_files(request)
        return request


def _at(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(import_module(f"biblicus.{module}"), name)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return the pydantic adapter that validates and describes a class."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def fitting(kind: Any, document: Mapping[str, Any], problem: str, hint: str = "") -> Any:
    """Return an instance of a class from JSON. Raises `UsageError` with the problem and the field."""
    from pydantic import ValidationError  # lazy: a local request needs no validator

    from biblicus.config import explain

    try:
        return adapter(kind).validate_python(document)
    except ValidationError as error:
        raise UsageError(f"{problem}: {explain(error, kind)}.", hint) from error


def refuse_files(request: Any) -> None:
    """Refuse a recipe given as a file, since remote requests must not read files."""

    for recipe in (getattr(request, "recipe", None), getattr(request, "recipes", None)):
        if any(corpus.recipes.is_file_name(name) for name in ((recipe,) if isinstance(recipe, str) else recipe or ())):
            raise UsageError("Over a wire a recipe is named, not given as a file.", "biblicus recipes list")


# fmt: off
QUERY: Verb[query.QueryRequest, Result] = Verb("query", "query:QueryRequest", "models.evidence:Result",
    "search.query:query", "Search the corpus; returns evidence.")
CONTEXT: Verb[answer.ContextRequest, Pack] = Verb("context", "answer:ContextRequest", "models.answers.pack:Pack",
    "answers.context:context", "Search the corpus; returns a context pack for a prompt.")
ANSWER: Verb[answer.AnswerRequest, Answer | PersonaAnswer] = Verb("answer", "answer:AnswerRequest",
    "models.answers.persona:AnyAnswer", "answers.answer_as:answer",
    "Answer a question in cited, exact words, or not at all.")
LIST: Verb[items.ListRequest, ItemPage] = Verb("list", "items:ListRequest", "models.reading:ItemPage",
    "corpus.items:list_items", "List items that match the filters, in pages.", kind="pages")
SHOW: Verb[items.ShowRequest, Shown] = Verb("show", "items:ShowRequest", "models.reading:Shown", "corpus.items:show",
    "Show one item's metadata and facts about its text.")
GET: Verb[items.GetRequest, Excerpt] = Verb("get", "items:GetRequest", "models.reading:Excerpt", "runs.stats:get",
    "Return the exact text of an item, with its sha256.")
GET_BATCH: Verb[items.GetBatchRequest, Excerpts] = Verb("get_batch", "items:GetBatchRequest", "models.reading:Excerpts",
    "runs.stats:get_batch", "Return several exact texts at once.")
PAGE_IMAGE: Verb[items.PageImageRequest, PageImage] = Verb("page_image", "items:PageImageRequest",
    "models.page_image:PageImage", "corpus.extracted.page_images:page_image",
    "Return a page of a PDF as a picture, with spans marked.")
FILE_PART: Verb[items.FilePartRequest, FilePart] = Verb("file_part", "items:FilePartRequest", "models.reading:FilePart",
    "corpus.items:file_part", "Return a range of bytes of an item's file.")
TREE: Verb[items.TreeRequest, Tree] = Verb("tree", "items:TreeRequest", "models.reading:Tree", "corpus.items:tree",
    "List the folders and items below a folder.", kind="pages")
FACETS: Verb[items.FacetsRequest, Facets] = Verb("facets", "items:FacetsRequest", "models.reading:Facets",
    "corpus.facets:facets", "List the values of each filter, with the number of items.")
STATS: Verb[NoRequest, Stats] = Verb("stats", "", "runs.stats:Stats", "runs.stats:stats",
    "Count what the corpus holds, and list its runs.")
VERSION: Verb[NoRequest, Version] = Verb("version", "", "runs.stats:Version", "runs.stats:version",
    "Show the versions of the corpus, the run and the software.")
VERIFY: Verb[runs.VerifyRequest, Verdicts] = Verb("verify", "runs:VerifyRequest", "models.reading:Verdicts",
    "search.verify:verify", "Prove evidence against the corpus as it is now.")
VERIFY_CITATIONS: Verb[runs.VerifyCitationsRequest, Quotations] = Verb("verify_citations",
    "runs:VerifyCitationsRequest", "models.reading:Quotations", "search.citations:verify_citations",
    "Check whether passages quoted in Markdown documents still stand in the items that they cite.", scope="local")
RUNS: Verb[runs.RunsRequest, Runs] = Verb("runs", "runs:RunsRequest", "runs.history:Runs", "runs.history:runs",
    "List the runs, oldest first.")
RUN: Verb[runs.RunRequest, Manifest] = Verb("run", "runs:RunRequest", "models.manifest:Manifest", "runs.history:run",
    "Show the manifest of a run.")
RECIPES: Verb[NoRequest, Recipes] = Verb("recipes", "", "corpus.recipes:Recipes", "corpus.recipes:recipes",
    "List the available recipes.")
EVENTS: Verb[runs.EventsRequest, EventPage] = Verb("events", "runs:EventsRequest", "models.event:EventPage",
    "corpus.events.reading:events", "List events, in pages.", kind="stream")
RECEIVE: Verb[bring.ReceiveRequest, Received] = Verb("receive", "bring:ReceiveRequest", "bring.receive:Received",
    "bring.receive:receive", "Bring in one document and index it.", scope="ingest")
WEIGHTS: Verb[NoRequest, WeightList] = Verb("weights", "", "corpus.weights:WeightList", "corpus.weights:weights",
    "List the weights.")
WEIGHT: Verb[bring.WeightRequest, WeightOutcome] = Verb("weight", "bring:WeightRequest", "corpus.weights:WeightOutcome",
    "corpus.weights:weight", "Set or remove a weight.", scope="ingest")
REINDEX: Verb[runs.ReindexRequest, ReindexReport] = Verb("reindex", "runs:ReindexRequest", "runs.reports:ReindexReport",
    "runs.reindex:reindex", "Refresh the catalog and build runs.", scope="ingest")
INGEST: Verb[bring.IngestRequest, Report] = Verb("ingest", "bring:IngestRequest", "corpus.report:Report",
    "bring.ingest:ingest", "Refresh the catalog from the folder, and bring in files and addresses from outside it.",
    scope="local")
REMOVE: Verb[bring.RemoveRequest, Report] = Verb("remove", "bring:RemoveRequest", "corpus.report:Report",
    "bring.remove:remove", "Forget imports, and delete the copies that Biblicus made.", scope="local")
TAG: Verb[bring.TagRequest, Item] = Verb("tag", "bring:TagRequest", "models.item:Item", "corpus.described.sidecars:tag",
    "Add and remove tags. They are written to the sidecar, never to the file.", scope="local")
BIBLIOGRAPHY: Verb[bring.BibliographyRequest, BibliographyReport] = Verb("bibliography", "bring:BibliographyRequest",
    "bring.bibliography:BibliographyReport", "bring.bibliography:bibliography",
    "Give PDFs their title, authors and more from a BibTeX or CSL-JSON file.", scope="local")
SOURCES: Verb[NoRequest, Sources] = Verb("sources", "", "bring.sources:Sources", "bring.sources:sources",
    "List the sources with their address, whether you trust them, and the state of the last sync.", scope="local")
ADD_SOURCE: Verb[bring.AddSourceRequest, SourceState] = Verb("add_source", "bring:AddSourceRequest",
    "bring.sources:SourceState", "bring.sources:add", "Add a source to the list. Nothing is fetched before a sync.",
    scope="local")
IMPORT_SOURCES: Verb[bring.ImportSourcesRequest, Sources] = Verb("import_sources", "bring:ImportSourcesRequest",
    "bring.sources:Sources", "bring.sources:import_list", "Add the repositories of a YAML file as sources.",
    scope="local")
EXPORT_SOURCES: Verb[NoRequest, RepositoryList] = Verb("export_sources", "", "bring.sources:RepositoryList",
    "bring.sources:export_list", "List the repositories among the sources, with their branches.", scope="local")
REMOVE_SOURCE: Verb[bring.RemoveSourceRequest, SourceRemoval] = Verb("remove_source", "bring:RemoveSourceRequest",
    "bring.sources:SourceRemoval", "bring.sources:remove",
    "Remove a source from the list, and delete the copies of its documents.", scope="local")
SYNC: Verb[bring.SyncRequest, SyncReport] = Verb("sync", "bring:SyncRequest", "bring.sync:SyncReport",
    "bring.sync:sync", "Update the corpus from its sources.", scope="local")
PROMOTE: Verb[editorial.PromoteRequest, Promotion] = Verb("promote", "editorial:PromoteRequest",
    "editorial.promote:Promotion", "editorial.promote:promote",
    "Approve an item's bytes for a layer, and move its file there.", scope="local")
RETRACT: Verb[editorial.RetractRequest, Promotion] = Verb("retract", "editorial:RetractRequest",
    "editorial.promote:Promotion", "editorial.promote:retract", "Withdraw an approval, and move the file back.",
    scope="local")
EDITORIAL_STATUS: Verb[NoRequest, EditorialStatus] = Verb("editorial_status", "", "editorial.status:EditorialStatus",
    "editorial.status:status", "List what is approved on each layer, and what is pending, expired or orphaned.")
EDITORIAL_LOG: Verb[editorial.EditorialLogRequest, EditorialLines] = Verb("editorial_log",
    "editorial:EditorialLogRequest", "editorial.status:EditorialLines", "editorial.status:log",
    "List what was reviewed, promoted and retracted, newest first.")
EDITORIAL_DIFF: Verb[editorial.EditorialDiffRequest, EditorialDiff] = Verb("editorial_diff",
    "editorial:EditorialDiffRequest", "editorial.status:EditorialDiff", "editorial.status:diff",
    "Show how an item's file differs from its approved version.")
PUBLISH: Verb[editorial.PublishRequest, PublishReport] = Verb("publish", "editorial:PublishRequest",
    "editorial.publish:PublishReport", "editorial.publish:publish", "Seal a run over what is approved, under a name.",
    scope="local")
PUBLICATIONS: Verb[NoRequest, PublicationList] = Verb("publications", "", "editorial.publish:PublicationList",
    "editorial.publish:list_publications", "List the publications: what was sealed, when and by whom.")
CONTEXT_OF: Verb[editorial.ContextOfRequest, ContextOf] = Verb("context_of", "editorial:ContextOfRequest",
    "corpus.described.contexts:ContextOf", "corpus.described.contexts:context_of",
    "Show the instructions that the folders above a path contain.")
NOTES: Verb[notes.NotesRequest, NoteList] = Verb("notes", "notes:NotesRequest", "editorial.notes:NoteList",
    "editorial.notes:list_notes", "List notes, with the present position of their words.")
EXPORT_NOTES: Verb[notes.ExportNotesRequest, ExportedNotes] = Verb("export_notes", "notes:ExportNotesRequest",
    "editorial.notes:ExportedNotes", "editorial.notes:export",
    "Export notes as Markdown: quotations with footnotes, or links for Obsidian.")
ADD_NOTE: Verb[notes.AddNoteRequest, PlacedNote] = Verb("add_note", "notes:AddNoteRequest",
    "editorial.notes:PlacedNote", "editorial.notes:add", "Write a note on exact words of an item.", scope="ingest")
REMOVE_NOTE: Verb[notes.RemoveNoteRequest, PlacedNote] = Verb("remove_note", "notes:RemoveNoteRequest",
    "editorial.notes:PlacedNote", "editorial.notes:remove", "Delete a note.", scope="ingest")
ALERTS: Verb[alerts.AlertsRequest, AlertList] = Verb("alerts", "alerts:AlertsRequest", "corpus.events.alerts:AlertList",
    "corpus.events.alerts:list_alerts", "List saved questions, with the passages that they reported.")
ALERT_FEED: Verb[alerts.AlertRequest, Feed] = Verb("alert_feed", "alerts:AlertRequest", "corpus.events.alerts:Feed",
    "corpus.events.alerts:feed", "Return the passages of a saved question as an Atom feed.")
ADD_ALERT: Verb[alerts.AddAlertRequest, Alert] = Verb("add_alert", "alerts:AddAlertRequest",
    "corpus.events.alerts:Alert", "corpus.events.alerts:add",
    "Save a question. New passages that answer it are reported once, after each run.", scope="ingest")
REMOVE_ALERT: Verb[alerts.AlertRequest, Alert] = Verb("remove_alert", "alerts:AlertRequest",
    "corpus.events.alerts:Alert", "corpus.events.alerts:remove", "Delete a saved question.", scope="ingest")
CLEAR_WEIGHTS: Verb[bring.ClearWeightsRequest, ClearedWeights] = Verb("clear_weights", "bring:ClearWeightsRequest",
    "corpus.weights:ClearedWeights", "corpus.weights:clear", "Clear weights.", scope="local")
DIFF_RUNS: Verb[runs.DiffRunsRequest, dict[str, Any]] = Verb("diff_runs", "runs:DiffRunsRequest",
    "models.fields:JsonObject", "runs.history:diff",
    "List the settings, components and items that differ between two runs.", scope="local")
VERIFY_RUN: Verb[runs.RunRequest, dict[str, Any]] = Verb("verify_run", "runs:RunRequest", "models.fields:JsonObject",
    "runs.history:verify", "Rebuild the current state in memory, and compare its digests with the run's.",
    scope="local")
KEEP_RUNS: Verb[runs.KeepRunsRequest, dict[str, Any]] = Verb("keep_runs", "runs:KeepRunsRequest",
    "models.fields:JsonObject", "runs.history:keep", "Keep runs permanently: they are not pruned.", scope="local")
PRUNE_RUNS: Verb[runs.PruneRunsRequest, dict[str, Any]] = Verb("prune_runs", "runs:PruneRunsRequest",
    "models.fields:JsonObject", "runs.history:prune", "Delete runs: their manifests and materializations.",
    scope="local")
RECIPE: Verb[runs.RecipeRequest, Recipe] = Verb("recipe", "runs:RecipeRequest", "models.recipe:Recipe",
    "corpus.recipes:recipe", "Show a recipe with all its options.", scope="local")
NEW_RECIPE: Verb[runs.NewRecipeRequest, NewRecipe] = Verb("new_recipe", "runs:NewRecipeRequest",
    "corpus.recipes:NewRecipe", "corpus.recipes:new", "Write a new recipe, for you to edit.", scope="local")
CHECK: Verb[runs.CheckRequest, CheckReport] = Verb("check", "runs:CheckRequest", "upkeep.check:CheckReport",
    "upkeep.check:check", "Look for incomplete, altered or missing files.", scope="local")
DOCTOR: Verb[runs.DoctorRequest, DoctorReport] = Verb("doctor", "runs:DoctorRequest", "upkeep.doctor:DoctorReport",
    "upkeep.doctor:doctor", "Look for near copies, dead links, secrets, and stale, unread or untitled items.",
    scope="local")
TRUST: Verb[NoRequest, dict[str, list[str]]] = Verb("trust", "", "models.fields:JsonObject", "upkeep.trust:trust",
    "Trust listed sources, and indexes that were built elsewhere.", scope="local")
PERSONAS: Verb[NoRequest, Personas] = Verb("personas", "", "answers.personas:Personas",
    "answers.personas:list_personas", "List the personas of the corpus.", scope="local")
PERSONA: Verb[answer.PersonaRequest, Persona] = Verb("persona", "answer:PersonaRequest",
    "models.answers.persona:Persona", "answers.personas:show", "Show a persona with all its defaults.", scope="local")
NEW_PERSONA: Verb[answer.NewPersonaRequest, NewPersona] = Verb("new_persona", "answer:NewPersonaRequest",
    "answers.personas:NewPersona", "answers.personas:new", "Write a commented persona, for you to edit.", scope="local")
CHECK_PERSONAS: Verb[answer.CheckPersonasRequest, PersonaChecks] = Verb("check_personas", "answer:CheckPersonasRequest",
    "answers.personas:PersonaChecks", "answers.personas:check_all", "Check whether personas can answer.", scope="local")
DATASETS: Verb[NoRequest, Datasets] = Verb("datasets", "", "measure.datasets:Datasets",
    "measure.datasets:list_datasets", "List the registered datasets.", scope="local")
DATASET: Verb[measure.DatasetRequest, DatasetEntry] = Verb("dataset", "measure:DatasetRequest",
    "measure.datasets:DatasetEntry", "measure.datasets:show",
    "Show a dataset's size, and how many of its judged documents are in the corpus.", scope="local")
IMPORT_DATASET: Verb[measure.ImportDatasetRequest, Imported] = Verb("import_dataset", "measure:ImportDatasetRequest",
    "measure.documents:Imported", "measure.datasets:bring",
    "Register a dataset, and import its documents as items if it has any.", scope="local")
SYNTHESIZE: Verb[measure.SynthesizeRequest, Synthesized] = Verb("synthesize", "measure:SynthesizeRequest",
    "measure.synthesize:Synthesized", "measure.synthesize:make",
    "Generate questions from the corpus itself, without a model.", scope="local")
EVALUATE: Verb[measure.EvaluateRequest, Evaluated] = Verb("evaluate", "measure:EvaluateRequest",
    "measure.evaluate:Evaluated", "measure.evaluate:evaluate",
    "Measure recipes and runs on a dataset, and compare them.", scope="local")
EVALUATIONS: Verb[NoRequest, StoredEvaluations] = Verb("evaluations", "", "measure.stored:StoredEvaluations",
    "measure.stored:list_evaluations", "List the stored evaluations.", scope="local")
EVALUATION: Verb[measure.EvaluationRequest, StoredEvaluation] = Verb("evaluation", "measure:EvaluationRequest",
    "measure.stored:StoredEvaluation", "measure.stored:evaluation",
    "Show a stored evaluation, with the texts of what changed.", scope="local")
GOLDEN: Verb[measure.GoldenRequest, GoldenReport] = Verb("check_golden", "measure:GoldenRequest",
    "measure.golden:GoldenReport", "measure.golden:check_golden", "Ask the golden questions, and report which pass.",
    scope="local")
TUNE: Verb[measure.TuneRequest, Tuning] = Verb("tune", "measure:TuneRequest", "measure.tune:Tuning",
    "measure.tune:tune", "Search for better settings of a recipe, and check them on held-out questions.", scope="local")
# fmt: on

VERBS: Mapping[str, Verb[Any, Any]] = {verb.name: verb for verb in vars().values() if isinstance(verb, Verb)}
FOR_READERS = frozenset({
    "query", "context", "answer", "list", "show", "get", "get_batch", "page_image", "file_part", "tree", "facets",
    "stats", "version", "verify", "runs", "run", "recipes",
})  # fmt: skip
"""Verbs that answer a reader: they read only catalog, runs and the items' files, as `service.views` limits them."""
LIMITED = frozenset({"receive"})
"""Verbs that limit themselves to what `Call.reader` may see."""
