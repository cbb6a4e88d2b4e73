"""What indexing holds in memory at its highest, all its processes together."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from benchmarks.figures import Figure
from benchmarks.workbench import ROOT, Workbench

_PAUSE = 0.02  # seconds between two looks
_COPIES = 4
_MB = 1_000_000


def measure(bench: Workbench) -> list[Figure]:
    """Two rows `memory`: the peak, and how it grows where the folder is there four times over."""
    once, more = (_peak_of_reindex(bench, bench.copies(count)) for count in (1, _COPIES))
    return [
        Figure("memory", "peak memory of full `reindex`, all processes", "MB", once, 230, 209),
        Figure(
            "memory",
            "the same with the folder four times over, against once",
            "×",
            more / once,
            1.3,
            detail=f"{more:.0f} MB against {once:.0f} MB",
        ),
    ]


def _peak_of_reindex(bench: Workbench, folder: Path) -> float:
    bench.fresh(folder)
    bench.biblicus("init", str(folder))
    return peak(("-m", "biblicus", "-C", str(folder), "reindex"))


def peak(words: Sequence[str]) -> float:
    """The highest proportional set size, in MB, of a Python process and all below it.

    A page that several share counts in parts, so that the sum over processes counts it once; pages of files that are
    mapped count as well.
    """
    highest = 0
    with subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL) as running:
        first = psutil.Process(running.pid)
        while running.poll() is None:
            highest = max(highest, _held(first))
            time.sleep(_PAUSE)
    if running.returncode:
        raise RuntimeError(f"python {' '.join(words)} left with {running.returncode}")
    return highest / _MB


def _held(first: psutil.Process) -> int:
    """Bytes held now. A process that ends while it is looked at counts nothing."""
    total = 0
    with suppress(psutil.Error):
        for process in (first, *first.children(recursive=True)):
            with suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total
