"""Whatever a file does to its parser, it costs that one file, and bounded time and memory."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from biblicus.contracts import MediaHint
from biblicus.errors import UnknownName
from biblicus.extraction.workers.pool import ExtractionPool, Job, WorkersUnavailable
from biblicus.guards import process
from biblicus.guards.process import Limits
from biblicus.models.extraction import Extraction, Heading, NoExtraction

_LIMITS = Limits(memory=512 << 20, seconds=60.0, output=1 << 20)
_HASTY = Limits(memory=512 << 20, seconds=3.0, output=1 << 20)
"""For what is to hang: long enough for a worker to start on a busy machine."""


def job(content: str | Path, path: str = "a.bin", **more: object) -> Job:
    source = content if isinstance(content, Path) else content.encode()
    return Job(source, MediaHint(path, "application/x-test"), "faulty", **more)  # type: ignore[arg-type]  # test sugar


def module_of(extractor: str) -> str:
    return {"faulty": "faulty_plugin"}.get(extractor, f"biblicus.extraction.{extractor}")


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ExtractionPool]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    with ExtractionPool(2, _LIMITS, module_of) as pool:
        yield pool


@pytest.fixture(scope="module")
def shared() -> Iterator[ExtractionPool]:
    """One for all that leave its workers as they were, or ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        with ExtractionPool(2, _LIMITS, module_of) as pool:
            yield pool


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[ExtractionPool]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    with ExtractionPool(2, _HASTY, module_of) as pool:
        yield pool


def outcomes(pool: ExtractionPool, *contents: str) -> dict[str, Extraction | NoExtraction]:
    jobs = [job(content) for content in contents]
    results = {done.source.decode(): outcome for done, outcome in pool.extract(jobs)}  # type: ignore[union-attr]  # bytes
    assert len(results) == len(set(contents))
    return results


def parent_of(pid: int | str) -> int | None:
    """The parent of a process that runs; None for one that has ended. Read from Linux's `/proc`."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def children() -> set[int]:
    return {int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent_of(pid) == os.getpid()}


def test_every_job_is_answered_once_and_by_its_own_content(shared: ExtractionPool) -> None:
    contents = [f"text {number}" for number in range(200)]
    for content, outcome in outcomes(shared, *contents).items():
        assert isinstance(outcome, Extraction)
        assert outcome.text == content
        assert outcome.headings == (Heading(0, 1, "a.bin"),)


_DAMAGED = ": the file is damaged, or of a rare kind"


@pytest.mark.parametrize("is_shown", [False, True])
def test_the_detail_of_a_failure_is_shown_with_debug(
    is_shown: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setattr("biblicus.guards.process.Worker.shows_errors", is_shown)
    is_read, pass_on = threading.Event(), process._passed_on

    def to_the_end(stream: IO[bytes]) -> None:
        pass_on(stream)
        is_read.set()

    monkeypatch.setattr(process, "_passed_on", to_the_end)
    with ExtractionPool(1, _LIMITS, module_of) as pool:
        outcomes(pool, "raise")
    assert is_read.wait(60) if is_shown else not is_read.is_set()
    written = capfd.readouterr().err
    assert ("ValueError: broken" in written) == is_shown


def test_workers_run_side_by_side_and_stay_warm(shared: ExtractionPool) -> None:
    def pids() -> set[object]:
        return {o.metadata["pid"] for o in outcomes(shared, *map(str, range(60))).values() if isinstance(o, Extraction)}

    first = pids()
    assert len(first) == 2
    assert pids() == first


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        ("abort", "crashed", "the parser crashed (SIGABRT)"),
        ("exit", "crashed", "the parser ended (exit code 3)"),
        ("hog", "crashed", "it needed more than 512 MiB of memory"),
        ("raise", "failed", f"its parser met a value that its format does not allow{_DAMAGED}"),
        ("overflow", "failed", f"its parser met a number out of range{_DAMAGED}"),
        ("lack", "failed", f"its parser met a reference to a part that is missing{_DAMAGED}"),
        ("fail", "failed", "the file is torn"),
        ("forge", "crashed", "the parser's answer is not what was agreed"),
        ("lie", "crashed", "the parser's answer is not what was agreed"),
    ],
)
def test_a_fault_costs_one_file(shared: ExtractionPool, fault: str, status: str, reason: str) -> None:
    results = outcomes(shared, "one", "two", fault, "three", "four", "five", "six")
    assert results.pop(fault) == NoExtraction(status, reason)
    assert all(isinstance(outcome, Extraction) for outcome in results.values())


@pytest.mark.parametrize("fault", ["hang", "spin"])
def test_a_hang_costs_its_time_limit(hasty: ExtractionPool, fault: str) -> None:
    results = outcomes(hasty, "one", fault, "two", "three", "four", "five")
    assert results.pop(fault) == NoExtraction("crashed", "it took longer than 3 s")
    assert all(isinstance(outcome, Extraction) for outcome in results.values())


def test_a_worker_that_disables_its_alarm_is_killed(hasty: ExtractionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.guards.process._GRACE", 0.5)
    results = outcomes(hasty, "stubborn", "one")
    assert results["stubborn"] == NoExtraction("crashed", "it took longer than 3 s")


def test_an_oversized_text_is_refused(shared: ExtractionPool) -> None:
    results = outcomes(shared, "huge 2", "one")
    assert results["huge 2"] == NoExtraction("too large", "its text is larger than 1 MiB")
    assert isinstance(results["one"], Extraction)


def test_a_text_with_half_a_surrogate_pair_fails_cleanly(shared: ExtractionPool) -> None:
    outcome = outcomes(shared, "surrogate", "one")["surrogate"]
    assert isinstance(outcome, NoExtraction)
    assert outcome.status == "crashed"


def test_what_forerunners_left_behind_costs_nobody(pool: ExtractionPool) -> None:
    results = outcomes(pool, *(f"leak {size}" for size in range(100, 110)))
    assert all(isinstance(outcome, Extraction) for outcome in results.values())
    assert isinstance(outcomes(pool, "one", "two", "three", "fragile")["fragile"], Extraction)


def test_noise_on_standard_output_does_not_reach_the_answers(shared: ExtractionPool) -> None:
    assert isinstance(outcomes(shared, "print")["print"], Extraction)


def test_a_parser_cannot_write_files_or_see_secrets(
    pool: ExtractionPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIBLICUS_SECRET", "token")
    results = outcomes(pool, f"write {tmp_path}/x", "secret")
    assert isinstance(results[f"write {tmp_path}/x"], NoExtraction)
    assert not (tmp_path / "x").exists() or (tmp_path / "x").stat().st_size == 0
    secret = results["secret"]
    assert isinstance(secret, Extraction)
    assert secret.text == "nothing /"


def test_files_are_read_by_path_and_checked(shared: ExtractionPool, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd \xff\n name.bin"))
    odd.write_bytes(b"gefunden")
    good = hashlib.sha256(b"gefunden").hexdigest()
    results = [o for _, o in shared.extract([job(odd), job(odd, sha256=good), job(odd, sha256="0" * 64)])]
    assert sum(isinstance(o, Extraction) and o.text == "gefunden" for o in results) == 2
    assert NoExtraction("failed", "changed while it was read; run the command again") in results


def test_links_fifos_folders_and_missing_files_fail_at_once(shared: ExtractionPool, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("secret")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "fifo")
    names = ["link", "fifo", ".", "missing"]
    results = {
        done.hint.path: outcome for done, outcome in shared.extract([job(tmp_path / name, name) for name in names])
    }
    assert set(results) == set(names)
    for outcome in results.values():
        assert isinstance(outcome, NoExtraction)
        assert outcome.status == "failed"
        assert outcome.reason.startswith("could not be read: ")
    assert results["fifo"] == NoExtraction("failed", "could not be read: it is not a regular file")


def test_large_raw_bytes_and_large_answers_do_not_deadlock(shared: ExtractionPool) -> None:
    contents = [f"{number} " + "x" * 900_000 for number in range(8)]
    assert all(isinstance(outcome, Extraction) for outcome in outcomes(shared, *contents).values())


def test_jobs_are_read_only_as_workers_get_free(shared: ExtractionPool) -> None:
    taken = 0

    def endless() -> Iterator[Job]:
        nonlocal taken
        while True:
            taken += 1
            yield job("text")

    answers = shared.extract(endless())
    for _ in range(5):
        next(answers)
    assert taken <= 20
    answers.close()
    assert isinstance(outcomes(shared, "after an early stop")["after an early stop"], Extraction)


def test_a_slow_reader_is_no_hang(shared: ExtractionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.guards.process._GRACE", 0.0)
    answers = shared.extract(job(f"text {number}") for number in range(8))
    results = []
    for _, outcome in answers:
        results.append(outcome)
        if len(results) == 1:
            time.sleep(1.2)
    assert len(results) == 8
    assert all(isinstance(outcome, Extraction) for outcome in results)


def test_a_killed_idle_worker_is_replaced(pool: ExtractionPool) -> None:
    before = children()
    outcomes(pool, "one", "two")
    for pid in children() - before:
        os.kill(pid, signal.SIGKILL)
    results = outcomes(pool, "three", "four", "five")
    assert all(isinstance(outcome, Extraction) for outcome in results.values())


def test_no_worker_starts_without_a_job_and_none_stays_after_close() -> None:
    before = children()
    with ExtractionPool(2, _LIMITS) as pool:
        assert list(pool.extract([])) == []
        assert children() == before
        html = Job(b"<p>hello", MediaHint("a.html", "text/html"), "html")
        ((_, outcome),) = pool.extract([html])
        assert isinstance(outcome, Extraction)
        assert len(children() - before) == 1
    assert children() == before


@pytest.mark.parametrize("python", ["/bin/false", "/nowhere/python"])
def test_workers_that_cannot_start_are_an_error_and_no_endless_loop(
    python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    with ExtractionPool(1) as pool, pytest.raises(WorkersUnavailable):
        list(pool.extract([Job(b"x", MediaHint("a.html", "text/html"), "html")]))


def test_an_unknown_extractor_is_the_callers_error() -> None:
    with ExtractionPool(1) as pool, pytest.raises(UnknownName):
        list(pool.extract([Job(b"x", MediaHint("a", "b"), "os.system")]))


_ORPHANING = """
import sys
from biblicus.contracts import MediaHint
from biblicus.extraction.workers.pool import ExtractionPool, Job
from biblicus.guards.process import Limits
pool = ExtractionPool(1, Limits(seconds=8.0), lambda name: "faulty_plugin")
hint = MediaHint("a", "b")
answers = pool.extract([Job(b"one", hint, "faulty"), Job(sys.argv[1].encode(), hint, "faulty")])
print(next(answers)[1].metadata["pid"], flush=True)
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("doing", ["nothing", "spin"])
def test_workers_end_with_their_parent(doing: str) -> None:
    here = Path(__file__)
    path = os.pathsep.join((str(here.parent), str(here.parents[2])))
    parent = subprocess.run(
        [sys.executable, "-c", _ORPHANING, doing], env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE
    )
    assert parent.returncode == -signal.SIGKILL
    worker = int(parent.stdout)
    deadline = time.monotonic() + 300
    while parent_of(worker) is not None:
        assert time.monotonic() < deadline, "the worker outlived its parent"
        time.sleep(0.05)


def test_nothing_is_imported_from_the_folder_that_the_command_runs_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "selectolax.py").write_text("raise SystemExit('taken over')")
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    with ExtractionPool(1) as pool:
        ((_, outcome),) = pool.extract([Job(b"<p>hello", MediaHint("a.html", "text/html"), "html")])
    assert isinstance(outcome, Extraction)
