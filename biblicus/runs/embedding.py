"""Embed the chunks of a sealed lexical run, a few at a time, before the run with meaning is built over them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice

from biblicus.contracts import Call, RankedChunk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import NotMaterialized
from biblicus.models.recipe import JUDGED, MEANING

_TURN = 128
"""Texts embedded during one hold of the writers' lock: some seconds."""
_WINDOW = 2_048
"""Chunks sorted by length together before embedding, to reduce padding."""
_PAUSE = 0.05
"""Seconds between two turns; longer than the interval at which another writer tries to get the lock."""


def embed_words(corpus: CorpusFolder, call: Call) -> bool:
    """Embed the chunks of the newest lexical run for the recipe `meaning`.

    Return false if there is no such run, or a newer one was sealed meanwhile. Another writer waits for at most one
    turn. If the call is cancelled, finished vectors are kept. Raises `Cancelled`."""
    from biblicus.retrieval.vectors.vector_rows import embedded  # lazy: numpy
    from biblicus.runs.vectors import CorpusVectors

    vectors = CorpusVectors(corpus, recipes.find(corpus, MEANING).build.legs["vector"]["embedder"])
    done, run_id = 0, _newest(corpus)
    for total, window in _windows(corpus, run_id):
        texts = sorted(map(embedded, window), key=len)
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
    from biblicus.runs import manifests
    from biblicus.runs.cutting import ranked

    if run_id is None:
        return
    run = manifests.read(corpus, run_id)
    try:
        tables = corpus.store.tables(run_id)
    except NotMaterialized:
        return
    with closing(tables):
        items = {row.row: row.item for row in tables.all_items()}
        chunks = ranked(tables.all_chunks(), items.__getitem__, {})
        while window := list(islice(chunks, _WINDOW)):
            yield run.counts["chunks"], window
