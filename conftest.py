"""What holds for all tests, whoever starts them and where."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.sampling import examples
from tests.warm import Idle
from tools import milvus as milvus_lite
from tools.postgres import Server

_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30


def pytest_configure() -> None:
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        raise pytest.UsageError(f"Tests make files that {encoding} cannot name. Try: export PYTHONUTF8=1")
    gc.disable()  # until all tests are known
    # A busy machine fails no test, and each run draws examples of its own.
    settings.register_profile("clockless", deadline=None, max_examples=examples(60))
    settings.load_profile("clockless")
    # Most of what tests wait for is a disk's `fsync`: temporary folders lie in memory where there is room for them,
    # unless somebody says otherwise.
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ROOM:
        os.environ.setdefault("TMPDIR", str(_MEMORY))
        tempfile.tempdir = None
    # As `biblicus` itself has it: threads of numpy's own would spin where other tests want the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A shell starts what runs in its background deaf to Ctrl-C, and so would be every process of a test.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


_MAY_LACK = re.compile(
    r"needs (?:root|another user|strace|the extra \[embed\])|strace |tesseract |openssl |zsh |fish |there is no ruby"
    r"|no address but|torch|BIBLICUS_TEST_LLM|the real server|this (?:kernel|machine)|Debian's postgresql"
    r"|pgvector is installed|the extra \[(?:dspy|embed|langgraph|speech|static)\]|could not import 'pymilvus"
    r"|espeak-ng |.*make test-(?:adapters|llm|milvus|ray)"
)
"""Reasons to skip a test that are good in CI, too: `make test` installs nothing of these."""


def _required(report: Any) -> Any:
    """The report, failed where CI lacks something that `make test` installs. A laptop may lack it."""
    if report.skipped and isinstance(report.longrepr, tuple) and os.environ.get("CI"):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not _MAY_LACK.match(reason):
            report.outcome, report.longrepr = "failed", f"skipped, which CI may not: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return _required((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return _required((yield))


def pytest_collection_finish() -> None:
    """The tests stay to the end: to look for garbage among them, again and again, would be a seventh of finding them,
    and a part of all that they do."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """A third of what tests do is to wait: for processes that start and end, limits, servers."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(autouse=True, scope="module")
def _machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A machine of our own: a user's settings, and the key of its seals. Never those of whoever runs the tests.

    No module has a fixture of this name: one would take its place.
    """
    folder = tmp_path_factory.mktemp("home")
    with tempfile.TemporaryDirectory(prefix="bq") as short, pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("BIBLICUS_") and name != "BIBLICUS_DATA"]:
            patch.delenv(name)
        patch.setenv("BIBLICUS_STATE_HOME", str(folder / "state"))
        patch.setenv("BIBLICUS_CONFIG_HOME", str(folder / "config"))
        patch.setenv("BIBLICUS_RUNTIME_HOME", short)  # a socket's path has a limit
        patch.setenv("BIBLICUS_WORKERS", "1")
        patch.setenv("BIBLICUS_MEANING", "off")  # whatever models are installed, `auto` is words
        # A busy machine gives no look at the folder up, whose outcome scenarios count on;
        # `tests/runs/test_freshness.py` says when it does.
        patch.setattr("biblicus.runs.freshness.PATIENCE", 60.0)
        yield folder


@pytest.fixture(scope="module")
def home(_machine: Path) -> Path:
    """Where this machine keeps settings and state."""
    return _machine


@pytest.fixture(scope="session")
def idle_workers() -> Iterator[Idle]:
    """The workers of extraction that modules with `warm_workers` leave to each other."""
    idle = Idle()
    yield idle
    idle.close()


_OWN_WORKERS = re.compile(
    r"tests/(?:(?:benchmarks|executors|faults|guards|reliability)/|extraction/test_(?:members|pool|walls)\.py)"
)
"""Where tests are about workers themselves, or about what a command costs."""


@pytest.fixture(autouse=True, scope="module")
def warm_workers(request: pytest.FixtureRequest, idle_workers: Idle) -> Iterator[None]:
    """A command takes over the workers of the one before it."""
    with pytest.MonkeyPatch.context() as patch:
        if not _OWN_WORKERS.match(request.path.relative_to(Path(__file__).parent).as_posix()):
            idle_workers.patch(patch)
        yield


_OWN_COPIES = re.compile(
    r"tests/(?:benchmarks|executors|faults|guards|reliability|runs)/"
    r"|features/search/(?:pending_changes|stale_evidence)\.feature"
)
"""Where tests are about what a copy of the process finds, or about what a command costs."""


@pytest.fixture(autouse=True, scope="module")
def no_copies(request: pytest.FixtureRequest) -> Iterator[None]:
    """A command looks at the folder itself. A copy of the process that all tests are in costs more than most questions,
    and finds the same, as is tested once."""
    with pytest.MonkeyPatch.context() as patch:
        if not _OWN_COPIES.match(request.path.relative_to(Path(__file__).parent).as_posix()):
            patch.setattr("biblicus.runs.freshness.begun", lambda work: None)
        yield


@pytest.fixture(scope="session")
def tally(record_testsuite_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Counts of what tests tried, such as `tally(kills=50)`: for docs/promises.md (`make proofs`)."""

    def count(**tried: int) -> None:
        for name, number in tried.items():
            record_testsuite_property(f"tried_{name}", number)

    return count


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL with pgvector for this process's tests, on a socket of its own. Each corpus has its own schema."""
    pytest.importorskip("psycopg")
    try:
        server = Server()
    except (OSError, ModuleNotFoundError) as error:
        pytest.skip(f"no PostgreSQL to test with: {error}")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def milvus() -> Iterator[milvus_lite.Server]:
    """A Milvus in a process of its own, on this machine's own address. Each corpus has its own schema."""
    for module in ("pymilvus", "milvus_lite"):
        pytest.importorskip(module, reason=f"{module} is not installed: make test-milvus")
    server = milvus_lite.Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def mixed() -> Path:
    """The folder of real documents: beside the checkout, or where BIBLICUS_DATA says."""
    beside = Path(__file__).resolve().parents[1] / "shared" / "data"
    folder = Path(os.environ.get("BIBLICUS_DATA", beside)) / "mixed"
    if not folder.is_dir():
        pytest.skip(f"the shared documents are not in {folder}; set BIBLICUS_DATA")
    return folder
