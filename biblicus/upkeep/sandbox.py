"""Which walls stand around the workers that parse files: each is tried from inside."""

from __future__ import annotations

import os
from collections.abc import Mapping

from biblicus.contracts import MediaHint
from biblicus.corpus.folder import CorpusFolder
from biblicus.extraction.workers import probe
from biblicus.extraction.workers.pool import ExtractionPool, Job
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
}


def sandbox(corpus: CorpusFolder) -> Mapping[str, str]:
    """What a parser may not do, and whether the kernel keeps it from that: `closed`, or `open` with the reason; then
    the limits that hold in any case."""
    settings = corpus.settings
    walls = settings.sandbox == "on"
    limits = Limits(seconds=settings.extraction_seconds, memory=settings.extraction_memory, walls=walls)
    job = Job(os.fsencode(corpus.config_file), MediaHint("probe", "application/octet-stream"), "probe")
    with ExtractionPool(1, limits, lambda name: probe.__name__) as pool:
        ((_, outcome),) = pool.extract([job])
        missing = pool.missing()
    tried = outcome.metadata if isinstance(outcome, Extraction) else {}
    reasons = "; ".join(dict.fromkeys(missing.values()))
    how_each = {}
    for wall, what in _WHAT.items():
        how = str(tried.get(wall, "open (the probe gave no answer)"))
        how_each[what] = f"{how}: {reasons}" if reasons and how != probe.CLOSED else how
    return {
        **how_each,
        "memory": f"{limits.memory >> 20} MiB",
        "time": f"{limits.seconds:g} s a file",
        "text": f"{limits.output >> 20} MiB",
        "open files": str(OPEN_FILES) if walls else "not bounded",
    }
