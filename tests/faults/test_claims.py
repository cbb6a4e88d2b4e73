"""What a message says of a fault is so: whether anything was changed, what stands, and what to type."""

import re
import subprocess
import sys

from tests.faults.figures import Figures
from tests.faults.world import ROOT


def test_no_message_claims_what_is_not_so(power: None, figures: Figures):
    done = subprocess.run([sys.executable, "-m", "tests.faults.claims", "0"], cwd=ROOT, capture_output=True, text=True)
    summary = re.search(r"(\d+) faults, (\d+) messages, (\d+) false", done.stdout)
    assert summary, done.stderr
    figures.record(
        "a message claims what is true",
        "an error from every mutating call of every writing command; what was said held against digests of all files "
        "before and after, and what it says to type typed",
        f"{summary[1]} faults, {summary[2]} messages with a claim, {summary[3]} false",
    )
    assert done.returncode == 0, done.stdout
    assert int(summary[1]) > 500
