"""The desk: one corpus kept warm, one method a verb, taking a request as it crosses a wire and a `Call`.

HTTP, MCP and the daemon call this (several corpora: `service.corpora`) and nothing else, so that an answer is the
same JSON (`models.plain`) wherever it is asked for. `VERBS` is the table of what can be asked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from biblicus.config import explain
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import items, recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, CorpusNotFound, NoRun, UsageError
from biblicus.models import requests
from biblicus.models.answer import Answer
from biblicus.models.evidence import Result
from biblicus.models.pack import Pack
from biblicus.models.persona import PersonaAnswer
from biblicus.models.question import Filters, Query
from biblicus.models.reading import Excerpt
from biblicus.runs import manifests as runs
from biblicus.runs import version as versions
from biblicus.runs.stats import stats
from biblicus.service import telling
from biblicus.service.warm import Warm

if TYPE_CHECKING:
    from biblicus.bring.receive import Received

Scope = Literal["read", "ingest"]


@dataclass(frozen=True)
class Verb:
    """What can be asked of a desk: the request it takes, and the scope that a token needs. `method`: the desk's."""

    name: str
    request: type[requests.Request]
    scope: Scope
    summary: str

    @property
    def method(self) -> str:
        return self.name

    def read(self, found: Mapping[str, Any]) -> requests.Request:
        """The request from its JSON object. Raises `UsageError` that names the field."""
        try:
            return self.request.model_validate(found)
        except ValidationError as error:
            raise UsageError(f"The request does not fit {self.name}: {explain(error, self.request)}.") from error


VERBS: Mapping[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb("query", requests.QueryRequest, "read", "Ask a question; the answer is evidence."),
        Verb("context", requests.ContextRequest, "read", "Ask a question; the answer is a pack for a prompt."),
        Verb("answer", requests.AnswerRequest, "read", "Ask a question; the answer cites exact words, or is empty."),
        Verb("retrieve", requests.RetrieveRequest, "read", "Exact text of an item, with its sha256."),
        Verb("retrieve_batch", requests.RetrieveBatch, "read", "Several exact texts at once."),
        Verb("items", requests.ListRequest, "read", "Items that fit, a page at a time."),
        Verb("item", requests.ItemRequest, "read", "One item: what is known of it and of its text."),
        Verb("tree", requests.TreeRequest, "read", "Folders and items below a folder."),
        Verb("stats", requests.NoRequest, "read", "What the corpus holds, counted, and its runs."),
        Verb("version", requests.NoRequest, "read", "Which corpus, which run, which software."),
        Verb("verify", requests.VerifyRequest, "read", "Prove evidence against the corpus as it is now."),
        Verb("runs", requests.NoRequest, "read", "The runs, oldest first."),
        Verb("run", requests.RunRequest, "read", "One run's manifest."),
        Verb("recipes", requests.NoRequest, "read", "The recipes that can be named."),
        Verb("events", requests.EventsRequest, "read", "What happened, a page at a time."),
        Verb("ingest", requests.IngestRequest, "ingest", "Bring in one document and index it."),
        Verb("weights", requests.NoRequest, "read", "What counts more, or less, than its score."),
        Verb("weight", requests.WeightRequest, "ingest", "Set or clear a weight."),
        Verb("reindex", requests.ReindexRequest, "ingest", "Refresh the catalog and build runs."),
    )
}


class Desk:
    """One corpus, kept warm. Safe for several threads; every method raises `BiblicusError`."""

    def __init__(self, place: CorpusFolder) -> None:
        self._root = place.root
        self._warm = Warm(place.root)
        self._version: tuple[object, dict[str, Any]] | None = None

    @property
    def root(self) -> Path:
        """The corpus's folder; never for the wire."""
        return self._root

    @property
    def place(self) -> CorpusFolder:
        """Made anew for every call, so that an edited `config.yml` counts. Raises `CorpusNotFound` where it is gone."""
        place = CorpusFolder(self._root)
        if not place.config_file.exists() and not place.catalog.exists():
            raise CorpusNotFound(self._root.name)
        return place

    def close(self) -> None:
        """Close the runs that are open."""
        self._warm.close()

    def ask(self, verb: str, request: requests.Request, call: Call, *, guest: bool = False) -> Any:
        """Answer by the verb's name. `guest`: the asker is perhaps not on this machine."""
        if isinstance(request, requests.AnswerRequest):
            return self.answer(request, call, guest=guest)
        return getattr(self, VERBS[verb].method)(request, call)

    def query(self, request: requests.QueryRequest, call: Call) -> Result:
        """Evidence for a question."""
        return self._search(_named_recipe(request).to_query(), call)

    def context(self, request: requests.ContextRequest, call: Call) -> Pack:
        """A pack for a prompt. Tokenizers are those of this service's configuration."""
        from biblicus.answers.context import context, tokenizer  # lazy: most desks are asked for evidence

        place, policy = self.place, request.policy()
        query = _named_recipe(request).to_query()
        return context(place, self._search, query, policy, call, tokenizer(place, policy.tokenizer))

    def answer(self, request: requests.AnswerRequest, call: Call, *, guest: bool = False) -> Answer | PersonaAnswer:
        """Statements with their citations. Models and the usual answerer are those of this machine's user; a guest's
        persona reads no manual from outside the corpus."""
        from biblicus.answers import language_models as llms  # lazy, as above
        from biblicus.answers.answer import AnswerRequest, answer
        from biblicus.answers.answer_as import answer_as

        place, query = self.place, _named_recipe(request).to_query()
        answerer = llms.answerer_for(request.answerer)
        options = {} if request.max_words is None else {"max_words": request.max_words}
        asked = AnswerRequest(query, answerer, options, request.debug)
        model = llms.for_answerer(place, answerer)
        if request.persona is None:
            return answer(self._search, asked, call, model)
        return answer_as(place, request.persona, asked, self._search, call, model, guest=guest)

    def _search(self, query: Query, call: Call) -> Result:
        with self._warm.lent() as searcher:
            return searcher.search(query, call)

    def retrieve(self, request: requests.RetrieveRequest, call: Call) -> Excerpt:
        """Exact text of an item as it is now."""
        return items.get(
            self.place,
            request.item,
            call,
            lines=request.lines,
            span=request.span,
            page=request.page,
            read=self._warm.catalog,
        )

    def retrieve_batch(self, request: requests.RetrieveBatch, call: Call) -> dict[str, Any]:
        """`results[]` in the order asked: an excerpt, or `{"error": …}` in its place."""
        found: list[Any] = []
        for one in request.requests:
            call.check()
            try:
                found.append(self.retrieve(one, call))
            except BiblicusError as error:
                found.append({"error": error.as_object()})
        return {"results": found}

    def items(self, request: requests.ListRequest, call: Call) -> dict[str, Any]:
        """`items[]` by path; `next_cursor` where there are more. A cursor holds while items come and go."""
        filters = request.filters()
        after = _after(request.cursor, filters)
        rest = items.list_items(self.place, filters, self._warm.catalog, after)
        page = list(islice(rest, request.limit + 1))
        if len(page) <= request.limit:
            return {"items": page}
        page.pop()
        return {"items": page, "next_cursor": _cursor(page[-1].path, filters)}

    def item(self, request: requests.ItemRequest, call: Call) -> dict[str, Any]:
        """The item's fields, and what its extraction came to."""
        found = asdict(items.show(self.place, request.item, call, self._warm.catalog))
        return {**found.pop("item"), **found}

    def tree(self, request: requests.TreeRequest, call: Call) -> dict[str, Any]:
        """`nodes[]` by path; `truncated`, and a `next_cursor`, where there are more than `max_entries`. A cursor holds
        while items come and go."""
        asked = Filters(paths=(request.prefix, str(request.depth)))
        after = _after(request.cursor, asked)
        nodes = items.tree(self.place, request.prefix, request.depth, self._warm.catalog)
        if after is not None:
            nodes = [node for node in nodes if node.path.split("/") > after.split("/")]
        if request.max_entries is None or len(nodes) <= request.max_entries:
            return {"nodes": nodes}
        page = nodes[: request.max_entries]
        return {"nodes": page, "truncated": True, "next_cursor": _cursor(page[-1].path, asked)}

    def stats(self, request: requests.NoRequest, call: Call) -> dict[str, Any]:
        """Counts."""
        return stats(self.place, self._warm.catalog)

    def verify(self, request: requests.VerifyRequest, call: Call) -> dict[str, Any]:
        """The object of `verify --json`."""
        from biblicus.search import verify  # lazy: most desks are asked for evidence

        return verify.summary(verify.judge(self.place, [piece.model_dump() for piece in request.evidence], call))

    def runs(self, request: requests.NoRequest, call: Call) -> dict[str, Any]:
        """The object of `runs list --json`."""
        return telling.runs_of(self.place)

    def run(self, request: requests.RunRequest, call: Call) -> dict[str, Any]:
        """The object of `runs show --json`."""
        return telling.run_of(self.place, request.run)

    def recipes(self, request: requests.NoRequest, call: Call) -> dict[str, Any]:
        """The object of `recipes list --json`."""
        return telling.recipes_of(self.place)

    def events(self, request: requests.EventsRequest, call: Call) -> dict[str, Any]:
        """The object of `events --json`."""
        return telling.events_of(self.place, request.after, request.limit)

    def version(self, request: requests.NoRequest, call: Call) -> dict[str, Any]:
        """What a bare query would be answered from: `index_version`, `run_id`, `built_at`, and whether the catalog is
        still what that run was built from; and the software.

        Raises `NoRun`. Remembered until a file that decides it changes: every answer of a service names it.
        """
        stamp = self._warm.stamp(), os.environ.get("BIBLICUS_DEFAULT_RECIPE")
        if self._version is None or self._version[0] != stamp:
            self._version = stamp, versions.version(self.place)
        return dict(self._version[1])

    def embedding_model(self) -> str | None:
        """The embedder behind a bare query, by name; None where it ranks by words alone. Raises `NoRun`."""
        header = catalogs.read_header(self.place)
        entry = header.latest.get(self.place.default_recipe) if header else None
        if entry is None:
            raise NoRun(self.place.default_recipe, True)
        legs = runs.read(self.place, entry.run_id).recipe["build"]["legs"].values()
        return next((str(leg["embedder"]) for leg in legs if leg.get("embedder")), None)

    def ingest(self, request: requests.IngestRequest, call: Call) -> Received:
        """Bring in one document and, unless told otherwise, index it."""
        from biblicus.bring.receive import receive  # lazy: most desks are read

        return receive(self.place, request, call)

    def weights(self, request: requests.NoRequest, call: Call) -> dict[str, Any]:
        """The object of `weight list --json`."""
        from biblicus.corpus.weights import list_weights  # lazy: most desks have none

        return {"weights": list_weights(self.place, call)}

    def weight(self, request: requests.WeightRequest, call: Call) -> Any:
        """Set a weight, or clear it where its multiplier is null."""
        from biblicus.corpus.weights import clear_weights, set_weight  # lazy, as above

        place, target, namespace = self.place, request.target, request.namespace
        if request.multiplier is None:
            (gone,) = clear_weights(place, target, call, namespace=namespace)
            return {"outcome": "cleared", **gone.model_dump(mode="json")}
        return set_weight(place, target, request.multiplier, call, namespace=namespace, ttl_days=request.ttl_days)

    def reindex(self, request: requests.ReindexRequest, call: Call) -> dict[str, Any]:
        """The report of `reindex --json`."""
        from biblicus.runs.reindex import reindex  # lazy: most desks are read

        for name in request.recipes:
            if recipes.is_file_name(name):
                raise UsageError("Over a wire a recipe is named, not given as a file.", "biblicus recipes list")
        report = reindex(self.place, list(request.recipes), call, fresh=request.fresh)
        return {"refresh": report.refresh, "runs": report.runs, "unavailable": report.unavailable, "ms": report.ms}


def _named_recipe(request: requests.QueryRequest) -> requests.QueryRequest:
    """The request. Raises `UsageError` where its recipe is a file."""
    if request.recipe and recipes.is_file_name(request.recipe):
        raise UsageError("Over a wire a recipe is named, not given as a file.", "biblicus query --at local")
    return request


def _marked(filters: Filters) -> str:
    """A short digest of the filters: a cursor belongs to them."""
    kept = asdict(replace(filters, where=dict(sorted(filters.where.items()))))
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:8]


def _cursor(path: str, filters: Filters) -> str:
    said = json.dumps([_marked(filters), path]).encode()
    return base64.urlsafe_b64encode(said).decode().rstrip("=")


def _after(cursor: str | None, filters: Filters) -> str | None:
    """The path after which a page starts. Raises `UsageError` for what is no cursor of ours, or of other filters."""
    if cursor is None:
        return None
    try:
        mark, path = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError) as error:
        raise UsageError("The cursor is none of this service's.", "the same without a cursor") from error
    if not isinstance(path, str) or mark != _marked(filters):
        raise UsageError("The cursor belongs to other filters.", "the same without a cursor")
    return path
