"""Run the install lines of the docs against the built artefacts, each in a clean environment (`make test-install`).

`python -m tools.installs DIST [EXTRAS… or uvx, "uv tool", pipx]` makes a virtual environment for the base install, for
each extra alone, and for each set of extras that the documentation names, these also on the other Pythons that are
found here. It installs the wheel of DIST there, and runs `pip check` and `biblicus --version`. Where uv is installed,
it installs the extras, in seconds instead of minutes; the base install is pip's, always. Both take the wheel from DIST
and dependencies from the index. `uvx`, `uv tool install` and `pipx` run likewise, where they are installed. Prints
seconds, megabytes and failures of each, as rows of a table; exits with 1 if one failed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.matrix import interpreters

ROOT = Path(__file__).resolve().parents[1]
_LINE = re.compile(
    r"(?:pip install|uvx --from|pipx run --spec|uv tool install) ['\"]?biblicus-corpus(?:\[([\w,-]+)\])?"
)
_OTHERS = ("3.12", "3.13")
"""Further Python versions that are supported, beside the one that runs this."""
_TOOLS = {
    "uvx": ["uvx", "--from", "biblicus-corpus", "biblicus", "--version"],
    "uv tool": ["uv", "tool", "install", "biblicus-corpus"],
    "pipx": ["pipx", "run", "--spec", "biblicus-corpus", "biblicus", "--version"],
}


def extras() -> list[str]:
    """Return the extras that a user installs, each alone; not those of developers, and not their sum."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return sorted(set(project["optional-dependencies"]) - {"all", "dev", "test"})


def shown() -> list[str]:
    """Return the sets of extras in the install lines of the documentation, such as `mcp,meaning`; "" for none."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return sorted({extras or "" for page in pages for extras in _LINE.findall(page.read_text("utf-8"))} | {""})


def main(dist: Path, wanted: list[str]) -> int:
    """Try all, or the named sets of extras; return the exit code."""
    environment = dict(os.environ)
    for name, separator in (("PIP_FIND_LINKS", " "), ("UV_FIND_LINKS", ",")):
        environment[name] = separator.join(filter(None, [os.environ.get(name), str(dist)]))
    failed = []
    for chosen, python in _tries(wanted):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            steps = _in_a_venv(Path(folder), chosen, python)
            problem = next((text for step in steps if (text := _problem(step, environment))), "")
            name = chosen or "(base)"
            if python != sys.executable:
                name += f" {Path(python).name}"
            print(_row(name, began, Path(folder), problem), flush=True)
            failed += [name] if problem else []
    for name, command in _TOOLS.items():
        if shutil.which(command[0]) and (not wanted or name in wanted):
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                homes = {"UV_TOOL_DIR": folder, "UV_TOOL_BIN_DIR": f"{folder}/bin", "PIPX_HOME": folder}
                problem = _problem(command, environment | homes)
                print(_row(name, began, Path(folder), problem), flush=True)
                failed += [name] if problem else []
    return 1 if failed else 0


def _tries(wanted: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each set of extras with the Python to try it on."""
    for chosen in [name for name in wanted if name not in _TOOLS] if wanted else sorted({*shown(), *extras()}):
        yield chosen, sys.executable
        if chosen in shown():
            yield from ((chosen, python) for version in _OTHERS for python in list(interpreters(version))[:1])


def _in_a_venv(folder: Path, extras: str, interpreter: str) -> list[list[str]]:
    python = str(folder / "bin" / "python")
    name = f"biblicus-corpus[{extras}]" if extras else "biblicus-corpus"
    by_pip = [
        [interpreter, "-m", "venv", str(folder)],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name],
        [python, "-m", "pip", "check", "--disable-pip-version-check"],
    ]
    by_uv = [
        ["uv", "venv", "--quiet", "--clear", "--python", interpreter, str(folder)],
        ["uv", "pip", "install", "--quiet", "--compile-bytecode", "--python", python, name],
        ["uv", "pip", "check", "--quiet", "--python", python],
    ]
    installed = by_uv if extras and shutil.which("uv") else by_pip
    return [*installed, [str(folder / "bin" / "biblicus"), "--version"]]


def _problem(command: list[str], environment: dict[str, str]) -> str:
    """Return the last line of what a failing command printed, or ""."""
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, cwd=tempfile.gettempdir()
    )
    lines = (done.stderr + done.stdout).strip().splitlines()
    return "" if done.returncode == 0 else f"{' '.join(command[:4])}: {lines[-1] if lines else done.returncode}"


def _row(name: str, began: float, folder: Path, problem: str) -> str:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return f"| {name:<18} | {time.perf_counter() - began:4.0f} s | {size / 1e6:5.0f} MB | {problem or 'ok'} |"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
