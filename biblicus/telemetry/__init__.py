"""Spans, metrics and trace ids with OpenTelemetry, if enabled (extra `[otel]`).

When off, the default, a span costs one variable check and nothing is imported. Exported data contain names, numbers and
digests; questions and texts only with `telemetry_texts`, and never an error's message. Like logging there is one for
the process, configured by whoever runs it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, Protocol

from biblicus.errors import ExtraMissing

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from biblicus.telemetry.live import Live

Exporter = Literal["off", "console", "otlp"]
Value = str | int | float | bool
_TRACEPARENT = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_TRACE: ContextVar[str | None] = ContextVar("biblicus_trace", default=None)


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
_live: Live | None = None


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
        from biblicus.telemetry.live import Live  # the extra's

        _live = Live(exporter, with_texts, tracing)
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
