"""Folding: of consecutive runs made for single documents, only the newest is kept; it lists the ids it replaces.

Runs that a recipe, an evaluation or a person refers to are kept, and so are recent ones that a reader may have open."""

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
"""Number of newest runs to examine; each document folds the previous ones, so more are not needed."""


_MOST_NAMES = 1_000
"""Maximum number of replaced runs in a manifest, so that it does not grow with every document."""


class Fold(NamedTuple):
    """`doomed`: runs to delete once the new run is durable. `names`: the newest runs that it replaces."""

    doomed: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def plan(corpus: CorpusFolder, build_id: str, needed: Collection[str]) -> Fold:
    """Return which runs a new run, made for one document, replaces. `needed`: runs that recipes point to."""
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
    """Return the newest runs of a build, oldest first."""
    runs = []
    for run_id in manifests.ids(corpus)[-_RECENT:]:
        with suppress(BiblicusError):  # a damaged manifest: `check` reports it
            runs.append(manifests.read(corpus, run_id))
    return [run for run in runs if run.build_id == build_id]


def _evaluated(corpus: CorpusFolder, run_ids: Sequence[str]) -> set[str]:
    """Return the runs that an evaluation on this machine refers to."""
    evaluated: set[str] = set()
    for path in corpus.evaluations.glob("*.json") if run_ids else ():
        with suppress(OSError, UnsafeInput):
            document = files.read(path, limit=files.LARGE)
            evaluated.update(run_id for run_id in run_ids if run_id.encode() in document)
    return evaluated


def fold(corpus: CorpusFolder, doomed: Sequence[str]) -> None:
    """Delete replaced runs. If one cannot be deleted, the next document tries again."""
    for run_id in doomed:
        with suppress(OSError, StorageFailed):
            manifests.delete(corpus, run_id)
