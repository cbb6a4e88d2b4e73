"""Whether ingest and reindex take four times as long for four times the files, and no more; and what a command about
one file takes in a corpus of many: `python -m benchmarks.growth [--items 100000] [--rounds 9]` (minutes)."""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench, finished

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


_FEW = 1_000


def _notes(folder: Path, count: int) -> Path:
    """A corpus of so many short notes, in folders of a hundred, with a run."""
    for number in range(count):
        within = folder / f"{number // 100:05}"
        within.mkdir(parents=True, exist_ok=True)
        (within / f"{number:07}.md").write_text(f"# Note {number}\n\nThe lamp {number} burns.\n", "utf-8")
    finished(["-m", "biblicus", "init", str(folder)])
    finished(["-m", "biblicus", "-C", str(folder), "reindex"])
    return folder


def _processor(folder: Path, words: Sequence[str]) -> float:
    """Seconds of the processor, the system's too, that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished(["-m", "biblicus", "-C", str(folder), *words])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print what a file that is ingested, a tag and an item that is shown take among few items and among many."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {f"BIBLICUS_{name}_HOME": str(Path(place, name)) for name in ("STATE", "CONFIG")}
        few, many = (_notes(Path(place, str(count)), count) for count in (_FEW, options.items))
        taken: dict[str, tuple[list[float], list[float]]] = {}
        for number in range(options.rounds + 1):
            new = Path(place, f"new{number}.md")
            new.write_text(f"# New {number}\n\nA lantern.\n{number}\n", "utf-8")
            note = f"00003/{300 + number:07}.md"
            commands = {"ingest": [str(new)], "tag": [note, "+sea"], "show": [note]}
            for verb, words in commands.items():
                for at, folder in enumerate((few, many)):
                    seconds = _processor(folder, [verb, *words])
                    if number:  # the first compiles, and reads what others read again
                        taken.setdefault(verb, ([], []))[at].append(seconds)
    for verb, (of_few, of_many) in taken.items():
        less, more = median(of_few), median(of_many)
        print(f"{verb}: {less:.2f} s among {_FEW:,}, {more:.2f} s among {options.items:,}: {more / less:.2f} times")


if __name__ == "__main__":
    main()
