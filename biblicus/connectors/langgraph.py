"""A LangGraph graph for answering: parse → retrieve → rerank → answer → cite.

The compiled graph can be a node of another graph, can be streamed step by step, and uses that graph's checkpointer.
Needs the extra `[langgraph]`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

from biblicus.answers.answer import answer_from, answerer
from biblicus.answers.conversations import from_sources
from biblicus.connectors.python.corpus import Corpus
from biblicus.contracts import Call, LLMClient
from biblicus.corpus.folder import CorpusFolder, find
from biblicus.errors import ExtraMissing
from biblicus.models.answers.answer import Answer
from biblicus.models.evidence import Result
from biblicus.models.fields import compact
from biblicus.models.reading import Verdict
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.query import Filters, QueryRequest, filters_of
from biblicus.models.requests.runs import Piece, VerifyRequest
from biblicus.search import language_models as llms
from biblicus.search.query import query
from biblicus.search.rerankers import Scores, rerank
from biblicus.search.verify import verify
from biblicus.service.askers.here import Here
from biblicus.service.places import folder_of


class State(TypedDict, total=False):
    """State of the graph. `question` (or `q`) is required; `filters`, `limit` (or `k`) and `recipe` are optional.
    `citations`: ids of the cited chunks."""

    question: str
    q: str
    filters: Filters
    limit: int
    k: int
    recipe: str
    query: QueryRequest
    result: Result
    answer: Answer
    citations: list[str]
    verdicts: list[Verdict]


def answering_graph(
    corpus: Corpus | str | Path = ".",
    *,
    answerer: str | None = None,
    llm: str | LLMClient | None = None,
    reranker: str | Scores | None = None,
    options: Mapping[str, Any] | None = None,
    call: Call | None = None,
) -> Any:
    """Return the compiled graph: `graph.invoke({"question": …})` returns the state with `answer`.

    `corpus`: a path, `corpus://NAME`, or an open `Corpus`, whose open runs are used while it is open. `answerer`,
    `llm`, `options`: as in `Corpus.answer`. `reranker`: name of a configured cross-encoder, or a function that scores
    texts; None keeps the order."""
    try:
        from langgraph.graph import END, START, StateGraph
    except ImportError as error:
        raise ExtraMissing("The LangGraph graph", "langgraph") from error
    asker = corpus.asker if isinstance(corpus, Corpus) else Here(find(folder_of(str(corpus))))
    nodes = _Nodes(asker, answerer, llm, reranker, options or {}, call or Call())
    graph = StateGraph(State)
    names = ("parse", "retrieve", "rerank", "answer", "cite")
    for name in names:
        graph.add_node(name, getattr(nodes, name))
    for before, after in pairwise((START, *names, END)):
        graph.add_edge(before, after)
    return graph.compile(name="biblicus")


class _Nodes:
    """The nodes: each reads the state, runs one operation, and returns changes."""

    def __init__(
        self,
        asker: Here,
        answerer: str | None,
        llm: str | LLMClient | None,
        reranker: str | Scores | None,
        options: Mapping[str, Any],
        call: Call,
    ) -> None:
        self._asker = asker
        self._answerer = llms.answerer_for(answerer, llm)
        self._llm, self._reranker, self._options, self._call = llm, reranker, options, call

    @property
    def _corpus(self) -> CorpusFolder:
        return self._asker.corpus

    def parse(self, state: State) -> State:
        """Convert the question to a query."""
        text = " ".join((state.get("question") or state["q"]).split())
        filters, limit = state.get("filters") or Filters(), state.get("limit") or state.get("k")
        return {"query": QueryRequest(text, **filters_of(filters), limit=limit, recipe=state.get("recipe"))}

    def retrieve(self, state: State) -> State:
        """Get the evidence, without saved conversations unless requested."""
        return {"result": from_sources(partial(query, self._corpus))(state["query"], self._call)}

    def rerank(self, state: State) -> State:
        """Rerank the evidence, if there is a reranker."""
        if self._reranker is None:
            return {}
        return {"result": rerank(self._corpus, state["result"], self._reranker, self._call)}

    def answer(self, state: State) -> State:
        """Answer from this evidence alone."""
        request = AnswerRequest(**compact(state["query"]), answerer=self._answerer)
        made = answerer(request, llms.for_answerer(self._corpus, self._answerer, self._llm), self._options)
        return {"answer": answer_from(state["result"], made, request, self._call)}

    def cite(self, state: State) -> State:
        """List the cited chunks, and verify each citation against the current corpus."""
        citations = [citation for statement in state["answer"].statements for citation in statement.citations]
        cited = tuple(Piece.of(citation.as_object()) for citation in citations)
        request = VerifyRequest(evidence=cited) if cited else None
        chunks = list(dict.fromkeys(citation.piece.chunk_id for citation in citations))
        verdicts = list(verify(self._corpus, request, self._call).evidence) if request else []
        return {"citations": chunks, "verdicts": verdicts}
