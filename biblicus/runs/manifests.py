"""Manifests of runs on disk. The corpus's store (`stores`) keeps the materializations.

Folding: of consecutive runs made for single documents, only the newest is kept; it lists the ids it replaces. Runs that
a recipe, an evaluation or a person refers to are kept, and so are recent ones that a reader may have open."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import pairwise, takewhile
from typing import NamedTuple, NoReturn

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import (
    AmbiguousRun,
    BiblicusError,
    NewerSchema,
    RunDamaged,
    RunFolded,
    RunNotFound,
    StorageFailed,
    UnsafeInput,
)
from biblicus.models.digest import digest
from biblicus.models.manifest import SCHEMA_VERSION, Manifest
from biblicus.models.recipe import BUILD_ID_LENGTH, Recipe
from biblicus.stores.local import RUN_ID

_MANIFEST_LIMIT = 64 << 20
_COUNTS = {"items", "chunks", "tokens"}
_FOLDED = b'"folded": ['
_KEPT = ".kept"
"""Suffix of the empty file that protects a run from pruning."""


def new_run_id(corpus: CorpusFolder, recipe: str, now: float) -> str:
    """Return a new run id: UTC second, build name and 6 hexadecimal digits.

    Seconds up to that of the newest run are skipped, so that ids sort by age; runs over an hour in the future are
    ignored."""
    ahead = _stamp(now + 3600)
    newest = max((run_id[:16] for run_id in ids(corpus) if run_id[:16] < ahead), default="")
    while (stamp := _stamp(now)) <= newest:
        now += 1
    while True:
        run_id = f"{stamp}-{recipe}-{os.urandom(3).hex()}"
        if not (corpus.runs / f"{run_id}.json").exists() and not corpus.store.holds(run_id):
            return run_id


def _stamp(seconds: float) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))


def as_of(run_id: str) -> str:
    """Return the start time of a run in ISO 8601 UTC, from its id."""
    stamp = run_id[:16]
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}Z"


def recipe_of(run_id: str) -> str:
    """Return the recipe's name from a run id."""
    return run_id[17:-7]


def is_run_id(text: str) -> bool:
    return RUN_ID.fullmatch(text) is not None


def ids(corpus: CorpusFolder) -> list[str]:
    """Return the ids of all runs with a manifest, oldest first."""
    try:
        names = os.listdir(corpus.runs)
    except FileNotFoundError:
        return []
    return sorted(name[:-5] for name in names if name.endswith(".json") and is_run_id(name[:-5]))


def resolve(corpus: CorpusFolder, name: str) -> str:
    """Return the full run id for an id or an unambiguous part of one. Raises `RunNotFound`, `AmbiguousRun`."""
    run_ids = ids(corpus)
    matching = [name] if name in run_ids else [run_id for run_id in run_ids if name and name in run_id]
    if len(matching) > 1:
        raise AmbiguousRun(name, matching)
    if not matching:
        raise _not_found(corpus, name)
    return matching[0]


def _not_found(corpus: CorpusFolder, name: str) -> RunNotFound:
    """Return the error for a missing run: it was replaced by another, or is unknown."""
    into: dict[str, str] = {}
    for run_id in ids(corpus):
        with suppress(OSError, BiblicusError):
            if _FOLDED in files.read(corpus.runs / f"{run_id}.json"):
                into.update(dict.fromkeys(read(corpus, run_id).folded or (), run_id))
    matching = [folded for folded in into if name and name in folded]
    return RunFolded(matching[0], into[matching[0]]) if len(matching) == 1 else RunNotFound(name)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def read(corpus: CorpusFolder, run_id: str) -> Manifest:
    """Read and validate a run's manifest. Raises `RunNotFound`, `RunDamaged`, `NewerSchema`."""
    if not is_run_id(run_id):
        raise RunNotFound(run_id)
    path = corpus.runs / f"{run_id}.json"
    try:
        if path.stat().st_size > _MANIFEST_LIMIT:
            raise RunDamaged(run_id, "its manifest is too large")
        data = json.loads(files.read(path), parse_constant=_refuse)
    except FileNotFoundError:
        raise _not_found(corpus, run_id) from None
    except (ValueError, RecursionError, OSError) as error:
        raise RunDamaged(run_id, "its manifest cannot be read") from error
    version = data.get("schema_version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise NewerSchema(f"{run_id}.json", version, SCHEMA_VERSION)
    try:
        manifest = Manifest.model_validate(data)
        Recipe.model_validate(manifest.recipe)
    except ValueError as error:
        raise RunDamaged(run_id, "its manifest does not validate") from error
    if not manifest.counts.keys() >= _COUNTS:
        raise RunDamaged(run_id, "its manifest does not validate")
    if digest(manifest.recipe["build"], BUILD_ID_LENGTH) != manifest.build_id:
        raise RunDamaged(run_id, "its recipe is not the one that its build_id stands for")
    if manifest.run_id != run_id:
        raise RunDamaged(run_id, "its manifest is another run's")
    return manifest


def read_alike(corpus: CorpusFolder, run_id: str) -> Manifest:
    """Read a run's manifest or, if it was folded, that of its replacement; both were built in the same way."""
    try:
        return read(corpus, run_id)
    except RunFolded as error:
        return read(corpus, error.into)


def _encode(manifest: Manifest) -> bytes:
    """Encode a manifest with its own digest as the last key, so that damage is detected."""
    data = manifest.model_dump()
    del data["digest"]
    if manifest.folded is None:
        del data["folded"]
    return (json.dumps({**data, "digest": digest(data)}, ensure_ascii=False, indent=1) + "\n").encode()


def commit(corpus: CorpusFolder, manifest: Manifest) -> None:
    """Write the manifest: from here on the run exists. Never overwrites one."""
    files.make_folder(corpus.runs)
    files.write(corpus.runs / f"{manifest.run_id}.json", _encode(manifest), replace=False)


def is_as_written(corpus: CorpusFolder, manifest: Manifest) -> bool:
    """Return true if a manifest's file is byte for byte as committed, except line ends, which git may change."""
    written = files.read(corpus.runs / f"{manifest.run_id}.json").replace(b"\r\n", b"\n")
    return written == _encode(manifest)


def delete(corpus: CorpusFolder, run_id: str) -> int:
    """Delete a run: its manifest first, then its materialization."""
    files.remove(corpus.runs / f"{run_id}.json")
    release(corpus, run_id)
    return corpus.store.drop(run_id)


def kept(corpus: CorpusFolder) -> set[str]:
    """Return the ids of protected runs."""
    with suppress(FileNotFoundError):
        return {name.removesuffix(_KEPT) for name in os.listdir(corpus.runs) if name.endswith(_KEPT)}
    return set()


def keep(corpus: CorpusFolder, run_id: str) -> None:
    """Protect a run from pruning."""
    files.write(corpus.runs / f"{run_id}{_KEPT}", b"")


def release(corpus: CorpusFolder, run_id: str) -> None:
    """End the protection of a run."""
    if os.path.lexists(path := corpus.runs / f"{run_id}{_KEPT}"):
        files.remove(path)


def orphans(corpus: CorpusFolder) -> list[str]:
    """Return this clone's materializations without a manifest, which nothing can refer to."""
    return [run_id for run_id in corpus.store.own() if not (corpus.runs / f"{run_id}.json").exists()]


_RECENT = 64
"""Number of newest runs to examine; each document folds the previous ones, so more are not needed."""


_MOST_NAMES = 1_000
"""Maximum number of replaced runs in a manifest, so that it does not grow with every document."""


class Fold(NamedTuple):
    """`doomed`: runs to delete once the new run is durable. `names`: the newest runs that it replaces."""

    doomed: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def plan_fold(corpus: CorpusFolder, build_id: str, needed: Collection[str]) -> Fold:
    """Return which runs a new run, made for one document, replaces. `needed`: runs that recipes point to."""
    runs = _recent(corpus, build_id)
    chain = list(takewhile(lambda run: run.folded is not None, reversed(runs)))
    open_ones = {run.run_id for run in runs[max(0, len(runs) + 1 - corpus.settings.materializations) :]}
    stays = {*open_ones, *needed, *kept(corpus)}
    followed = [run for run, following in pairwise(runs) if following.folded is not None] + runs[-1:]
    gone = [run for run in followed if run.folded is not None and run.run_id not in stays]
    evaluated = _evaluated(corpus, [run.run_id for run in gone])
    gone = [run for run in gone if run.run_id not in evaluated]
    names = {name for run in (*chain, *gone) for name in run.folded or ()} | {run.run_id for run in gone}
    return Fold(tuple(run.run_id for run in gone), tuple(sorted(names)[-_MOST_NAMES:]))


def _recent(corpus: CorpusFolder, build_id: str) -> list[Manifest]:
    """Return the newest runs of a build, oldest first."""
    runs = []
    for run_id in ids(corpus)[-_RECENT:]:
        with suppress(BiblicusError):  # a damaged manifest: `check` reports it
            runs.append(read(corpus, run_id))
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
            delete(corpus, run_id)
