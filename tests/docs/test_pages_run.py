"""The examples of the README and of the pages are run as they are written, and print what they show.

A block that cannot be run here says why in a comment before it (see `tests.docs.console`).
"""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.console import SHELL, Example, Shell, commands, examples, missing, run_python
from tests.sampling import each

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ROOT / "docs" / "cli.md"
"""Its commands are run by `test_every_example_of_the_command_line_page_runs`, which starts what they are about."""
LEAST = 60
_FROM_THE_START = {"README.md": "examples/harbour", "first-corpus.md": "examples/harbour", "python.md": "harbour"}
"""Pages that make the corpus themselves, and where they find the example folder."""


def _is_runnable(example: Example) -> bool:
    return (example.language in SHELL or example.language == "python") and not example.not_run


WRITTEN = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page != GENERATED]
PAGES = [page for page in WRITTEN if any(map(_is_runnable, examples(page)))]


def start(page: Path, sealed: Path, place: Path) -> Path:
    """Where whoever reads the page stands: above the example folder, or in the example corpus."""
    if page.name in _FROM_THE_START:
        shutil.copytree(ROOT / "examples" / "harbour", place / _FROM_THE_START[page.name])
        return place
    shutil.copytree(sealed, place / "there", symlinks=True)
    return place / "there" / "harbour"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_print_what_they_show(page: Path, sealed: Path, tmp_path: Path):
    shell = Shell(start(page, sealed, tmp_path))
    top = tmp_path if page.name in _FROM_THE_START else shell.folder.parent

    for example in examples(page):
        if not _is_runnable(example) or (example.needs and find_spec(example.needs) is None):
            continue
        _try(example, shell, top)


def _try(example: Example, shell: Shell, folder: Path) -> None:
    if example.language == "python":
        assert run_python(example.text, folder), example.text
        return
    for step in commands(example):
        assert missing(step.shown, shell.run(step.command)) == [], step.command


def test_most_examples_are_run():
    run = [example for page in PAGES for example in examples(page) if _is_runnable(example)]
    assert sum(1 if example.language == "python" else len(commands(example)) for example in run) >= LEAST


@each("page", WRITTEN)
def test_a_block_that_holds_commands_says_so(page: Path):
    """Else it would be neither run nor marked."""
    unlabelled = [example.text for example in examples(page) if not example.language]
    assert not [text for text in unlabelled if text.startswith(("$ ", "biblicus ", "pip ", "curl "))]


def test_a_mark_is_read(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- not run: it stays -->\n```sh\nbiblicus serve\n```\n\n<!-- needs: torch -->\n\n"
        "```console\n$ biblicus list\nnotes\n```\n\n```bash\none \\\n  two\nthree\n```\n",
        "utf-8",
    )
    stays, needy, plain = examples(page)
    assert (stays.not_run, needy.needs, plain.not_run) == ("it stays", "torch", "")
    assert [step.command for step in commands(plain)] == ["one two", "three"]
