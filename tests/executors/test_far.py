"""A build that is shared out comes to the same, whoever does it and however often; nothing secret goes out."""

from __future__ import annotations

import json
import os

# ruff: noqa: TID251, S301 (what goes out is pickled)
import pickle
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ExecutorUnavailable
from biblicus.executors import ray_executor
from biblicus.executors.ray_executor import RayExecutor
from biblicus.guards import processes
from biblicus.guards.side_by_side import Task
from biblicus.runs import cutting
from biblicus.stores.vectors import stores
from tests.stores.test_conformance import QUESTIONS, TEXTS, evidence, filled

SECRET = "hush-4711"
FILLER = {
    f"more/{number}.md": f"# Page {number}\n\nThe {word} of the harbour, {number} times. "
    + f"{word} again. " * (number % 40)
    for number in range(200)
    for word in (("tide", "gull", "boat", "rope", "net")[number % 5],)
}


class Faraway:
    """Does batches as if far away: nothing but pickles goes there and back. Of every third nothing comes back, so that
    it is done again; every fifth is done twice."""

    is_far = True
    count = 2

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def __enter__(self) -> Faraway:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None: ...

    def close(self) -> None: ...

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        self.sent.append(pickle.dumps(task))
        kept: dict[str, Any] = {}
        work = pickle.loads(self.sent[0 if len(self.sent) == 1 else -1]).begin(kept)
        for number, (_, batch) in enumerate(dealt):
            self.sent.append(pickle.dumps(batch))
            if number % 3 == 0:
                work = pickle.loads(pickle.dumps(task)).begin(kept)
            if number % 5 == 0:
                work(pickle.loads(self.sent[-1]))
            yield pickle.loads(pickle.dumps(work(pickle.loads(self.sent[-1]))))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    from pypdf import PdfWriter

    with filled(tmp_path / "harbour", {**TEXTS, **FILLER}) as made:
        writer = PdfWriter()
        writer.add_blank_page(72, 72)
        writer.write(made.path / "blank.pdf")
        (made.path / "page.html").write_text("<h1>Piers</h1><p>The pier of the harbour.</p>", "utf-8")
        yield made


def needs_ray() -> None:
    """Not by an import: what it reads of the environment, it reads once."""
    if not find_spec("ray"):
        pytest.skip("ray is not installed: make test-ray")


def built(corpus: Corpus) -> tuple[Any, ...]:
    """What a fresh run comes to, and what it brings."""
    run = corpus.reindex(fresh=True).runs[0].manifest
    brought = [evidence(corpus, question, "lexical") for question in QUESTIONS]
    return run.corpus_digest, run.chunks_digest, run.index_version, run.counts, run.failed, run.skipped, brought


def test_a_build_that_is_shared_out_comes_to_the_same(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    far = Faraway()
    with monkeypatch.context() as patch:
        patch.setattr("biblicus.runs.reindex.sharing", lambda _: far)
        outcome = built(corpus)
    assert len(far.sent) > 4
    assert b"The pier of the harbour" in b"".join(far.sent)
    assert outcome == built(corpus)


def test_vectors_that_are_made_far_away_are_those_made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr("biblicus.runs.vectors._GROUP", 4)
    corpus = filled(tmp_path / "harbour", dict(list(TEXTS.items())[:8]))

    def vectors() -> Any:
        """All of them, in the order in which they were made."""
        (store,) = stores(CorpusFolder(corpus.path).vectors)
        return np.array(store.matrix(store.generation()))

    far, runs = Faraway(), []
    with monkeypatch.context() as patch:
        patch.setattr("biblicus.runs.reindex.sharing", lambda _: far)
        runs.append(corpus.reindex("hybrid").runs[0].manifest)
    assert any(b"Embedding" in sent for sent in far.sent)
    there = vectors()
    shutil.rmtree(CorpusFolder(corpus.path).vectors)
    runs.append(corpus.reindex("hybrid", fresh=True).runs[0].manifest)
    assert len({(run.chunks_digest, run.index_version, str(run.counts)) for run in runs}) == 1
    assert np.sum(there * vectors(), axis=1).min() > 0.99999
    corpus.close()


def test_what_comes_back_and_is_not_of_what_went_out_is_done_here(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = built(corpus)
    original = cutting.Cutting._row

    def forged(self: Any, item: Any, cut: Any) -> Any:
        row = original(self, item, cut)
        if row is None or not row[1] or len(item.path) % 2:
            return row
        facts, (first, *rest), made = row
        return facts, [(*first[:7], first[7] + " forged", *first[8:]), *rest], made

    with monkeypatch.context() as patch:
        patch.setattr(cutting.Cutting, "_row", forged)
        patch.setattr("biblicus.runs.reindex.sharing", lambda _: Faraway())
        assert built(corpus) == expected


def test_nothing_secret_goes_out(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": f"password={SECRET}"}}))
    monkeypatch.setenv("BIBLICUS_PASSWORDS", json.dumps({"*.docx": SECRET}))
    monkeypatch.setenv("BIBLICUS_LLMS", json.dumps({"mine": {"by": "openai", "api_key": SECRET}}))
    far = Faraway()
    monkeypatch.setattr("biblicus.runs.reindex.sharing", lambda _: far)
    corpus.reindex()
    key = (Path(os.environ["BIBLICUS_STATE_HOME"])).rglob("*")
    seals = [path.read_bytes() for path in key if path.is_file()]
    assert seals
    sent = b"".join(far.sent)
    assert SECRET.encode() not in sent
    assert str(corpus.path).encode() not in sent
    assert not [seal for seal in seals if seal.strip() in sent]


def test_workers_of_another_version_are_refused(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    own = cutting._versions
    answers = iter(({"analysis": "1"}, {"analysis": "2"}))
    monkeypatch.setattr(cutting, "_versions", lambda chunkers: {**own(chunkers), **next(answers)})
    monkeypatch.setattr("biblicus.runs.reindex.sharing", lambda _: Faraway())
    with pytest.raises(cutting.OtherVersions, match="other versions of analysis"):
        corpus.reindex()


class Cores:
    """Says how many cores its worker uses."""

    def begin(self, kept: dict[str, Any]) -> Callable[[Any], Any]:
        return lambda batch: processes.cores()


def test_a_worker_of_a_cluster_uses_the_core_that_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_most", None)
    monkeypatch.setattr(ray_executor, "_begun", {})
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(16), raising=False)
    assert processes.cores() == 16
    assert ray_executor._do("a task", pickle.dumps(Cores()), b"") == 1


# --- Ray --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("seed", range(int(os.environ.get("BIBLICUS_RAY_SEEDS", "2"))))
def test_workers_of_ray_come_to_the_same_while_some_are_killed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, workers: int, seed: int
) -> None:
    needs_ray()
    psutil = pytest.importorskip("psutil")
    from biblicus.executors.ray_executor import RayExecutor

    expected = built(corpus)
    chance, original, killed = random.Random(seed), RayExecutor._result, list[Any]()

    def result(self: Any, task: Task, reference: Any, batch: Any) -> Any:
        if len(killed) < 3 and chance.random() < 0.5:
            busy = [one for one in psutil.Process().children(recursive=True) if one.name() in ("ray::_do", "ray::IDLE")]
            if busy:
                killed.append(chance.choice(busy))
                killed[-1].kill()
        return original(self, task, reference, batch)

    monkeypatch.setattr(RayExecutor, "_result", result)
    monkeypatch.setattr("biblicus.runs.build._BATCH_ITEMS", 8)
    monkeypatch.setenv("BIBLICUS_EXECUTOR", "ray")
    monkeypatch.setenv("BIBLICUS_WORKERS", str(workers))
    assert built(corpus) == expected
    assert killed


def test_a_coordinator_that_is_killed_changes_nothing(corpus: Corpus) -> None:
    needs_ray()
    psutil = pytest.importorskip("psutil")
    program = (
        "import os, signal, sys, psutil; from biblicus import Corpus; from biblicus.runs import build;"
        "from biblicus.executors.ray_executor import RayExecutor;"
        "original, calls = RayExecutor._result, iter(range(9)); build._BATCH_ITEMS = 8\n"
        "def killed(*words):\n"
        "    if next(calls) == 5:\n"
        "        print(*[one.pid for one in psutil.Process().children(recursive=True)], flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return original(*words)\n"
        "RayExecutor._result = killed; Corpus.open(sys.argv[1]).reindex(fresh=True)"
    )
    expected = built(corpus)
    before = [run.run_id for run in corpus.runs()]
    environment = {**os.environ, "BIBLICUS_EXECUTOR": "ray", "BIBLICUS_WORKERS": "2"}
    command = [sys.executable, "-c", program, str(corpus.path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with Corpus.open(corpus.path) as again:
        assert [run.run_id for run in again.runs()] == before
        assert again.query("harbour").run_id == before[-1]
        assert built(again) == expected
    left = [psutil.Process(int(pid)) for pid in done.stdout.split() if psutil.pid_exists(int(pid))]
    assert psutil.wait_procs(left, timeout=300)[1] == []


def test_a_cluster_that_is_away_is_one_line(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_ray()
    monkeypatch.setenv("BIBLICUS_EXECUTOR", "ray://127.0.0.1:1")
    with pytest.raises(ExecutorUnavailable) as failed:
        corpus.reindex()
    assert "\n" not in failed.value.message
    assert failed.value.hint == "the same command with --on local"
    assert corpus.runs() == []


@pytest.mark.parametrize(("late", "is_reached"), [(0, True), (2, True), (3, False)])
def test_a_cluster_of_our_own_that_is_late_is_started_again(
    monkeypatch: pytest.MonkeyPatch, late: int, is_reached: bool
) -> None:
    starts: list[str] = []

    def init(**_: object) -> None:
        starts.append("init")
        if starts.count("init") <= late:
            raise Exception("The current node timed out during startup. This could happen because")  # as it does

    ray = SimpleNamespace(init=init, shutdown=lambda: starts.append("shutdown"), remote=lambda **_: lambda work: work)
    monkeypatch.setitem(sys.modules, "ray", ray)
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_USAGE_STATS_ENABLED", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"):
        monkeypatch.setenv(name, "token")
    executor = RayExecutor("ray", 1)
    if is_reached:
        executor.start()
    else:
        with pytest.raises(ExecutorUnavailable, match="timed out during startup"):
            executor.start()
    assert starts == ["init", "shutdown"] * late + ["init"] * is_reached


class Needing:
    """A task whose work needs what it keeps."""

    def begin(self, kept: dict[str, Any]) -> Callable[[Any], Any]:
        folder = kept["folder"] = TemporaryDirectory()
        place = Path(folder.name)
        return lambda batch: (batch, place.is_dir())


def test_a_batch_that_no_worker_survived_is_done_here_with_all_that_it_needs() -> None:
    names = ("RayTaskError", "WorkerCrashedError", "NodeDiedError", "ObjectLostError", "OutOfMemoryError", "RayError")
    kinds = {name: type(name, (Exception,), {}) for name in names}

    def lost(reference: object) -> Any:
        raise kinds["WorkerCrashedError"]

    executor = RayExecutor("ray", 1)
    executor._ray = SimpleNamespace(get=lost, exceptions=SimpleNamespace(**kinds))
    assert executor._result(Needing(), "a reference", "a batch") == ("a batch", True)
