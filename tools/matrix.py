"""Run the tests on other Pythons, and on a machine unlike this one: `make test-matrix`.

Each Python that is found runs them twice: as `make test` does, and in a copy of the checkout as another user, with
another locale, time zone and mask, without a home, and with temporary files on a disk. A Python that is not installed
is named and left out.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_STRANGER = "nobody"
_STRANGE = {"LC_ALL": "C", "PYTHONUTF8": "1", "TZ": "Pacific/Kiritimati", "PATH": "/usr/local/bin:/usr/bin:/bin"}
_PYTEST = ("-m", "pytest", "-n", "auto", "--dist", "worksteal", "-p", "no:cacheprovider", "-rs")
_DISK = Path("/var/tmp")


def interpreters(version: str) -> Iterator[str]:
    """Each Python of this minor version: of the path, of the system, of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = [shutil.which(f"python{version}"), f"/usr/bin/python{version}", f"/usr/local/bin/python{version}"]
    found += sorted(map(str, pyenv.glob(f"versions/{version}.*/bin/python{version}")))
    for program in dict.fromkeys(filter(None, found)):
        if _starts(program, version):
            yield program


def _starts(program: str, version: str, **process: Any) -> bool:
    command = [program, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        printed: bytes = subprocess.run(command, capture_output=True, check=False, **process).stdout
    except OSError:
        return False
    return printed.decode().strip() == version


def environment(version: str) -> Path | None:
    """A virtual environment of that Python with all that the tests need; None where there is no such Python."""
    for folder in (Path(".venv"), Path(f".venv-{version}")):  # of `make env`; of an earlier matrix
        if (folder / ".ready").exists() and (folder / "bin" / f"python{version}").exists():
            return folder
    if (program := next(interpreters(version), None)) is None:
        return None
    folder = Path(f".venv-{version}")
    subprocess.run([program, "-m", "venv", str(folder)], check=True)
    for step in ((), ("compile",), ("compiled",)):
        subprocess.run([folder / "bin" / "python", "-m", "tools.environment", *step], check=True)
    (folder / ".ready").touch()
    return folder


@dataclass
class Stranger:
    """A user without a home, on a machine unlike this one. Where this process is not root, the user stays the same."""

    folder: Path
    process: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if os.geteuid() == 0:
            account = pwd.getpwnam(_STRANGER)
            self.process = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def interpreter(self, version: str, packages: Path) -> str | None:
        """A Python that this user may start, with the packages of a virtual environment."""
        for program in interpreters(version):
            if _starts(program, version, **self.process):
                made = self.folder / "venv"
                subprocess.run([program, "-m", "venv", "--without-pip", str(made)], check=True)
                line = f"import site; site.addsitedir({str(packages.resolve())!r})\n"
                (made / "lib" / f"python{version}" / "site-packages" / "all.pth").write_text(line, "utf-8")
                return str(made / "bin" / "python")
        return None

    def checkout(self) -> Path:
        """A copy of this checkout, changes included, of this user's own."""
        copy = self.folder / "checkout"
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ".", str(copy)], check=True)
        files = ["git", "ls-files", "-com", "--exclude-standard", "-z"]
        listed = subprocess.run(files, capture_output=True, check=True)
        for name in filter(os.path.isfile, os.fsdecode(listed.stdout).split("\0")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, copy / name)
        (self.folder / "tmp").mkdir()
        if self.process:
            for folder, _, files in os.walk(self.folder):
                for path in (folder, *(os.path.join(folder, file) for file in files)):
                    os.chown(path, self.process["user"], self.process["group"], follow_symlinks=False)
        return copy

    def tested(self, version: str, venv: Path, paths: Sequence[str]) -> str:
        packages = venv / "lib" / f"python{version}" / "site-packages"
        python = self.interpreter(version, packages)
        if python is None:
            return f"skipped: {_STRANGER} may not start any Python {version}"
        copy = self.checkout()
        data = os.environ.get("BIBLICUS_DATA") or str(Path.cwd().parent / "shared" / "data")
        variables = _STRANGE | {"TMPDIR": str(self.folder / "tmp"), "PYTHONPATH": str(copy), "BIBLICUS_DATA": data}
        command = [python, *_PYTEST, *paths]
        return _outcome(subprocess.run(command, cwd=copy, env=variables, umask=0o077, check=False, **self.process))


def _outcome(done: subprocess.CompletedProcess[bytes]) -> str:
    return "failed" if done.returncode else "passed"


def matrix(versions: Sequence[str], paths: Sequence[str]) -> list[tuple[str, str, str]]:
    """Each Python and machine with its outcome."""
    rows = []
    for version in versions:
        venv = environment(version)
        if venv is None:
            rows.append((version, "any machine", "skipped: not installed"))
            continue
        here = subprocess.run([venv / "bin" / "python", *_PYTEST, *paths], check=False)
        rows.append((version, "this machine", _outcome(here)))
        with tempfile.TemporaryDirectory(dir=_DISK) as folder:
            os.chmod(folder, 0o755)
            rows.append((version, "a strange machine", Stranger(Path(folder)).tested(version, venv, paths)))
    return rows


if __name__ == "__main__":
    outcomes = matrix(os.environ.get("PYTHONS", "3.11 3.12 3.13").split(), sys.argv[1:])
    for row in outcomes:
        print("Python {:6}{:20}{}".format(*row))
    sys.exit(any(outcome == "failed" for _, _, outcome in outcomes))
