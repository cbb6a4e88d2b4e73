"""What runs the tests side by side says of them what one process would, and what has become of a process that died."""

from __future__ import annotations

import os
import subprocess
import sys
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
DYING = "import os, signal\ndef test_dies(): os.kill(os.getpid(), signal.SIGKILL)\ndef test_is_never_begun(): ...\n"


def test_what_came_of_each_test_is_told(tmp_path: Path):
    (tmp_path / "test_outcomes.py").write_text(OUTCOMES)
    (tmp_path / "test_dying.py").write_text(DYING)
    words = [
        "-p",
        "tests.forks",
        "-c",
        os.devnull,
        "--rootdir",
        str(tmp_path),
        "--processes",
        "2",
        "-rs",
        str(tmp_path),
    ]
    root = Path(__file__).parents[1]
    outside = {"PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *words], capture_output=True, text=True, cwd=tmp_path, env=os.environ | outside
    )
    assert ended.returncode == 1
    closing = ended.stdout.splitlines()[-1]
    assert "2 failed, 2 passed, 1 skipped, 1 warning, 1 error" in closing
    for line in ["E   ValueError: torn down", "E   assert 1 == 2", "printed", "The process of this test has died."]:
        assert line in ended.stdout.replace("E       ", "E   ").splitlines()
    assert "test_outcomes.py:7: not now" in ended.stdout
