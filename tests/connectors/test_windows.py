"""A system without the locks that writers take: one line, whatever was typed."""

import subprocess
import sys

import pytest

_WITHOUT = """
import sys
sys.modules["fcntl"] = None  # as on Windows
sys.argv[0] = "biblicus"
from biblicus.__main__ import program
program()
"""


@pytest.mark.parametrize("words", [[], ["--help"], ["query", "tides"], ["init", "."]])
def test_windows_is_told_what_works_there(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 6
    assert done.stdout == ""
    assert done.stderr == "Error: Windows is not supported yet; WSL works. Try: wsl --install\n"
