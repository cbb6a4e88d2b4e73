"""A command of the user's own ends with all that it started, and is heard no longer than anybody waits."""

import os
import select
import threading

import pytest

from biblicus.errors import Cancelled
from biblicus.guards.commands import say

MOST = 1 << 20


def test_what_it_is_told_may_be_more_than_a_pipe_holds():
    told = b"oil " * 300_000
    assert say(["cat"], told, seconds=60, output_bytes=1 << 22).output == told


def test_it_need_not_listen():
    assert say(["echo", "lit"], b"x" * MOST, seconds=60, output_bytes=MOST).output == b"lit\n"


def test_what_it_started_ends_with_it(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    listening = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    script = f'exec 3>"{pipe}"; tail -f /dev/null >/dev/null 2>&1 & exit 0'
    assert say(["sh", "-c", script], b"", seconds=60, output_bytes=MOST).problem == ""
    assert select.select([listening], [], [], 60)[0] == [listening]  # nobody is left who could write
    assert os.read(listening, 1) == b""
    os.close(listening)


def test_who_no_longer_waits_is_told_so_and_it_is_ended():
    nobody_waits = threading.Event()
    nobody_waits.set()

    def check() -> None:
        if nobody_waits.is_set():
            raise Cancelled

    with pytest.raises(Cancelled):
        say(["cat", "/dev/zero"], b"", seconds=60, output_bytes=1 << 40, check=check)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("kill -SEGV $$", "it was ended by SIGSEGV"),
        ("echo one >&2; echo ' two ' >&2; exit 2", "it left with exit code 2: two"),
        ("yes >&2 & wait", "it took longer than 0.2 s"),
        ("exec yes", "it said more than 1,048,576 bytes"),
    ],
)
def test_what_is_not_to_be_used_says_why(script: str, problem: str):
    seconds = 0.2 if "longer" in problem else 60
    assert say(["sh", "-c", script], b"", seconds=seconds, output_bytes=MOST).problem == problem


def test_what_it_said_counts_though_something_that_it_started_holds_its_output():
    assert say(["sh", "-c", "tail -f /dev/null & echo lit"], b"", seconds=60, output_bytes=MOST).output == b"lit\n"
