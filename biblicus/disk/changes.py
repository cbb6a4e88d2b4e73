"""Record of the files that a command has changed, so that a system error can report them.

Every change of a user's file goes through `disk.files`, which records it here. Derived files are not recorded:
those in `.biblicus/local/` and in this user's cache and state folders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path

from biblicus.disk import system
from biblicus.errors import StorageFailed, UsageError
from biblicus.guards.processes import user_folder

TEMPORARY = ".biblicus-tmp-"
"""Prefix of every temporary file that Biblicus makes. The next writer removes leftovers, under the lock."""
_NAMED = 3
_AGAIN = "the same command"


class Changes:
    """Files and folders that a command changed in and around a corpus.

    `then`: the command that finishes the interrupted work, if it is not the same command again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._was_there: dict[Path, bool] = {}
        self._folders: list[Path] = []
        self.then = _AGAIN

    def note(self, path: Path, *, was_there: bool) -> None:
        """Record that a file was written, moved or deleted. `was_there`: it existed before."""
        if self._counts(path):
            self._was_there.setdefault(path, was_there)

    def note_folder(self, path: Path) -> None:
        """Record that a folder was created."""
        if self._counts(path):
            self._folders.append(path)

    def tidy(self) -> None:
        """Remove the created folders that are empty."""
        for folder in reversed(self._folders):
            with suppress(OSError):
                folder.rmdir()

    def sentence(self) -> str:
        """Return a sentence that lists the changed files."""
        written = [path for path in self._was_there if os.path.lexists(path)]
        gone = [path for path, was_there in self._was_there.items() if was_there and path not in written]
        parts = [self._part(paths, done) for paths, done in ((written, "written"), (gone, "deleted")) if paths]
        return f"What was done before stands: {'; '.join(parts)}." if parts else "Nothing was changed."

    def shown(self, path: str | Path) -> str:
        """Return a path for messages: relative to the corpus if it is inside."""
        return system.below(path, self._root) if Path(path).is_relative_to(self._root) else str(path)

    def _part(self, paths: Sequence[Path], done: str) -> str:
        names = [self.shown(path) for path in paths[:_NAMED]]
        if more := len(paths) - len(names):
            names.append(f"{more} more")
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        return f"{listed} {'was' if len(paths) == 1 else 'were'} {done}"

    @cached_property
    def _uncounted(self) -> list[Path]:
        folders = [self._root / ".biblicus" / "local"]
        for kind in ("cache", "state"):
            with suppress(UsageError):  # this user has no home folder
                folders.append(user_folder(kind))
        return folders

    def _counts(self, path: Path) -> bool:
        return not path.name.startswith(TEMPORARY) and not any(path.is_relative_to(top) for top in self._uncounted)


_present: ContextVar[Changes | None] = ContextVar("changes", default=None)


@contextmanager
def told(root: Path) -> Iterator[None]:
    """Record the changes of one command, so that an OSError or an interruption reports them.
    Inside another command, the outer one reports."""
    if _present.get() is not None:
        yield
        return
    changes = Changes(root)
    before = _present.set(changes)
    try:
        yield
    except StorageFailed as error:
        raise _telling(error, changes) from error
    except KeyboardInterrupt:
        changes.tidy()
        raise KeyboardInterrupt(changes.sentence()) from None
    except (ConnectionError, TimeoutError):
        raise
    except OSError as error:
        name = os.fsdecode(error.filename) if error.filename is not None else "A file"
        cause = (error.strerror or str(error)).lower()
        raise _telling(StorageFailed(name, cause, "cannot be used"), changes) from error
    finally:
        _present.reset(before)


def _telling(error: StorageFailed, changes: Changes) -> StorageFailed:
    changes.tidy()
    path = changes.shown(error.path) if os.path.isabs(error.path) else error.path
    return StorageFailed(path, error.cause, error.what, f" {changes.sentence()}", changes.then)


def note(path: Path, *, was_there: bool) -> None:
    """Record a change of a file (`Changes.note`)."""
    if changes := _present.get():
        changes.note(path, was_there=was_there)


def note_folder(path: Path) -> None:
    if changes := _present.get():
        changes.note_folder(path)


def tidy() -> None:
    """Remove the empty folders that a failed command has created."""
    if changes := _present.get():
        changes.tidy()


def then(command: str) -> None:
    """From now on, name this command, instead of the same one again, as the way to finish the work."""
    if changes := _present.get():
        changes.then = command
