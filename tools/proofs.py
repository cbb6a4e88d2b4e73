"""Run the slow tests of the promises, and write what they tried into docs/promises.md (`make proofs`).

`python -m tools.proofs` runs each target of `PROOFS` by `make`, hours on two cores. With `PROOFS=quick` in the
environment it tries a part of each, in minutes. Tests count what they try (the fixture `tally`) in pytest's report.
`tools/proofs.json` has the counts by version; docs/promises.md compares this version with the last release. A target
that is interrupted or skipped gets no row. `python -m tools.proofs TARGET…` runs these alone. Exits with 1 if one
fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "tools" / "proofs.json"
Record = dict[str, Any]
"""Of one target: `tried` (counts by name), `tests`, `failed`, `seconds`, `quick`."""


@dataclass(frozen=True)
class Proof:
    """A target of the Makefile, its promise, and the variables that shorten it."""

    target: str
    promise: str
    quick: tuple[str, ...]


_QUICK_FAULTS = "tests/faults/test_power.py tests/faults/test_writers.py tests/faults/test_server_kills.py"
PROOFS = (
    Proof("test-faults", "Old state or new after a crash, an I/O error, a power cut", (f"FAULTS={_QUICK_FAULTS}",)),
    Proof("test-faults-stores", "A run in a database is complete or absent, whatever fails", ("TRIES=30",)),
    Proof("test-hostile", "Files of strangers are data: one clean line at most", ("ROWS=some",)),
    Proof("test-storms", "The index follows the folder, however it changes", ("FILES=500", "STORMS=10")),
    Proof("test-notes", "A note follows its words through edits, or is reported as lost", ("EDITS=1000",)),
    Proof("test-alerts", "An alert reports each new sentence once", ("STORMS=20",)),
    Proof("test-layers", "No unapproved byte is shown", ("STEPS=500",)),
    Proof("test-readers", "A reader gets nothing of hidden items", ("READERS=4", "QUESTIONS=400", "SURFACES=20")),
    Proof("test-merges", "Branches merge to the same corpus, either way", ("PAIRS=20",)),
)
_PAGE = """\
# Promises, proved

`make proofs` runs these slow tests, for hours, and writes this page; `PROOFS=quick` runs a part of each, in
minutes. [reliability.md](reliability.md) explains them, and the broken variants that they must catch.

Version {version}: {tried}; {failed} tests failed; {seconds} seconds.

| promise | `make` | tried | failed tests | seconds | {last} |
|---|---|---|---|---|---|
{rows}"""


def version() -> str:
    """Return this version."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def records() -> dict[str, dict[str, Record]]:
    """Return what was recorded, by version (the newest last) and target."""
    found: dict[str, dict[str, Record]] = json.loads(RECORDS.read_text("utf-8"))
    return found


def read(report: Path) -> Record:
    """Return the counts of pytest's report in JUnit's format. Skipped tests count as not run."""
    tried, total = Counter[str](), Counter[str]()
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        total.update({name: int(suite.attrib[name]) for name in ("tests", "skipped", "failures", "errors")})
        for row in suite.iterfind("properties/property"):
            if (name := row.attrib["name"]).startswith("tried_"):  # others are Hypothesis's
                tried[name.removeprefix("tried_").replace("_", " ")] += int(row.attrib["value"])
    failed = total["failures"] + total["errors"]
    return {"tried": dict(tried), "tests": total["tests"] - total["skipped"], "failed": failed}


def prove(proof: Proof, *, quick: bool) -> Record | None:
    """Run a target, and return its record, or None if it was interrupted, or ran no test."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        began = time.monotonic()
        command = ["make", "--no-print-directory", proof.target, *(proof.quick if quick else ())]
        environment = {**os.environ, "PYTEST_ADDOPTS": f"--junitxml={report}"}
        ended = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        found = read(report) if report.is_file() else {"tests": 0}
    if not found["tests"] or (ended.returncode and not found["failed"]):
        return None
    return {**found, "seconds": round(time.monotonic() - began), "quick": quick}


def page(recorded: dict[str, dict[str, Record]], current: str) -> str:
    """Return docs/promises.md: the records of a version beside those of the version before it."""
    now, earlier = recorded.get(current, {}), [name for name in recorded if name != current]
    last = recorded[earlier[-1]] if earlier else {}
    tried: Counter[str] = Counter()
    for record in now.values():
        tried.update(record["tried"])
    rows = [
        f"| {' | '.join([proof.promise, f'`{proof.target}`', *_cells(now, proof), _cells(last, proof)[0]])} |\n"
        for proof in PROOFS
    ]
    failed, seconds = (sum(record[name] for record in now.values()) for name in ("failed", "seconds"))
    title = earlier[-1] if earlier else "last release"
    total = {"tried": _listed(tried), "failed": failed, "seconds": f"{seconds:,}"}
    return _PAGE.format(version=current, last=title, rows="".join(rows), **total)


def _cells(recorded: dict[str, Record], proof: Proof) -> tuple[str, str, str]:
    """Return the cells `tried`, `failed tests` and `seconds`."""
    if (record := recorded.get(proof.target)) is None:
        return "not run", "–", "–"
    part = " (quick)" if record["quick"] else ""
    return f"{_listed(record['tried'])}{part}", f"{record['failed']} of {record['tests']}", f"{record['seconds']:,}"


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items(), key=lambda entry: -entry[1]))


def main(arguments: list[str]) -> int:
    """Run all proofs, or the named ones; record each as it ends, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = {proof.target: proof for proof in PROOFS}
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(known))
    targets = parser.parse_args(arguments).targets or list(known)
    if unknown := sorted({*targets} - known.keys()):
        parser.error(f"no such target: {', '.join(unknown)}; known: {', '.join(known)}")
    if (length := os.environ.get("PROOFS", "")) not in ("", "quick"):
        parser.error(f"PROOFS is {length!r}; known: quick")
    failed = False
    for proof in map(known.__getitem__, targets):
        record = prove(proof, quick=length == "quick")
        failed = failed or record is None or bool(record["failed"])
        if record is not None:
            recorded = records()
            recorded.setdefault(version(), {})[proof.target] = record
            RECORDS.write_text(json.dumps(recorded, indent=1) + "\n", "utf-8")
        print(f"{proof.target}: {' | '.join(_cells({proof.target: record} if record else {}, proof))}", flush=True)
    (ROOT / "docs" / "promises.md").write_text(page(records(), version()), "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
