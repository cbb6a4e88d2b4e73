"""Questions whose pages are known: is the page first, is what defines it quoted?

Definitions are made from a folder's own structure ("What is a T?" where a page called T says what a T is), known items
and natural questions were written by hand before any result was seen. The tools that ask lie beside the collections.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.triples import indexed, mixed, unpacked
from benchmarks.workbench import ROOT, Workbench, data_folder, finished
from biblicus.connectors.python import Corpus
from biblicus.errors import ExtraMissing

_ITEMS = {"peps": (42, 33, 40), "networkx": (25, 19, 24)}
"""A folder: how many questions are asked of it, how many should find theirs first, and in the first three."""
_DEFINITIONS = (47, 38, 44, 36, 32, 3)
"""Pages: first, in the first three; their sentence quoted, leading; wrong answers at .6 or more, at most."""
_NATURAL = ROOT / "benchmarks" / "natural_mixed.jsonl"


def measure_definitions(bench: Workbench) -> list[Figure]:
    """The rows `definitions`, over cpp-docs."""
    folder = bench.copies(1)
    indexed(folder).close()
    return definition_figures(finished((str(_tool("definitions")), str(folder))))


def definition_figures(printed: str) -> list[Figure]:
    """What the tool prints, as rows."""
    counts = re.sub(r"confidence right \S+ wrong \S+ \(>= \.6", "", printed)  # means, which may be none
    count, _, first, three, quoted, leading, wrong = (int(number) for number in re.findall(r"\d+", counts))
    names = ("its page first", "its page in the first three", "its sentence quoted", "its sentence leading")
    asked, *bars, most_wrong = _DEFINITIONS
    rows = [
        Figure("definitions", f"what a thing is, cpp-docs: {name}", "share", of / count, bar / asked,
               detail=f"{of} of {count}")
        for name, of, bar in zip(names, (first, three, quoted, leading), bars, strict=True)
    ]  # fmt: skip
    name = "what a thing is, cpp-docs: wrong at 0.6 or more"
    share = Figure(
        "definitions", name, "%", 100 * wrong / count, 100 * most_wrong / asked, detail=f"{wrong} of {count}"
    )
    return [*rows, share]


def measure_items(bench: Workbench) -> list[Figure]:
    """The rows `known-items`."""
    rows = []
    for name, bars in _ITEMS.items():
        folder = unpacked(bench, name)
        indexed(folder).close()
        questions = data_folder() / "questions" / f"{name}.jsonl"
        rows += item_figures(name, finished((str(_tool("known_items")), str(folder), str(questions), "lexical")), bars)
    return rows


def item_figures(name: str, printed: str, bars: tuple[int, int, int]) -> list[Figure]:
    """What the tool prints, as rows."""
    count, first, three, _ = (int(number) for number in re.findall(r"\d+", printed))
    asked, *least = bars
    return [
        Figure("known-items", f"known document {where}, {name}", "share", found / count, bar / asked,
               detail=f"{found} of {count}")
        for where, found, bar in zip(("first", "in the first three"), (first, three), least, strict=True)
    ]  # fmt: skip


def measure_natural(bench: Workbench) -> list[Figure]:
    """The row `natural`; none where the model of `hybrid` is not installed."""
    with indexed(mixed(bench)) as corpus:
        try:
            corpus.reindex("hybrid")
        except ExtraMissing:
            return []
        return [_natural(corpus)]


def _natural(corpus: Corpus) -> Figure:
    evaluation = corpus.evaluate(str(_NATURAL), recipes=["hybrid"], metrics=["success@1", "success@3"])
    reached, count = evaluation.systems[0].metrics, evaluation.questions
    detail = f"{count} questions; in the first three {reached['success@3']:.2f}"
    return Figure("natural", "natural questions, mixed, hybrid: first", "share", reached["success@1"], 0.8, 0.9, detail)


def _tool(name: str) -> Path:
    return data_folder().parent / "tools" / f"{name}.py"
