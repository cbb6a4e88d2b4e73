"""What a message says of a fault is so: whether anything was changed, what stands, and what to type."""

import re
import subprocess
import sys
from subprocess import PIPE

from tests.faults.figures import Figures
from tests.faults.world import ROOT


def test_no_message_claims_what_is_not_so(power: None, figures: Figures):
    lines = []
    command = [sys.executable, "-m", "tests.faults.claims", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=PIPE, text=True) as sweep:
        for line in sweep.stdout or ():
            sys.stdout.write(line)  # a quarter of an hour: who waits sees how far it is
            lines.append(line)
    summary = re.search(r"(\d+) faults, (\d+) messages, (\d+) false", lines[-1])
    assert summary
    figures.record(
        "a message claims what is true",
        "an error from every mutating call of every writing command; what was said held against digests of all files "
        "before and after, and what it says to type typed",
        f"{summary[1]} faults, {summary[2]} messages with a claim, {summary[3]} false",
        faults=int(summary[1]),
    )
    assert sweep.returncode == 0, "".join(lines)
    assert int(summary[1]) > 500
