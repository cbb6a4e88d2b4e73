"""Embeds what a sealed run by words contains, a few chunks at a time, before meaning is built over the same chunks."""

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
"""Texts embedded under one hold of the writers' lock: some seconds."""
_WINDOW = 2_048
"""Chunks that are sorted by length before they are embedded, so that little is spent on padding."""
_PAUSE = 0.05
"""Seconds between two turns, more than another writer waits between two tries to get the lock."""


def embed_words(corpus: CorpusFolder, call: Call) -> bool:
    """Embed the chunks of the newest run by words with the model of `meaning`. Return false without one, or if a
    newer one was sealed meanwhile.

    Another writer waits for one turn at most. What was embedded stays when the call is cancelled. Raises `Cancelled`.
    """
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
    """Id of the newest run by words."""
    header = catalogs.read_header(corpus)
    latest = header.latest.get(JUDGED) if header else None
    return latest.run_id if latest else None


def _windows(corpus: CorpusFolder, run_id: str | None) -> Iterator[tuple[int, Sequence[RankedChunk]]]:
    """Chunks of a run, with their number; none where it is gone."""
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
