import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from biblicus.guards.side_by_side import Helpers, Work, no_collection


@dataclass(frozen=True)
class Doubling:
    """Doubles numbers, counts its batches, dies at one and refuses another."""

    deadly: int = -1
    refused: int = -1
    caller: int = field(default_factory=os.getpid)

    def begin(self, kept: dict[str, Any]) -> Work:
        def double(numbers: list[int]) -> tuple[list[int], int, bool]:
            is_helper = os.getpid() != self.caller
            if self.deadly in numbers and is_helper:
                os.kill(os.getpid(), signal.SIGKILL)
            if self.refused in numbers:
                raise ValueError(f"{self.refused} is refused")
            kept["batches"] = kept.get("batches", 0) + 1
            return [2 * number for number in numbers], kept["batches"], is_helper

        return double


@pytest.fixture
def helpers() -> Iterator[Helpers]:
    with Helpers(2) as several:
        yield several


def dealt(count: int) -> list[tuple[int, list[int]]]:
    return [(number % 2, [number, number + 1]) for number in range(count)]


def test_nothing_is_imported_from_the_folder_that_a_command_runs_in(tmp_path: Path):
    """Where copies of this process are unsafe, or always on macOS, a fresh interpreter is started."""
    for name in ("multiprocessing", "json", "pickle"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'a').write(__file__)\n", "utf-8")
    resting = threading.Event()
    thread = threading.Thread(target=resting.wait)
    thread.start()
    try:
        with chdir(tmp_path), Helpers(2) as helpers:
            results = list(helpers.each(Doubling(), dealt(2)))
    finally:
        resting.set()
        thread.join()
    assert all(is_helper for _, _, is_helper in results)
    assert not (tmp_path / "executed").exists()


def test_results_come_in_order_from_other_processes(helpers: Helpers):
    results = list(helpers.each(Doubling(), dealt(50)))
    assert [numbers for numbers, _, _ in results] == [[2 * number, 2 * number + 2] for number in range(50)]
    assert all(is_helper for _, _, is_helper in results)


def test_what_a_process_keeps_is_there_for_the_next_task(helpers: Helpers):
    list(helpers.each(Doubling(), dealt(6)))
    assert [batches for _, batches, _ in helpers.each(Doubling(), dealt(2))] == [4, 4]


def test_the_batches_of_a_process_that_dies_are_done_here(helpers: Helpers):
    results = list(helpers.each(Doubling(deadly=7), dealt(20)))
    assert [numbers for numbers, _, _ in results] == [[2 * number, 2 * number + 2] for number in range(20)]
    assert not all(is_helper for _, _, is_helper in results)


def test_an_error_is_the_callers(helpers: Helpers):
    with pytest.raises(ValueError, match="3 is refused"):
        list(helpers.each(Doubling(refused=3), dealt(20)))


def test_a_caller_that_stops_early_can_ask_again(helpers: Helpers):
    assert next(helpers.each(Doubling(), dealt(20)))[0] == [0, 2]
    assert [numbers for numbers, _, _ in helpers.each(Doubling(), dealt(2))] == [[0, 2], [2, 4]]


@pytest.mark.parametrize("count", [0, 1])
def test_with_one_process_all_is_done_here(count: int):
    with Helpers(count) as here:
        assert not any(is_helper for _, _, is_helper in here.each(Doubling(), dealt(4)))


def test_the_collector_runs_again_whichever_of_two_threads_ends_last() -> None:
    first, second = no_collection(), no_collection()
    assert gc.isenabled()
    first.__enter__()
    second.__enter__()
    assert not gc.isenabled()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_a_collector_that_did_not_run_stays_so() -> None:
    gc.disable()
    try:
        with no_collection(), no_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
