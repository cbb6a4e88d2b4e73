"""nDCG@10 of the recipe `lexical`, as it comes, through the Python API, on collections with relevance judgements.

One file per document, one recipe and no option for all collections. A document ranks by its best chunk.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench, data_folder
from biblicus.connectors.python import Corpus

BARS = {
    "scifact": 0.68,
    "cranfield": 0.505,
    "cisi": 0.32,
    "xquad-en": 0.96,
    "xquad-de": 0.935,
    "xquad-ru": 0.94,
    "xquad-zh": 0.95,
}
_DEPTH = 10
_UNBOUNDED = 1_000_000  # tokens: the budget is for readers of evidence, not for this


@dataclass(frozen=True)
class Collection:
    """A test collection in BEIR's layout. `judged`: question id to document id to grade."""

    documents: Sequence[Mapping[str, str]]
    questions: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]


def measure(bench: Workbench) -> list[Figure]:
    """One row `quality` for each collection."""
    figures = []
    for name, bar in BARS.items():
        collection = load(data_folder() / "ir" / name)
        reached = score(collection, bench.place / name)
        detail = f"{len(collection.documents):,} documents, {len(collection.questions):,} questions"
        figures.append(Figure("quality", f"quality on {name}", "nDCG@10", reached, bar, detail=detail))
    return figures


def load(folder: Path) -> Collection:
    """Read a collection. Cranfield's code -1 is its most relevant kind; it counts as grade 1 (its README says so)."""
    judged: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        if int(grade):
            judged.setdefault(question, {})[document] = abs(int(grade))
    asked = {entry["_id"]: entry["text"] for entry in _lines(folder / "queries.jsonl")}
    questions = {question: asked[question] for question in judged if question in asked}
    return Collection(list(_lines(folder / "corpus.jsonl")), questions, judged)


def _lines(path: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, path.read_text("utf-8").splitlines())


def score(collection: Collection, place: Path) -> float:
    """The mean nDCG over the judged questions, with the documents as files of a new corpus at `place`."""
    documents = write(collection, place)
    with Corpus.init(place) as corpus:
        corpus.reindex("lexical")
        total = 0.0
        for question, text in collection.questions.items():
            result = corpus.query(text, recipe="lexical", limit=_DEPTH, max_tokens=_UNBOUNDED, max_per_source=1)
            ranked = [documents[piece.path] for piece in result.evidence]
            total += ndcg(ranked, collection.judged[question])
    shutil.rmtree(place)
    return total / len(collection.questions)


def write(collection: Collection, place: Path) -> dict[str, str]:
    """A text file with its title as front matter for each document; returns document ids by path."""
    place.mkdir(exist_ok=True)
    documents = {}
    for number, document in enumerate(collection.documents):
        path = f"{number:05}.txt"
        title = json.dumps(document.get("title", "").replace("_", " "), ensure_ascii=False)  # also a YAML string
        (place / path).write_text(f"---\ntitle: {title}\n---\n{document['text']}\n", encoding="utf-8")
        documents[path] = document["_id"]
    return documents


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int = _DEPTH) -> float:
    """Normalised discounted cumulative gain with linear gains, as trec_eval's ndcg_cut (Järvelin, Kekäläinen 2002)."""
    gain = sum(grades.get(document, 0) / math.log2(place + 2) for place, document in enumerate(ranked[:depth]))
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(grades.values(), reverse=True)[:depth]))
    return gain / ideal if ideal else 0.0
