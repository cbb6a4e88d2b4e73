"""Workers of extraction that outlive the command that started them, as if a service had: a start is a fifth of a second
of what most scenarios cost, and says nothing about them. Whoever tests workers themselves starts their own."""

import os
from collections import defaultdict
from typing import Any
from weakref import WeakSet

import pytest

from biblicus.extraction.workers.pool import ExtractionPool, _Slot
from biblicus.extraction.workers.unpacking import Unpacker
from biblicus.guards.process import Worker


class Idle:
    """The workers that wait for more, by what they were allowed."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._slots: defaultdict[Any, list[_Slot]] = defaultdict(list)
        self._unpackers: defaultdict[Any, list[Worker]] = defaultdict(list)
        self._asking: WeakSet[Unpacker] = WeakSet()

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        """From here on workers are taken from those that wait, and wait again."""
        start, leave, ask = ExtractionPool._start, Unpacker.__exit__, Unpacker._asked

        def started(pool: ExtractionPool) -> _Slot:
            waiting = self._slots[pool._limits]
            while waiting:
                slot = waiting.pop()
                if self._is_alive(slot.worker):
                    slot.done = slot.signs = 0
                    pool._slots.append(slot)
                    return slot
            return start(pool)

        def closed(pool: ExtractionPool) -> None:
            while pool._slots:
                slot = pool._slots.pop()
                if slot.ready and not slot.jobs and self._is_alive(slot.worker):
                    self._slots[pool._limits].append(slot)
                else:
                    slot.worker.kill()

        def asked(unpacker: Unpacker, header: Any, body: bytes) -> Any:
            waiting = self._unpackers[unpacker._limits]
            while unpacker._worker is None and waiting:
                worker = waiting.pop()
                unpacker._worker = worker if self._is_alive(worker) else None
            self._asking.add(unpacker)
            answer = ask(unpacker, header, body)
            self._asking.discard(unpacker)
            return answer

        def left(unpacker: Unpacker, *why: object) -> None:
            worker = unpacker._worker
            is_idle = why == (None, None, None) and unpacker not in self._asking
            if is_idle and worker is not None and self._is_alive(worker):
                self._unpackers[unpacker._limits].append(worker)
                unpacker._worker = None
            leave(unpacker)

        patch.setattr(ExtractionPool, "_start", started)
        patch.setattr(ExtractionPool, "close", closed)
        patch.setattr(Unpacker, "_asked", asked)
        patch.setattr(Unpacker, "__exit__", left)

    def close(self) -> None:
        for worker in [slot.worker for slots in self._slots.values() for slot in slots]:
            worker.kill()
        for worker in [worker for workers in self._unpackers.values() for worker in workers]:
            worker.kill()

    def _is_alive(self, worker: Worker) -> bool:
        """Whether it runs, for this process; one that was forked off has none."""
        return os.getpid() == self._owner and worker._process.poll() is None
