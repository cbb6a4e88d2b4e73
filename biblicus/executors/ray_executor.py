"""Distributes a build over the workers of a Ray cluster: a local one, or one given by the user.

A batch runs at least once and counts once: its result depends only on the batch. A lost worker costs time; a batch lost
by every worker runs locally. Anyone with access to a cluster can run programs on it, so use only your own machines,
with a token."""

from __future__ import annotations

import os
import pickle  # noqa: TID251 (between processes of one user, over a cluster that is his)
import secrets
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from biblicus.errors import ExecutorUnavailable, ExtraMissing
from biblicus.guards.processes import cores, use_at_most
from biblicus.guards.side_by_side import Task, Work

LOCAL = "ray"
_AHEAD = 4
"""Number of batches queued for each worker, so that none waits for a busy caller."""
_RETRIES = 3
_STARTS, _LATE = 3, "timed out during startup"
"""Number of attempts to start a cluster: on a busy machine it takes longer than Ray's limit of 30 s."""
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
_CORES = 1
"""Cores used by a batch. A cluster has as many workers as cores, and none may use more than its own."""
_begun: dict[str, tuple[Work, dict[str, Any]]] = {}
"""In a worker: its current task."""


class RayExecutor:
    """See `guards.side_by_side.Executor`. `where`: `ray`, or `ray://HOST:PORT`.

    `workers`: size of a local cluster, 0 for one a core. The cluster is contacted only when there is work."""

    is_far = True

    def __init__(self, where: str, workers: int = 0) -> None:
        self.count = workers or cores()
        self._where = where
        self._ray: Any = None
        self._run: Any = None

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Connect to the cluster, or start one. Raises `ExecutorUnavailable`, `ExtraMissing`."""
        if self._ray is not None:
            return
        os.environ.update({name: value for name, value in _QUIET.items() if name not in os.environ})
        if "ray" in sys.modules and os.environ.get("RAY_AUTH_MODE") != "token":  # read only once
            raise ExecutorUnavailable(self._where, "ray was loaded without tokens", "export RAY_AUTH_MODE=token")
        os.environ["RAY_AUTH_MODE"] = "token"
        own: dict[str, Any] = {"address": self._where}
        if self._where == LOCAL:
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # for a cluster that ends with this process
            own = {"num_cpus": self.count, "include_dashboard": False}
        try:
            import ray
        except ImportError:
            raise ExtraMissing("Sharing out a build", "ray") from None
        for left in reversed(range(_STARTS)):
            try:
                ray.init(**own, configure_logging=False, logging_level="CRITICAL", log_to_driver=False)
                break
            except Exception as error:  # any failure to start; the message is for the user
                if self._where == LOCAL:
                    ray.shutdown()
                if not left or _LATE not in str(error):
                    raise ExecutorUnavailable(self._where, _first_line(error)) from error
        self._ray = ray
        self._run = ray.remote(max_retries=_RETRIES, num_cpus=_CORES)(_do)

    def close(self) -> None:
        """Disconnect from the cluster; a local one ends."""
        ray, self._ray = self._ray, None
        if ray is not None:
            ray.shutdown()

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        """Yield the result of each batch, in order. `dealt`: batches, each with a number that is not used here."""
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
        """Return the result of a batch, computed here if its workers were lost."""
        lost = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except lost.RayTaskError as error:
            raise ExecutorUnavailable(self._where, _first_line(error.cause)) from error
        except (lost.WorkerCrashedError, lost.NodeDiedError, lost.ObjectLostError, lost.OutOfMemoryError):
            cache: dict[str, Any] = {}  # data needed during the work
            return task.begin(cache)(batch)
        except lost.RayError as error:
            raise ExecutorUnavailable(self._where, _first_line(error)) from error


def _do(name: str, packed: bytes, batch: Any) -> Any:
    """In a worker: run a batch of a task, which is started once."""
    if name not in _begun:
        use_at_most(_CORES)
        _begun.clear()
        kept: dict[str, Any] = {}
        task: Task = pickle.loads(packed)  # noqa: S301 (sent by this user, over their own cluster)
        _begun[name] = task.begin(kept), kept
    return _begun[name][0](batch)


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].removesuffix(".")
