"""Writers take turns, and one that is killed holds up nobody."""

import os
import random
import signal
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from biblicus.connectors.python import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from tests.faults.figures import Figures
from tests.faults.world import World

WRITERS, TURNS, KILLED = 8, 25, 0.3
HANDOVERS = 20
_FORK = get_context("fork")


def bring(corpus: Path, name: str) -> None:
    with Corpus.open(corpus) as opened:
        opened.ingest(text=f"The words of {name}.", title=name)


def write(corpus: Path, writer: int, acknowledged: Connection) -> None:
    """Bring in texts, each in a process of its own; some of these are killed before they are done."""
    choice = random.Random(writer)
    killed, done = 0, []
    for turn in range(TURNS):
        name = f"text {writer} {turn}"
        one = _FORK.Process(target=bring, args=(corpus, name))
        one.start()
        if choice.random() < KILLED:
            time.sleep(choice.uniform(0.0, 0.25))
            if one.pid is not None:
                os.kill(one.pid, signal.SIGKILL)
        one.join()
        if one.exitcode == 0:
            done.append(name)
        killed += one.exitcode == -signal.SIGKILL
    acknowledged.send((done, killed))


def test_no_acknowledged_write_is_lost_among_writers_that_are_killed(world: World, figures: Figures):
    pipes, writers = [], []
    with world.home():
        for number in range(WRITERS):
            here, there = _FORK.Pipe(duplex=False)
            writers.append(_FORK.Process(target=write, args=(world.corpus, number, there)))
            pipes.append(here)
            writers[-1].start()
        results = [pipe.recv() for pipe in pipes]
        for writer in writers:
            writer.join()
        with Corpus.open(world.corpus) as corpus:
            titles = {item.title for item in corpus.list()}
            problems = corpus.check(read_data=True).problems
            corpus.reindex()
            left = world.litter()
    acknowledged = [name for done, _ in results for name in done]
    killed = sum(count for _, count in results)
    lost = [name for name in acknowledged if name not in titles]
    figures.record(
        "writers take turns, no stale locks",
        f"{WRITERS} writers × {TURNS}, {killed} of {WRITERS * TURNS} SIGKILLed",
        f"lost acknowledgements: {len(lost)} of {len(acknowledged)}; problems {len(problems)}; litter {len(left)}",
        kills=killed,
    )
    assert (lost, problems, left) == ([], [], [])
    assert len(acknowledged) == WRITERS * TURNS - killed
    assert killed >= 10


def hold(corpus: Path, holding: Connection) -> None:
    with find(corpus).writing(Call()):
        holding.send(True)
        time.sleep(60)


def take(corpus: Path, taken: Connection) -> None:
    taken.send(None)
    with find(corpus).writing(Call()):
        taken.send(time.monotonic())


def test_the_next_writer_starts_at_once_when_one_is_killed(world: World, figures: Figures):
    waits = []
    with world.home():
        for _ in range(HANDOVERS):
            held, holding = _FORK.Pipe(duplex=False)
            got, taking = _FORK.Pipe(duplex=False)
            first = _FORK.Process(target=hold, args=(world.corpus, holding))
            first.start()
            held.recv()
            second = _FORK.Process(target=take, args=(world.corpus, taking))
            second.start()
            got.recv()
            time.sleep(0.05)
            assert not got.poll(), "two writers at once"
            killed = time.monotonic()
            first.kill()
            waits.append(got.recv() - killed)
            first.join()
            second.join()
    longest = f"longest wait {max(waits) * 1000:.0f} ms"
    figures.record("", f"{HANDOVERS} writers killed while another waits", longest, kills=HANDOVERS)
    assert max(waits) < 1.0
