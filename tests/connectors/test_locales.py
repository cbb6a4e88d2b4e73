"""Commands mean the same where the locale is not UTF-8; a Python that cannot name all files is refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOT_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a locale that is not UTF-8."""
    settings = os.environ | NOT_UTF8
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, encoding="utf-8", env=settings)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files whose names and texts no ASCII spells."""
    folder = tmp_path / "港"
    folder.mkdir()
    (folder / "潮.md").write_text("# 潮汐\n\n月の引力が潮汐を引き起こす。\n", "utf-8")
    (folder / "mois.html").write_text("<title>Été</title><p>La marée de l'été.</p>", "utf-8")
    return folder


def test_commands_read_all_names_in_any_locale(folder: Path):
    for command in ("init", "reindex"):
        assert run(folder, "-m", "biblicus", command).returncode == 0
    found = run(folder, "-m", "biblicus", "query", "潮汐")
    assert (found.returncode, found.stderr) == (0, "")
    assert "潮.md, line 1" in found.stdout
    assert "mois.html" in run(folder, "-m", "biblicus", "query", "marée").stdout


@pytest.mark.parametrize("act", ["open", "init"])
def test_a_program_whose_python_cannot_name_all_files_is_refused_in_a_line(folder: Path, act: str):
    program = f"from biblicus import BiblicusError, Corpus\ntry:\n    Corpus.{act}('.')\n"
    program += "except BiblicusError as error:\n    print(error.message, error.hint)"
    refused = run(folder, "-c", program)
    assert refused.stdout == "Python reads file names as ascii here; a corpus needs UTF-8. export PYTHONUTF8=1\n"
