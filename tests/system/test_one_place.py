"""The operating system is known in one place: `disk/system.py` and its kin."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import biblicus

PACKAGE = Path(biblicus.__file__).parent
KIN = {
    "disk/system.py": "files",
    "disk/observing.py": "inotify, on Linux alone",
    "guards/processes.py": "this process",
    "guards/children.py": "child processes and sockets",
    "guards/walls.py": "Landlock and seccomp, on Linux alone",
    "guards/probe.py": "the proof of the walls",
}
MODULES = {"fcntl", "grp", "msvcrt", "nt", "posix", "pwd", "resource", "select", "syslog", "termios", "tty", "winreg"}
NAMES = {
    "os": "chmod chown dup2 environb fchmod fdatasync fork fsync getegid geteuid getgid getuid kill killpg lchmod link "
    "mkfifo mknod name nice open pread pwrite register_at_fork rename replace sched_getaffinity sched_setaffinity "
    "set_blocking setpgid setsid statvfs symlink sysconf umask uname unlink waitpid",
    "signal": "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGSTOP SIGUSR1 SIGXCPU SIGXFSZ alarm setitimer",
    "socket": "AF_UNIX SO_PEERCRED",
    "sys": "getwindowsversion platform",
    "platform": "machine system uname win32_ver",
}
WORDS = {"dir_fd", "pass_fds", "preexec_fn", "start_new_session", "creationflags"}


def uses(path: Path) -> Iterator[str]:
    """Yield what a module takes from one operating system."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names if alias.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                if module in MODULES:
                    yield module
                yield from (f"{module}.{alias.name}" for alias in names if alias.name in NAMES.get(module, "").split())
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                if name in NAMES.get(module, "").split() or (module == "os" and name.startswith("O_")):
                    yield f"{module}.{name}"
            case ast.Call(keywords=keywords):
                yield from (f"{word.arg}=" for word in keywords if word.arg in WORDS)


def outside() -> list[str]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name not in KIN:
            found += [f"{name}: {use}" for use in uses(path)]
    return found


def test_nothing_else_knows_a_system():
    assert outside() == []


def test_each_of_the_kin_is_there():
    assert [name for name in KIN if not (PACKAGE / name).is_file()] == []


@pytest.mark.parametrize(
    "line",
    [
        "import fcntl",
        "from resource import setrlimit",
        "import os; os.fchmod(1, 2)",
        "import os; os.open('a', os.O_NOFOLLOW)",
        "from os import fsync",
        "import sys; sys.platform == 'win32'",
        "import subprocess; subprocess.Popen('a', start_new_session=True)",
    ],
)
def test_a_use_is_found(tmp_path: Path, line: str):
    module = tmp_path / "module.py"
    module.write_text(line, "utf-8")
    assert list(uses(module))
