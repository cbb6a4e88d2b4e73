"""Shares out a build among the workers of a Ray cluster: one of this machine's own, or one that the user names.

A batch is done at least once, and counts once: what came of it depends on nothing but the batch. A worker that is lost
costs time; a batch that no worker survives is done here. Whoever reaches a cluster can run programs on it: it is for
machines that are yours, by a token.
"""

from __future__ import annotations

import os
import pickle  # noqa: TID251 (between processes of one user, over a cluster that is his)
import secrets
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

from biblicus.errors import ExecutorUnavailable, ExtraMissing
from biblicus.guards.processes import cores, use_at_most
from biblicus.guards.side_by_side import Task, Work

LOCAL = "ray"
_AHEAD = 4
"""Batches that wait at each worker: none of them ever waits for a busy caller."""
_RETRIES = 3
_STARTS, _LATE = 3, "timed out during startup"
"""A machine that is busy takes longer to start a cluster than the 30 s that Ray gives it."""
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
_CORES = 1
"""What a batch takes of a machine. A cluster has as many workers as cores, and none may take those of the others."""
_begun: dict[str, tuple[Work, dict[str, Any]]] = {}
"""In a worker: the task that it does."""


class RayExecutor:
    """See `guards.side_by_side.Executor`. `where`: `ray`, or `ray://HOST:PORT`; `workers`: how many of a cluster of our
    own, 0 for one a core. The cluster is reached when there is work."""

    is_far = True

    def __init__(self, where: str, workers: int = 0) -> None:
        self.count = workers or cores()
        self._where = where
        self._ray: Any = None
        self._run: Any = None

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Reach the cluster, or start one. Raises `ExecutorUnavailable`, `ExtraMissing`."""
        if self._ray is not None:
            return
        os.environ.update({name: value for name, value in _QUIET.items() if name not in os.environ})
        if "ray" in sys.modules and os.environ.get("RAY_AUTH_MODE") != "token":  # it reads that once
            raise ExecutorUnavailable(self._where, "ray was loaded without tokens", "export RAY_AUTH_MODE=token")
        os.environ["RAY_AUTH_MODE"] = "token"
        own: dict[str, Any] = {"address": self._where}
        if self._where == LOCAL:
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # of a cluster that ends with this process
            own = {"num_cpus": self.count, "include_dashboard": False}
        try:
            import ray
        except ImportError:
            raise ExtraMissing("Sharing out a build", "ray") from None
        for left in reversed(range(_STARTS)):
            try:
                ray.init(**own, configure_logging=False, logging_level="CRITICAL", log_to_driver=False)
                break
            except Exception as error:  # whatever keeps it from starting, its words are for who runs it
                if self._where == LOCAL:
                    ray.shutdown()
                if not left or _LATE not in str(error):
                    raise ExecutorUnavailable(self._where, _first_line(error)) from error
        self._ray = ray
        self._run = ray.remote(max_retries=_RETRIES, num_cpus=_CORES)(_do)

    def close(self) -> None:
        """Let go of the cluster; one of our own ends."""
        ray, self._ray = self._ray, None
        if ray is not None:
            ray.shutdown()

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        """The result of each batch, in order. `dealt`: batches, each with a number that says nothing here."""
        self.start()
        packed = pickle.dumps(task)
        name = secrets.token_hex(8)
        shared = self._ray.put(packed)
        waiting: deque[tuple[Any, Any]] = deque()
        try:
            for _, batch in dealt:
                while len(waiting) >= _AHEAD * self._width():
                    yield self._result(task, *waiting.popleft())
                waiting.append((self._run.remote(name, shared, batch), batch))
            while waiting:
                yield self._result(task, *waiting.popleft())
        finally:
            for reference, _ in waiting:
                self._ray.cancel(reference, force=True)

    def _width(self) -> int:
        return self.count if self._where == LOCAL else max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _result(self, task: Task, reference: Any, batch: Any) -> Any:
        """What came of a batch; made here where its workers were lost."""
        lost = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except lost.RayTaskError as error:
            raise ExecutorUnavailable(self._where, _first_line(error.cause)) from error
        except (lost.WorkerCrashedError, lost.NodeDiedError, lost.ObjectLostError, lost.OutOfMemoryError):
            kept: dict[str, Any] = {}  # what the work needs for as long as it is done
            return task.begin(kept)(batch)
        except lost.RayError as error:
            raise ExecutorUnavailable(self._where, _first_line(error)) from error


def _do(name: str, packed: bytes, batch: Any) -> Any:
    """In a worker: a batch of a task, which is begun once."""
    if name not in _begun:
        use_at_most(_CORES)
        _begun.clear()
        kept: dict[str, Any] = {}
        task: Task = pickle.loads(packed)  # noqa: S301 (as above)
        _begun[name] = task.begin(kept), kept
    return _begun[name][0](batch)


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].removesuffix(".")
