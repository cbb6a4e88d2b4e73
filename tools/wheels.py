"""`python -m tools.wheels`: which packages an install would have to compile, on each system and Python.

Every wanted set of extras is resolved for every platform from wheels alone, by uv, which reads environment markers as
that platform would. Nothing is installed. Exit code 1 where a package has no wheel.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product

PLATFORMS = {
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS arm64": "aarch64-apple-darwin",
    "Windows x64": "x86_64-pc-windows-msvc",
    "macOS x86-64": "x86_64-apple-darwin",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("", "meaning", "serve", "mcp")
OLDEST_MACOS = "14.0"
NO_EXTRAS = "macOS x86-64"
"""Platform of which only the base is wanted: `onnxruntime` has no wheels for it."""


def wanted() -> Iterator[tuple[str, str, str]]:
    """Yield platform, Python and extra of each install that must compile nothing."""
    for platform, python, extra in product(PLATFORMS, PYTHONS, EXTRAS):
        if not extra or platform != NO_EXTRAS:
            yield platform, python, extra


def problem(platform: str, python: str, extra: str) -> str:
    """Return why an install cannot do with wheels alone, or the empty string."""
    words = ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--only-binary", ":all:",
             "--python-platform", PLATFORMS[platform], "--python-version", python, "pyproject.toml"]  # fmt: skip
    words += ["--extra", extra] if extra else []
    environment = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    return " ".join(re.sub(r"[^\w.,<>=()-]+", " ", done.stderr).split()) if done.returncode else ""


def main() -> int:
    """Print a line for each install; return 1 if one must compile."""
    parser = argparse.ArgumentParser(prog="python -m tools.wheels", description="Find packages without wheels.")
    parser.add_argument("--platform", choices=list(PLATFORMS), action="append")
    parser.add_argument("--python", choices=PYTHONS, action="append")
    chosen = parser.parse_args()
    failed = 0
    for platform, python, extra in wanted():
        if platform in (chosen.platform or PLATFORMS) and python in (chosen.python or PYTHONS):
            found = problem(platform, python, extra)
            failed += bool(found)
            print(f"{platform:13} {python} {extra or 'base':8} {found or 'wheels alone'}", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
