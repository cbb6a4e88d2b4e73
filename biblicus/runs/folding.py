"""Folding: of the runs in a row that single documents caused, the newest stays and names those that it stands for.

What the latest entry of a recipe, an evaluation or a person refers to stays, and so does what a reader may have open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import pairwise, takewhile
from typing import NamedTuple

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError, StorageFailed, UnsafeInput
from biblicus.models.manifest import Manifest
from biblicus.runs import manifests

_RECENT = 64
"""How many runs are looked at: each document folds what the one before it left, so that more is never needed."""


_MOST_NAMES = 1_000
"""How many runs a manifest names at most that it stands for, so that it does not grow with every document."""


class Fold(NamedTuple):
    """`doomed`: the runs to delete once the new run is durable. `names`: the newest runs that it stands for."""

    doomed: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def plan(corpus: CorpusFolder, build_id: str, needed: Collection[str]) -> Fold:
    """What a new run, caused by one document, takes the place of. `needed`: runs that recipes point to."""
    runs = _recent(corpus, build_id)
    chain = list(takewhile(lambda run: run.folded is not None, reversed(runs)))
    open_ones = {run.run_id for run in runs[max(0, len(runs) + 1 - corpus.settings.materializations) :]}
    stays = {*open_ones, *needed, *manifests.kept(corpus)}
    followed = [run for run, following in pairwise(runs) if following.folded is not None] + runs[-1:]
    gone = [run for run in followed if run.folded is not None and run.run_id not in stays]
    evaluated = _evaluated(corpus, [run.run_id for run in gone])
    gone = [run for run in gone if run.run_id not in evaluated]
    names = {name for run in (*chain, *gone) for name in run.folded or ()} | {run.run_id for run in gone}
    return Fold(tuple(run.run_id for run in gone), tuple(sorted(names)[-_MOST_NAMES:]))


def _recent(corpus: CorpusFolder, build_id: str) -> list[Manifest]:
    """The newest runs of a build, oldest first."""
    runs = []
    for run_id in manifests.ids(corpus)[-_RECENT:]:
        with suppress(BiblicusError):  # a damaged manifest: `check` names it
            runs.append(manifests.read(corpus, run_id))
    return [run for run in runs if run.build_id == build_id]


def _evaluated(corpus: CorpusFolder, run_ids: Sequence[str]) -> set[str]:
    """Those that an evaluation stored on this machine names."""
    evaluated: set[str] = set()
    for path in corpus.evaluations.glob("*.json") if run_ids else ():
        with suppress(OSError, UnsafeInput):
            document = files.read(path, limit=files.LARGE)
            evaluated.update(run_id for run_id in run_ids if run_id.encode() in document)
    return evaluated


def fold(corpus: CorpusFolder, doomed: Sequence[str]) -> None:
    """Delete runs that another stands for. One that cannot be deleted is left to the next document."""
    for run_id in doomed:
        with suppress(OSError, StorageFailed):
            manifests.delete(corpus, run_id)
