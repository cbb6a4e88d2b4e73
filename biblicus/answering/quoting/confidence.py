"""How likely it is that quoted sentences answer a question (0–1), from measures that need no statistics of a corpus.

A logistic regression, fitted on xquad in four languages (questions on their own paragraphs, and on the others with
that paragraph away), scifact, cranfield and cisi (questions on their own collection and on another) and definitions
out of a manual. Right is what holds the gold words, or cites a judged item. docs/answers.md has the table of confidence
against correctness, and what each kind of question loses when it is left out of the fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from biblicus.answering.quoting.blocks import Kind
from biblicus.answering.quoting.scoring import Scored
from biblicus.models.evidence import Evidence

LEAST = 0.25
"""Below this nothing is quoted."""

WEIGHTS: Mapping[str, float] = {
    "covered": 0.69, "held": 1.47, "unlike": -0.42, "names": -0.65, "ahead": 1.76, "form": 0.74, "formless": -0.48,
    "second": -0.32, "third": -1.78, "nowhere": -0.89, "matched": 1.21, "listed": -0.6, "code": -0.8, "one_side": -1.5,
    "elsewhere": -0.7,
}  # fmt: skip
"""Of the signs. The last four are not fitted: no collection at hand has such answers."""
_BIAS = -2.95
_LEG = "lexical"
_USUAL = 1.3
"""`matched` where no leg counts words."""
_LETTERS = 5
"""Of one word: a long word tells more than a short one, and languages that join words have fewer of them."""


def confidence(signs: Mapping[str, float]) -> float:
    """That the answer with these signs is right. A sign that is absent counts as 0."""
    value = _BIAS + sum(WEIGHTS[name] * size for name, size in signs.items())
    return round(1 / (1 + math.exp(-value)), 4)


def signs(best: Scored, candidates: Sequence[Scored], evidence: Sequence[Evidence]) -> dict[str, float]:
    """What tells whether the best of all candidates answers.

    `covered`: the weighted share of the question's words that it, its piece, title or heading hold; `held`: how many it
    holds itself; `nowhere`: the share that no candidate holds; `names`: the share of names and numbers that it lacks;
    `unlike`: whether it lacks the kind of words that is asked for; `form`, `formless`: whether it has the form that is
    asked for, or lacks it; `ahead`: how far the best of another item is behind it. `second`, `third`: the score of the
    best piece of another item and of the third piece, relative to the first; `matched`: how well the first matched each
    word. `listed`, `code`: whether it is of a list or table, is code that nobody asked for; `one_side`: whether it sets
    nothing apart where that was asked; `elsewhere`: whether it defines under a heading that names something else.
    """
    question, parts = best.question, best.parts
    form = question.form
    formed = form.contrast or form.steps or bool(question.subject)
    behind = max((other.score for other in candidates if other.piece.item_id != best.piece.item_id), default=0.0)
    known = frozenset().union(*(candidate.terms for candidate in candidates))
    top = evidence[0].score or 1.0
    other = max((piece.score for piece in evidence if piece.item_id != evidence[0].item_id), default=0.0)
    words = max(1, len(question.terms))
    matched = evidence[0].stage_scores.get(_LEG)
    return {
        "covered": best.covered,
        "held": math.log1p(_size(best.held)),
        "unlike": float(bool(question.kinds) and not parts["kind"]),
        "names": len(question.names - best.held) / max(1, len(question.names)),
        "ahead": best.score - behind,
        "form": parts["form"],
        "formless": float(formed and parts["form"] < 0.5),
        "second": other / top,
        "third": evidence[2].score / top if len(evidence) > 2 else 0.0,
        "nowhere": sum(term not in known for term in question.terms) / words,
        "matched": _USUAL if matched is None else math.log1p(max(0.0, matched) / words),
        "listed": float(best.unit.kind in (Kind.ITEM, Kind.ROW) and not form.steps),
        "one_side": float(form.contrast and parts["form"] < 0.5),
        "elsewhere": float(bool(question.subject and best.piece.heading) and parts["form"] >= 0.5 > parts["about"]),
        "code": float(best.unit.kind is Kind.CODE and not form.code),
    }


def _size(terms: Iterable[str]) -> float:
    return sum(len(term) / _LETTERS if _is_spaced(term) else 1.0 for term in terms)


def _is_spaced(term: str) -> bool:
    """Whether a term is of a script that writes words apart; others come as pairs of characters."""
    return term[0] < "\u2e80"
