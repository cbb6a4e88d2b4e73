"""What each part of ranking by words is worth: questions asked again without it, over several folders.

`python -m benchmarks ablate`; minutes. Parts are weights of `retrieval/words/weights.json`, and rules of how a question
is read. `BIBLICUS_NATURAL`: the folders that `search_fit --natural` takes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, cast

from benchmarks.figures import Figure
from benchmarks.known_folders import collections
from benchmarks.workbench import Workbench
from biblicus.connectors.python import Corpus
from biblicus.retrieval.words import fields, sibling_boost, wording
from biblicus.text.terms import wrapping

_SAMPLES = 1_000
_MOST_QUESTIONS = 150


@contextmanager
def _without(table: Mapping[str, float], key: str) -> Iterator[None]:
    weights = cast("dict[str, float]", table)
    before = weights[key]
    weights[key] = 0.0
    try:
        yield
    finally:
        weights[key] = before


@contextmanager
def _instead(place: object, name: str, other: object) -> Iterator[None]:
    """Within it, a module has something else by a name, and no question is remembered."""
    before = getattr(place, name)
    setattr(place, name, other)
    wording._understood.cache_clear()
    try:
        yield
    finally:
        setattr(place, name, before)
        wording._understood.cache_clear()


PARTS: Mapping[str, Callable[[], AbstractContextManager[None]]] = {
    "the field title": lambda: _without(fields.WEIGHTS, "title"),
    "the field heading": lambda: _without(fields.WEIGHTS, "heading"),
    "whole titles": lambda: _without(fields.WHOLE, "title"),
    "whole headings": lambda: _without(fields.WHOLE, "heading"),
    "company": lambda: _instead(sibling_boost, "counted", lambda scores, *_: list(scores)),
    "carriers": lambda: _instead(wrapping, "weights", lambda words: [1.0] * len(words)),
    "names together": lambda: _instead(wording, "_name", lambda *_: ()),
    "pasted texts together": lambda: _instead(wording, "_PASTED", (1, 0)),
    "toolkits": lambda: _instead(wording, "_credited", lambda words, *_: words),
    "stop words": lambda: _instead(wording, "_stop_list", lambda *_: ""),
}


def measure(bench: Workbench) -> list[Figure]:
    """A row for all parts, and one without each: the share of the questions whose page is first."""
    natural = os.environ.get("BIBLICUS_NATURAL")
    figures = []
    for name, _, made in collections(bench, Path(natural) if natural else None):
        corpus, questions = made()
        asked = questions[:: max(1, len(questions) // _MOST_QUESTIONS)]
        with corpus:
            whole = _ranks(corpus, asked)
            figures.append(_figure(name, "all parts", whole, whole))
            for part, without in PARTS.items():
                with without():
                    figures.append(_figure(name, f"without {part}", _ranks(corpus, asked), whole))
    return figures


def _ranks(corpus: Corpus, questions: Sequence[tuple[str, Mapping[str, int]]]) -> list[int]:
    """The place of each question's page among ten; 10 where it is not among them."""
    ranks = []
    for question, grades in questions:
        found = corpus.query(question, recipe="lexical", limit=10, max_tokens=1_000_000, max_per_source=1).evidence
        places = (at for at, piece in enumerate(found) if any(path in piece.path for path in grades))
        ranks.append(next(places, 10))
    return ranks


def _figure(folder: str, what: str, ranks: Sequence[int], whole: Sequence[int]) -> Figure:
    low, high = interval([1 / (one + 1) - 1 / (other + 1) for one, other in zip(whole, ranks, strict=True)])
    three = sum(rank < 3 for rank in ranks)
    detail = f"{sum(rank == 0 for rank in ranks)} / {three} of {len(ranks)}; the part brings {low:+.3f} to {high:+.3f}"
    return Figure("ablate", f"{folder}, {what}: first", "share", sum(rank == 0 for rank in ranks) / len(ranks), 0.0,
                  detail=detail)  # fmt: skip


def interval(gains: Sequence[float], share: float = 0.9) -> tuple[float, float]:
    """The interval of a paired mean, by resampling the questions."""
    chance = random.Random(7)
    choose: Callable[..., Any] = chance.choices
    means = sorted(sum(choose(gains, k=len(gains))) / len(gains) for _ in range(_SAMPLES))
    tail = int((1 - share) / 2 * _SAMPLES)
    return means[tail], means[-1 - tail]
