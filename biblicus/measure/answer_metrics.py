"""Metrics of answers: correct words, correct sources, abstention, and calibrated confidence."""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

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
