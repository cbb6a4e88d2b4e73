"""Nearest neighbours: exact search against the graphs, on vectors of real documents.

Recall is measured on the vectors of the collections themselves. Time and size are measured on 60,000 vectors, most of
them mixed from two of those, which is harder to navigate than real text and as large as a real corpus.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figure
from benchmarks.meaning import COLLECTIONS, built
from benchmarks.workbench import Workbench, data_folder
from biblicus.contracts import Call
from biblicus.corpus import folder as corpora
from biblicus.retrieval.vectors import hnsw
from biblicus.runs import embedders
from biblicus.stores.vectors import stores

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.retrieval.vectors.hnsw import Graph, Library

_K, _QUESTIONS, _LARGE = 10, 200, 60_000
_LIBRARIES: tuple[Library, ...] = ("hnswlib", "usearch")


def real_vectors(place: Path) -> NDArray[float32]:
    """The vectors of all collections' chunks."""
    import numpy as np

    embedded = [store for name in COLLECTIONS for store in stores(corpora.find(built(place, name)).vectors)]
    return np.concatenate([store.matrix(store.generation()) for store in embedded])


def mixed(vectors: NDArray[float32], count: int) -> NDArray[float32]:
    """Real vectors, filled up with normalised means of two."""
    import numpy as np

    chance = np.random.default_rng(7)
    pairs = chance.integers(0, len(vectors), (max(0, count - len(vectors)), 2))
    more = vectors[pairs[:, 0]] + vectors[pairs[:, 1]]
    whole = np.concatenate([vectors, more / np.linalg.norm(more, axis=1, keepdims=True)]).astype(np.float32)
    return whole[:count]


def graph(library: Library, vectors: NDArray[float32]) -> Graph:
    """A graph as the engine builds it by default."""
    import numpy as np

    options = hnsw.Options(library=library)
    made = hnsw.new(library, vectors.shape[1], len(vectors), options.links, options.effort)
    made.add(np.arange(len(vectors), dtype=np.uint32), vectors)
    return made


def recall(vectors: NDArray[float32], asked: NDArray[float32], search: Callable[[NDArray[float32]], Any]) -> float:
    """The mean share of the exact best ten that a search finds."""
    hits = 0
    for question in asked:
        best = set((-(vectors @ question)).argsort(kind="stable")[:_K].tolist())
        hits += len(best & {int(found) for found in search(question)[:_K]})
    return hits / (_K * len(asked))


def questions(place: Path) -> NDArray[float32]:
    """Vectors of real questions, as many of each collection."""
    import numpy as np

    embedder = embedders.find(corpora.find(built(place, COLLECTIONS[0])), "minilm")
    texts: list[str] = []
    for name in COLLECTIONS:
        with (data_folder() / "ir" / name / "queries.jsonl").open(encoding="utf-8") as lines:
            texts += [json.loads(line)["text"] for line in islice(lines, _QUESTIONS // len(COLLECTIONS))]
    return np.stack([embedder.question(text, Call()) for text in texts])


def measure(bench: Workbench) -> list[Figure]:
    """The rows `neighbours`: recall on real vectors, and what each engine costs at 60,000."""
    real, asked = real_vectors(bench.place), questions(bench.place)
    reach = hnsw.Options().reach
    found = []
    for library in _LIBRARIES:
        made = graph(library, real)
        share = recall(real, asked, partial(_nearest, made, reach))
        detail = f"{len(real):,} vectors and {len(asked)} questions of the collections"
        found.append(Figure("neighbours", f"hnsw ({library}) recall@10", "recall@10", share, 0.98, 0.99, detail))
    large = mixed(real, _LARGE)
    exact = _median_seconds(asked, partial(_exact, large))
    return found + [_large(library, large, asked, exact, reach, bench.place) for library in _LIBRARIES]


def _large(
    library: Library, vectors: NDArray[float32], asked: NDArray[float32], exact: float, reach: int, place: Path
) -> Figure:
    began = time.perf_counter()
    made = graph(library, vectors)
    build = time.perf_counter() - began
    path = place / f"{library}.graph"
    made.save(path)
    began = time.perf_counter()
    opened = hnsw.load(library, vectors.shape[1], path)
    load = time.perf_counter() - began
    seconds = _median_seconds(asked, partial(_nearest, opened, reach))
    detail = (
        f"built in {build:.0f} s, loaded in {1000 * load:.0f} ms, {path.stat().st_size / 2**20:.0f} MB, "
        f"{1000 * seconds:.2f} ms against {1000 * exact:.2f} ms exact, "
        f"recall@10 {recall(vectors, asked, partial(_nearest, opened, reach)):.3f}"
    )
    return Figure("neighbours", f"{library} against exact, {len(vectors):,}", "×", seconds / exact, 1.0, None, detail)


def _nearest(opened: Graph, reach: int, question: NDArray[float32]) -> Any:
    return opened.nearest(question, _K + 16, reach)  # as the engine fetches


def _exact(vectors: NDArray[float32], question: NDArray[float32]) -> Any:
    return (-(vectors @ question)).argpartition(_K)[:_K]


def _median_seconds(asked: NDArray[float32], search: Callable[[NDArray[float32]], Any]) -> float:
    seconds = []
    for question in asked:
        began = time.perf_counter()
        search(question)
        seconds.append(time.perf_counter() - began)
    return median(seconds)
