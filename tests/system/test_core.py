"""The core features as on Windows and macOS, and the command line as a process of its own there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import some

ROOT = Path(__file__).parents[2]
SYSTEMS = ("windows", "macos")
CORE = (
    "features/corpus/new_corpus.feature",
    "features/runs/interrupted_reindex.feature",
    "features/runs/reindexed_corpus.feature",
)
"""What the gate runs; `make system` has all of `features/` that `ALL` names."""
ALL = ("features/corpus", "features/runs", "features/search", "features/sources", "features/editorial")


IMPOSSIBLE = {
    "windows": "link linked names_of_every_kind side_by_side promotion_that_cannot_be damage repair interrupted_sync "
    "one_source_that_fails what_cannot_be_imported one_item_a_line_by_path not_what_was_put_there database shards",
    "macos": "side_by_side one_item_a_line_by_path",
}
"""Parts of the names of scenarios that make what a system cannot have: links, names, names that differ in case, a
server that another user starts; or that damage or delete a file while it is read, or a read-only one."""


def environment(system: str, home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BIBLICUS_", "XDG_", "PYTEST"))}
    site = str(Path(__file__).parent / "site")
    return {**kept, "HOME": str(home), "PYTHONPATH": site, "BIBLICUS_FAKE_SYSTEM": system, "BIBLICUS_MEANING": "off"}


def typed(system: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "biblicus", *words],
        cwd=folder,
        env=environment(system, folder.parent),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def features(system: str, *paths: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "-p", f"tests.system.{system}", *paths]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    words += ["-k", " and ".join(f"not {part}" for part in IMPOSSIBLE[system].split())]
    return subprocess.run(words, cwd=ROOT, env=kept, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_core_features_hold(system: str):
    done = features(system, *CORE)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_many_more_features_hold(system: str):
    done = features(system, *ALL)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.parametrize("system", some(SYSTEMS, 2))
def test_a_person_reads_a_folder_and_finds_what_is_in_it(system: str, tmp_path: Path):
    folder = tmp_path / "notes"
    (folder / "sea").mkdir(parents=True)
    (folder / "tides.md").write_bytes(b"# Tides\r\n\r\nThe moon pulls the tides.\r\n")
    (folder / "sea" / "gulls.html").write_text("<h1>Gulls</h1><p>Gulls follow boats.</p>", "utf-8")
    assert "biblicus" in typed(system, folder, "--version").stdout
    for words in (["init", "."], ["ingest"], ["reindex"]):
        done = typed(system, folder, *words)
        assert done.returncode == 0, done.stderr
    found = typed(system, folder, "query", "what pulls the tides")
    assert "tides.md" in found.stdout, found.stderr
    assert "sea/gulls.html" in typed(system, folder, "query", "boats").stdout
    (folder / "tides.md").write_bytes(b"# Tides\r\n\r\nThe sun pulls, too.\r\n")
    assert "1 changed" in typed(system, folder, "reindex").stdout
    assert "0 problems" in typed(system, folder, "check").stdout


REFUSALS = {
    "windows": {
        "import fcntl": "ImportError",
        "import resource": "ImportError",
        "import pwd": "ImportError",
        "import termios": "ImportError",
        "import os; os.fchmod": "AttributeError",
        "import os; os.fork()": "AttributeError",
        "import os; os.open('.', os.O_RDONLY)": "PermissionError",
        "import os; os.stat('a', dir_fd=3)": "NotImplementedError",
        "import os; held = open('a', 'w'); os.unlink('a')": "PermissionError",
        "import os; held = open('a', 'w'); open('b', 'w').close(); os.replace('b', 'a')": "PermissionError",
        "import mmap, os; open('a', 'w').write('x'); f = open('a', 'r+b'); m = mmap.mmap(f.fileno(), 0); f.close(); "
        "os.unlink('a')": "PermissionError",
        "import os; os.mkdir('d'); held = open('d/a', 'w'); os.rename('d', 'e')": "PermissionError",
        "import os; open('a', 'w').close(); os.chmod('a', 0o444); os.unlink('a')": "PermissionError",
        "open('a:b', 'w')": "OSError",
        "open('aux.md', 'w')": "PermissionError",
        "open('a.', 'w')": "OSError",
        "import os, select; select.select([os.pipe()[0]], [], [], 0)": "OSError",
        "import select; select.poll()": "AttributeError",
        "import socket; socket.AF_UNIX": "AttributeError",
        "import os; os.symlink('a', 'b')": "OSError",
        "import os, msvcrt; one, two = (os.open('a', os.O_RDWR | os.O_CREAT) for _ in '12'); "
        "msvcrt.locking(one, msvcrt.LK_NBLCK, 1); msvcrt.locking(two, msvcrt.LK_NBLCK, 1)": "PermissionError",
        "import os, msvcrt; one, two = (os.open('a', os.O_RDWR | os.O_CREAT) for _ in '12'); "
        "msvcrt.locking(one, msvcrt.LK_NBLCK, 1); os.read(two, 1)": "PermissionError",
        "import os; open('A', 'x').close(); os.open('a', os.O_CREAT | os.O_EXCL)": "FileExistsError",
    },
    "macos": {
        "import os; os.fdatasync": "AttributeError",
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))": "ValueError",
        "open('/proc/self/statm')": "FileNotFoundError",
        "import socket; socket.SO_PEERCRED": "AttributeError",
        "import os; open('\\u00e9', 'x').close(); os.open('e\\u0301', os.O_CREAT | os.O_EXCL)": "FileExistsError",
    },
}
"""What a system refuses: the exception of each."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_fakes_refuse_what_the_systems_refuse(system: str, tmp_path: Path):
    code = (
        "import os, sys, tempfile\n"
        "for line, kind in eval(sys.argv[1]).items():\n"
        "    os.chdir(tempfile.mkdtemp(dir=sys.argv[2]))\n"
        "    try:\n"
        "        exec(line, {})\n"
        "    except Exception as error:\n"
        "        names = [each.__name__ for each in type(error).__mro__]\n"
        "        assert kind in names, (line, error)\n"
        "    else:\n"
        "        raise AssertionError(line)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, repr(REFUSALS[system]), str(tmp_path)],
        env=environment(system, tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
