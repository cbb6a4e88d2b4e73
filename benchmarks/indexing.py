"""What indexing a folder costs: the first time, after an edit, and where nothing changed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from benchmarks.workbench import REFERENCE, Workbench, finished, run_folder

_SENTENCE = "\nThis sentence was added to see what an edit costs.\n"


_TIMES = 5
_TURNS = 2
"""Rounds of the folder five times over: each takes minutes."""


@dataclass(frozen=True)
class Round:
    """Seconds of one round; all took turns, so that a slow moment of the machine hits each of them."""

    full: float
    on_one_core: float
    raw: float
    unchanged: float
    reference: float
    edit: float


def measure(bench: Workbench) -> list[Figure]:
    """The rows `full`, `cores`, `edit` and `unchanged`. Ratios are medians over the ratios of each round."""
    folder = bench.copies(1)
    if bench.runs > 1:  # one round says nothing of speed
        _round(bench, folder)  # for the page cache, and Python's bytecode
    rounds = [_round(bench, folder) for _ in range(bench.runs)]
    full, on_one_core, raw, unchanged, reference, edit = (
        median(getattr(entry, name) for entry in rounds)
        for name in ("full", "on_one_core", "raw", "unchanged", "reference", "edit")
    )
    return [
        Figure(
            "full",
            "full `init` + `reindex` against raw tantivy",
            "×",
            median(entry.full / entry.raw for entry in rounds),
            5.2,
            4.2,
            f"{full:.2f} s against {raw:.2f} s",
        ),
        Figure(
            "cores",
            "full on one core against all",
            "share",
            median(entry.on_one_core / entry.full for entry in rounds),
            1.7,
            1.9,
            f"{on_one_core:.2f} s against {full:.2f} s",
        ),
        Figure(
            "edit",
            "one file edited: `reindex` against full",
            "%",
            median(100 * entry.edit / entry.full for entry in rounds),
            4.0,
            3.0,
            f"{edit:.2f} s",
        ),
        Figure(
            "unchanged",
            "nothing changed: `reindex`",
            "s",
            unchanged,
            0.4,
            0.3,
            f"{unchanged / reference:.2f} times `import typer, pydantic` ({reference:.2f} s)",
        ),
    ]


def measure_growth(bench: Workbench) -> list[Figure]:
    """The rows `five` and `size`: the folder five times over, each copy made different, against once."""
    once, more = bench.copies(1), bench.different(_TIMES)
    texts = [sum(path.stat().st_size for path in folder.rglob("*.md")) for folder in (once, more)]
    pairs = [(bench.index(once), bench.index(more)) for _ in range(min(bench.runs, _TURNS))]
    unchanged = median(bench.biblicus("-C", str(more), "reindex") for _ in range(bench.runs))
    ours = sum(path.stat().st_size for path in (once / ".biblicus" / "local").rglob("*") if path.is_file())
    ratio = median((large / texts[1]) / (small / texts[0]) for small, large in pairs)
    small, large = (median(side) for side in zip(*pairs, strict=True))
    files = f"{sum(1 for _ in more.rglob('*.md')):,} files"
    return [
        Figure("five", "full at five times the folder, per byte, against once", "×", ratio, 1.08, 1.0,
               f"{large:.1f} s for {texts[1] / 1e6:.0f} MB against {small:.1f} s for {texts[0] / 1e6:.0f} MB"),
        Figure("five", "nothing changed, five times the folder: `reindex`", "s", unchanged, 1.0, detail=files),
        Figure("size", "`.biblicus/local` against the text", "×", ours / texts[0], 0.9, 0.6,
               f"{ours / 1e6:.1f} MB of {texts[0] / 1e6:.1f} MB"),
    ]  # fmt: skip


def _round(bench: Workbench, folder: Path) -> Round:
    on_one_core = bench.index(folder, cores=1)
    full = bench.index(folder)
    raw = raw_seconds(bench, folder)
    unchanged = bench.biblicus("-C", str(folder), "reindex")
    reference = bench.python(*REFERENCE)
    return Round(full, on_one_core, raw, unchanged, reference, _edit_seconds(bench, folder))


def raw_seconds(bench: Workbench, corpus: Path) -> float:
    """What tantivy alone takes for the chunks of the corpus's run."""
    target = bench.place / "raw"
    shutil.rmtree(target, ignore_errors=True)
    return float(finished(("-m", "benchmarks.raw", str(run_folder(corpus)), str(target))))


def _edit_seconds(bench: Workbench, folder: Path) -> float:
    path = _middle(sorted(path for path in folder.rglob("*.md") if path.is_file()))
    before = path.read_bytes()
    path.write_bytes(before + _SENTENCE.encode())
    seconds = bench.biblicus("-C", str(folder), "reindex")
    path.write_bytes(before)
    return seconds


def _middle(paths: Sequence[Path]) -> Path:
    return paths[len(paths) // 2]
