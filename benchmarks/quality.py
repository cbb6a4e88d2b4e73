"""nDCG@10 of the `lexical` leg on the collections under shared/data/ir, against the bars of the project.

One item per document; a document ranks by its best chunk. `python benchmarks/quality.py [COLLECTION…]` prints the table
and leaves with 1 when a bar is missed. The folder is `../shared/data` beside the checkout, or $BIBLICUS_DATA.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biblicus.chunking import paragraphs
from biblicus.contracts import Call, RankedChunk
from biblicus.models.extraction import Extraction
from biblicus.models.question import Question
from biblicus.retrieval import lexical
from biblicus.text.languages import detect

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
_CANDIDATES = 100


@dataclass(frozen=True)
class Collection:
    """A test collection in BEIR's layout. `judged`: question id to document id to grade."""

    documents: Sequence[Mapping[str, str]]
    questions: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]


def data_folder() -> Path:
    """Where the collections are."""
    return Path(os.environ.get("BIBLICUS_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


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


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int = _DEPTH) -> float:
    """Normalised discounted cumulative gain with linear gains, as trec_eval's ndcg_cut (Järvelin, Kekäläinen 2002)."""
    gain = sum(grades.get(document, 0) / math.log2(place + 2) for place, document in enumerate(ranked[:depth]))
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(grades.values(), reverse=True)[:depth]))
    return gain / ideal if ideal else 0.0


class Chunks:
    """A collection's chunks as a leg sees them."""

    def __init__(self, collection: Collection) -> None:
        chunker = paragraphs.build(paragraphs.Options())
        self.table: list[RankedChunk] = []
        for item, document in enumerate(collection.documents):
            text, title = document["text"], document.get("title", "").replace("_", " ")
            language = detect(text)
            for start, end in chunker.chunk(Extraction(text)):
                row = len(self.table)
                path = f"{document['_id']}.txt"
                self.table.append(
                    RankedChunk(row, item, title, text[start:end], language, "text/plain", "doc", (), path)
                )

    def rows(self) -> Iterator[RankedChunk]:
        return iter(self.table)

    def added(self) -> Iterator[RankedChunk]:
        return iter(())

    def removed_items(self) -> Sequence[int]:
        return ()

    def languages(self) -> dict[str, float]:
        known = Counter(chunk.language for chunk in self.table if chunk.language)
        return {language: count / len(self.table) for language, count in known.most_common()}


def score(collection: Collection, options: lexical.Options) -> float:
    """The mean nDCG over the judged questions."""
    chunks = Chunks(collection)
    leg = lexical.build(options)
    with tempfile.TemporaryDirectory() as folder:
        leg.build(chunks, Path(folder), None, Call())
        reader = leg.open(Path(folder))
        languages = chunks.languages()
        total = 0.0
        for question, text in collection.questions.items():
            hits = reader.search(Question(text, languages), None, _CANDIDATES, Call())
            items = dict.fromkeys(chunks.table[hit.row].item for hit in hits)  # keeps the order of the best chunks
            ranked = [collection.documents[item]["_id"] for item in items]
            total += ndcg(ranked, collection.judged[question])
        reader.close()
    return total / len(collection.questions)


def main(names: Sequence[str]) -> int:
    """Print the table; 1 when a bar is missed."""
    missed = 0
    print(f"{'collection':<12} {'nDCG@10':>8} {'bar':>6}  {'s':>5}")
    for name in names or BARS:
        began = time.perf_counter()
        reached = score(load(data_folder() / "ir" / name), lexical.Options())
        missed += reached < BARS[name]
        verdict = "ok" if reached >= BARS[name] else "MISSED"
        print(f"{name:<12} {reached:8.4f} {BARS[name]:6.3f}  {time.perf_counter() - began:5.1f} {verdict}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
