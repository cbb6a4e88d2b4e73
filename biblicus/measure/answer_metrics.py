"""Metrics of answers and of procedures: correct words and sources, abstention, calibrated confidence; requirements of
a question, and rules for many questions.
"""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from biblicus.models.answers.evaluation import NOTHING, SEVERITIES, JudgedQuestion, Must, Rule, Violation
from biblicus.text.anchoring import spans_of

METRICS = (
    "answer_right", "answer_gold", "answered", "citation_precision", "citation_recall", "citations_verified",
    "abstained",
)  # fmt: skip
"""Metrics of a question, 0–1, higher is better; confidence is calibrated against the first.

`answer_gold`: the answer contains one of the gold answers. `answer_right`: the same, or without gold answers, a
relevant item is cited. `answered`: the answer is not empty. `citation_precision`: share of citations of a relevant item
or span; `citation_recall`: share of relevant items or spans that are cited. `citations_verified`: share of citations
that `verify` confirms. `abstained`: the answer to an unanswerable question is empty.
"""
FIGURES = (
    "abstention_auc", "calibration_error", "calibrated_before", "calibrated_after", "answer_words", "query_p50",
    "requests", "input_tokens", "output_tokens",
)  # fmt: skip
"""Figures of a system. `abstention_auc`: probability that an answerable question has a higher confidence than an
unanswerable one. `calibration_error`: mean gap between confidence and share of correct answers, weighted by bin
size. `calibrated_before`, `calibrated_after`: the same over held-out halves, before and after `--calibrate`."""
BINS = 5

Spans = Mapping[str, Sequence[tuple[int, int]]]

PROCEDURE_METRICS = (
    "holds", "completed", "complies", "cites", "contains", "avoids", "refuses", "in_layer", "proved", "within_words",
    "within_seconds", "within_tokens", *(f"complies_{severity}" for severity in SEVERITIES),
)  # fmt: skip
"""Metrics of a question, 0 or 1. `holds`: all requirements and rules are met; absent without any. `completed`: it gave
a reply. `complies`: no rule is broken; `complies_high`: none
of this severity. The others: one requirement each."""
COMPARED = ("holds", "completed", "complies", "answer_right", "citations_verified")
"""Metrics by which procedures are compared; few, since each comparison reduces the power of the others."""
PROCEDURE_FIGURES = (
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
class Cited:
    """A citation: its item and span, and True if `verify` confirms it."""

    item_id: str
    start: int
    end: int
    verified: bool


def holds(answer: str, golds: Sequence[str]) -> bool:
    """Return True if the answer contains one of the gold answers, ignoring case and spacing."""
    text = _plain(answer)
    return any(_stands(_plain(gold), text) for gold in golds)


def _stands(gold: str, text: str) -> bool:
    """Return True if `gold` occurs as complete words: `1` does not occur in `1842`. Scripts without spaces match
    anywhere."""
    at = text.find(gold)
    while at >= 0:
        end = at + len(gold)
        if not (_joins(text[at - 1 : at], gold[:1]) or _joins(gold[-1:], text[end : end + 1])):
            return True
        at = text.find(gold, at + 1)
    return False


def place_of(answer: str, words: str) -> tuple[int, int]:
    """Return the start and end of words in an answer, or the entire answer if they cannot be located."""
    for start, end in spans_of(_lower(answer), _lower(words)):
        if not (_joins(answer[start - 1 : start], answer[start]) or _joins(answer[end - 1], answer[end : end + 1])):
            return start, end
    return 0, len(answer)


def _joins(left: str, right: str) -> bool:
    """Return True if two adjacent characters belong to one word or number."""
    both = left + right
    return len(both) == 2 and all(char.isalnum() and char < "\u2e80" for char in both)


def _lower(text: str) -> str:
    """Return a text in lower case with the same offsets."""
    return "".join([lower if len(lower := char.lower()) == 1 else char for char in text])


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def scored(
    answer: str, golds: Sequence[str], cited: Sequence[Cited], relevant: Collection[str], spans: Spans
) -> dict[str, float]:
    """Return the metrics of an answer to an answerable question. `relevant`: ids of relevant items."""
    scores = {"answered": float(bool(cited)), **_sources(cited, relevant, spans)}
    if golds:
        scores["answer_gold"] = float(holds(answer, golds))
    right = (
        scores["answer_gold"] if golds else float(any(_is_relevant(citation, relevant, spans) for citation in cited))
    )
    return {"answer_right": right, **scores}


def unanswerable(answer: str, cited: Sequence[Cited]) -> dict[str, float]:
    """Return the metrics of an answer to an unanswerable question."""
    scores = {"abstained": float(not answer)}
    return {**scores, "citations_verified": _verified(cited)} if cited else scores


def _sources(cited: Sequence[Cited], relevant: Collection[str], spans: Spans) -> dict[str, float]:
    if not cited:
        return {"citation_recall": 0.0}
    hits = sum(_is_relevant(citation, relevant, spans) for citation in cited)
    targets = [(item, span) for item in relevant for span in spans.get(item, (None,))]
    reached = sum(
        any(citation.item_id == item and _touches(citation, span) for citation in cited) for item, span in targets
    )
    return {
        "citation_precision": hits / len(cited),
        "citation_recall": reached / len(targets) if targets else 0.0,
        "citations_verified": _verified(cited),
    }


def _verified(cited: Sequence[Cited]) -> float:
    return sum(citation.verified for citation in cited) / len(cited)


def _is_relevant(citation: Cited, relevant: Collection[str], spans: Spans) -> bool:
    item_spans = spans.get(citation.item_id, (None,))
    return citation.item_id in relevant and any(_touches(citation, span) for span in item_spans)


def _touches(citation: Cited, span: tuple[int, int] | None) -> bool:
    return span is None or (citation.start < span[1] and span[0] < citation.end)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Return the probability that a positive value exceeds a negative one; ties count half (Mann-Whitney U)."""
    if not positive or not negative:
        return None
    ordered = sorted(negative)
    doubled = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in positive)
    return doubled / 2 / (len(positive) * len(negative))


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with `low <= confidence < high` (last bin: `<=`). `right`: share of correct ones."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


def calibration(pairs: Sequence[tuple[float, float]], count: int = BINS) -> list[Bin]:
    """Return the calibration table from (confidence, right) of non-empty answers."""
    bins = []
    for number in range(count):
        low, high = number / count, (number + 1) / count
        within = [pair for pair in pairs if low <= pair[0] and (pair[0] < high or number == count - 1)]
        if within:
            mean = math.fsum(pair[0] for pair in within) / len(within)
            right = math.fsum(pair[1] for pair in within) / len(within)
            bins.append(Bin(low, high, len(within), round(mean, 4), round(right, 4)))
    return bins


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """Return the expected calibration error (ECE): mean gap between confidence and correctness, weighted by bin
    size."""
    total = sum(each.count for each in bins)
    return math.fsum(each.count * abs(each.confidence - each.right) for each in bins) / total if total else None


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
