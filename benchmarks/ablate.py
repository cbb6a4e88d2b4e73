"""What each part of ranking by words is worth: questions asked again without it, over several folders.

`python -m benchmarks ablate`; minutes. Parts are the weights of `retrieval/words/weights.json`.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from benchmarks.figures import Figure
from benchmarks.triples import indexed, unpacked
from benchmarks.workbench import Workbench, data_folder
from biblicus.connectors.python import Corpus
from biblicus.retrieval.words import fields

_WORDINGS = ("What is {t}?", "explain {t} to me", "what does {t} mean", "tell me about {t}", "{t} meaning")
_PAGES = 60
_SAMPLES = 1_000


class Asked(NamedTuple):
    """A question and parts of the paths of its pages."""

    question: str
    paths: Sequence[str]


@contextmanager
def _without(table: Mapping[str, float], key: str) -> Iterator[None]:
    weights = cast("dict[str, float]", table)
    before = weights[key]
    weights[key] = 0.0
    try:
        yield
    finally:
        weights[key] = before


PARTS = {
    "the field title": (fields.WEIGHTS, "title"),
    "the field heading": (fields.WEIGHTS, "heading"),
    "whole titles": (fields.WHOLE, "title"),
    "whole headings": (fields.WHOLE, "heading"),
}


def measure(bench: Workbench) -> list[Figure]:
    """A row for all parts, and one without each: the share of the questions whose page is first."""
    sets = {name: (unpacked(bench, name), _known(name)) for name in ("peps", "networkx")}
    sets["cpp-docs"] = (bench.copies(1), _definitions(bench.copies(1)))
    figures = []
    for name, (folder, questions) in sets.items():
        with indexed(folder) as corpus:
            whole = _ranks(corpus, questions)
            figures.append(_figure(name, "all parts", whole, whole))
            for part, (table, key) in PARTS.items():
                with _without(table, key):
                    figures.append(_figure(name, f"without {part}", _ranks(corpus, questions), whole))
    return figures


def _known(name: str) -> list[Asked]:
    lines = (data_folder() / "questions" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [Asked(row["question"], row["paths"]) for row in map(json.loads, lines)]


def _definitions(folder: Path) -> list[Asked]:
    """Pages called by one or two words that begin with them, asked for in several wordings."""
    titles: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text("utf-8", errors="replace")
        title = re.search(r"^# ([A-Za-z][A-Za-z ]{2,30})$", text, re.MULTILINE)
        if title and re.search(rf"\b{re.escape(title[1].rstrip('s'))}s? (?:is|are) (?:an?|the) ", text):
            titles.setdefault(title[1].lower(), []).append(path.relative_to(folder).as_posix())
    known = [(title, paths) for title, paths in sorted(titles.items()) if len(paths) == 1]
    random.Random(11).shuffle(known)
    return [Asked(form.format(t=title), paths) for form in _WORDINGS for title, paths in known[:_PAGES]]


def _ranks(corpus: Corpus, questions: Sequence[Asked]) -> list[int]:
    """The place of each question's page among ten; 10 where it is not among them."""
    ranks = []
    for question, paths in questions:
        found = corpus.query(question, recipe="lexical", limit=10, max_tokens=1_000_000, max_per_source=1).evidence
        places = (at for at, piece in enumerate(found) if any(path in piece.path for path in paths))
        ranks.append(next(places, 10))
    return ranks


def _figure(folder: str, what: str, ranks: Sequence[int], whole: Sequence[int]) -> Figure:
    low, high = interval([(one == 0) - (other == 0) for one, other in zip(whole, ranks, strict=True)])
    three = sum(rank < 3 for rank in ranks)
    detail = f"{sum(rank == 0 for rank in ranks)} / {three} of {len(ranks)}; the part brings {low:+.3f} to {high:+.3f}"
    return Figure("ablate", f"{folder}, {what}: first", "share", sum(rank == 0 for rank in ranks) / len(ranks), 0.0,
                  detail=detail)  # fmt: skip


def interval(gains: Sequence[int], share: float = 0.9) -> tuple[float, float]:
    """The interval of a paired mean, by resampling the questions."""
    chance = random.Random(7)
    choose: Callable[..., list[int]] = chance.choices
    means = sorted(sum(choose(gains, k=len(gains))) / len(gains) for _ in range(_SAMPLES))
    tail = int((1 - share) / 2 * _SAMPLES)
    return means[tail], means[-1 - tail]
