"""The vectors of a model over a corpus: the store on disk and the embedder that fills it (`contracts.Vectors`).

`embed_words` fills it a few texts at a time, before a run with meaning is built over a sealed lexical run."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus import telemetry
from biblicus.contracts import Call, Device, Embedder, RankedChunk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import seals
from biblicus.errors import (
    BiblicusError,
    Cancelled,
    DeadlineExceeded,
    ExtraMissing,
    NotMaterialized,
    Unavailable,
    VectorsGone,
)
from biblicus.lazy import NDArray, np
from biblicus.models.recipe import JUDGED, MEANING
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.vector_rows import VectorRows
from biblicus.runs import manifests as runs
from biblicus.stores.local import LocalStore
from biblicus.stores.vectors import VectorStore, key_of, stores

if TYPE_CHECKING:
    from biblicus.guards.side_by_side import Executor, Work

_GROUP = 64
"""Texts embedded and stored at a time, unless the embedder prefers another number; an interruption loses one group."""
_PATIENCE = 3
"""Number of consecutive failed groups before the rest is given up."""
_TURN = 128
"""Texts embedded during one hold of the writers' lock: some seconds."""
_WINDOW = 2_048
"""Chunks sorted by length together before embedding, to reduce padding."""
_PAUSE = 0.05
"""Seconds between two turns; longer than the interval at which another writer tries to get the lock."""
_QUESTIONS = 1_024


@dataclass(frozen=True)
class Embedding:
    """Task of embedding groups of texts with a built-in model on remote workers, which load it once each."""

    name: str
    device: Device
    fingerprint: str

    def begin(self, kept: dict[str, Any]) -> Work:
        from biblicus.runs import embedders
        from biblicus.runs.cutting import OtherVersions  # lazy: a query embeds nothing remotely

        embedder = embedders.built_in(self.name, self.device)
        if embedder.fingerprint != self.fingerprint:
            raise OtherVersions(f"its workers have another version of the model {self.name}")
        return lambda texts: embedder.embed(texts, Call()).tobytes()


class CorpusVectors:
    """See `contracts.Vectors`. Made for one build or one searcher; only a build, under the lock, adds to the store.

    `executor`: embeds with a built-in model on remote workers."""

    def __init__(self, corpus: CorpusFolder, name: str, executor: Executor | None = None) -> None:
        from biblicus.runs import embedders

        self._name = name
        is_shared = executor is not None and executor.is_far and name in embedders.BUILT_IN
        self._executor, self._device = executor if is_shared else None, corpus.settings.device
        self._embedder: Embedder = embedders.find(corpus, name)
        self._store = VectorStore(folder(corpus, self._embedder.fingerprint), self._embedder.dim)
        self._asked: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._embedded = self._failures = 0

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    def rows(self, texts: Sequence[str], call: Call) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:

        keys = [key_of(text) for text in texts]
        rows = self._rows(texts, keys, call)
        return np.array(rows, np.int64), np.array(self._store.are_cut(rows), bool)

    def _rows(self, texts: Sequence[str], keys: Sequence[bytes], call: Call) -> list[int]:
        """Return the row of each text; missing texts are embedded."""
        rows = self._store.find(keys)
        missing = {key: text for key, text, row in zip(keys, texts, rows, strict=True) if row < 0}
        # Texts of similar length are embedded together, to reduce padding.
        waiting = sorted(missing, key=lambda key: (len(missing[key]), key))
        embedded: dict[bytes, int] = {}
        size = getattr(self._embedder, "at_once", None) or _GROUP
        groups = [waiting[start : start + size] for start in range(0, len(waiting), size)]
        of_groups = [[missing[key] for key in group] for group in groups]
        remote = self._embedded_far(of_groups)
        done = len(texts) - len(waiting)
        for group, group_texts in zip(groups, of_groups, strict=True):
            call.check()
            embedded.update(self._embed(group, group_texts, call, next(remote, None)))
            done += len(group)
            call.progress("embed", done, len(texts))
        return [row if row >= 0 else embedded.get(key, -1) for key, row in zip(keys, rows, strict=True)]

    def _embedded_far(self, groups: Sequence[Sequence[str]]) -> Iterator[NDArray[np.float32]]:
        """Yield the vectors of each group from remote workers; nothing if embedding is local."""

        if self._executor is None or not groups:
            return
        task = Embedding(self._name, self._device, self.fingerprint)
        for sent in self._executor.each(task, enumerate(groups)):
            yield np.frombuffer(sent, np.float32).reshape(-1, self._embedder.dim)

    def _embed(
        self, keys: Sequence[bytes], texts: Sequence[str], call: Call, made: NDArray[np.float32] | None
    ) -> dict[bytes, int]:
        """Store a group's vectors, embedding the texts unless they are given in `made`.
        Texts that fail are left out, and a later build tries them again."""

        if self._failures >= _PATIENCE:
            return {}
        try:
            with telemetry.span("embedding", {"gen_ai.request.model": self._name, "embedding.batch_size": len(texts)}):
                vectors = self._embedder.embed(texts, call) if made is None else made
            self._count(texts)
        except (Cancelled, DeadlineExceeded, ExtraMissing):
            raise
        except Unavailable:
            self._failures += 1
            if not self._embedded:  # it never answered: an error, not a run without vectors
                raise
            return {}
        good = np.isfinite(vectors).all(axis=1)
        self._failures = 0 if good.any() else self._failures + 1
        self._embedded += int(good.sum())
        places = np.flatnonzero(good).tolist()
        if not places:
            return {}
        limit = self._embedder.max_tokens
        counts = self._embedder.count([texts[at] for at in places]) if limit else [0] * len(places)
        with telemetry.span("db.write.embeddings", {"biblicus.texts": len(places)}):
            rows = self._store.append([keys[at] for at in places], vectors[good], [count > limit for count in counts])
        return {keys[at]: row for at, row in zip(places, rows, strict=True)}

    def _count(self, texts: Sequence[str]) -> None:
        if telemetry.is_on():
            telemetry.count("llm.tokens.input", sum(self._embedder.count(texts)), {"gen_ai.request.model": self._name})

    @property
    def languages(self) -> frozenset[str] | None:
        return getattr(self._embedder, "languages", None)

    def generation(self) -> str:
        self._store.find([])  # creates a missing store
        return self._store.generation()

    def matrix(self, generation: str) -> NDArray[np.float32]:
        return self._store.matrix(generation)

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        vector = self._asked.get(text)
        if vector is None:
            with telemetry.span("embedding", {"gen_ai.request.model": self._name, "embedding.batch_size": 1}):
                vector = self._asked[text] = self._embedder.question(text, call)
            self._count([text])
            if len(self._asked) > _QUESTIONS:
                self._asked.popitem(last=False)
        return vector

    def passing(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:

        with telemetry.span("embedding", {"gen_ai.request.model": self._name, "embedding.batch_size": len(texts)}):
            vectors = self._embedder.embed(texts, call)
        self._count(texts)
        return np.nan_to_num(vectors)


def folder(corpus: CorpusFolder, fingerprint: str) -> Path:
    """Return the folder of a model's vectors."""
    return corpus.vectors / hashlib.sha256(fingerprint.encode()).hexdigest()[:16]


def prune(corpus: CorpusFolder, limit: int, worth: float = 0.0) -> tuple[int, int]:
    """Delete unused vectors if a corpus's vectors exceed `limit` bytes. Return (vectors, bytes) deleted.

    `worth`: minimum share of unused vectors in a store, since the rest is rewritten."""
    vector_stores = stores(corpus.vectors)
    if sum(store.size() for store in vector_stores) <= limit:
        return 0, 0
    dropped = freed = 0
    references = list(_references(corpus))
    for store in vector_stores:
        before = store.size()
        try:
            generation, count = store.generation(), store.count()
        except VectorsGone:
            generation, count = "", 0
        mine = [(path, rows) for path, rows in references if rows.generation == generation]
        keep = sorted({int(at) for _, rows in mine for at in rows.embedded()[2]})
        if len(keep) > (1 - worth) * count:
            continue
        if not keep:
            store.delete()
        elif len(keep) < count:
            moved = store.compact(keep)
            for path, rows in mine:
                rows.led_over(store.generation(), moved).save(path / vector_rows.ROWS)
                seals.seal_folder(path.parent)
            store.drop_others()
        dropped, freed = dropped + count - len(keep), freed + before - store.size()
    return dropped, freed


def _references(corpus: CorpusFolder) -> Iterator[tuple[Path, VectorRows]]:
    """Yield the vector legs of the runs sealed here, with their rows."""
    here = LocalStore(corpus.index)
    for run_id in here.runs():
        with suppress(BiblicusError):
            here.check(run_id)
            run = here.folder(run_id)
            for leg in runs.read(corpus, run_id).recipe["build"]["legs"]:
                if (run / leg / vector_rows.ROWS).exists():
                    yield run / leg, vector_rows.load(run / leg)


def embed_words(corpus: CorpusFolder, call: Call) -> bool:
    """Embed the chunks of the newest lexical run for the recipe `meaning`.

    Return false if there is no such run, or a newer one was sealed meanwhile. Another writer waits for at most one
    turn. If the call is cancelled, finished vectors are kept. Raises `Cancelled`."""
    vectors = CorpusVectors(corpus, recipes.find(corpus, MEANING).build.legs["vector"]["embedder"])
    done, run_id = 0, _newest(corpus)
    for total, window in _windows(corpus, run_id):
        texts = sorted(map(vector_rows.embedded, window), key=len)
        for start in range(0, len(texts), _TURN):
            turn = texts[start : start + _TURN]
            with corpus.writing(call):
                vectors.rows(turn, call)
            done += len(turn)
            call.progress("embed", done, total)
            time.sleep(_PAUSE)
    return run_id is not None and _newest(corpus) == run_id


def _newest(corpus: CorpusFolder) -> str | None:
    """Return the id of the newest lexical run."""
    header = catalogs.read_header(corpus)
    latest = header.latest.get(JUDGED) if header else None
    return latest.run_id if latest else None


def _windows(corpus: CorpusFolder, run_id: str | None) -> Iterator[tuple[int, Sequence[RankedChunk]]]:
    """Yield a run's chunks in blocks, with their total; nothing if the run is gone."""
    from biblicus.runs.cutting import ranked  # lazy: a query cuts nothing

    if run_id is None:
        return
    run = runs.read(corpus, run_id)
    try:
        tables = corpus.store.tables(run_id)
    except NotMaterialized:
        return
    with closing(tables):
        items = {row.row: row.item for row in tables.all_items()}
        chunks = ranked(tables.all_chunks(), items.__getitem__, {})
        while window := list(islice(chunks, _WINDOW)):
            yield run.counts["chunks"], window
