"""A few faults, each held against what the message says of it; all of them are in `make test-faults`."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.tracing import was_silenced
from tests.faults.world import ROOT

SCENES = ("remove --delete-file", "ingest a file")


@pytest.mark.skipif(shutil.which("strace") is None or os.geteuid() != 0, reason="needs strace, and root to trace")
def test_what_a_message_says_of_a_fault_is_so():
    command = [sys.executable, "-m", "tests.faults.claims", "4", *SCENES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    summary = re.search(r"(\d+) faults, (\d+) messages, (\d+) false", done.stdout)
    assert summary, done.stderr
    assert (done.returncode, int(summary[1]) > 3, int(summary[2]) > 1) == (0, True, True), done.stdout


@pytest.mark.parametrize(
    ("lines", "is_silenced"),
    [
        (['7 write(2<pipe:[1]>, "x", 1) = -1 ENOSPC (No space left on device) (INJECTED)'], True),
        (['7 write(9</w/a>, "x", 1) = -1 ENOSPC (No space left on device) (INJECTED)'], False),
        (
            [
                '7 write(2<pipe:[1]>, "x", 1 <unfinished ...>',
                '8 write(9</w/a>, "x", 1) = -1 ENOSPC (No space left on device) (INJECTED)',
                "7 <... write resumed>) = -1 ENOSPC (No space left on device) (INJECTED)",
            ],
            True,
        ),
        (
            [
                '7 write(2<pipe:[1]>, "x", 1 <unfinished ...>',
                "7 <... write resumed>) = 1",
                '7 write(9</w/a>, "x", 1) = -1 ENOSPC (No space left on device) (INJECTED)',
            ],
            False,
        ),
    ],
)
def test_a_fault_that_met_the_message_itself_is_known(tmp_path: Path, lines: list[str], is_silenced: bool):
    (tmp_path / "trace").write_text("\n".join(lines))
    assert was_silenced(tmp_path / "trace") is is_silenced
