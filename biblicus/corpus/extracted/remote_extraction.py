"""Parse files on remote workers: batches of bytes go out, extractions come back and are cached only here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.extraction.workers.pool import ExtractionPool, Job, Outcome
from biblicus.guards.process import Limits
from biblicus.guards.side_by_side import Executor, Work


@dataclass(frozen=True)
class Parsing:
    """The task of parsing; remote workers also use the walls of a guarded worker."""

    limits: Limits

    def begin(self, kept: dict[str, Any]) -> Work:
        pool = kept["pool"] = ExtractionPool(1, self.limits)

        def parse(file: tuple[Any, ...]) -> Outcome:
            data, hint, extractor, options, sha256 = file
            job = Job(data, MediaHint(*hint), extractor, options, sha256)
            ((_, outcome),) = pool.extract([job])
            return outcome

        return parse


class RemotePool:
    """Like `ExtractionPool`, but an executor's workers do the jobs."""

    def __init__(self, executor: Executor, limits: Limits) -> None:
        self._executor, self._limits = executor, limits

    def __enter__(self) -> RemotePool:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: workers are ended with their executor."""

    def extract(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Yield each job with its outcome, in order."""
        dealt = ((number, _packed(job)) for number, job in enumerate(jobs))
        yield from zip(jobs, self._executor.each(Parsing(self._limits), dealt), strict=True)


def shared_out(jobs: Sequence[Job], executor: Executor | None, limits: Limits) -> tuple[list[Job], list[Job]]:
    """Split jobs into local and remote ones. Jobs with passwords or third-party plug-ins stay local."""
    stays = [executor is None or bool(limits.preload) or bool(job.passwords) for job in jobs]
    near = [job for job, here in zip(jobs, stays, strict=True) if here]
    return near, [job for job, here in zip(jobs, stays, strict=True) if not here]


def foreign(jobs: Iterable[Job]) -> tuple[str, ...]:
    """Return the modules of third-party extractors and OCR engines that jobs need."""
    modules = {plugins.find("extraction", job.extractor).__name__ for job in jobs}
    modules |= {plugins.find("ocr", str(job.ocr["engine"])).__name__ for job in jobs if job.ocr}
    return tuple(sorted(name for name in modules if not name.startswith("biblicus.")))


def pool_of(limits: Limits, workers: int, executor: Executor | None) -> ExtractionPool | RemotePool:
    """Return the pool for parsing: an executor's workers if there is one, else local guarded workers."""
    return ExtractionPool(workers or None, limits) if executor is None else RemotePool(executor, limits)


def _packed(job: Job) -> tuple[Any, ...]:
    """Return a job as plain values with its bytes; an unreadable file is sent empty and fails there."""
    source = job.source
    if not isinstance(source, bytes):
        try:
            source = source() if callable(source) else files.read(Path(source), limit=job.limit)
        except (OSError, UnsafeInput):
            source = b""
    return source, (job.hint.path, job.hint.media_type), job.extractor, dict(job.options), job.sha256
