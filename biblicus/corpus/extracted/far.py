"""Parses files elsewhere: batches of bytes go out, extractions come back, and only this machine keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.extraction.workers.pool import ExtractionPool, Job, Outcome
from biblicus.guards.process import Limits
from biblicus.guards.side_by_side import Executor, Work

if TYPE_CHECKING:
    from types import TracebackType


@dataclass(frozen=True)
class Parsing:
    """The task of parsing, each file behind the walls of a guarded worker there, too."""

    limits: Limits

    def begin(self, kept: dict[str, Any]) -> Work:
        pool = kept["pool"] = ExtractionPool(1, self.limits)

        def parse(file: tuple[Any, ...]) -> Outcome:
            data, hint, extractor, options, sha256 = file
            job = Job(data, MediaHint(*hint), extractor, options, sha256)
            ((_, outcome),) = pool.extract([job])
            return outcome

        return parse


class FarPool:
    """Stands for an `ExtractionPool`: the same jobs, done by an executor's workers."""

    def __init__(self, executor: Executor, limits: Limits) -> None:
        self._executor, self._limits = executor, limits

    def __enter__(self) -> FarPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Workers go with their executor."""

    def extract(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Each job with its outcome, in order."""
        dealt = ((number, _packed(job)) for number, job in enumerate(jobs))
        yield from zip(jobs, self._executor.each(Parsing(self._limits), dealt), strict=True)


def shared_out(jobs: Sequence[Job], executor: Executor | None, limits: Limits) -> tuple[list[Job], list[Job]]:
    """Jobs for this machine, and those for others. Passwords stay here, and so do plug-ins of other distributions."""
    stays = [executor is None or bool(limits.preload) or bool(job.passwords) for job in jobs]
    near = [job for job, here in zip(jobs, stays, strict=True) if here]
    return near, [job for job, here in zip(jobs, stays, strict=True) if not here]


def foreign(jobs: Iterable[Job]) -> tuple[str, ...]:
    """The modules of other distributions' extractors and engines: they may lie anywhere."""
    modules = {plugins.find("extraction", job.extractor).__name__ for job in jobs}
    modules |= {plugins.find("ocr", str(job.ocr["engine"])).__name__ for job in jobs if job.ocr}
    return tuple(sorted(name for name in modules if not name.startswith("biblicus.")))


def pool_of(limits: Limits, workers: int, executor: Executor | None) -> ExtractionPool | FarPool:
    """Who parses: an executor's workers where there is one, else guarded ones here."""
    return ExtractionPool(workers or None, limits) if executor is None else FarPool(executor, limits)


def _packed(job: Job) -> tuple[Any, ...]:
    """A job as plain values, its bytes among them; a file that cannot be read is told of by who parses it."""
    source = job.source
    if not isinstance(source, bytes):
        try:
            source = source() if callable(source) else files.read(Path(source), limit=job.limit)
        except (OSError, UnsafeInput):
            source = b""
    return source, (job.hint.path, job.hint.media_type), job.extractor, dict(job.options), job.sha256
