"""Run store on the local disk: a sealed folder for each run, which shares files with its parent by hard link."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus.disk import files, seals, system
from biblicus.errors import StorageFailed, UnsafeInput, Untrusted
from biblicus.stores.tables import DELTA, TableReader

if TYPE_CHECKING:
    from biblicus.contracts import Leg, LegReader
    from biblicus.models.manifest import Manifest
    from biblicus.stores.contract import Sums

LATER = ".later.tmp"
"""Suffix of the file that marks a run's folder for deletion."""
RUN_ID = re.compile(r"[0-9]{8}T[0-9]{6}Z-[a-z0-9][a-z0-9_-]{0,39}-[0-9a-f]{6}")


class LocalStore:
    """See `stores.contract.RunStore`, which a question does not load. `folder`: contains the runs' folders."""

    builds_on_parents = True
    keeper = ""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parents: dict[str, tuple[Path, dict[str, str]]] = {}
        self._linked: set[Path] = set()

    def folder(self, run_id: str) -> Path:
        """Return the folder of a run, which may not exist."""
        return self._folder / run_id

    def place(self, run_id: str) -> str:
        return f".biblicus/local/index/{run_id}"

    def runs(self) -> list[str]:
        with suppress(FileNotFoundError):
            return sorted(name for name in os.listdir(self._folder) if RUN_ID.fullmatch(name))
        return []

    own = runs

    def holds(self, run_id: str) -> bool:
        return self.folder(run_id).exists()

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """Raise `Untrusted` if this machine did not seal the run as it is now."""
        seals.check_folder(self.folder(run_id), deep=deep)

    def check_for_build(self, run_id: str) -> None:
        """Do nothing: `open` detects alterations."""

    def missing(self, since: float) -> list[str]:
        """Return no names: a run is in one place."""
        return []

    def sizes(self, run_id: str, legs: Sequence[str]) -> dict[str, int]:
        if not (folder := self.folder(run_id)).exists():
            return {}
        of_legs = {name: size(folder / name) for name in legs}
        return {"tables": sum(path.stat().st_size for path in folder.glob("*.db")), **of_legs}

    def open(self, manifest: Manifest) -> TableReader:
        self.check(manifest.run_id)
        return TableReader(self.folder(manifest.run_id))

    def tables(self, run_id: str) -> TableReader:
        return TableReader(self.folder(run_id))

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        return leg.open(self.folder(run_id) / name)

    # --- writing ---

    def legs(self, legs: Mapping[str, Leg]) -> Mapping[str, Leg]:
        return legs

    def begin(self, run_id: str, parent: str | None) -> Path:
        path = self._begun(run_id, parent)
        if parent:
            _link_files(self.folder(parent), path, copied=frozenset({DELTA}))
        return path

    def begin_beside(self, run_id: str, other: str, legs: Sequence[str]) -> Path:
        """Return a build folder with the tables and these legs of another run over the same chunks."""
        path = self._begun(run_id, other)
        _link_files(self.folder(other), path, within=("", *legs))
        return path

    def _begun(self, run_id: str, source: str | None) -> Path:
        """Return an empty build folder. `source`: the run whose files it will share."""
        digests = seals.check_folder(self.folder(source)) if source else {}
        files.make_folder(self._folder)
        path = self.unsealed(run_id)
        if path.exists():
            system.remove_tree(path)
        path.mkdir()
        if source:
            self._parents[run_id] = self.folder(source), digests
        return path

    def shared(self, run_id: str) -> dict[str, str]:
        """Return the digests of the files that a build folder still shares with its parent's."""
        parent, digests = self._parents.get(run_id, (Path(), {}))
        built = self.unsealed(run_id)
        return {name: digests[name] for name in digests if _is_shared(built / name, parent / name)}

    def seal(self, run_id: str, sums: Sums) -> None:
        """Make the build folder durable, seal it and put it in place."""
        built, target = self.unsealed(run_id), self.folder(run_id)
        shared_digests = self.shared(run_id)
        if run_id in self._parents:
            self._linked.add(self._parents[run_id][0])
        files.sync_tree(built, {built / name for name in shared_digests})
        seals.seal_folder(built, shared_digests)
        try:
            discard(target)
            later(target).unlink(missing_ok=True)
            system.replace(built, target)
            files.sync_folder(self._folder)
        except OSError as error:
            raise StorageFailed(str(target), files.describe(error)) from error
        self._linked.add(target)

    def abandon(self, run_id: str) -> None:
        self._parents.pop(run_id, None)
        system.remove_tree(self.unsealed(run_id), ignore_errors=True)

    def drop(self, run_id: str) -> int:
        """Delete a run's folder. Return its bytes, links to shared files included."""
        path = self.folder(run_id)
        freed = size(path)
        others = self._sharing(path)
        try:
            discard(path)
        except PermissionError:  # Windows: another process reads a file of it
            files.write(later(path), b"")
            return 0
        except OSError as error:
            raise StorageFailed(str(path), files.describe(error)) from error
        for folder in others:
            seals.restamp(folder)
        return freed

    def _sharing(self, path: Path) -> list[Path]:
        """Return the valid folders of other runs that may share a file with this one by hard link."""
        if not any(file.lstat().st_nlink > 1 for file in path.rglob("*")):
            return []
        others = []
        for run_id in self.runs():
            with suppress(Untrusted):
                if self.folder(run_id) != path and seals.check_folder(self.folder(run_id)):
                    others.append(self.folder(run_id))
        return others

    def settle(self) -> None:
        """Renew the seals of folders whose files' change times were altered by linking."""
        for folder in self._linked:
            seals.restamp(folder)
        self._linked.clear()

    def unsealed(self, run_id: str) -> Path:
        """Return the build folder of a run."""
        return self._folder / f"{run_id}.tmp"

    # --- what came from elsewhere ---

    def trust(self, run_id: str) -> bool:
        """Seal a run from another machine; return false if it contains anything but regular files."""
        try:
            seals.seal_folder(self.folder(run_id))
        except UnsafeInput:
            return False
        return True


def later(folder: Path) -> Path:
    """Return the path of the file that marks a run's folder for deletion by the next writer."""
    return folder.with_name(f"{folder.name}{LATER}")


def delete_marked(mark: Path) -> None:
    """Delete the folder that a file marks, then the mark; leave both while another process reads the folder."""
    with suppress(PermissionError):
        discard(mark.with_name(mark.name.removesuffix(LATER)))
        system.unlink(mark)


def size(path: Path) -> int:
    """Return the bytes of all files under a folder."""
    return sum(Path(parent, name).lstat().st_size for parent, _, names in os.walk(path) for name in names)


def _link_files(
    source: Path, target: Path, *, copied: frozenset[str] = frozenset(), within: Sequence[str] | None = None
) -> None:
    """Hard-link the files of `source` into `target`, or copy them if linking is impossible; skip seals and locks.

    Files named in `copied` are copied, because they will be changed in place. `within`: link only these folders of
    `source`; an empty name is the top folder."""
    for parent, _, names in os.walk(source):
        folder = system.below(parent, source)
        if within is not None and folder.partition("/")[0].removeprefix(".") not in within:
            continue
        there = target / folder
        there.mkdir(exist_ok=True)
        for name in names:
            if name == seals.SEAL or name.startswith((".tantivy-", files.TEMPORARY)):
                continue
            try:
                if name in copied:
                    raise OSError
                system.link(Path(parent, name), there / name)
            except OSError:
                import shutil  # lazy: a query copies nothing

                shutil.copyfile(Path(parent, name), there / name, follow_symlinks=False)


def discard(path: Path) -> None:
    """Delete a run's folder; it is renamed first, so that a crash leaves all of it or none."""
    with suppress(FileNotFoundError):
        if path.is_symlink():
            system.unlink(path)
            return
        doomed = path.with_name(f"{path.name}.old.tmp")
        system.replace(path, doomed)
        files.sync_folder(path.parent)
        system.remove_tree(doomed, ignore_errors=True)


def _is_shared(mine: Path, parents: Path) -> bool:
    """Return true if a file is still linked with the parent's, so that its digest is known."""
    return mine.exists() and mine.samefile(parents)
