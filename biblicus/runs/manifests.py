"""Runs on disk: sealed manifests and, locally, their materializations."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, seals
from biblicus.errors import (
    AmbiguousRun,
    BiblicusError,
    NewerSchema,
    RunDamaged,
    RunFolded,
    RunNotFound,
    StorageFailed,
)
from biblicus.models.digest import digest
from biblicus.models.manifest import SCHEMA_VERSION, Manifest
from biblicus.models.recipe import BUILD_ID_LENGTH, Recipe

_RUN_ID = re.compile(r"[0-9]{8}T[0-9]{6}Z-[a-z0-9][a-z0-9_-]{0,39}-[0-9a-f]{6}")
_MANIFEST_LIMIT = 64 << 20
_COUNTS = {"items", "chunks", "tokens"}
_FOLDED = b'"folded": ['
_KEPT = ".kept"
"""What the name of a file ends in, behind a run's id, that says that a person keeps the run. It is empty."""


def new_run_id(corpus: CorpusFolder, recipe: str, now: float) -> str:
    """UTC second, build name and 6 hex digits. Seconds up to that of the newest run are passed over, so that ids sort
    by age; a run that claims to be an hour ahead does not count."""
    ahead = _stamp(now + 3600)
    newest = max((run_id[:16] for run_id in ids(corpus) if run_id[:16] < ahead), default="")
    while (stamp := _stamp(now)) <= newest:
        now += 1
    while True:
        run_id = f"{stamp}-{recipe}-{secrets.token_hex(3)}"
        if not (corpus.runs / f"{run_id}.json").exists() and not (corpus.index / run_id).exists():
            return run_id


def _stamp(seconds: float) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))


def as_of(run_id: str) -> str:
    """The second at which a run was begun, ISO 8601 UTC, from its id."""
    stamp = run_id[:16]
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}Z"


def recipe_of(run_id: str) -> str:
    """The name of the recipe that a run was built for, from its id."""
    return run_id[17:-7]


def is_run_id(text: str) -> bool:
    return _RUN_ID.fullmatch(text) is not None


def ids(corpus: CorpusFolder) -> list[str]:
    """The ids of all runs with a manifest, oldest first."""
    try:
        names = os.listdir(corpus.runs)
    except FileNotFoundError:
        return []
    return sorted(name[:-5] for name in names if name.endswith(".json") and is_run_id(name[:-5]))


def resolve(corpus: CorpusFolder, name: str) -> str:
    """A run id from itself or an unambiguous part of it. Raises `RunNotFound`, `AmbiguousRun`."""
    known = ids(corpus)
    matching = [name] if name in known else [run_id for run_id in known if name and name in run_id]
    if len(matching) > 1:
        raise AmbiguousRun(name, matching)
    if not matching:
        raise _not_found(corpus, name)
    return matching[0]


def _not_found(corpus: CorpusFolder, name: str) -> RunNotFound:
    """What to say of a run that is not there, by its id or a part of it."""
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
    """A run's manifest, validated. Raises `RunNotFound`, `RunDamaged`, `NewerSchema`."""
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
    except ValidationError as error:
        raise RunDamaged(run_id, "its manifest does not validate") from error
    if not manifest.counts.keys() >= _COUNTS:
        raise RunDamaged(run_id, "its manifest does not validate")
    if digest(manifest.recipe["build"], BUILD_ID_LENGTH) != manifest.build_id:
        raise RunDamaged(run_id, "its recipe is not the one that its build_id stands for")
    if manifest.run_id != run_id:
        raise RunDamaged(run_id, "its manifest is another run's")
    return manifest


def read_alike(corpus: CorpusFolder, run_id: str) -> Manifest:
    """A run's manifest or, where it was folded, that of the run which took over: both were built in the same way."""
    try:
        return read(corpus, run_id)
    except RunFolded as error:
        return read(corpus, error.into)


def _encode(manifest: Manifest) -> bytes:
    """The manifest with a digest of itself as the last key, so that a flipped bit shows."""
    data = manifest.model_dump(mode="json", exclude={"digest"} | ({"folded"} if manifest.folded is None else set()))
    return (json.dumps({**data, "digest": digest(data)}, ensure_ascii=False, indent=1) + "\n").encode()


def commit(corpus: CorpusFolder, manifest: Manifest) -> None:
    """Write the manifest: from here on the run exists. Never overwrites one."""
    files.make_folder(corpus.runs)
    files.write(corpus.runs / f"{manifest.run_id}.json", _encode(manifest), replace=False)


def is_as_written(corpus: CorpusFolder, manifest: Manifest) -> bool:
    """Whether a manifest's file is byte for byte what was committed (line ends aside, which git may translate)."""
    written = files.read(corpus.runs / f"{manifest.run_id}.json").replace(b"\r\n", b"\n")
    return written == _encode(manifest)


def folder(corpus: CorpusFolder, run_id: str) -> Path:
    """Where a run's materialization lies, if it is there."""
    return corpus.index / run_id


def begin(corpus: CorpusFolder, run_id: str) -> Path:
    """A folder to build a materialization in; `finish` puts it in place."""
    files.make_folder(corpus.index)
    path = corpus.index / f"{run_id}.tmp"
    if path.exists():
        shutil.rmtree(path)
    path.mkdir()
    return path


def finish(corpus: CorpusFolder, run_id: str, known: Mapping[str, str] | None = None) -> Path:
    """Make a built materialization durable, seal it and put it in place."""
    built = corpus.index / f"{run_id}.tmp"
    target = folder(corpus, run_id)
    files.sync_tree(built)
    seals.seal_folder(built, dict(known or {}))
    try:
        _discard(target)
        os.rename(built, target)
        files.sync_folder(corpus.index)
    except OSError as error:
        raise StorageFailed(str(target), files.describe(error)) from error
    return target


def abandon(corpus: CorpusFolder, run_id: str) -> None:
    """Remove what a failed build left."""
    shutil.rmtree(corpus.index / f"{run_id}.tmp", ignore_errors=True)


def link_files(source: Path, target: Path, *, copied: frozenset[str]) -> None:
    """Give `target` the files of `source` by hard link (copied where the file system has none), seals and locks aside.

    Files that are never changed in place are safe to share; those named in `copied` become the target's own.
    """
    for parent, _, names in os.walk(source):
        there = target / os.path.relpath(parent, source)
        there.mkdir(exist_ok=True)
        for name in names:
            if name == seals.SEAL or name.startswith((".tantivy-", files.TEMPORARY)):
                continue
            try:
                if name in copied:
                    raise OSError
                os.link(Path(parent, name), there / name, follow_symlinks=False)
            except OSError:
                shutil.copyfile(Path(parent, name), there / name, follow_symlinks=False)


def materialized(corpus: CorpusFolder) -> list[str]:
    """The runs whose materialization is in place, oldest first."""
    with suppress(FileNotFoundError):
        return sorted(name for name in os.listdir(corpus.index) if is_run_id(name))
    return []


def forget(corpus: CorpusFolder, run_id: str) -> int:
    """Delete a run's materialization; returns the bytes it held (links to shared files counted)."""
    path = folder(corpus, run_id)
    freed = size(path)
    try:
        _discard(path)
    except OSError as error:
        raise StorageFailed(str(path), files.describe(error)) from error
    return freed


def _discard(path: Path) -> None:
    """Delete a materialization: out of its place at once, so that a crash leaves all of it or none."""
    with suppress(FileNotFoundError):
        if path.is_symlink():
            path.unlink()
            return
        doomed = path.with_name(f"{path.name}.old.tmp")
        os.rename(path, doomed)
        files.sync_folder(path.parent)
        shutil.rmtree(doomed, ignore_errors=True)


def delete(corpus: CorpusFolder, run_id: str) -> int:
    """Delete a run: manifest first, then its materialization."""
    files.remove(corpus.runs / f"{run_id}.json")
    release(corpus, run_id)
    return forget(corpus, run_id)


def kept(corpus: CorpusFolder) -> set[str]:
    """The runs that a person keeps."""
    with suppress(FileNotFoundError):
        return {name.removesuffix(_KEPT) for name in os.listdir(corpus.runs) if name.endswith(_KEPT)}
    return set()


def keep(corpus: CorpusFolder, run_id: str) -> None:
    """Say that a run stays until it is deleted by name."""
    files.write(corpus.runs / f"{run_id}{_KEPT}", b"")


def release(corpus: CorpusFolder, run_id: str) -> None:
    """Take that back."""
    if os.path.lexists(path := corpus.runs / f"{run_id}{_KEPT}"):
        files.remove(path)


def orphans(corpus: CorpusFolder) -> list[str]:
    """Materializations without a manifest: nothing can refer to them."""
    return [run_id for run_id in materialized(corpus) if not (corpus.runs / f"{run_id}.json").exists()]


def size(path: Path) -> int:
    """Bytes of all files under a folder."""
    return sum(Path(parent, name).lstat().st_size for parent, _, names in os.walk(path) for name in names)
