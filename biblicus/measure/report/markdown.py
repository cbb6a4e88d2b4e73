"""Markdown report for a job summary or pull request comment: short, and safe on GitHub.

Untrusted text is in code spans, where links, images, mentions and HTML have no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from biblicus.answering.packs.formats import longest_run
from biblicus.guards.terminal import safe
from biblicus.measure.report import Passages, words
from biblicus.measure.report.findings import Findings, Pair, rank_of_first, shortcomings
from biblicus.models.answers.evaluation import Evaluation, System
from biblicus.text.media.beginnings import mark_of

_SHOWN = 5
"""Maximum questions shown as better, and as worse."""
_MOST_BROKEN = 20
_FIGURES = ("latency_p50", "latency_p95", "index_bytes", "build_ms")


def render(evaluation: Evaluation, passages: Passages) -> Iterator[str]:
    """Yield the header and the report; passages are left out for brevity."""
    report = "".join(_report(evaluation))
    yield f"## Evaluation of {span(evaluation.dataset)}\n\n<!-- by Biblicus {mark_of(report.encode())} -->\n\n{report}"


def _report(evaluation: Evaluation) -> Iterator[str]:
    findings = Findings(evaluation)
    yield f"{_plain(findings.verdict, findings.systems)}\n\n"
    yield from _gates(evaluation)
    yield from _systems(findings)
    yield from _broken(findings)
    yield from _comparisons(findings)
    for pair in findings.pairs:
        yield from _changes(pair)
    questions = "1 question" if evaluation.questions == 1 else f"{evaluation.questions} questions"
    left_out = f", {evaluation.unjudged} more without judgements" if evaluation.unjudged else ""
    yield (f"{questions}{left_out} · dataset {span(evaluation.dataset_digest[:16])} · {span(evaluation.created_at)}\n")


def _gates(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.gates:
        head = ("", "fails if", "system", "found")
        mark = {True: "✅", False: "❌"}
        rows = [
            (mark[gate.holds], span(gate.condition), span(gate.system), span(gate.detail)) for gate in evaluation.gates
        ]
        yield from table(head, rows, words_in=4)


def _systems(findings: Findings) -> Iterator[str]:
    figures = [name for name in _FIGURES if name in findings.figures]
    head = ("system", *findings.metrics, *(words.name_of(name).lower() for name in figures))
    rows = [
        (
            span(system.name),
            *(_metric(findings, system, metric) for metric in findings.metrics),
            *(words.figure(name, system.system[name]) if name in system.system else "–" for name in figures),
        )
        for system in findings.systems
    ]
    yield from table(head, rows)


def _metric(findings: Findings, system: System, metric: str) -> str:
    value = words.score(system.metrics.get(metric))
    highest = max(compared.metrics.get(metric, 0.0) for compared in findings.systems)
    return f"**{value}**" if len(findings.systems) > 1 and value == words.score(highest) else value


def _broken(findings: Findings) -> Iterator[str]:
    """Yield the questions on which procedures failed."""
    if not findings.broken:
        return
    yield f"<details><summary>Answers that are not as they must be: {len(findings.broken)}</summary>\n\n"
    rows = [
        (span(system.name), span(words.shortened(row.text, 160)), span("; ".join(shortcomings(row))))
        for system, row in findings.broken[:_MOST_BROKEN]
    ]
    yield from table(("system", "question", "why"), rows, words_in=3)
    if len(findings.broken) > _MOST_BROKEN:
        yield f"… and {len(findings.broken) - _MOST_BROKEN} more.\n\n"
    yield "</details>\n\n"


def _comparisons(findings: Findings) -> Iterator[str]:
    rows = [
        (
            span(difference.other),
            difference.metric,
            f"{bold}{words.signed(difference.difference)}{bold}",
            f"{words.signed(difference.low)} to {words.signed(difference.high)}",
            words.p_value(difference.p_adjusted).replace("<", "&lt;"),
            f"{difference.wins} / {difference.ties} / {difference.losses}",
        )
        for difference in findings.evaluation.comparisons
        for bold in ("**" if words.is_sure(difference) else "",)
    ]
    if rows:
        against = f"against {span(findings.systems[0].name)}"
        yield from table((against, "metric", "difference", "95 %", "p (Holm)", "better/same/worse"), rows)
        yield "Bold: more than chance (paired randomisation test, p &lt; 0.05 after Holm's correction).\n\n"


def _changes(pair: Pair) -> Iterator[str]:
    for title, changes in (("worse", pair.worse), ("better", pair.better)):
        if not changes:
            continue
        yield f"<details><summary>{len(changes)} questions got {title} under {_html(pair.other.name)}</summary>\n\n"
        head = ("question", pair.metric, "first relevant item")
        rows = [
            (
                span(words.shortened(change.before.text, 160)),
                f"{words.score(change.before.metrics[pair.metric])} → {words.score(change.after.metrics[pair.metric])}",
                f"{rank_of_first(change.before) or '–'} → {rank_of_first(change.after) or '–'}",
            )
            for change in changes[:_SHOWN]
        ]
        yield from table(head, rows)
        yield "</details>\n\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words_in: int = 1) -> Iterator[str]:
    """Yield a table with text in the first columns and right-aligned figures in the others."""
    yield f"| {' | '.join(head)} |\n"
    yield f"|{'|'.join('---' if n < words_in else '---:' for n in range(len(head)))}|\n"
    for row in rows:
        yield f"| {' | '.join(row)} |\n"
    yield "\n"


def span(text: str) -> str:
    """Return a text as a code span on one line. A pipe becomes `¦`, since it cannot be escaped reliably in tables."""
    line = " ".join(safe(text).split()).replace("|", "¦")
    fence = "`" * (longest_run(line) + 1)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{room}{line}{room}{fence}" if line else "–"


def _plain(sentence: str, systems: Sequence[System]) -> str:
    """Return a sentence with the systems' names as code spans."""
    names = sorted({system.name for system in systems}, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)
    parts, last = [], 0
    for name in re.finditer(pattern, sentence):
        parts += [_text(sentence[last : name.start()]), span(name[0])]
        last = name.end()
    return "".join([*parts, _text(sentence[last:])])


def _text(words_of_ours: str) -> str:
    return words_of_ours.replace("<", "&lt;")


def _html(text: str) -> str:
    """Return a name as HTML code, for use within <summary>."""
    from html import escape

    return f"<code>{escape(safe(text))}</code>"
