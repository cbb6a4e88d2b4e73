"""What the pages show of personas is what happens."""

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from biblicus import Corpus
from biblicus.guards import yaml
from biblicus.models.answers.persona import Persona
from tests.docs.console import Shell, blocks, missing, run_python, steps
from tests.docs.test_schemas import SCHEMAS, closed

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "answers.md"
EXAMPLE = ROOT / "examples" / "persona"


def shown() -> str:
    """The page's part on personas."""
    return PAGE.read_text(encoding="utf-8").split("\n## Personas\n")[1].split("\n## ")[0]


@pytest.fixture
def part(tmp_path: Path) -> Path:
    page = tmp_path / "personas.md"
    page.write_text(shown(), "utf-8")
    return page


@pytest.fixture
def desk(sealed: Path, tmp_path: Path) -> Path:
    """The harbour with its keeper, as the example's page makes it."""
    return shutil.copytree(sealed, tmp_path / "desk", symlinks=True)


def test_the_examples_page_prints_what_it_shows(tmp_path: Path):
    shutil.copytree(ROOT / "examples" / "harbour", tmp_path / "harbour")
    shutil.copytree(EXAMPLE, tmp_path / "persona")
    shell = Shell(tmp_path)
    (block,) = blocks(EXAMPLE / "README.md", "console")
    for step in steps(block):
        assert missing(step.shown, shell.run(step.command)) == [], step.command


def test_the_persona_on_the_page_is_one(part: Path):
    (text,) = blocks(part, "yaml")
    found = Persona.model_validate(yaml.read(text))
    assert set(found.model_dump()) == found.model_fields_set


def test_the_command_on_the_page_prints_what_it_shows(part: Path, desk: Path):
    (block,) = blocks(part, "console")
    (step,) = steps(block)
    assert missing(step.shown, Shell(desk / "harbour").run(step.command)) == []


def test_the_program_on_the_page_runs(part: Path, desk: Path):
    (program,) = blocks(part, "python")
    assert "['Sule', 'Old Anders']" in run_python(program, desk)


def test_a_persona_is_what_its_schema_says(desk: Path):
    schema: Any = SCHEMAS["persona"]
    found = json.loads(Shell(desk / "harbour").run("biblicus personas show keeper --json"))
    assert len(found.pop("digest")) == 12
    jsonschema.Draft202012Validator(closed(schema)).validate(found)
    assert set(found) == set(schema["properties"])
    assert all("description" in field or "$ref" in field for field in schema["properties"].values())


def test_check_notices_a_persona_that_is_none(desk: Path):
    (desk / "harbour" / ".biblicus" / "personas" / "odd.yml").write_text("id: odd\nnmae: Odd\n", "utf-8")
    with Corpus.open(desk / "harbour") as corpus:
        report = corpus.check()
    (problem,) = report.problems
    assert (problem["path"], problem["hint"]) == (".biblicus/personas/odd.yml", "biblicus personas check odd")
    assert 'unknown key "nmae"; did you mean "name"?' in problem["reason"]
    assert report.checked["personas"] == 2
