"""Rank of the known page of questions that were written by hand; the tool that asks lies beside the collections."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.triples import indexed, mixed, unpacked
from benchmarks.workbench import ROOT, Workbench, data_folder, finished
from biblicus.connectors.python import Corpus
from biblicus.errors import ExtraMissing

_ITEMS = {"peps": (42, 33, 40), "networkx": (25, 19, 24)}
"""A folder: how many questions are asked of it, how many should find theirs first, and in the first three."""
_FOLDERS = 3
_NATURAL = ROOT / "benchmarks" / "natural_mixed.jsonl"


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


def measure_copies(bench: Workbench) -> list[Figure]:
    """The row `copies`: of the evidence for the questions about the PEPs, which stand in three folders, the share whose
    two copies are named and are no evidence themselves."""
    folder = bench.place / "copies-peps"
    for number in range(_FOLDERS):
        shutil.copytree(unpacked(bench, "peps"), folder / f"copy-{number}", ignore=shutil.ignore_patterns(".biblicus"))
    questions = [row["question"] for row in map(json.loads, (data_folder() / "questions" / "peps.jsonl").open())]
    with indexed(folder) as corpus:
        results = [corpus.query(question, recipe="lexical") for question in questions]
    pieces = [(piece, result) for result in results for piece in result.evidence]
    once = [
        len(piece.copies) == _FOLDERS - 1 and sum(other.text == piece.text for other in result.evidence) == 1
        for piece, result in pieces
    ]
    detail = f"{len(once)} pieces for {len(results)} questions"
    return [Figure("copies", "copies are one place and are named, PEPs three times over", "share",
                   sum(once) / len(once), 0.98, detail=detail)]  # fmt: skip


def _tool(name: str) -> Path:
    return data_folder().parent / "tools" / f"{name}.py"
