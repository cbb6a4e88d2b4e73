"""A small folder to measure on; what the figures come to there says nothing about speed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.workbench import Workbench, apart

SUBJECTS = ("tide", "harbour", "ferry", "lantern", "compass", "anchor", "chart", "signal", "current", "storm")


@contextmanager
def made() -> Iterator[Workbench]:
    compiled = os.environ.get("PYTHONPYCACHEPREFIX")
    with apart() as place, pytest.MonkeyPatch.context() as patch:
        # What was compiled is taken as it is: to compile it again for each test would be most of what they cost.
        if compiled is None:
            patch.delenv("PYTHONPYCACHEPREFIX")
        else:
            patch.setenv("PYTHONPYCACHEPREFIX", compiled)
        folder = place / "documents"
        for number in range(40):
            subject, other = SUBJECTS[number % 10], SUBJECTS[(number * 7 + 3) % 10]
            path = folder / subject / f"{number:02}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            title = f"The {subject} and the {other} number {number}"
            path.write_text(f"# {title}\n\n" + f"Every {subject} knows its {other}. " * (number + 1) + "\n")
        yield Workbench(place, folder, runs=1)


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """A workbench with forty short documents, one run of everything."""
    with made() as bench:
        yield bench


@pytest.fixture(scope="module")
def indexed() -> Iterator[Path]:
    """A corpus of these documents, indexed, which nobody changes."""
    with made() as bench:
        folder = bench.copies(1)
        bench.index(folder)
        yield folder


@pytest.fixture
def documents(bench: Workbench) -> Path:
    return bench.documents
