"""What the README and the pages show is what happens: their commands and programs are run."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.console import Shell, blocks, missing, steps
from tests.front_door import biblicus
from tools import cli_page

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PYTHON_PAGE = ROOT / "docs" / "python.md"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that holds examples/, as a checkout does."""
    shutil.copytree(ROOT / "examples" / "harbour", tmp_path / "examples" / "harbour")
    return tmp_path


def run_python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60)


def test_the_tour_of_the_readme_prints_what_it_shows(checkout: Path):
    shell = Shell(checkout)
    tour = [step for block in blocks(README, "console") for step in steps(block)]
    assert len(tour) > 15
    for step in tour:
        assert missing(step.shown, shell.run(step.command)) == [], step.command
    (program,) = blocks(README, "python")
    done = run_python(program, checkout)
    assert done.returncode == 0, done.stderr
    assert "web/visitors.html" in done.stdout


def test_a_tour_that_shows_something_else_would_be_noticed():
    assert missing("13 added, 0 unchanged\n", "12 added, 0 unchanged (0.1 s)\n") == ["13 added, 0 unchanged"]
    assert missing("first\n…\nsecond\n", "second\nthen first\n") == ["second"]
    assert missing("1. The  lamp …\nline 6\n", " 1. The lamp  4.1\n notes/lamp.md, line 6\n") == []


def test_the_readme_shows_a_piece_of_evidence_as_it_is(harbour: Path):
    shell = Shell(harbour)
    shell.run("biblicus init && biblicus reindex")
    (shown,) = [block for block in blocks(README, "text") if "biblicus query" in block]
    (step,) = steps(shown)
    assert missing(step.shown.replace("  9.95", "\n"), shell.run(step.command)) == []


STAYING = {"serve", "mcp"}
"""Commands that stay until they are stopped; tests of their own start them."""


def test_every_example_of_the_command_line_page_runs(harbour: Path, home: Path):
    (home / "Downloads").mkdir(exist_ok=True)
    (home / "Downloads" / "tides.html").write_text("<h1>Tides</h1><p>High water at noon.</p>")
    (home / "Downloads" / "refs.bib").write_text("@manual{harbour, title={Harbour rules}, file={rules/handbook.pdf}}")
    shell = Shell(harbour)
    for name, _ in cli_page.commands():
        for command in () if name in STAYING else cli_page.EXAMPLES.get(name, ()):
            if command == "biblicus remove imports/tides.html":
                continue  # the page groups by command; this one must come last
            if set(command) & set("|~"):
                shell.run(command)
            else:  # in this process, which spares the start of forty others
                assert biblicus(shlex.split(command)[1:]) == 0, command
    assert biblicus(["remove", "imports/tides.html"]) == 0


@pytest.mark.parametrize("name", ["evaluation.md", "evidence.md", "recipes.md", "tuning.md"])
def test_the_commands_of_a_page_run(harbour: Path, name: str):
    shell = Shell(harbour)
    shell.run("biblicus init && biblicus reindex")
    for block in blocks(ROOT / "docs" / name, "console"):
        for step in steps(block):
            assert missing(step.shown, shell.run(step.command)) == []


def test_every_program_of_the_python_page_runs(harbour: Path):
    programs = blocks(PYTHON_PAGE, "python")
    assert len(programs) >= 7
    for program in programs:
        done = run_python(program, harbour.parent)
        assert done.returncode == 0, f"{program}\n{done.stderr}"
        assert done.stdout
