"""One fault each: end or fail a command at a point, and judge what it left. Run many in two processes."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from tests.faults import tracing
from tests.faults.scenes import Prepared
from tests.faults.tracing import Point
from tests.faults.volume import Volume, private_mounts, volume
from tests.faults.world import Done, Torn, World
from tests.faults.zygote import Start, Zygote

Task = TypeVar("Task")
Result = TypeVar("Result")
_PROCESSES = 2


@dataclass(frozen=True)
class Verdict:
    """What came of a fault. `struck`: the fault was met. `absorbed`: the command did its work all the same.

    `wrong`: how a promise was broken; empty where none was. `states`: how often a state was looked at.
    """

    where: str
    call: str
    struck: bool
    absorbed: bool = False
    wrong: tuple[str, ...] = ()
    states: int = 0


class _Process:
    """What a process keeps between tasks."""

    zygote: Zygote | None = None


def _start() -> None:
    private_mounts()
    _Process.zygote = Zygote()
    gc.freeze()  # judging collects after every look; what pytest brought need not be walked each time


def each(work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
    """The tasks' results, worked on in two processes, each with mounts of its own."""
    with ProcessPoolExecutor(_PROCESSES, get_context("fork"), _start) as pool:
        yield from pool.map(work, tasks)


def traced(prepared: Prepared, made: Volume, tracer: Sequence[str], variant: str | None = None) -> Done:
    """Run a scene's command on a volume, under a tracer."""
    assert _Process.zygote is not None, "only within `each`"
    world, scene = World(made.root), prepared.scene
    words = tuple(world.placed(word) for word in scene.command)
    return _Process.zygote.run(Start(words, variant or scene.variant, world.environment, made.folder), tracer)


def broken(verdicts: Sequence[Verdict]) -> list[str]:
    """The broken promises among them, in words."""
    return [f"{verdict.where}: {'; '.join(verdict.wrong)}" for verdict in verdicts if verdict.wrong]


def enumerate_points(prepared: Prepared, variant: str | None = None) -> list[Point]:
    """Where the command changes anything, from a trace of it."""
    (points,) = each(partial(_enumerate, prepared), [variant])
    return points


def _enumerate(prepared: Prepared, variant: str | None) -> list[Point]:
    with volume(prepared.image) as made:
        trace = made.folder / "trace"
        done = traced(prepared, made, tracing.tracer(trace), variant)
        assert done.code == 0, done.err
        return tracing.points(trace, made.root)


class Judge:
    """Collects what is wrong with what a fault left."""

    def __init__(self, prepared: Prepared, made: Volume) -> None:
        self.prepared, self.made = prepared, made
        self.world = World(made.root)
        self.wrong: list[str] = []
        self.states = 0

    def expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.wrong.append(otherwise)

    def looks_sound(self, when: str) -> None:
        """The old state or the new one, part by part; and the user's files as they were."""
        self.states += 1
        try:
            if (old := self.prepared.old) is not None:
                state = self.world.observe()
                self.expect(state.between(old, self.prepared.new), f"{when}: neither old nor new: {state}")
        except Torn as torn:
            self.wrong.append(f"{when}: {torn}")
        self.expect(self.world.raw() == self.prepared.raw, f"{when}: a raw file was changed")

    def is_new(self, when: str) -> None:
        """The state after, completely."""
        self.states += 1
        try:
            state = self.world.observe(deep=True)
            self.expect(state == self.prepared.new, f"{when}: not the new state: {state}")
        except Torn as torn:
            self.wrong.append(f"{when}: {torn}")
        self.expect(self.world.raw() == self.prepared.raw, f"{when}: a raw file was changed")

    def next_writer_finishes(self) -> None:
        """The same command again does the work, and leaves nothing of the first one's."""
        code, _, err = self.world.run_here(*self.prepared.scene.command)
        self.expect(code in self.prepared.scene.again, f"again: exit {code}: {err}")
        code, _, err = self.world.run_here("reindex", "-C", "@/corpus")
        self.expect(code == 0, f"reindex: exit {code}: {err}")
        try:
            self.world.observe()
        except Torn as torn:
            self.wrong.append(f"after the next writer: {torn}")
        self.expect(not self.world.litter(), f"litter: {self.world.litter()}")


def killed(point: Point, prepared: Prepared, variant: str | None = None) -> Verdict:
    """SIGKILL before a call; then what stands as it is, after a power cut, and after one that lost the journal."""
    with volume(prepared.image) as made:
        judge = Judge(prepared, made)
        done = traced(prepared, made, tracing.at(point, "signal=KILL", made.folder / "trace"), variant)
        where = f"{prepared.scene.name}: {point.call} {point.number}"
        if not done.killed:
            judge.expect(done.code == 0, f"not struck, yet exit {done.code}: {done.err}")
            return Verdict(where, point.call, False, wrong=tuple(judge.wrong))
        lost = made.folder / "lost"
        shutil.copyfile(made.image, lost)  # what had reached the disk: the state that a power cut would leave
        judge.looks_sound("killed")
        made.cut(journal="flushed")
        judge.looks_sound("killed, journal flushed")
        judge.next_writer_finishes()
        made.unmount()
        os.replace(lost, made.image)
        made.mount()
        judge.looks_sound("killed, journal lost")
        return Verdict(where, point.call, True, wrong=tuple(judge.wrong), states=judge.states)


def failed(task: tuple[Point, str], prepared: Prepared, variant: str | None = None) -> Verdict:
    """An error from a call: a non-zero exit and the old state, or the work done all the same."""
    point, error = task
    with volume(prepared.image) as made:
        judge = Judge(prepared, made)
        trace = made.folder / "trace"
        done = traced(prepared, made, tracing.at(point, f"error={error}", trace), variant)
        where = f"{prepared.scene.name}: {error} from {point.call} {point.number}"
        if not tracing.was_injected(trace):
            judge.expect(done.code == 0, f"not struck, yet exit {done.code}: {done.err}")
            return Verdict(where, point.call, False, wrong=tuple(judge.wrong))
        if done.code == 0:
            judge.expect(point.call not in tracing.SYNCING, "a failed fsync went unnoticed")
            judge.is_new("exit 0")
        else:
            judge.expect(done.is_one_line or tracing.was_silenced(trace), f"not one line: {done.err}")
            judge.looks_sound(f"exit {done.code}")
        judge.next_writer_finishes()
        judge.expect(not tracing.retried(trace), "a failed fsync was tried again")
        return Verdict(where, point.call, True, done.code == 0, tuple(judge.wrong), judge.states)


def all_killed(prepared: Prepared, points: Sequence[Point], variant: str | None = None) -> list[Verdict]:
    return list(each(partial(killed, prepared=prepared, variant=variant), points))


def all_failed(prepared: Prepared, tasks: Sequence[tuple[Point, str]], variant: str | None = None) -> list[Verdict]:
    return list(each(partial(failed, prepared=prepared, variant=variant), tasks))
