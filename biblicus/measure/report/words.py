"""Figures as text, and elements of the HTML page.

Arguments of elements are markup in which texts are already escaped by `text_of`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from biblicus.guards.terminal import safe
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

COLOURS = 8


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


def text_of(value: str) -> str:
    """Return untrusted text for HTML: escaped, with control characters visible."""
    return escape(safe(value), quote=True)


def section(title: str, note: str, *body: str) -> str:
    """Return a heading, a note on how to read the section, and its content."""
    paragraph = f'<p class="soft">{note}</p>' if note else ""
    return "".join((f"<h2>{title}</h2>", paragraph, *body, "\n"))


def card(*body: str) -> str:
    """Return a framed block; one with a table can be focused, so that keys scroll it."""
    is_wide = any("<table" in part for part in body)
    return "".join((f'<div class="card"{" tabindex=0" if is_wide else ""}>', *body, "</div>"))


def two(*cards: str) -> str:
    """Return cards side by side if there is room."""
    return "".join(('<div class="two">', *cards, "</div>"))


def cell(content: str, kind: str = "") -> str:
    """Return a table cell; `kind`: `text`, `wide`, `soft`, …."""
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def table(head: Sequence[str], rows: Iterable[Iterable[str]], words: Sequence[int] = ()) -> str:
    """Return a table. `words`: columns with text instead of figures, in addition to the first."""
    titles = "".join(_title(name, "text" if n in words else "") for n, name in enumerate(head))
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _title(name: str, kind: str) -> str:
    """Return a column's header cell; an empty one is a plain cell."""
    of_kind = f' class="{kind}"' if kind else ""
    return f'<th scope="col"{of_kind}>{name}</th>' if name else "<td></td>"


def named(name: str, number: int) -> str:
    """Return a system's name with its colour."""
    return f'<span class="swatch c{number % COLOURS}"></span><span class="name">{text_of(name)}</span>'


def code(value: str) -> str:
    return f"<code>{text_of(value) or '–'}</code>"
