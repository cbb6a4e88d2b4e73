"""A parser that was taken over meets walls: each is tried from inside, by a plug-in that was written for that."""

import os
import resource
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call, MediaHint
from biblicus.extraction.workers.pool import ExtractionPool, Job
from biblicus.guards import children, probe, walls
from biblicus.guards.process import Limits
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.requests.runs import CheckRequest
from biblicus.service.verbs import CHECK

LIMITS = Limits(memory=512 << 20, seconds=60.0, output=1 << 20)


def tried(pool: ExtractionPool, content: str) -> Extraction | NoExtraction:
    """What comes of one file, parsed by the plug-in that does what it says."""
    ((_, outcome),) = pool.extract([Job(content.encode(), MediaHint("a.bin", "application/x-test"), "faulty")])
    if missing := pool.missing():
        pytest.skip(f"this kernel does not give all walls: {missing}")
    return outcome


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ExtractionPool]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    with ExtractionPool(1, LIMITS, lambda name: "faulty_plugin") as pool:
        yield pool


def test_the_parser_works_within_them(pool: ExtractionPool) -> None:
    assert isinstance(tried(pool, "text"), Extraction)


def test_a_key_file_cannot_be_read(pool: ExtractionPool, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("secret")
    outcome = tried(pool, f"read {key}")
    assert isinstance(outcome, NoExtraction)
    assert "Permission denied" in outcome.reason


def test_no_connection_is_opened(pool: ExtractionPool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        outcome = tried(pool, f"connect {server.getsockname()[1]}")
        assert isinstance(outcome, NoExtraction)
        assert "not permitted" in outcome.reason
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize("attempt", ["fork", f"start {sys.executable}"])
def test_no_process_is_started(pool: ExtractionPool, attempt: str) -> None:
    outcome = tried(pool, attempt)
    assert isinstance(outcome, NoExtraction)
    assert "not permitted" in outcome.reason


def test_no_more_files_are_open_than_agreed(pool: ExtractionPool) -> None:
    assert isinstance(tried(pool, "files 50"), Extraction)
    outcome = tried(pool, f"files {walls.OPEN_FILES}")
    assert isinstance(outcome, NoExtraction)
    assert "Too many open files" in outcome.reason


def test_where_a_program_is_needed_that_one_is_started_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    echo, listing = shutil.which("echo"), shutil.which("ls")
    assert echo is not None
    assert listing is not None
    with ExtractionPool(1, replace(LIMITS, program=echo), lambda name: "faulty_plugin") as pool:
        outcome = tried(pool, f"start {echo}")
        assert isinstance(outcome, Extraction)
        assert outcome.text == "found\n"
        other = tried(pool, f"start {listing}")
        assert isinstance(other, NoExtraction)
        assert "Permission denied" in other.reason


def probed(path: Path, place: str) -> dict[str, object]:
    """How the probe fared, of a file of ours, in a worker or in a program that a worker starts."""
    program = os.path.realpath(sys.executable) if place == probe.IN_A_PROGRAM else ""
    with ExtractionPool(1, replace(LIMITS, program=program), lambda name: probe.__name__) as pool:
        job = Job(os.fsencode(path), MediaHint(place, "application/octet-stream"), "probe")
        ((_, outcome),) = pool.extract([job])
        if missing := pool.missing():
            pytest.skip(f"this kernel does not give all walls: {missing}")
    assert isinstance(outcome, Extraction), outcome.reason
    return dict(outcome.metadata)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (path := tmp_path / "key").write_text("secret")
    return path


@pytest.mark.parametrize("place", ["parser", probe.IN_A_PROGRAM])
def test_the_probe_of_check_finds_every_wall_closed(key: Path, place: str) -> None:
    found = probed(key, place)
    assert {wall: how for wall, how in found.items() if how != "closed"} == {}
    assert len(found) >= 14


def test_the_probe_tells_of_walls_that_do_not_stand(key: Path) -> None:
    """In this process there are none; what an ordinary user may not do anyhow is closed to root alone."""
    found = probe.Probe().extract(os.fsencode(key), MediaHint("parser", "application/octet-stream")).metadata
    assert {wall: how for wall, how in found.items() if not str(how).startswith("open")} == {}
    named = {name for how in found.values() for name in str(how).partition("(")[2].rstrip(")").split(", ")}
    assert named >= {"chmod", "chown", "utimensat", "setxattr", "prlimit64", "setpriority", "ioprio_set", "shmget"}
    assert key.read_text() == "secret"


@pytest.mark.parametrize("number", [470, 999, 0x40000000, 0x40000027])
def test_a_call_that_is_not_known_is_said_to_be_missing(pool: ExtractionPool, number: int) -> None:
    """So that a newer libc falls back to an older call; numbers of x32 are none."""
    outcome = tried(pool, f"call {number}")
    assert isinstance(outcome, NoExtraction)
    assert "Function not implemented" in outcome.reason


def test_a_limit_can_be_raised_by_nobody(pool: ExtractionPool) -> None:
    """Not even by root, who may raise any that the kernel keeps."""
    outcome = tried(pool, "unlimit")
    assert isinstance(outcome, NoExtraction)
    assert "not permitted" in outcome.reason


@pytest.mark.parametrize("machine", walls.ARCHES)
def test_a_filter_is_as_short_as_the_kernel_takes_it(machine: str) -> None:
    for may_start in (False, True):
        assert 0 < len(walls.filter_of(machine, 1, may_start=may_start)) // 8 < 4096


def test_a_number_stands_for_one_call() -> None:
    for column in (0, 1):
        numbers = [pair[column] for pair in walls.NUMBERS.values() if pair[column] is not None]
        assert len(numbers) == len(set(numbers))


def test_a_limit_that_a_system_refuses_is_told_and_the_others_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, which bounds no address space."""
    limits: list[int] = []

    def set_limit(kind: int, values: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        limits.append(kind)

    monkeypatch.setattr("resource.setrlimit", set_limit)
    missing = children.bound(LIMITS.memory)
    assert missing == {children.MEMORY: "this system does not bound it (current limit exceeds maximum limit)"}
    assert limits == [resource.RLIMIT_CORE, resource.RLIMIT_FSIZE]


def test_a_person_may_turn_them_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_SANDBOX", "off")
    with Corpus.init(tmp_path / "corpus") as corpus:
        walls = corpus._asker.ask(CHECK, CheckRequest(sandbox=True), Call()).sandbox
    assert walls is not None
    assert walls["reading a file"] == "open: turned off in your settings"
    assert walls["open files"] == "not bounded"


def test_the_folder_that_a_command_runs_in_is_no_software(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    named = walls.software_of([str(tmp_path), str(tmp_path.parent), "/opt/plugins"])
    assert str(tmp_path) not in named
    assert str(tmp_path.parent) not in named
    assert "/opt/plugins" in named
    assert str(Path(walls.__file__).parents[1]) in named


def test_what_a_kernel_does_not_give_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("resource.setrlimit", lambda *limits: None)
    assert walls.raise_walls([]) == dict.fromkeys(walls.WALLS, "only Linux has them")
