"""Which source files a plain cold question goes through: functions entered, counted by file.

    python -m benchmarks.entered [biblicus's arguments, else: query lamp]

It runs in a fresh process, in a copy of examples/harbour that is indexed first. What is only imported does not count:
modules and class bodies are left out, so that what is left is what a reader has to follow.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench

ROOT = Path(__file__).parents[1]
_PROFILED = """
import collections, sys
import biblicus
root = biblicus.__path__[0] + "/"
entered = collections.Counter()
def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(root) and code.co_flags & 0x2 and code.co_name[0] != "<":
        entered[code.co_filename[len(root):]] += 1
from biblicus.__main__ import main
sys.argv = ["biblicus", *sys.argv[2:]]
sys.setprofile(note)
try:
    main()
finally:
    sys.setprofile(None)
    with open({report!r}, "w") as stream:
        stream.writelines(f"{{count}} {{name}}\\n" for name, count in entered.items())
"""


def entered(arguments: Sequence[str]) -> Counter[str]:
    """Calls by source file of one command, in a process and a corpus of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        corpus, report = Path(scratch) / "harbour", Path(scratch) / "entered"
        shutil.copytree(ROOT / "examples" / "harbour", corpus)
        environment = {
            **os.environ,
            "BIBLICUS_STATE_HOME": f"{scratch}/state",
            "BIBLICUS_CONFIG_HOME": f"{scratch}/config",
        }
        environment["PYTHONPATH"] = str(ROOT)
        environment.pop("BIBLICUS_AT", None)
        for words in (["init", "."], ["reindex"]):
            command = [sys.executable, "-m", "biblicus", *words]
            subprocess.run(command, cwd=corpus, env=environment, capture_output=True, check=words[0] != "init")
        program = _PROFILED.format(report=str(report))
        command = [sys.executable, "-c", program, "-", *arguments]
        subprocess.run(command, cwd=corpus, env=environment, stdout=subprocess.DEVNULL, check=True)
        pairs = [line.split(" ", 1) for line in report.read_text("utf-8").splitlines()]
        return Counter({name: int(count) for count, name in pairs})


def measure(bench: Workbench) -> list[Figure]:
    """The row `entered`: files of a plain query."""
    return [Figure("entered", "files entered by a plain query", "modules", len(entered(["query", "lamp"])), 55, 45)]


if __name__ == "__main__":
    counts = entered(sys.argv[1:] or ["query", "lamp"])
    for name, count in counts.most_common():
        print(f"{count:8}  {name}")
    print(f"{len(counts)} files")
