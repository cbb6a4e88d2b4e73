"""What runs the tests side by side says of them what one process would, and what has become of a process that died; it
ends when it is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

OUTCOMES = """
import os, pytest, warnings
def test_passes(tmp_path): warnings.warn("old")
def test_fails():
    print("printed")
    assert 1 == 2
@pytest.mark.skip(reason="not now")
def test_is_skipped(): ...
@pytest.fixture
def breaking():
    yield
    raise ValueError("torn down")
def test_breaks_at_its_end(breaking): ...
"""
DYING = """
import os, signal, time
def test_dies():
    if not os.fork():  # what is left behind must not count as alive
        while os.path.exists(__file__):
            time.sleep(0.02)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)
def test_is_never_begun(): ...
"""
TELLING = """
import os, pathlib, pytest, signal, time
@pytest.fixture(scope="module", autouse=True)
def server():
    yield
    signal.raise_signal(signal.SIGINT)  # as the parent does, after the terminal
    pathlib.Path(__file__).with_suffix(".stopped").touch()
def test_stops_its_parent():
    file = pathlib.Path(__file__)
    file.with_suffix(".begun").touch()
    while len(list(file.parent.glob("*.begun"))) < 2:  # a process for each file
        time.sleep(0.02)
    os.kill(os.getppid(), signal.SIGSTOP)
def test_tells_more_than_a_pipe_holds():
    pathlib.Path(__file__).with_suffix(".telling").touch()
    print("tide " * 100_000)
    assert 1 == 2
"""


def begun(folder: Path) -> subprocess.Popen[bytes]:
    """Two processes for the tests of a folder; what is printed goes to the file `printed` in it."""
    words = ["-p", "tests.forks", "-c", os.devnull, "--rootdir", str(folder), "--processes", "2", "-rs", str(folder)]
    outside = {"PYTHONPATH": str(Path(__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    with (folder / "printed").open("wb") as printed:
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", *words],
            stdout=printed,
            stderr=printed,
            cwd=folder,
            env=os.environ | outside,
            start_new_session=True,
        )


def test_what_came_of_each_test_is_told(tmp_path: Path):
    (tmp_path / "test_outcomes.py").write_text(OUTCOMES)
    dying = tmp_path / "test_dying.py"
    dying.write_text(DYING)
    try:
        assert begun(tmp_path).wait(120) == 1
    finally:
        dying.unlink()
    lines = (tmp_path / "printed").read_text().splitlines()
    assert "2 failed, 2 passed, 1 skipped, 1 warning, 1 error" in lines[-1]
    for line in ["E   ValueError: torn down", "E   assert 1 == 2", "printed", "The process of this test has died."]:
        assert line in [line.replace("E       ", "E   ") for line in lines]
    assert any("test_outcomes.py:7: not now" in line for line in lines)


def test_an_interrupted_run_ends_and_its_fixtures_are_finished(tmp_path: Path):
    for name in ("one", "other"):
        (tmp_path / f"test_{name}.py").write_text(TELLING)
    run = begun(tmp_path)
    try:
        while run.poll() is None and len(list(tmp_path.glob("*.telling"))) < 2:
            time.sleep(0.02)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        while any(state(child) != "S" for child in children):  # it waits for room to tell
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGINT)
        os.kill(run.pid, signal.SIGCONT)
        assert run.wait(60) == 2
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert len(list(tmp_path.glob("*.stopped"))) == 2


def state(pid: str) -> str:
    """Of a process, as Linux has it: a letter."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
