"""Whether ingest and reindex take four times as long for four times the files, and no more."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench

_ROUNDS = 3  # of some 50 s each
_MB = 1_000_000


def measure(bench: Workbench) -> list[Figure]:
    """Four rows `growth`: seconds a file, ingest and reindex, at one size against the next smaller one.

    Nothing is subtracted: what starting a process costs is a larger part of the smaller size.
    """
    folders = [bench.sample(10), bench.copies(1), bench.copies(4)]
    sizes = [_size(bench.fresh(folder)) for folder in folders]
    rounds = [[_seconds(bench, folder) for folder in folders] for _ in range(min(_ROUNDS, bench.runs))]
    figures = []
    for verb in ("ingest", "reindex"):
        taken = [median(times[at][verb] for times in rounds) for at in range(len(folders))]
        for at in (1, 2):
            ratios = [times[at][verb] / sizes[at][0] / (times[at - 1][verb] / sizes[at - 1][0]) for times in rounds]
            (fewer, less), (files, size) = sizes[at - 1], sizes[at]
            detail = f"{taken[at]:.2f} s ({size / _MB:.0f} MB) against {taken[at - 1]:.2f} s ({less / _MB:.1f} MB)"
            name = f"`{verb}` a file, {files:,} files against {fewer:,}"
            figures.append(Figure("growth", name, "×", median(ratios), 1.3, detail=detail))
    return figures


def _size(folder: Path) -> tuple[int, int]:
    """Files and bytes."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


def _seconds(bench: Workbench, folder: Path) -> dict[str, float]:
    bench.fresh(folder)
    bench.biblicus("init", str(folder))
    return {verb: bench.biblicus("-C", str(folder), verb) for verb in ("ingest", "reindex")}
