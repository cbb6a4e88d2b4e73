"""`python -m tools.other_systems`: the types of the package as on Windows and macOS.

A type checker knows which names each system has, so that a call that one lacks is found here.
"""

from __future__ import annotations

import subprocess
import sys

SYSTEMS = ("win32", "darwin")
ONE_SYSTEM = ("biblicus/disk/observing.py", "biblicus/guards/walls.py", "biblicus/guards/probe.py")
"""What only Linux runs."""


def problems(system: str) -> list[str]:
    """Return what mypy finds for a system, without what only Linux runs."""
    words = [sys.executable, "-m", "mypy", "--platform", system, "--no-warn-unreachable", "biblicus"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if ": error:" in line and not line.startswith(ONE_SYSTEM)]


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    found = [f"{system}: {line}" for system in SYSTEMS for line in problems(system)]
    print("\n".join(found) or "The types fit on " + " and ".join(SYSTEMS) + ".")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
