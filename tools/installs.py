"""Run the install lines of the docs against the built artefacts, each in a clean environment (`make test-install`).

`python -m tools.installs DIST [EXTRA…]` makes a virtual environment for the base install and for each set of extras
that the documentation names, installs the wheel of DIST there, and runs `pip check` and `biblicus --version`. pip takes
the wheel from DIST (`PIP_FIND_LINKS`) and what it needs from the index. `uvx`, `uv tool install` and `pipx` run
likewise, where they are installed. Prints seconds, megabytes and failures of each; leaves with 1 where one failed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LINE = re.compile(
    r"(?:pip install|uvx --from|pipx run --spec|uv tool install) ['\"]?biblicus-corpus(?:\[([\w,-]+)\])?"
)
_TOOLS = {
    "uvx": ["uvx", "--from", "biblicus-corpus", "biblicus", "--version"],
    "uv tool": ["uv", "tool", "install", "biblicus-corpus"],
    "pipx": ["pipx", "run", "--spec", "biblicus-corpus", "biblicus", "--version"],
}


def shown() -> list[str]:
    """Return the sets of extras in the install lines of the documentation, such as `mcp,meaning`; "" for none."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return sorted({extras or "" for page in pages for extras in _LINE.findall(page.read_text("utf-8"))} | {""})


def main(dist: Path, wanted: list[str]) -> int:
    """Try all, or the named sets of extras; return the exit code."""
    environment = {**os.environ, "PIP_FIND_LINKS": str(dist), "UV_FIND_LINKS": str(dist)}
    failed = []
    for extras in wanted or shown():
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            steps = _in_a_venv(Path(folder), extras)
            problem = next((text for step in steps if (text := _problem(step, environment))), "")
            print(_row(extras or "(base)", began, Path(folder), problem), flush=True)
            failed += [extras] if problem else []
    for name, command in _TOOLS.items() if not wanted else ():
        if shutil.which(command[0]):
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                homes = {"UV_TOOL_DIR": folder, "UV_TOOL_BIN_DIR": f"{folder}/bin", "PIPX_HOME": folder}
                problem = _problem(command, environment | homes)
                print(_row(name, began, Path(folder), problem), flush=True)
                failed += [name] if problem else []
    return 1 if failed else 0


def _in_a_venv(folder: Path, extras: str) -> list[list[str]]:
    python = str(folder / "bin" / "python")
    name = f"biblicus-corpus[{extras}]" if extras else "biblicus-corpus"
    return [
        [sys.executable, "-m", "venv", str(folder)],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name],
        [python, "-m", "pip", "check", "--disable-pip-version-check"],
        [str(folder / "bin" / "biblicus"), "--version"],
    ]


def _problem(command: list[str], environment: dict[str, str]) -> str:
    """Return the last line of what a failing command printed, or ""."""
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, cwd=tempfile.gettempdir()
    )
    lines = (done.stderr + done.stdout).strip().splitlines()
    return "" if done.returncode == 0 else f"{' '.join(command[:4])}: {lines[-1] if lines else done.returncode}"


def _row(name: str, began: float, folder: Path, problem: str) -> str:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return f"{name:<24}{time.perf_counter() - began:6.0f} s {size / 1e6:7.0f} MB  {problem or 'ok'}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
