"""Result of a check, and validation of a run's tables against its manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TypeVar

from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.models.plain import LEFT_OUT
from biblicus.models.unread import Unread
from biblicus.runs import manifests as runs
from biblicus.runs.build import tables_fit
from biblicus.stores.contract import RunStore
from biblicus.upkeep.kinds import command_for

Found = TypeVar("Found")


@dataclass
class CheckReport:
    """Result of a check.

    `problems`: each with `path`, `reason` and, as `hint`, the command to run. `notes`: further information. `repaired`:
    repairs done. `unread`: unreadable files, and `sandbox`: protection of the parsers, both on request. `pruned`:
    number of cached entries deleted, and their bytes."""

    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    unread: list[Unread] | None = field(default=None, metadata=LEFT_OUT)
    sandbox: Mapping[str, str] | None = field(default=None, metadata=LEFT_OUT)
    checked: dict[str, int] = field(default_factory=dict)
    pruned: tuple[int, int] | None = field(default=None, metadata=LEFT_OUT)

    def problem(self, path: str, reason: str, hint: str = "") -> None:
        """Add a problem. `hint`: the command to run, if it is not the usual one for this kind of file."""
        if path.startswith(f"{FOLDER}/") and not hint:
            hint = command_for(path.removeprefix(f"{FOLDER}/"))
        self.problems.append({"path": path, "reason": reason, **({"hint": hint} if hint else {})})

    def note(self, path: str, reason: str) -> None:
        self.notes.append({"path": path, "reason": reason})

    def guard(self, path: str, read: Callable[[], Found]) -> Found | None:
        """Return what a function reads; an error is a problem of this path, and None is returned."""
        try:
            return read()
        except BiblicusError as error:
            self.problem(path, error.message.removeprefix(path).removeprefix(":").strip())
            return None


def tables_fit_run(corpus: CorpusFolder, run_id: str, store: RunStore | None = None) -> bool:
    """Check if a materialization's tables, by default in the corpus's store, match the run's manifest."""
    with closing((store or corpus.store).tables(run_id)) as reader:
        return tables_fit(reader, runs.read(corpus, run_id))
