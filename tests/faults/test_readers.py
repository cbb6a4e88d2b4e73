"""Readers never wait, and see the old run or the new one, never a mixture."""

import re
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path

from biblicus.connectors.python import Corpus
from tests.faults.figures import Figures, percentile
from tests.faults.world import World

READERS, EDITIONS, FILES = 2, 25, 12
_FORK = get_context("fork")


def publish(folder: Path, edition: int) -> None:
    for number in range(FILES):
        (folder / f"chapter{number}.md").write_text(f"# Chapter {number}\n\nThe tide tables, edition {edition}.\n")


def read(corpus: Path, stop: Event, told: Connection) -> None:
    """Ask again and again, each time with a corpus freshly opened."""
    times: list[float] = []
    torn: list[str] = []
    while not stop.is_set():
        began = time.perf_counter()
        try:
            with Corpus.open(corpus) as opened:
                result = opened.query("tide tables", limit=FILES, max_per_source=1)
            editions = {found for piece in result.evidence for found in re.findall(r"edition (\d+)", piece.text)}
            if len(editions) != 1 or len(result.evidence) != FILES:
                torn.append(f"editions {sorted(editions)} in {len(result.evidence)} pieces")
        except Exception as error:  # whatever it is, a reader should not have met it
            torn.append(f"{type(error).__name__}: {error}")
        times.append(time.perf_counter() - began)
    told.send((times, torn))


def test_spinning_readers_see_no_torn_state(tmp_path: Path, figures: Figures):
    world = World(tmp_path)
    world.corpus.mkdir()
    with world.home():
        publish(world.corpus, 0)
        with Corpus.init(world.corpus) as corpus:
            corpus.reindex()
        stop = _FORK.Event()
        pipes, readers = [], []
        for _ in range(READERS):
            here, there = _FORK.Pipe(duplex=False)
            readers.append(_FORK.Process(target=read, args=(world.corpus, stop, there)))
            pipes.append(here)
            readers[-1].start()
        for edition in range(1, EDITIONS):
            publish(world.corpus, edition)
            with Corpus.open(world.corpus) as corpus:
                corpus.reindex()
        stop.set()
        results = [pipe.recv() for pipe in pipes]
        for reader in readers:
            reader.join()
    times = [one for found, _ in results for one in found]
    torn = [one for _, found in results for one in found]
    figures.record(
        "readers never wait nor see a torn state",
        f"{READERS} spinning readers during {EDITIONS} reindexes, each read with the corpus opened anew",
        f"torn reads: {len(torn)} of {len(times)}; read p50 {percentile(times, 0.5) * 1000:.0f} ms, "
        f"p99 {percentile(times, 0.99) * 1000:.0f} ms",
    )
    assert not torn
    assert len(times) > 50
