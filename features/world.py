"""What the steps of one scenario share: the folder, the surface it is used through, and what came of the last act."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from features.surfaces import Outcome, Surface

Table = Sequence[Sequence[str]]
Row = dict[str, str]


@dataclass
class World:
    """`folder`: the corpus. `outside`: a folder beside it. `names`: runs and other values by the scenario's names.
    `untouched`: nothing was done yet but to make a corpus to start from (`features/shelf.py`).

    What a scenario is about happens on its `surface`; what leads there, and most looking, through Python.
    """

    folder: Path
    outside: Path
    surface: Surface
    python: Surface
    last: Outcome | None = None
    asked: tuple[str, tuple[str, ...], dict[str, Any]] = ("", (), {})
    names: dict[str, Any] = field(default_factory=dict)
    untouched: bool = True
    _seen: bool = True

    def do(self, verb: str, *words: str, **options: Any) -> Any:
        """Act on the corpus; the scenario fails where that fails. For `Given` steps and for looking at what came."""
        outcome = self._act(self.python, verb, *words, **options)
        assert outcome.error is None, f"{verb} failed: {outcome.error}"
        return outcome.value

    def attempt(self, verb: str, *words: str, **options: Any) -> None:
        """The act of a `When`: what comes of it, an error too, is for the `Then` steps."""
        self._none_unnoticed()
        self.asked = verb, words, dict(options)
        self.last = self._act(self.surface, verb, *words, **options)
        self._seen = False

    def act(self, verb: str, *words: str, **options: Any) -> Any:
        """One of several acts of a `When`; none may fail."""
        self.attempt(verb, *words, **options)
        return self.value

    def _act(self, surface: Surface, verb: str, *words: str, **options: Any) -> Outcome:
        """The act; it may rewrite or delete a raw file only where that is its stated job (promise 1)."""
        self.untouched = False
        before = {} if verb in ("remove", "sources remove", "promote", "retract") else raw_files(self.folder)
        try:
            return surface.do(self.folder, verb, *words, **options)
        finally:
            after = raw_files(self.folder)
            updates = verb in ("datasets import", "sources sync") or (verb == "ingest" and (words or "text" in options))
            mine = [path for path in before if not (updates and self.is_import(path))]
            assert [path for path in mine if after.get(path) != before[path]] == [], f"{verb} changed raw files"

    def is_import(self, path: str) -> bool:
        if path.endswith(".txt") and self.path(path).read_bytes().startswith(b"---\nsource: {kind: dataset,"):
            return True
        return path.startswith("imports/") or (self.folder / f"{path}.biblicus.yml").exists()

    @property
    def value(self) -> Any:
        """What the last act gave. An error that no step expected fails the scenario."""
        assert self.last is not None, "nothing was done yet"
        assert self.last.error is None, f"it failed: {self.last.error}"
        self._seen = True
        return self.last.value

    @property
    def error(self) -> dict[str, str]:
        """The error of the last act."""
        assert self.last is not None, "nothing was done yet"
        assert self.last.error is not None, f"it was expected to fail, and gave {self.last.value}"
        self._seen = True
        return self.last.error

    def look_away(self) -> None:
        """Leave the last act as it is: its row failed already."""
        self._seen = True

    def close(self) -> None:
        """Called after the scenario: no act may go unlooked at where it failed; nor before the next one."""
        self.surface.close()
        self.python.close()
        self._none_unnoticed()

    def _none_unnoticed(self) -> None:
        assert self._seen or self.last is None or self.last.error is None, f"unnoticed failure: {self.last}"

    # --- looking at the folder ---

    def path(self, name: str) -> Path:
        return self.folder / name

    def items(self, **filters: Any) -> dict[str, dict[str, Any]]:
        """The catalog's items by path."""
        return {item["path"]: item for item in self.do("list", **filters)["items"]}


def raw_files(folder: Path) -> dict[str, tuple[int, ...]]:
    """The user's own files, sidecars aside: mode, inode, size and times by path. Whoever writes to a file, be it the
    same bytes, or sets its time back, changes the last of the times."""
    stamps: dict[str, tuple[int, ...]] = {}
    folders = [(str(folder), "")]
    while folders:
        within, name = folders.pop()
        with suppress(FileNotFoundError), os.scandir(within) as entries:
            for entry in entries:
                path = name + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if path not in (".biblicus", ".git"):
                        folders.append((entry.path, f"{path}/"))
                elif entry.is_file() and not path.endswith(".biblicus.yml"):
                    own, status = entry.stat(follow_symlinks=False), entry.stat()
                    stamps[path] = own.st_mode, own.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    return stamps


def rows(table: Table, *known: str) -> list[Row]:
    """A table with a header as rows by column. `known`: its columns, where some may be absent."""
    header, *body = table
    assert not known or set(header) <= set(known), f"unknown columns: {set(header) - set(known)}"
    return [dict(zip(header, line, strict=True)) for line in body]


def listed(cell: str) -> list[str]:
    """A cell that lists things: `a, b`."""
    return [part.strip() for part in cell.split(",") if part.strip()]


def shown(value: Any) -> str:
    """A value as a cell would show it: `-` for none, lists with commas, mappings as JSON."""
    if value is None or value in ([], (), {}):
        return "-"
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def same(found: Iterable[Mapping[str, Any]], table: Table) -> None:
    """The rows found are those of the table, in its columns and order."""
    header = table[0]
    assert [[shown(row.get(key)) for key in header] for row in found] == [list(line) for line in table[1:]]
