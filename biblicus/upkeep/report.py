"""What a check found, and whether a run's tables are what its manifest says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.models.plain import LEFT_OUT
from biblicus.models.unread import Unread
from biblicus.runs import manifests as runs
from biblicus.runs.build import tables_fit
from biblicus.upkeep.kinds import command_for


@dataclass
class CheckReport:
    """`problems`: what is wrong, each with its `path`, `reason` and, as `hint`, the command to type. `notes`: what is
    merely worth knowing. `repaired`: what repair did about it. `unread`: what could not be read, and `sandbox`: which
    walls stand around parsers, where these were asked for. `pruned`: cached entries that were deleted, and their
    bytes."""

    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    unread: list[Unread] | None = field(default=None, metadata=LEFT_OUT)
    sandbox: Mapping[str, str] | None = field(default=None, metadata=LEFT_OUT)
    checked: dict[str, int] = field(default_factory=dict)
    pruned: tuple[int, int] | None = field(default=None, metadata=LEFT_OUT)

    def problem(self, path: str, reason: str, hint: str = "") -> None:
        """`hint`: what to type, where that is not what is typed for every file of its kind."""
        if path.startswith(f"{FOLDER}/") and not hint:
            hint = command_for(path.removeprefix(f"{FOLDER}/"))
        self.problems.append({"path": path, "reason": reason, **({"hint": hint} if hint else {})})

    def note(self, path: str, reason: str) -> None:
        self.notes.append({"path": path, "reason": reason})


def tables_fit_run(corpus: CorpusFolder, run_id: str) -> bool:
    """Whether a materialization's tables are what the run's manifest says."""
    reader = corpus.store.tables(run_id)
    try:
        return tables_fit(reader, runs.read(corpus, run_id))
    finally:
        reader.close()
