"""What the README and the pages show is what happens: their commands and programs are run."""

import json
from pathlib import Path

import pytest

from tests.docs.console import Shell, blocks, missing
from tests.front_door import biblicus
from tools import cli_page

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"


def test_a_tour_that_shows_something_else_would_be_noticed():
    assert missing("13 added, 0 unchanged\n", "12 added, 0 unchanged (0.1 s)\n") == ["13 added, 0 unchanged"]
    assert missing("first\n…\nsecond\n", "second\nthen first\n") == ["second"]
    assert missing("1. The  lamp …\nline 6\n", " 1. The lamp  4.1\n notes/lamp.md, line 6\n") == []


def test_the_readme_shows_a_piece_of_evidence_as_it_is(harbour: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "100")
    shell = Shell(harbour)
    shell.run("biblicus init")
    shell.run("biblicus reindex")
    found = shell.run('biblicus query "How long may a visiting boat stay in winter?" -n 1 --json')
    (piece,) = json.loads(found)["evidence"]
    (block,) = [block for block in blocks(README, "json") if "item_sha256" in block]
    shown_piece = json.loads(block)
    for name in (
        "rank",
        "score",
        "path",
        "page",
        "heading",
        "item_id",
        "span_start",
        "span_end",
        "line_start",
        "line_end",
    ):
        assert shown_piece[name] == piece[name], name
    assert shown_piece["text"].strip("… ") in piece["text"]


STAYING = {"serve", "open", "watch", "mcp"}
"""Commands that stay until they are stopped; tests of their own start them."""


def test_every_example_of_the_command_line_page_runs(harbour: Path, home: Path):
    (home / "Downloads").mkdir(exist_ok=True)
    (home / "Downloads" / "tides.html").write_text("<h1>Tides</h1><p>High water at noon.</p>")
    (home / "Downloads" / "refs.bib").write_text("@manual{harbour, title={Harbour rules}, file={rules/handbook.pdf}}")
    listed = "repositories:\n- {url: ada/harbour, toolkit: harbour}\n"
    (home / "Downloads" / "repositories.yml").write_text(listed)
    shell = Shell(harbour)
    for name, _ in cli_page.commands():
        if name == "promote":
            config = harbour / ".biblicus/config.yml"
            layers = "layers: [{name: notes, path: 'notes/**'}, {name: published, path: 'published/**', from: notes}]\n"
            config.write_text(config.read_text() + layers)
        for command in () if name in STAYING else cli_page.EXAMPLES.get(name, ()):
            if command == "biblicus remove imports/tides.html":
                continue  # the page groups by command; this one must come last
            shell.run(command)
    assert biblicus(["remove", "imports/tides.html"]) == 0
