"""A corpus that is followed, for tests: its reports, and waiting for what they bring. No test counts seconds."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.models.requests.query import QueryRequest
from biblicus.runs.reports import ReindexReport
from biblicus.service import watching
from biblicus.service.askers.here import Here
from biblicus.service.verbs import QUERY

PATIENCE = 60


class Followed:
    """A corpus and who follows it. `until` waits for reports, and asks after each."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asker = folder, Here(find(folder))
        self.reports: list[ReindexReport] = []
        self._news = threading.Condition()
        self.watcher = watching.Watcher(self.asker, self._told)

    def _told(self, report: ReindexReport) -> None:
        with self._news:
            self.reports.append(report)
            self._news.notify_all()

    def until(self, holds: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(holds, PATIENCE), self.reports

    def found(self, words: str) -> set[str]:
        result = self.asker.ask(QUERY, QueryRequest(words), Call())
        return {piece.path for piece in result.evidence}

    def holds_what_lies_there(self) -> bool:
        """Whether the catalog has every file of the folder with the bytes that it has, and a run has it all."""
        there = {
            path.relative_to(self.folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.folder.rglob("*")
            if path.is_file() and ".biblicus" not in path.parts
        }
        catalog = self.asker.catalog(self.asker.corpus)
        return there == {item.path: item.sha256 for item in catalog.items.values()}

    def found_paths(self) -> set[str]:
        """Of all items."""
        return set(self.asker.catalog(self.asker.corpus).items)


def followed_from_now(folder: Path) -> Iterator[Followed]:
    made = Followed(folder)
    made.watcher.start()
    made.until(lambda: bool(made.reports))
    yield made
    made.watcher.stop()
    made.asker.close()
