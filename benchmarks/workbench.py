"""Where the figures are measured: folders of documents in a temporary place, and processes with a clock."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ("-c", "import typer, pydantic")
"""What a command line of this kind costs before it does anything."""


_FOLDERS = ("BIBLICUS_DATA", "BIBLICUS_NATURAL")
"""Variables that name folders of collections."""


def data_folder() -> Path:
    """Where the collections are: $BIBLICUS_DATA, or `shared/data` beside the checkout."""
    return Path(os.environ.get("BIBLICUS_DATA") or ROOT.parent / "shared" / "data")


class Workbench:
    """`documents` are copied, never touched; `runs` is how often a timing is repeated (its median counts). `kept`: the
    folder of what later measurements use again, from $BIBLICUS_BENCHMARKS; None for one among temporary files."""

    def __init__(self, place: Path, documents: Path, runs: int = 5, kept: str | None = None) -> None:
        self.place, self.documents, self.runs, self.kept = place, documents, runs, kept

    def copies(self, count: int) -> Path:
        """A folder that holds the documents once, or `count` times over in folders of their own."""
        folder = self.place / f"copies-{count}"
        if not folder.exists():
            for number in range(count):
                shutil.copytree(self.documents, folder / f"copy-{number}" if count > 1 else folder)
        return folder

    def different(self, count: int) -> Path:
        """A folder with `count` copies of the documents, no two files of which are the same."""
        folder = self.place / f"different-{count}"
        if not folder.exists():
            shutil.copytree(self.copies(count), folder, ignore=shutil.ignore_patterns(".biblicus"))
            for copy in folder.iterdir():
                for path in copy.rglob("*.md"):
                    path.write_bytes(path.read_bytes() + f"\nThis is {copy.name}.\n".encode())
        return folder

    def sample(self, step: int) -> Path:
        """A folder with every `step`th document in order of size, so that the sizes are spread as in the whole."""
        folder = self.place / f"sample-{step}"
        if not folder.exists():
            paths = (path for path in self.documents.rglob("*") if path.is_file())
            ordered = sorted(paths, key=lambda path: (path.stat().st_size, path.relative_to(self.documents)))
            for path in ordered[step // 2 :: step]:
                target = folder / path.relative_to(self.documents)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        return folder

    def fresh(self, folder: Path) -> Path:
        """The folder without what an earlier measurement built in it, all of that written out."""
        shutil.rmtree(folder / ".biblicus", ignore_errors=True)
        os.sync()  # else the next process pays, in its fsync, for what others wrote
        return folder

    def index(self, folder: Path, cores: int | None = None) -> float:
        """Seconds for `init` and `reindex`, two whole processes, of a folder that is no corpus yet."""
        self.fresh(folder)
        return self.biblicus("init", str(folder)) + self.biblicus("-C", str(folder), "reindex", cores=cores)

    def biblicus(self, *words: str, cores: int | None = None) -> float:
        """Seconds for a whole command line process."""
        return self.python("-m", "biblicus", *words, cores=cores)

    def python(self, *words: str, cores: int | None = None) -> float:
        """Seconds for a whole Python process, on so many cores."""
        began = time.perf_counter()
        finished(words, cores)
        return time.perf_counter() - began


def finished(words: Sequence[str], cores: int | None = None) -> str:
    """What a Python process with these arguments prints. Raises where it fails. `cores`: how many it may use."""
    usable = sorted(os.sched_getaffinity(0))
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=(lambda: os.sched_setaffinity(0, usable[:cores])) if cores else None,
    )
    if done.returncode:
        raise RuntimeError(f"python {' '.join(words)} left with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def run_folder(corpus: Path) -> Path:
    """The materialization of the corpus's only run."""
    (folder,) = (corpus / ".biblicus" / "local" / "index").iterdir()
    return folder


@contextmanager
def opened(runs: int) -> Iterator[Workbench]:
    """A workbench with the 9,746 files of cpp-docs, gone afterwards."""
    archive, kept = data_folder() / "folders" / "cpp-docs.tar.xz", os.environ.get("BIBLICUS_BENCHMARKS")
    with apart() as place:
        with tarfile.open(archive) as packed:
            packed.extractall(place / "unpacked", filter="data")
        yield Workbench(place, place / "unpacked" / "docs", runs, kept)


@contextmanager
def apart() -> Iterator[Path]:
    """A temporary folder, with Biblicus's own settings and state in it instead of the user's."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="biblicus-benchmarks-") as name:
        place = Path(name)
        for key in [key for key in os.environ if key.startswith("BIBLICUS_") and key not in _FOLDERS]:
            del os.environ[key]
        # An installed package has its bytecode, whatever this environment says.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(place / "bytecode")
        os.environ["BIBLICUS_STATE_HOME"] = str(place / "state")
        os.environ["BIBLICUS_CONFIG_HOME"] = str(place / "config")
        os.environ["BIBLICUS_MEANING"] = "off"  # what measures models names its recipe
        try:
            yield place
        finally:
            os.environ.clear()
            os.environ.update(before)
