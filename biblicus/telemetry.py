"""Spans, metrics and trace ids with OpenTelemetry, if enabled (extra `[otel]`).

When off, the default, a span costs one variable check and nothing is imported. Exported data contain names, numbers and
digests; questions and texts only with `telemetry_texts`, and never an error's message. Like logging there is one for
the process, configured by whoever runs it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol

from biblicus.errors import BiblicusError, ExtraMissing

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind

Exporter = Literal["off", "console", "otlp"]
Value = str | int | float | bool
_TRACEPARENT = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_TRACE: ContextVar[str | None] = ContextVar("biblicus_trace", default=None)
_LABELS = ("biblicus.corpus", "biblicus.recipe", "error.type")
"""Attributes of a span that become labels of its duration metric."""
_EXPORT_SECONDS = 3.0
"""Seconds to wait for a collector, so that a command does not hang."""


class Span(Protocol):
    """A measured operation."""

    def set(self, attributes: Mapping[str, Value]) -> None:
        """Add attributes known only now."""


class _Silent:
    """A span that does nothing, when telemetry is off."""

    def __enter__(self) -> _Silent:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def set(self, attributes: Mapping[str, Value]) -> None:
        return None


_SILENT = _Silent()
_live: _Live | None = None


def is_on() -> bool:
    """Return true if telemetry is on, so that costly attributes can be skipped."""
    return _live is not None


def with_texts() -> bool:
    """Return true if questions may be exported."""
    return _live is not None and _live.with_texts


def span(
    name: str, attributes: Mapping[str, Value] | None = None, *, calls: bool = False
) -> AbstractContextManager[Span]:
    """Measure the code within as a child of the current span. `calls`: it calls another service."""
    return _SILENT if _live is None else _live.span(name, attributes, calls=calls)


def count(name: str, value: int, labels: Mapping[str, Value]) -> None:
    """Add to a counter."""
    if _live is not None:
        _live.count(name, value, labels)


def took(name: str, seconds: float, attributes: Mapping[str, Value]) -> None:
    """Record a span for work that just ended and was done in many small parts."""
    if _live is not None:
        _live.took(name, seconds, attributes)


def record(name: str, value: float, labels: Mapping[str, Value]) -> None:
    """Add a value to a histogram."""
    if _live is not None:
        _live.record(name, value, labels)


@contextmanager
def request(name: str, traceparent: bytes = b"") -> Iterator[Span]:
    """Measure a received request; it continues the caller's trace (W3C Trace Context) or begins one."""
    traceparent_match = _TRACEPARENT.fullmatch(traceparent)
    if _live is None:
        with tracing(traceparent_match[1].decode() if traceparent_match else os.urandom(16).hex()):
            yield _SILENT
        return
    with _live.request(name, traceparent_match) as made:
        yield made


@contextmanager
def tracing(trace_id: str) -> Iterator[None]:
    """Set the trace id for the code within."""
    before = _TRACE.set(trace_id)
    try:
        yield
    finally:
        _TRACE.reset(before)


def trace_id() -> str | None:
    """Return the current trace id, 32 hexadecimal digits; None outside a request."""
    return _TRACE.get()


def traceparent() -> bytes:
    """Return the header that continues this trace in another process (W3C Trace Context); empty outside a request."""
    if (trace := _TRACE.get()) is None:
        return b""
    return f"00-{trace}-{_live.span_id() if _live else os.urandom(8).hex()}-01".encode()


def start(exporter: Exporter, *, with_texts: bool = False) -> None:
    """Start telemetry until `stop`. Raises `ExtraMissing`."""
    global _live
    if exporter == "off" or _live is not None:
        return
    try:
        _live = _Live(exporter, with_texts)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("opentelemetry"):
            raise
        raise ExtraMissing("Telemetry", "otel") from error


def stop() -> None:
    """Flush pending data and stop."""
    global _live
    live, _live = _live, None
    if live is not None:
        live.stop()


class _Live:
    """OpenTelemetry's tracer and meter, with their own exporters instead of the process's global ones."""

    def __init__(self, exporter: Exporter, with_texts: bool) -> None:
        from importlib.metadata import version

        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider

        self.with_texts = with_texts
        resource = Resource.create({"service.name": "biblicus", "service.version": version("biblicus-corpus")})
        processor, metrics = _exporters(exporter)
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._traces.add_span_processor(processor)
        reader = PeriodicExportingMetricReader(metrics, export_timeout_millis=1_000 * _EXPORT_SECONDS)
        self._metrics = MeterProvider([reader], resource, shutdown_on_exit=False)
        self._tracer = self._traces.get_tracer("biblicus")
        self._meter = self._metrics.get_meter("biblicus")
        self._instruments: dict[str, Any] = {}

    def stop(self) -> None:
        self._traces.shutdown()
        self._metrics.shutdown(1_000 * _EXPORT_SECONDS)

    @contextmanager
    def span(
        self,
        name: str,
        attributes: Mapping[str, Value] | None,
        context: Context | None = None,
        kind: SpanKind | None = None,
        calls: bool = False,
    ) -> Iterator[Span]:
        from opentelemetry.trace import SpanKind, Status, StatusCode

        began = time.perf_counter()
        span = _LiveSpan(attributes)
        kind = kind or (SpanKind.CLIENT if calls else SpanKind.INTERNAL)
        with self._tracer.start_as_current_span(
            name, context, kind, attributes, record_exception=False, set_status_on_exception=False
        ) as otel_span:
            span.otel_span = otel_span
            with tracing(f"{otel_span.get_span_context().trace_id:032x}"):
                try:
                    yield span
                except BaseException as error:
                    span.set({"error.type": error.code if isinstance(error, BiblicusError) else type(error).__name__})
                    otel_span.set_status(Status(StatusCode.ERROR))
                    raise
                finally:
                    labels = {key: span.attributes[key] for key in _LABELS if key in span.attributes}
                    self.record("biblicus.duration", time.perf_counter() - began, {"step": name.split()[0], **labels})

    def took(self, name: str, seconds: float, attributes: Mapping[str, Value]) -> None:
        end = time.time_ns()
        start = end - round(seconds * 1e9)
        self._tracer.start_span(name, attributes=attributes, start_time=start).end(end)
        self.record("biblicus.duration", seconds, {"step": name})

    @contextmanager
    def request(self, name: str, parent: re.Match[bytes] | None) -> Iterator[Span]:
        from opentelemetry import trace

        context = None
        if parent is not None:
            flags = trace.TraceFlags(trace.TraceFlags.SAMPLED)
            above = trace.SpanContext(int(parent[1], 16), int(parent[2], 16), is_remote=True, trace_flags=flags)
            context = trace.set_span_in_context(trace.NonRecordingSpan(above))
        with self.span(name, None, context, trace.SpanKind.SERVER) as made:
            yield made

    def span_id(self) -> str:
        from opentelemetry import trace

        return f"{trace.get_current_span().get_span_context().span_id:016x}"

    def count(self, name: str, value: int, labels: Mapping[str, Value]) -> None:
        if name not in self._instruments:
            self._instruments[name] = self._meter.create_counter(name)
        self._instruments[name].add(value, labels)

    def record(self, name: str, value: float, labels: Mapping[str, Value]) -> None:
        if name not in self._instruments:
            self._instruments[name] = self._meter.create_histogram(name, "s" if name.endswith("duration") else "")
        self._instruments[name].record(value, labels)


class _LiveSpan:
    """An OpenTelemetry span with its attributes."""

    def __init__(self, attributes: Mapping[str, Value] | None) -> None:
        self.attributes = dict(attributes or {})
        self.otel_span: Any = None

    def set(self, attributes: Mapping[str, Value]) -> None:
        self.attributes.update(attributes)
        self.otel_span.set_attributes(attributes)


def _exporters(exporter: Exporter) -> tuple[Any, Any]:
    """Return a span processor and a metric exporter. The console exporter writes to standard error."""
    from opentelemetry.sdk.metrics.export import ConsoleMetricExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor

    if exporter == "console":
        traces = ConsoleSpanExporter(out=sys.stderr, formatter=lambda made: made.to_json(indent=None) + "\n")
        lines = ConsoleMetricExporter(out=sys.stderr, formatter=lambda data: data.to_json(indent=None) + "\n")
        return SimpleSpanProcessor(traces), lines
    spans, metrics = _otlp()
    return BatchSpanProcessor(spans(timeout=_EXPORT_SECONDS)), metrics(timeout=_EXPORT_SECONDS)


def _otlp() -> tuple[Any, Any]:
    """Return the exporters of the protocol in the standard variable: `http/protobuf`, or `grpc`."""
    if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") != "grpc":
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        return OTLPSpanExporter, OTLPMetricExporter
    grpc = "opentelemetry.exporter.otlp.proto.grpc"
    try:
        spans, metrics = import_module(f"{grpc}.trace_exporter"), import_module(f"{grpc}.metric_exporter")
    except ImportError as error:
        raise ExtraMissing("OTLP over gRPC", "otel-grpc") from error
    return spans.OTLPSpanExporter, metrics.OTLPMetricExporter
