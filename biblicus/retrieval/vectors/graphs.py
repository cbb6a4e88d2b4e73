"""Approximate nearest neighbours: a common interface to the two libraries of the engine `hnsw`.

Both build a hierarchical navigable small world graph (Malkov, Yashunin 2018) over inner products. Keys are chunk rows.
One thread and a fixed seed make the graph deterministic for the same vectors in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Protocol

from biblicus.errors import ExtraMissing, VectorsDamaged
from biblicus.lazy import NDArray, np

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
