"""Telemetry: what is told, what is not, what it costs while off, and that an absent collector harms nothing."""

import asyncio
import gzip
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from biblicus import Corpus, telemetry
from biblicus.connectors.http import profiles
from biblicus.connectors.http.service import Service
from biblicus.connectors.mcp.server import Client as Asker
from biblicus.connectors.mcp.server import server
from biblicus.connectors.mcp.stdio import LIMITS
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import CorpusUnknown, LLMError, NoRun
from biblicus.models.requests.query import QueryRequest
from biblicus.service.admission import Admission
from biblicus.service.corpora import Corpora
from biblicus.service.log_lines import JsonLines
from biblicus.service.telemetry import gold_rank, scored
from biblicus.service.verbs import QUERY
from tests.llm.server import MODEL, running

Told = Callable[[], tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]]
SECRET = "paraffin"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "lamp.txt").write_text(f"The lamp burns {SECRET}.")
    with Corpus.init(folder) as made:
        yield made


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Iterator[Told]:
    """Stops measuring; the spans in the order they ended, and the data points of each measurement by name."""

    def look() -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
        telemetry.stop()
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        spans = [line for line in lines if "context" in line]
        metrics = {
            metric["name"]: metric["data"]["data_points"]
            for line in lines
            for resource in line.get("resource_metrics", ())
            for scope in resource["scope_metrics"]
            for metric in scope["metrics"]
        }
        return spans, metrics

    yield look
    telemetry.stop()


def parent_of(span: dict[str, Any], spans: list[dict[str, Any]]) -> str | None:
    return next((one["name"] for one in spans if one["context"]["span_id"] == span["parent_id"]), None)


def test_a_reindex_tells_its_steps(corpus: Corpus, told: Told) -> None:
    telemetry.start("console")
    corpus.reindex()
    spans, metrics = told()
    steps = {span["name"]: parent_of(span, spans) for span in spans}
    assert steps == {
        "reindex": None,
        "refresh": "reindex",
        "hash": "refresh",
        "extract": "build",
        "build": "reindex",
        "index.lexical": "build",
        "db.write.document": "build",
        "db.write.tags": "db.write.document",
        "db.write.chunks": "build",
        "chunking": "build",
        "write": "build",
    }
    build = next(span for span in spans if span["name"] == "build")["attributes"]
    assert (build["biblicus.items"], build["biblicus.built"]) == (1, "fresh")
    assert {point["attributes"]["step"] for point in metrics["biblicus.duration"]} == set(steps)


@pytest.mark.parametrize("store", ["local", "postgres", "milvus"])
def test_every_store_tells_the_same_steps(
    corpus: Corpus, told: Told, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, store: str
) -> None:
    corpus.ingest(text="Grey seals rest.", title="Seals", tags=["sea"])
    if store != "local":
        server = request.getfixturevalue(store)
        place = {"dsn": server.dsn} if store == "postgres" else {"uri": server.uri}
        monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": store, **place}}))
        monkeypatch.setenv("BIBLICUS_STORE", "team")
    telemetry.start("console")
    corpus.reindex("hybrid-int8")
    corpus.query("Where do seals rest?", recipe="hybrid-int8")
    spans, _ = told()
    names = [span["name"] for span in spans]
    batch = next(span["attributes"]["embedding.batch_size"] for span in spans if span["name"] == "embedding")
    wrote = ["chunking", *(f"db.write.{what}" for what in ("document", "chunks", "embeddings", "tags"))]
    read = ["parse", "retrieve.vector", "retrieve.lexical", "db.read.vector", "db.read.lexical", "retrieve.fuse"]
    assert {name: names.count(name) for name in (*wrote, *read)} == dict.fromkeys((*wrote, *read), 1)
    assert batch == 2


def test_a_query_tells_its_stages_and_not_its_words(corpus: Corpus, told: Told) -> None:
    corpus.reindex()
    telemetry.start("console")
    result = corpus.query(f"what burns {SECRET}", limit=3)
    spans, metrics = told()
    assert [span["name"] for span in spans] == [
        "parse",
        "db.read.lexical",
        "retrieve.lexical",
        "filter",
        "budget",
        "retrieval",
    ]
    attributes = spans[-1]["attributes"]
    assert attributes["gen_ai.operation.name"] == "retrieval"
    assert attributes["gen_ai.request.top_k"] == 3
    assert attributes["biblicus.evidence"] == len(result.evidence) == 1
    assert SECRET not in json.dumps([spans, metrics])
    (point,) = [point for point in metrics["biblicus.duration"] if point["attributes"]["step"] == "retrieval"]
    assert point["attributes"]["biblicus.recipe"] == result.recipe_id


def test_its_words_where_the_user_says_so(corpus: Corpus, told: Told) -> None:
    corpus.reindex()
    telemetry.start("console", with_texts=True)
    corpus.query(f"what burns {SECRET}")
    spans, _ = told()
    assert spans[-1]["attributes"]["gen_ai.retrieval.query.text"] == f"what burns {SECRET}"


@pytest.mark.parametrize(("protocol", "url"), [("ollama", ""), ("openai-compatible", "/v1")])
def test_a_language_model_that_is_asked_is_a_span_with_its_tokens(
    corpus: Corpus, told: Told, monkeypatch: pytest.MonkeyPatch, protocol: str, url: str
) -> None:
    corpus.reindex()
    if protocol == "ollama":
        pytest.importorskip("ollama", reason="the extra [ollama] is not installed")
    with running() as served:
        mine = {"by": protocol, "model": MODEL, "url": served.url + url, "seconds": 20}
        monkeypatch.setenv("BIBLICUS_LLMS", json.dumps({"mine": mine}))
        quote = {"evidence": 1, "quote": f"burns {SECRET}"}
        stated = {"text": f"It burns {SECRET}.", "citations": [quote]}
        served.says = [json.dumps({"statements": [stated], "insufficient": False})]
        telemetry.start("console")
        answer = corpus.answer("What does the lamp burn?", answerer="llm")
    spans, metrics = told()
    assert answer.answer == f"It burns {SECRET}."
    (chat,) = [span for span in spans if span["name"] == f"chat {MODEL}"]
    assert (parent_of(chat, spans), chat["kind"]) == ("answer.llm", "SpanKind.CLIENT")
    attributes = chat["attributes"]
    assert attributes["gen_ai.operation.name"] == "chat"
    assert attributes["gen_ai.provider.name"] == protocol
    assert attributes["gen_ai.request.model"] == MODEL
    assert attributes["gen_ai.response.model"].startswith(MODEL)
    assert served.read > 0
    assert served.written > 0
    assert attributes["gen_ai.usage.input_tokens"] == answer.usage["input_tokens"] == served.read
    assert attributes["gen_ai.usage.output_tokens"] == answer.usage["output_tokens"] == served.written
    used = {point["attributes"]["gen_ai.token.type"]: point["sum"] for point in metrics["gen_ai.client.token.usage"]}
    assert used == {"input": served.read, "output": served.written}
    assert SECRET not in json.dumps([spans, metrics])


def test_a_model_that_fails_is_told_by_the_code_alone(
    corpus: Corpus, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.reindex()
    with running() as served:
        served.always = "html"
        mine = {"by": "openai-compatible", "model": MODEL, "url": served.url + "/v1", "attempts": 1}
        monkeypatch.setenv("BIBLICUS_LLMS", json.dumps({"mine": mine}))
        telemetry.start("console")
        with pytest.raises(LLMError):
            corpus.answer("What does the lamp burn?", answerer="llm")
    spans, _ = told()
    (chat,) = [span for span in spans if span["name"] == f"chat {MODEL}"]
    assert chat["attributes"]["error.type"] == "llm"
    assert "gen_ai.usage.input_tokens" not in chat["attributes"]


def test_an_error_is_told_by_its_code_alone(corpus: Corpus, told: Told) -> None:
    telemetry.start("console")
    with pytest.raises(NoRun):
        corpus.query(SECRET)
    spans, metrics = told()
    assert spans[-1]["status"] == {"status_code": "ERROR"}
    assert spans[-1]["attributes"]["error.type"] == "no_run"
    assert spans[-1]["events"] == []
    assert [point["attributes"]["error.type"] for point in metrics["biblicus.duration"]] == ["no_run"]


def test_a_request_continues_its_callers_trace(corpus: Corpus, told: Told) -> None:
    corpus.reindex()
    corpora = Corpora({"notes": CorpusFolder(corpus.path)})
    telemetry.start("console")
    with telemetry.request("GET", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"):
        assert telemetry.trace_id() == "0af7651916cd43dd8448eb211c80319c"
        corpora.ask("notes", QUERY, QueryRequest("lamp"), Call())
    assert telemetry.trace_id() is None
    spans, _ = told()
    assert {span["context"]["trace_id"] for span in spans} == {"0x0af7651916cd43dd8448eb211c80319c"}
    assert [span["name"] for span in spans[-3:]] == ["retrieval", "query", "GET"]
    assert spans[-1]["parent_id"] == "0xb7ad6b7169203331"
    assert spans[-2]["attributes"]["biblicus.corpus"] == "notes"


def test_a_tool_of_an_agent_is_a_span_around_what_it_asks(corpus: Corpus, told: Told) -> None:
    corpus.reindex()
    corpora = Corpora.open([str(corpus.path)])

    async def talk() -> None:
        async with Client(server(corpora, lambda ctx: Asker(), Admission(LIMITS))) as client:
            await client.call_tool("knowledge_base_query", {"query": SECRET})

    telemetry.start("console")
    asyncio.run(talk())
    spans, _ = told()
    (tool,) = [span for span in spans if span["name"] == "tools/call"]
    assert tool["attributes"]["gen_ai.tool.name"] == "knowledge_base_query"
    (asked,) = [span for span in spans if span["name"] == "query"]
    assert parent_of(asked, spans) == "tools/call"


def test_a_question_with_a_known_answer_is_measured(corpus: Corpus, told: Told) -> None:
    corpus.reindex()
    telemetry.start("console")
    result = corpus.query(SECRET)
    assert [gold_rank(result, gold) for gold in ("lamp.txt", "oil.txt")] == [1, None]
    _, metrics = told()
    assert [metrics[name][0]["value"] for name in ("retrieval.judged", "retrieval.hits")] == [2, 1]


def test_how_evidence_scores_is_measured(corpus: Corpus, told: Told) -> None:
    corpus.reindex()
    telemetry.start("console")
    scores = scored(corpus.query(SECRET))
    _, metrics = told()
    assert metrics["retrieval.top_score"][0]["max"] == scores[0]
    assert metrics["retrieval.mean_score"][0]["max"] == pytest.approx(sum(scores) / len(scores))


def test_a_request_has_a_trace_id_while_telemetry_is_off() -> None:
    with telemetry.request("GET", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"):
        assert telemetry.trace_id() == "0af7651916cd43dd8448eb211c80319c"
    with telemetry.request("GET", b"nonsense"):
        assert len(telemetry.trace_id() or "") == 32
    assert telemetry.trace_id() is None


def test_a_log_line_is_an_object_with_the_trace_id() -> None:
    record = logging.LogRecord("biblicus.http", logging.WARNING, "", 0, "%s\nand more", ("one",), None)
    with telemetry.tracing("0af7651916cd43dd8448eb211c80319c"):
        line = JsonLines().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert found["trace_id"] == "0af7651916cd43dd8448eb211c80319c"
    assert (found["level"], found["logger"], found["message"]) == ("warning", "biblicus.http", "one\nand more")
    try:
        raise CorpusUnknown("x", [])
    except CorpusUnknown:
        record.exc_info = sys.exc_info()
    assert "CorpusUnknown" in json.loads(JsonLines().format(record))["traceback"]


# --- off, and away ---------------------------------------------------------------------------------------------------


def test_off_costs_next_to_nothing() -> None:
    began = time.thread_time()
    for _ in range(100_000):
        with telemetry.span("step"):
            pass
    assert time.thread_time() - began < 1, "2 µs a span, some ten spans a query"


def _command(corpus: Corpus, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "importtime", "-m", "biblicus", *words, "-C", str(corpus.path)]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False
    )


def test_off_imports_nothing_of_it(corpus: Corpus) -> None:
    done = _command(corpus, "reindex")
    assert done.returncode == 0
    assert "opentelemetry" not in done.stderr


def test_an_absent_collector_keeps_no_command_from_its_work(corpus: Corpus) -> None:
    began = time.monotonic()
    done = _command(
        corpus, "reindex", "--json", BIBLICUS_TELEMETRY="otlp", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9"
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["runs"][0]["built"] == "fresh"
    assert time.monotonic() - began < 200


def test_the_setting_turns_it_on_and_standard_output_stays_clean(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yml").write_text("telemetry: console\n")
    done = _command(corpus, "reindex", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["runs"][0]["built"] == "fresh"
    assert '"name": "index.lexical"' in done.stderr


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.metrics", None)
    monkeypatch.delitem(sys.modules, "biblicus.telemetry.live", raising=False)
    with pytest.raises(Exception, match=r"needs an extra"):
        telemetry.start("console")
    assert not telemetry.is_on()


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
def test_a_collector_receives_what_a_family_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "tides.txt").write_text("The moon pulls the tides.")
    with Corpus.init(tmp_path / "notes") as made:
        made.reindex()
    with collecting(protocol) as (endpoint, heard), running() as served:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
        mine = {"by": "openai-compatible", "model": MODEL, "url": served.url + "/v1", "seconds": 20}
        monkeypatch.setenv("BIBLICUS_LLMS", json.dumps({"mine": mine}))
        monkeypatch.setenv("BIBLICUS_ANSWERER", "llm")
        stated = {"text": "The moon pulls the tides.", "citations": [{"evidence": 1, "quote": "moon pulls"}]}
        served.says = [json.dumps({"statements": [stated], "insufficient": False})]
        corpora, admission = Corpora.open([f"notes={tmp_path / 'notes'}"]), Admission(LIMITS)
        (answer,) = [one for one in profiles.find("memos").offers(Service(corpora, admission)) if one.name == "answer"]
        telemetry.start("otlp")
        try:
            answer.ask({"q": "What pulls the tides?", "eval": True, "gold": "tides.txt"}, Call())
        finally:
            telemetry.stop()
            admission.close()
            corpora.close()
    assert {"parse", "retrieve.lexical", "db.read.lexical", "answer.llm", "cite"} <= heard["spans"].keys()
    assert {"llm.tokens.prompt", "llm.tokens.completion", "answer.requests"} <= heard["metrics"].keys()
    (point,) = heard["metrics"]["retrieval.hit_rate_at_k"].histogram.data_points
    assert point.sum == 1.0


@contextmanager
def collecting(protocol: str) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """A collector of OTLP: its address, and what it heard, by name."""
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    heard: dict[str, dict[str, Any]] = {"spans": {}, "metrics": {}}

    def hear(request: Any) -> None:
        for resource in getattr(request, "resource_spans", ()):
            heard["spans"] |= {span.name: span for scope in resource.scope_spans for span in scope.spans}
        for resource in getattr(request, "resource_metrics", ()):
            heard["metrics"] |= {metric.name: metric for scope in resource.scope_metrics for metric in scope.metrics}

    if protocol == "grpc":
        pytest.importorskip("opentelemetry.exporter.otlp.proto.grpc", reason="the extra [otel-grpc] is not installed")
        grpc = pytest.importorskip("grpc")
        from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as of_metrics
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as of_traces

        class Receiver(of_metrics.MetricsServiceServicer, of_traces.TraceServiceServicer):
            def Export(self, request: Any, context: Any) -> Any:  # noqa: N802
                hear(request)
                return _empty(request)

        server = grpc.server(ThreadPoolExecutor(2))
        of_metrics.add_MetricsServiceServicer_to_server(Receiver(), server)
        of_traces.add_TraceServiceServicer_to_server(Receiver(), server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield f"http://127.0.0.1:{port}", heard
        finally:
            server.stop(None)
        return

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            is_metrics = self.path.endswith("metrics")
            hear((ExportMetricsServiceRequest if is_metrics else ExportTraceServiceRequest).FromString(body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    http = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{http.server_port}", heard
    finally:
        http.shutdown()
        http.server_close()


def _empty(request: Any) -> Any:
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    return ExportMetricsServiceResponse() if hasattr(request, "resource_metrics") else ExportTraceServiceResponse()
