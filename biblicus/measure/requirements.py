"""Metrics of complete procedures: requirements of a question, and rules for many questions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from biblicus.measure.answer_metrics import Cited, holds, place_of
from biblicus.models.answers.evaluation import NOTHING, SEVERITIES, JudgedQuestion, Must, Rule, Violation

METRICS = (
    "holds", "completed", "complies", "cites", "contains", "avoids", "refuses", "in_layer", "proved", "within_words",
    "within_seconds", "within_tokens", *(f"complies_{severity}" for severity in SEVERITIES),
)  # fmt: skip
"""Metrics of a question, 0 or 1. `holds`: all requirements and rules are met; absent without any. `completed`: it gave
a reply. `complies`: no rule is broken; `complies_high`: none
of this severity. The others: one requirement each."""
COMPARED = ("holds", "completed", "complies", "answer_right", "citations_verified")
"""Metrics by which procedures are compared; few, since each comparison reduces the power of the others."""
FIGURES = (
    "procedure_p50", "procedure_p95", "procedure_p99", "failures", "violations",
    *(f"violations_{severity}" for severity in SEVERITIES),
)  # fmt: skip
"""Figures of a system: ms for a question, number of missing replies, number of rule violations."""
_METRIC_OF = {
    "cite": "cites", "contain": "contains", "not_contain": "avoids", "refuse": "refuses", "layer": "in_layer",
    "proved": "proved", "words": "within_words", "seconds": "within_seconds", "tokens": "within_tokens",
}  # fmt: skip
_AROUND = 60
"""Characters shown on each side of forbidden words."""
_BEGINNING = 160


@dataclass(frozen=True, slots=True)
class CitedItem(Cited):
    """A citation with its item's path and the layer in which the corpus shows it."""

    path: str
    layer: str | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A procedure's reply. `cited`: evidence with the fields that prove it (`Piece`), or names of items; once
    looked up in the corpus, a `CitedItem` each. `usage`: of models, by kind.

    `tokens`: read and written by models, None if unknown. `problem`: reason for a missing reply; then other fields are
    empty.
    """

    answer: str = ""
    cited: Sequence[Any] = ()
    refused: bool = False
    usage: Mapping[str, int] = field(default_factory=dict)
    tokens: int | None = None
    seconds: float = 0.0
    problem: str = ""


Ids = Mapping[str, str | None]
"""Item id by the dataset's name for it; None if there is no such item."""


def judged(
    question: JudgedQuestion, rules: Sequence[Rule], reply: Reply, ids: Ids
) -> tuple[dict[str, float], list[Violation]]:
    """Return the metrics of a reply and all violations; without a reply no requirement is met."""
    must = replace(question.must, refuse=True) if question.unanswerable else question.must
    metric_names = [_METRIC_OF[key] for key in _stated(must)]
    theirs = [rule for rule in rules if rule.covers(question)]
    if reply.problem:
        holds_not = {"holds": 0.0} if metric_names or theirs else {}
        return {**holds_not, "completed": 0.0, **dict.fromkeys(metric_names, 0.0)}, []
    question_violations = list(_broken(must, reply, ids))
    values = dict.fromkeys(metric_names, 1.0) | {
        _METRIC_OF[violation.requirement]: 0.0 for violation in question_violations
    }
    broken = [
        replace(violation, rule=rule.name, severity=rule.severity)
        for rule in theirs
        for violation in _broken(rule.must, reply, ids)
    ]
    complies = {"complies": float(not broken)} if theirs else {}
    failed = {violation.severity for violation in broken}
    complies |= {f"complies_{rule.severity}": float(rule.severity not in failed) for rule in theirs}
    does_all = {"holds": float(not question_violations and not broken)} if metric_names or theirs else {}
    return {**does_all, "completed": 1.0, **complies, **values}, [*broken, *question_violations]


def _stated(must: Must) -> Iterator[str]:
    return (key for key in _METRIC_OF if getattr(must, key) != getattr(NOTHING, key))


def _broken(must: Must, reply: Reply, ids: Ids) -> Iterator[Violation]:
    yield from _of_refusal(must, reply)
    yield from _of_words(must, reply)
    yield from _of_sources(must, reply, ids)
    yield from _of_bounds(must, reply)


def _of_refusal(must: Must, reply: Reply) -> Iterator[Violation]:
    if must.refuse and not reply.refused:
        yield Violation("refuse", "it must refuse, and answers", evidence=_beginning(reply.answer))
    if must.refuse is False and reply.refused:
        yield Violation("refuse", "it must answer, and refuses", evidence=_beginning(reply.answer))


def _of_words(must: Must, reply: Reply) -> Iterator[Violation]:
    for words in must.contain:
        if not holds(reply.answer, [words]):
            yield Violation("contain", f'"{words}" does not stand in it', evidence=_beginning(reply.answer))
    for words in must.not_contain:
        if holds(reply.answer, [words]):
            yield Violation("not_contain", f'"{words}" stands in it', evidence=_around(reply.answer, words))


def _of_sources(must: Must, reply: Reply, ids: Ids) -> Iterator[Violation]:
    cited = {citation.item_id for citation in reply.cited}
    for name in must.cite:
        if ids.get(name) not in cited:
            which = "is not cited" if ids.get(name) else "is not in the corpus, and cannot be cited"
            yield Violation("cite", f"{name} {which}", path=name)
    if must.layer:
        for path, layer in _once((citation.path, citation.layer) for citation in reply.cited):
            if layer != must.layer:
                detail = f"{path} is cited, which is of {layer or 'no layer'}, not of {must.layer}"
                yield Violation("layer", detail, path=path)
    if must.proved and not reply.refused:
        if not reply.cited:
            yield Violation("proved", "it cites nothing", evidence=_beginning(reply.answer))
        for path, verified in _once((citation.path, citation.verified) for citation in reply.cited):
            if not verified:
                yield Violation("proved", f"what it cites of {path} is not proved", path=path)


def _of_bounds(must: Must, reply: Reply) -> Iterator[Violation]:
    words = len(reply.answer.split())
    if must.words is not None and words > must.words:
        yield Violation("words", f"{words} words, at most {must.words}", evidence=_beginning(reply.answer))
    if must.seconds is not None and reply.seconds > must.seconds:
        yield Violation("seconds", f"{reply.seconds:.2f} s, at most {must.seconds:g}")
    if must.tokens is not None and reply.tokens is None:
        yield Violation("tokens", f"it does not say how many tokens it took, at most {must.tokens}")
    elif must.tokens is not None and (reply.tokens or 0) > must.tokens:
        yield Violation("tokens", f"{reply.tokens} tokens, at most {must.tokens}")


def _once(pairs: Iterator[tuple[str, object]]) -> Collection[tuple[str, object]]:
    return list(dict.fromkeys(pairs))


def _beginning(answer: str) -> str:
    return answer if len(answer) <= _BEGINNING else f"{answer[:_BEGINNING].rstrip()}…"


def _around(answer: str, words: str) -> str:
    """Return the answer's own words around a match."""
    start, end = place_of(answer, words)
    if end - start == len(answer):  # the match has different characters
        return _beginning(answer)
    low, high = max(0, start - _AROUND), min(len(answer), end + _AROUND)
    return f"{'…' if low else ''}{answer[low:high].strip()}{'…' if high < len(answer) else ''}"


def figures(replies: Sequence[Reply], violations: Sequence[Violation], rules: Sequence[Rule]) -> dict[str, float]:
    """Return the number of missing replies, and of violations if there are rules."""
    counts = {"failures": float(sum(bool(reply.problem) for reply in replies))}
    if rules:
        broken = [violation.severity for violation in violations if violation.rule]
        counts["violations"] = float(len(broken))
        counts |= {f"violations_{severity}": float(broken.count(severity)) for severity in SEVERITIES}
    return counts
