"""OpenTelemetry's tracer, meter and exporters (extra `[otel]`)."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import ConsoleMetricExporter, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

from biblicus.errors import BiblicusError, ExtraMissing

if TYPE_CHECKING:
    from biblicus.telemetry import Exporter, Span, Value

_LABELS = ("biblicus.corpus", "biblicus.recipe", "error.type")
"""Attributes of a span that become labels of its duration metric."""
_EXPORT_SECONDS = 3.0
"""Seconds to wait for a collector, so that a command does not hang."""


class Live:
    """OpenTelemetry's tracer and meter, with their own exporters instead of the process's global ones."""

    def __init__(self, exporter: Exporter, with_texts: bool, tracing: Callable[[str], AbstractContextManager[None]]):
        """`tracing` sets the trace id for the code within."""
        self.with_texts, self._tracing = with_texts, tracing
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
        began = time.perf_counter()
        span = _LiveSpan(attributes)
        kind = kind or (SpanKind.CLIENT if calls else SpanKind.INTERNAL)
        with self._tracer.start_as_current_span(
            name, context, kind, attributes, record_exception=False, set_status_on_exception=False
        ) as otel_span:
            span.otel_span = otel_span
            with self._tracing(f"{otel_span.get_span_context().trace_id:032x}"):
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
        context = None
        if parent is not None:
            flags = trace.TraceFlags(trace.TraceFlags.SAMPLED)
            above = trace.SpanContext(int(parent[1], 16), int(parent[2], 16), is_remote=True, trace_flags=flags)
            context = trace.set_span_in_context(trace.NonRecordingSpan(above))
        with self.span(name, None, context, trace.SpanKind.SERVER) as made:
            yield made

    def span_id(self) -> str:
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
    if exporter == "console":
        traces = ConsoleSpanExporter(out=sys.stderr, formatter=lambda made: made.to_json(indent=None) + "\n")
        lines = ConsoleMetricExporter(out=sys.stderr, formatter=lambda data: data.to_json(indent=None) + "\n")
        return SimpleSpanProcessor(traces), lines
    spans, metrics = _otlp()
    return BatchSpanProcessor(spans(timeout=_EXPORT_SECONDS)), metrics(timeout=_EXPORT_SECONDS)


def _otlp() -> tuple[Any, Any]:
    """Return the exporters of the protocol in the standard variable: `http/protobuf`, or `grpc`."""
    protocol = "grpc" if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc" else "http"
    package = f"opentelemetry.exporter.otlp.proto.{protocol}"
    try:
        spans, metrics = import_module(f"{package}.trace_exporter"), import_module(f"{package}.metric_exporter")
    except ImportError as error:
        if protocol == "http":
            raise
        raise ExtraMissing("OTLP over gRPC", "otel-grpc") from error
    return spans.OTLPSpanExporter, metrics.OTLPMetricExporter
