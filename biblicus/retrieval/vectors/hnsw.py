"""Leg `hnsw`: exact up to a size, above it an approximate graph whose results are scored exactly.

Filters that leave few chunks, and ties that the graph may cut, are computed exactly at any size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

from biblicus.contracts import Call, ChunkTable, Fingerprints, Given, Hit, LegReader, Vectors
from biblicus.errors import ExtraMissing, VectorsDamaged
from biblicus.lazy import NDArray, np
from biblicus.models.frozen import dataclass
from biblicus.models.question import Allow, Question
from biblicus.models.records import Bounds, Record
from biblicus.retrieval.ranking import through_tie
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.exact import ExactReader
from biblicus.retrieval.vectors.vector_rows import VectorRows

_GRAPH = "graph.bin"
_SLACK = 16
"""Results fetched in addition to `k`, to detect ties."""


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """Options of the leg.

    `embedder`: the model, a built-in name (`minilm`) or one defined in the user's configuration. `exact_below`: number
    of chunks below which vectors are compared exactly, without graph or library. `library`: of the graph; its extra has
    the same name. `links`: edges of each vector (M); more improve recall and use space. `effort`: candidates examined
    to insert a vector (ef at construction). `reach`: candidates examined for a question (ef at search).
    """

    embedder: str = "minilm"
    exact_below: Annotated[int, Bounds(ge=0)] = 100_000
    library: Library = "usearch"
    links: Annotated[int, Bounds(ge=4, le=128)] = 24
    effort: Annotated[int, Bounds(ge=8, le=2_000)] = 200
    reach: Annotated[int, Bounds(ge=8, le=10_000)] = 256


def build(options: Options, given: Given) -> Hnsw:
    return Hnsw(options, given.vectors(options.embedder))


class Hnsw:
    """Leg with a graph that stores copies of its vectors, as both libraries require (see `contracts.Leg`)."""

    materializes = True
    drifts = False  # below `exact_below`; above it recall varies, not scores

    def __init__(self, options: Options, vectors: Vectors) -> None:
        self.options, self.vectors = options, vectors

    def fingerprints(self) -> Fingerprints:
        return {"model": self.vectors.fingerprint}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        before = vector_rows.load(folder) if parent is not None else None
        rows = vector_rows.write(self.vectors, chunks, folder, parent, call, self._check_library)
        count = rows.embedded().shape[1]
        path = folder / _GRAPH
        self._check_library(count)
        if count >= self.options.exact_below:
            graph = self._changed(path, before, rows) if before is not None and path.exists() else self._new(rows, call)
            path.unlink(missing_ok=True)  # it may be a hard link to the parent's
            graph.save(path)
        else:
            path.unlink(missing_ok=True)
        return rows.counts()

    def _check_library(self, chunks: int) -> None:
        """Check that the graph's library is installed if it is needed, before hours of embedding."""
        if chunks >= self.options.exact_below:
            version(self.options.library)

    def _new(self, rows: VectorRows, call: Call) -> Graph:
        chunks, _, places, _ = rows.embedded()
        o = self.options
        matrix = self.vectors.matrix(rows.generation)
        graph = new(o.library, matrix.shape[1], len(chunks), o.links, o.effort)
        for start in range(0, len(chunks), 4_096):
            call.check()
            call.progress("graph", start, len(chunks))
            part = slice(start, start + 4_096)
            graph.add(chunks[part], matrix[places[part]])
        return graph

    def _changed(self, path: Path, before: VectorRows, rows: VectorRows) -> Graph:
        """Return the parent's graph with removed and added chunks applied."""

        old, new = before.embedded(), rows.embedded()
        matrix = self.vectors.matrix(rows.generation)
        came = ~np.isin(new[0], old[0])
        graph = load(self.options.library, matrix.shape[1], path, int(came.sum()) + 1)
        graph.remove(np.setdiff1d(old[0], new[0]))
        graph.add(new[0][came], matrix[new[2][came]])
        return graph

    def open(self, folder: Path) -> LegReader:
        return HnswReader(folder, self.vectors, self.options)


class HnswReader(ExactReader):
    """Opened leg (see `contracts.LegReader`): exact if there is no graph or it does not apply."""

    def __init__(self, folder: Path, vectors: Vectors, options: Options) -> None:
        super().__init__(folder, vectors)
        self._options = options
        self._graph: Graph | None = None
        if (folder / _GRAPH).exists():
            version(options.library)
            self._graph = load(options.library, self._matrix.shape[1], folder / _GRAPH)

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return about the best `k` chunks, scored exactly, and all ties with the last."""
        if self._graph is None or allow is not None or k + _SLACK > len(self._chunks) or k < 1:
            return super().search(question, allow, k, call)
        call.check()
        rows: NDArray[np.uint32] = self._graph.nearest(
            self._vectors.question(question.text, call), k + _SLACK, self._options.reach
        )
        scores = self.scores(question, rows.tolist())
        hits = sorted((Hit(row, score) for row, score in scores.items()), key=lambda hit: (-hit.score, hit.row))
        end = through_tie([hit.score for hit in hits], k)
        if len(hits) <= k or end == len(hits):  # too few, or a tie that may continue
            return super().search(question, allow, k, call)
        return hits[:end]


Library = Literal["hnswlib", "usearch"]


class Graph(Protocol):
    """A graph over vectors (n, dim) by key."""

    def add(self, keys: NDArray[np.uint32], vectors: NDArray[np.float32]) -> None: ...

    def remove(self, keys: NDArray[np.uint32]) -> None: ...

    def nearest(self, vector: NDArray[np.float32], k: int, reach: int) -> NDArray[Any]:
        """Return about the best `k` keys; `reach` (ef, expansion): number of candidates examined."""

    def save(self, path: Path) -> None: ...


def version(library: Library) -> str:
    """Return the version of the installed library. Raises `ExtraMissing`."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(library)
    except PackageNotFoundError:
        raise ExtraMissing(f"The engine hnsw with {library}", library) from None


def new(library: Library, dim: int, size: int, links: int, effort: int) -> Graph:
    """Return an empty graph. `links` (M), `effort` (ef at construction): see the paper. `size`: expected vectors."""
    return _KINDS[library](dim, size, links, effort, None)


def load(library: Library, dim: int, path: Path, more: int = 0) -> Graph:
    """Load a graph from its file, with room for `more`. The file's hash must be verified before, as libraries trust
    it."""
    try:
        return _KINDS[library](dim, more, 0, 0, path)
    except (RuntimeError, ValueError, OSError) as error:
        raise VectorsDamaged(path.parent.parent.name, f"its graph does not open ({error})") from error


class _Hnswlib:
    def __init__(self, dim: int, size: int, links: int, effort: int, path: Path | None) -> None:
        import hnswlib

        self._index: Any = hnswlib.Index(space="ip", dim=dim)
        if path is None:
            self._index.init_index(max(1, size), M=links, ef_construction=effort, random_seed=100)
        else:
            self._index.load_index(str(path))
            if size:
                self._index.resize_index(self._index.get_current_count() + size)

    def add(self, keys: NDArray[np.uint32], vectors: NDArray[np.float32]) -> None:
        self._index.add_items(vectors, keys, num_threads=1)

    def remove(self, keys: NDArray[np.uint32]) -> None:
        for key in keys.tolist():
            self._index.mark_deleted(key)

    def nearest(self, vector: NDArray[np.float32], k: int, reach: int) -> NDArray[Any]:

        self._index.set_ef(max(reach, k))
        try:
            labels: NDArray[Any] = self._index.knn_query(vector, k, num_threads=1)[0][0]
        except RuntimeError:  # fewer than k are not deleted
            return np.empty(0, np.uint32)
        return labels

    def save(self, path: Path) -> None:
        self._index.save_index(str(path))


class _Usearch:
    def __init__(self, dim: int, size: int, links: int, effort: int, path: Path | None) -> None:
        from usearch.index import Index

        if path is None:
            self._index: Any = Index(ndim=dim, metric="ip", dtype="f32", connectivity=links, expansion_add=effort)
        else:
            self._index = Index.restore(str(path), view=not size)

    def add(self, keys: NDArray[np.uint32], vectors: NDArray[np.float32]) -> None:
        self._index.add(keys.astype("u8"), vectors, threads=1)

    def remove(self, keys: NDArray[np.uint32]) -> None:
        self._index.remove(keys.astype("u8"))

    def nearest(self, vector: NDArray[np.float32], k: int, reach: int) -> NDArray[Any]:
        self._index.expansion_search = max(reach, k)
        labels: NDArray[Any] = self._index.search(vector, k, threads=1).keys
        return labels

    def save(self, path: Path) -> None:
        self._index.save(str(path))


_KINDS: dict[str, Callable[[int, int, int, int, Path | None], Graph]] = {"hnswlib": _Hnswlib, "usearch": _Usearch}
