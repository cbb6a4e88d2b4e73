"""`variants.py NAME WORDS…`: the command, with one thing in it changed.

The broken ones are negative controls: a harness that cannot fail them proves nothing.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from biblicus.connectors.cli.front import app
from biblicus.connectors.cli.front.commands import exit_code
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import StorageFailed
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.runs import reindex
from biblicus.service.askers.here import Here
from biblicus.service.verbs import RECEIVE

Data = bytes | Iterable[files.Part]
_write = files.write


def _incremental() -> None:
    """Sound: builds on the last run however small it is."""
    reindex.FRESH_BELOW = 0
    reindex.CHURN_LIMIT = float("inf")


def _without_fsync() -> None:
    os.fsync = lambda fd: None


def _without_folder_fsync() -> None:
    files.sync_folder = lambda folder: None


def _in_place() -> None:
    def write(path: Path, data: Data, *, replace: bool = True, mode: int | None = None) -> None:
        if not replace and path.exists():
            raise FileExistsError(path)
        whole = data if isinstance(data, bytes) else b"".join(data)
        with path.open("wb") as stream:
            for start in range(0, len(whole), 64):
                stream.write(whole[start : start + 64])
                stream.flush()
            os.fsync(stream.fileno())
        files.sync_folder(path.parent)

    files.write = write


def _silent() -> None:
    """Errors of the system are swallowed."""

    def write(path: Path, data: Data, *, replace: bool = True, mode: int | None = None) -> None:
        try:
            _write(path, data, replace=replace, mode=mode)
        except StorageFailed:
            pass

    files.write = write


def _stubborn() -> None:
    """A failed fsync is tried again, which says success although the data is lost."""
    fsync = os.fsync

    def again(descriptor: int) -> None:
        try:
            fsync(descriptor)
        except OSError:
            fsync(descriptor)

    os.fsync = again  # type: ignore[assignment]  # its stub also takes objects with fileno()


def _over_the_wire() -> None:
    """Sound: `receive FOLDER` brings in one document as the service does, and tells an error as the command does."""

    def received(arguments: Sequence[str]) -> int:
        def work() -> object:
            request = ReceiveRequest(text="The moon is a lamp.", filename="lamp.md", tags=("post",))
            return Here(CorpusFolder(Path(arguments[-1]))).ask(RECEIVE, request, Call())

        return exit_code(work, as_json=False)

    app.run = received


VARIANTS: dict[str, Callable[[], None]] = {
    "incremental": _incremental,
    "receive": _over_the_wire,
    "no fsync": _without_fsync,
    "no folder fsync": _without_folder_fsync,
    "in place": _in_place,
    "silent": _silent,
    "stubborn": _stubborn,
}

if __name__ == "__main__":
    VARIANTS[sys.argv[1]]()
    sys.exit(app.run(sys.argv[2:]))
