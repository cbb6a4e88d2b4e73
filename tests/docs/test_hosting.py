"""What the page on hosting shows is accepted."""

from pathlib import Path

import pytest

from biblicus.config import Settings
from biblicus.guards import yaml
from biblicus.service.places import Target, targets
from tests.docs.console import blocks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "hosting.md"


@pytest.mark.parametrize("shown", blocks(PAGE, "yaml"))
def test_the_settings_are_settings(shown: str):
    assert Settings.model_validate(yaml.read(shown))


def test_the_places_mean_what_the_page_says(home: Path, monkeypatch: pytest.MonkeyPatch):
    (home / "config").mkdir(exist_ok=True)
    config = home / "config" / "config.yml"
    config.write_text(blocks(PAGE, "yaml")[1], "utf-8")
    monkeypatch.delenv("BIBLICUS_AT", raising=False)
    office = Target("remote", address="https://office.example:8765", corpus="notes")
    manuals = Target("remote", address="https://manuals.example:8765", corpus="manuals")
    assert targets("corpus://notes", None) == [Target("local", home / "notes")]
    assert targets("corpus://manuals", None) == [manuals, Target("local", home / "manuals")]
    assert targets("corpus://notes", "office,local") == [office, Target("local", home / "notes")]
    assert targets(None, "office") == [Target("remote", address="https://office.example:8765")]
    assert targets(None, "https://notes.example:8765#manuals")[0].corpus == "manuals"
    config.write_text("at: daemon\n", "utf-8")
    assert targets("there", None) == [Target("daemon", Path("there"))]
    config.write_text('"at" : "daemon"\n', "utf-8")
    assert targets("there", None) == [Target("daemon", Path("there"))]
    config.unlink()
