"""The reference is complete and up to date: nothing that can be typed, read or met lacks its words."""

import re
import shutil
from dataclasses import Field, fields
from pathlib import Path

import pytest

from biblicus.config import CorpusConfig, Settings
from biblicus.corpus import recipes
from biblicus.corpus.described import describe
from biblicus.errors import FAMILIES, BiblicusError
from biblicus.guards import yaml
from biblicus.models.evidence import Evidence, Result
from biblicus.models.plain import EXCLUDED
from tests.docs.console import blocks
from tests.sampling import each
from tools import cli_page, docs, errors_page, llms, recipes_page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
COMMANDS = dict(cli_page.commands())
MARKDOWN = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.md")])


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_generated_pages_are_up_to_date():
    assert docs.stale(docs.pages()) == []


def test_a_stale_a_missing_and_an_orphaned_page_are_named_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    copy = tmp_path / "docs"
    shutil.copytree(DOCS, copy)
    wanted = docs.pages(copy)
    monkeypatch.setattr(docs, "pages", lambda folder: wanted)
    docs.write(copy)
    (copy / "cli.md").write_text("old", encoding="utf-8")
    (copy / "schemas" / "query.json").unlink()
    (copy / "schemas" / "gone.json").write_text("{}", encoding="utf-8")
    expected = ["cli.md", "schemas/query.json", "schemas/gone.json"]
    assert docs.stale(wanted, copy) == expected
    assert docs.write(copy) == expected
    assert docs.stale(wanted, copy) == []


def test_what_models_are_told_leads_to_every_page():
    listed = re.findall(r"^- \[.+?\]\((.+?)\)", llms.index(), re.MULTILINE)
    assert [path for path in listed if not (ROOT / path).exists()] == []
    assert {str(page.relative_to(ROOT)) for page in DOCS.rglob("*.md")} <= set(listed)
    whole = llms.whole()
    assert [page.name for page in DOCS.rglob("*.md") if page.read_text("utf-8").strip() not in whole] == []


def test_check_leaves_with_1_where_a_page_is_stale(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(docs, "pages", lambda: {"cli.md": "other"})
    assert docs.main(["--check"]) == 1
    assert "docs/cli.md is stale: make docs" in capsys.readouterr().out
    assert docs.main(["--chekc"]) == 2


@each("name", [name for name, command in COMMANDS.items() if not getattr(command, "commands", None)])
def test_a_command_has_a_help_text_its_options_theirs_and_an_example(name: str):
    command = COMMANDS[name]
    assert command.help, name
    for parameter in command.params:
        assert getattr(parameter, "help", None) or parameter.name == "help", f"{name}: {parameter.name}"
        assert all(option in cli_page.command_page(name) for option in parameter.opts if option.startswith("--"))
    assert f"| `{name}` |" in text("cli.md")
    assert all(name in example for example in cli_page.EXAMPLES[name])


def test_there_is_no_example_of_a_command_that_is_gone():
    assert cli_page.EXAMPLES.keys() <= COMMANDS.keys()


def test_every_verb_stands_in_the_vocabulary():
    verbs = {name.split()[0] for name in COMMANDS}
    assert not [verb for verb in verbs if f"`{verb}`" not in text("vocabulary.md")]


@each("field", fields(Settings))
def test_a_setting_is_explained(field: Field[object]):
    assert len(field.metadata["description"]) > 10
    assert f"`BIBLICUS_{field.name.upper()}`" in text("cli.md")


@each("cls", errors_page.classes())
def test_an_error_has_its_code_and_its_words(cls: type[BiblicusError]):
    assert f"`{cls.code}`" in text("errors.md")
    assert errors_page.meaning(cls) or errors_page.example(cls), "say in its docstring what it means"
    if "__init__" in cls.__dict__ and cls is not BiblicusError:
        assert errors_page.example(cls), f"add {cls.__name__} to SAMPLES in tools/errors_page.py"


def test_no_two_errors_share_a_code():
    codes = [cls.code for cls in errors_page.classes()]
    assert sorted(codes) == sorted(set(codes))


def test_an_error_keeps_the_exit_code_of_its_family():
    assert [family.exit_code for family in FAMILIES] == [2, 3, 4, 5, 6, 7]
    for family in FAMILIES:
        members = [cls for cls in errors_page.classes() if issubclass(cls, family)]
        assert {cls.exit_code for cls in members} == {family.exit_code}


@each("key", recipes_page.keys())
def test_a_recipe_key_is_on_the_page(key: str):
    assert f"`{key}`" in text("recipes.md") or f"`{key}." in text("recipes.md")


def test_every_recipe_key_and_plugin_option_is_explained():
    rows = re.findall(r"^\| `[\w.]+` \|.*\| (.*) \|$", recipes_page.options(), flags=re.MULTILINE)
    assert len(rows) > 20
    assert not [row for row in rows if len(row.strip()) < 10]


@pytest.mark.parametrize("kind", recipes_page.KINDS)
def test_a_built_in_plugin_is_on_the_page(kind: str):
    assert not [name for name, _ in recipes_page.built_in(kind) if f"`{name}`" not in text("recipes.md")]


@pytest.mark.parametrize("cls", [Evidence, Result])
def test_a_field_of_a_result_is_explained(cls: type[Evidence | Result]):
    names = [field.name for field in fields(cls) if field.metadata != EXCLUDED]
    assert not [name for name in names if f"`{name}`" not in text("evidence.md")]


def test_the_recipe_on_the_page_is_a_recipe():
    (shown,) = blocks(DOCS / "recipes.md", "yaml")
    data = yaml.read(shown)
    assert isinstance(data, dict)
    recipe = recipes.resolve(data, "docs/recipes.md")
    assert recipe.query.budget.items == 5
    assert recipe.build.extraction["pdf"] == {"engine": "pypdf"}


def test_the_configuration_and_the_sidecar_on_the_page_are_valid():
    config, sidecar = blocks(DOCS / "disk-format.md", "yaml")
    assert CorpusConfig.model_validate(yaml.read(config)).doctypes[0].doctype == "message"
    data = yaml.read(sidecar)
    assert isinstance(data, dict)
    found = describe.declared(data, "sidecar")
    assert found.warnings == ()
    assert set(found.values) == set(describe.KEYS)
    assert found.rest == {"keeper": "Pia Lund"}


@each("page", [ROOT / "README.md", *sorted(DOCS.glob("*.md"))])
def test_a_module_that_a_page_names_is_there(page: Path):
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)", page.read_text(encoding="utf-8")))
    kept = [
        path.as_posix()
        for top in ("biblicus", "benchmarks", "tests", "tools", "examples")
        for path in (ROOT / top).rglob("*.py")
    ]
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in kept)] == []


@each("page", MARKDOWN)
def test_a_link_leads_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8"))
    inside = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert not [link for link in inside if not (page.parent / link).exists()]
