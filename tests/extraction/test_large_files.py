"""Files of more bytes than are read: each is refused unread, in one line, and memory stays flat."""

import json
import subprocess
import sys
from pathlib import Path

from biblicus.contracts import MediaHint
from biblicus.extraction.workers.pool import ExtractionPool, Job
from biblicus.guards.process import Limits, Worker
from biblicus.models.extraction import NoExtraction

LARGE = 1 << 30
SMALL = 160 << 20
"""Bytes that a reindex of a small folder takes, twice over."""
_MEASURED = """
import resource, sys
from pathlib import Path
from biblicus.connectors.cli.front.app import run
code = run(["reindex", "--json"])
if (status := Path("/proc/self/status")).exists():
    peak = int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak, file=sys.stderr)
sys.exit(code)
"""
"""Prints the process's own peak. Where there is a /proc, ru_maxrss is at least the peak of whoever started it."""


def test_a_large_file_is_refused_unread(home: Path, tmp_path: Path) -> None:
    names = {"report.pdf", "boats.zip", "minutes.docx"}
    (tmp_path / "tides.txt").write_text("The moon pulls tides.")
    (tmp_path / "note.html").write_text("<p>A worker parses this.")
    for name in names:
        with (tmp_path / name).open("wb") as file:  # sparse: it begins as one of its kind and costs its maker nothing
            file.write(b"%PDF-1.7\n" if name.endswith("pdf") else b"PK\x03\x04")
            file.truncate(LARGE)
    subprocess.run([sys.executable, "-m", "biblicus", "init", "."], cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", _MEASURED], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    notes = {note["path"]: note["reason"] for note in [*run["skipped"], *run["failed"]]}
    assert notes.keys() == names
    assert all("max_text_bytes" in reason for reason in notes.values())
    assert run["chunks"] == 2
    assert int(done.stderr.splitlines()[-1]) < SMALL + LARGE // 4


def test_a_file_that_grew_since_it_was_seen_is_not_read(tmp_path: Path) -> None:
    (path := tmp_path / "a.html").write_text("<p>" + "x" * 100)
    with ExtractionPool(1, Limits()) as pool:
        job = Job(path, MediaHint("a.html", "text/html"), "html", limit=100)
        ((_, outcome),) = pool.extract([job])
    assert outcome == NoExtraction("failed", "could not be read: it is larger than 100 bytes")


def test_a_body_waits_for_a_worker_without_being_copied() -> None:
    body = bytes(32 << 20)
    worker = Worker("biblicus.extraction.workers.worker", Limits())
    try:
        worker.post({}, body)
        assert any(part.obj is body for part in worker._outgoing)
    finally:
        worker.kill()
