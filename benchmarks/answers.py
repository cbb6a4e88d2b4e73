"""Abstention, citations and speed of `quote`, through `Corpus.evaluate(…, answerer="quote")`."""

from __future__ import annotations

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench, data_folder
from biblicus.connectors.python import Corpus
from biblicus.models.answers.evaluation import System

_PAIRS = (("xquad-en", "scifact"), ("scifact", "xquad-en"), ("cranfield", "scifact"), ("scifact", "cranfield"),
          ("cisi", "scifact"))  # fmt: skip
"""A collection, and another whose questions it does not answer."""


def measure(bench: Workbench) -> list[Figure]:
    """The rows `answers`."""
    measured = {pair: _measured(bench, *pair) for pair in _PAIRS}
    proved = [_proved(measured[pair]) for pair in _PAIRS[:2]]
    share = sum(true for true, _ in proved) / sum(all_ for _, all_ in proved)
    detail = f"{sum(all_ for _, all_ in proved):,} citations of the answers to 1,190 xquad-en and 300 scifact questions"
    found = [Figure("answers", "quoted citations that verify", "share", share, 1.0, detail=detail)]
    for (name, other), system in measured.items():
        silent = system.metrics["abstained"]
        detail = f"answered {system.metrics['answered']:.2f} of its own, {1 - silent:.2f} of the others"
        figure = system.system["abstention_auc"]
        found.append(
            Figure("answers", f"abstention AUC, {name} asked of {other}", "share", figure, 0.85, detail=detail)
        )
    warm = measured[_PAIRS[0]].system
    detail = f"{warm['latency_p50']:.1f} ms with the evidence, {warm['query_p50']:.1f} ms for that alone; medians"
    ratio = warm["latency_p50"] / warm["query_p50"]
    return [*found, Figure("answers", "warm answer against its query", "×", ratio, 3.0, detail=detail)]


def _corpus(bench: Workbench, name: str) -> Corpus:
    folder = bench.place / f"answers-{name}"
    if folder.exists():
        return Corpus.open(folder)
    corpus = Corpus.init(folder)
    corpus.import_dataset(data_folder() / "ir" / name)
    corpus.reindex("lexical")
    return corpus


def _measured(bench: Workbench, name: str, other: str) -> System:
    with _corpus(bench, name) as corpus:
        others = str(data_folder() / "ir" / other)
        return corpus.evaluate(name, recipes=["lexical"], answerer="quote", unanswerable=others).systems[0]


def _proved(system: System) -> tuple[float, int]:
    """Citations that verify, and all."""
    rows = [row for row in system.rows if row.ranking]
    return sum(row.metrics["citations_verified"] * len(row.ranking) for row in rows), sum(len(r.ranking) for r in rows)
