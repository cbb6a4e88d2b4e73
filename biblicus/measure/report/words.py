"""Formats figures as text."""

from __future__ import annotations

import math

from biblicus.models.answers.evaluation import Difference

SURE = 0.05
"""Corrected p-value below which a difference is called significant."""
NAMES = {
    "latency_p50": "Latency, median",
    "latency_p95": "Latency, 95 %",
    "latency_p99": "Latency, 99 %",
    "latency_cold": "Latency, cold",
    "latency_queries": "Queries timed",
    "throughput": "Queries a second",
    "index_bytes": "Index size",
    "build_ms": "Build time",
    "peak_memory_bytes": "Peak memory",
    "tokens": "Tokens asked",
    "query_p50": "Evidence, median",
    "answer_words": "Words an answer",
    "requests": "Model requests",
    "input_tokens": "Tokens read",
    "output_tokens": "Tokens written",
    "abstention_auc": "Abstention AUC",
    "calibration_error": "Calibration error",
    "procedure_p50": "Procedure, median",
    "procedure_p95": "Procedure, 95 %",
    "procedure_p99": "Procedure, 99 %",
    "failures": "Questions without a reply",
    "violations": "Rules broken",
}


def score(value: float | None) -> str:
    """Return a metric as text."""
    return "–" if value is None else f"{value:.3f}"


def signed(value: float) -> str:
    """Return a difference of a metric with a true minus sign."""
    text = f"{abs(value):.3f}"
    return f"±{text}" if text == "0.000" else f"+{text}" if value > 0 else f"−{text}"


def p_value(value: float) -> str:
    """Return a p-value as text, `< 0.001` if smaller."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def is_sure(difference: Difference | None) -> bool:
    """Return True if a difference is significant after correction."""
    return difference is not None and difference.p_adjusted < SURE


def milliseconds(value: float) -> str:
    """Return a time in ms as text."""
    if value >= 60_000:
        return f"{value / 60_000:.1f} min"
    if value >= 1_000:
        return f"{value / 1_000:.1f} s"
    return f"{value:.0f} ms" if value >= 100 else f"{value:.1f} ms" if value >= 1 else f"{value:.2f} ms"


def size(value: float) -> str:
    """Return a size in bytes as text."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"


def figure(name: str, value: float) -> str:
    """Return a system figure with its unit."""
    if name.startswith(("latency_p", "latency_cold", "procedure_p")) or name.endswith("_ms"):
        return milliseconds(value)
    if name.endswith("_bytes"):
        return size(value)
    if math.isfinite(value) and value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def name_of(figure_name: str) -> str:
    """Return the label of a system figure."""
    return NAMES.get(figure_name, figure_name.replace("_", " ").capitalize())


def shortened(text: str, length: int) -> str:
    """Return a text on one line, cut at a word if too long."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[:length].rsplit(" ", 1)[0]
    return (cut if len(cut) > length // 2 else line[:length]) + " …"
