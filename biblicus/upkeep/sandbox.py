"""Tests the sandbox of the workers that parse files, from inside."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace

from biblicus.contracts import MediaHint
from biblicus.corpus.folder import CorpusFolder
from biblicus.extraction.workers.pool import ExtractionPool, Job
from biblicus.guards import probe
from biblicus.guards.children import MEMORY
from biblicus.guards.process import Limits
from biblicus.guards.walls import OPEN_FILES
from biblicus.models.extraction import Extraction

_WHAT = {
    "files": "reading a file",
    "folders": "listing a folder",
    "writing": "writing a file",
    "network": "opening a connection",
    "sockets": "making sockets",
    "processes": "starting a process",
    "programs": "starting a program",
    "signals": "sending signals to other processes",
    "attributes": "changing modes, owners, times of files",
    "others": "changing other processes",
    "memory of others": "reading other processes",
    "queues": "shared memory and queues",
    "watching": "watching files",
    "system": "mounts, namespaces, the machine's name",
    "kernel": "the kernel's programs and keys",
}
_PLACES = {"parser": "in a parser", probe.IN_A_PROGRAM: "in the program that OCR starts"}


def sandbox(corpus: CorpusFolder) -> Mapping[str, str]:
    """Return for each restricted action `closed`, or `open` with the reason; then the limits that always apply."""
    settings = corpus.settings
    walls = settings.sandbox == "on"
    limits = Limits(seconds=settings.extraction_seconds, memory=settings.extraction_memory, walls=walls)
    path = os.fsencode(corpus.config_file)
    results: dict[str, Mapping[str, object] | str] = {}
    missing: dict[str, str] = {}
    for place in _PLACES:
        program = os.path.realpath(sys.executable) if place == probe.IN_A_PROGRAM else ""
        with ExtractionPool(1, replace(limits, program=program), lambda name: probe.__name__) as pool:
            ((_, outcome),) = pool.extract([Job(path, MediaHint(place, "application/octet-stream"), "probe")])
            missing |= pool.missing()
        results[place] = outcome.metadata if isinstance(outcome, Extraction) else outcome.reason
    unbounded = missing.pop(MEMORY, "")
    reasons = "; ".join(dict.fromkeys(missing.values()))
    how_each = {
        what: _how({place: _of(results[place], wall) for place in _PLACES}, reasons) for wall, what in _WHAT.items()
    }
    return {
        **how_each,
        "memory": f"{probe.OPEN}: {unbounded}" if unbounded else f"{limits.memory >> 20} MiB",
        "time": f"{limits.seconds:g} s a file",
        "text": f"{limits.output >> 20} MiB",
        "open files": str(OPEN_FILES) if walls else "not bounded",
    }


def _of(found: Mapping[str, object] | str, wall: str) -> str:
    """Return the result of a test in one place. A program may start processes of its own, so this is not tested
    there."""
    if isinstance(found, str):
        return f"{probe.OPEN} (the probe gave no answer: {found})"
    return str(found.get(wall, probe.CLOSED))


def _how(found: Mapping[str, str], reasons: str) -> str:
    """Return the result of a test in all places, on one line."""
    passed = {place: how for place, how in found.items() if how != probe.CLOSED}
    if not passed:
        return probe.CLOSED
    how = next(iter(passed.values()))
    where = "" if len(passed) == len(found) else f", {_PLACES[next(iter(passed))]}"
    return f"{how}{where}: {reasons}" if reasons else f"{how}{where}"
