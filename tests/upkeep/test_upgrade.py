"""A corpus that an earlier commit made opens, is rebuilt where it must be, and keeps what people decided."""

import json
import shutil
from pathlib import Path

import pytest

from tests.docs.console import Shell
from tests.front_door import biblicus

ROOT = Path(__file__).resolve().parents[2]
EARLIER = Path(__file__).parent / "corpus_of_november_27"
"""`.biblicus/` of the example harbour as commit 035c5482 of 27 November 2026 wrote it: layers, one approved page, a
publication, a persona, a recipe, a dataset, a weight, two evaluations, three runs; no index, as in a clone."""


@pytest.fixture
def earlier(tmp_path: Path) -> Shell:
    """Return a shell in the harbour with that folder; one note was promoted, so it lies where it was moved to."""
    harbour = tmp_path / "harbour"
    shutil.copytree(ROOT / "examples" / "harbour", harbour)
    shutil.copytree(EARLIER, harbour / ".biblicus")
    (harbour / ".biblicus" / "local").mkdir()
    shutil.move(harbour / ".biblicus" / "evaluations", harbour / ".biblicus" / "local" / "evaluations")
    (harbour / "published").mkdir()
    shutil.move(harbour / "notes" / "boat-shed.md", harbour / "published" / "boat-shed.md")
    return Shell(harbour)


def test_it_opens_and_says_what_to_do(
    earlier: Shell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(earlier.folder)
    assert biblicus(["query", "spill kit"]) != 0
    assert "biblicus reindex" in capsys.readouterr().err


def test_it_keeps_ids_and_decisions(earlier: Shell):
    catalog = json.loads((EARLIER / "catalog.json").read_text("utf-8"))
    before = {item["path"]: item["item_id"] for item in catalog["items"]}
    earlier.run("biblicus reindex")

    after = json.loads(earlier.run("biblicus list --json"))
    assert {item["path"]: item["item_id"] for item in after["items"]} == before
    assert "notes/lamp.md" in earlier.run("biblicus weight list")
    assert "1 item (1 approved)" in earlier.run("biblicus editorial status")
    assert "spring" in earlier.run("biblicus publications")
    assert "keeper: can answer" in earlier.run("biblicus personas check")
    assert "mine" in earlier.run("biblicus recipes list")
    assert "2 questions" in earlier.run("biblicus datasets list")
    assert len(list((earlier.folder / ".biblicus" / "local" / "evaluations").iterdir())) == 2
    assert "0 problems" in earlier.run("biblicus check")
    assert "rules/handbook.pdf, page 5" in earlier.run('biblicus query "spill kit" -n 1')


def test_what_was_decided_changes_no_byte(earlier: Shell):
    folder = earlier.folder / ".biblicus"
    names = ["config.yml", "weights.yml", "editorial.jsonl", "datasets", "personas", "publications", "approved"]
    files = [file for name in names for file in sorted([folder / name, *(folder / name).rglob("*")]) if file.is_file()]
    before = {file: file.read_bytes() for file in files}
    assert len(before) == 7
    earlier.run("biblicus reindex")
    assert {file: file.read_bytes() for file in files} == before
