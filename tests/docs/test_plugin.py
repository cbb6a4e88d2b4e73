"""The example plug-in of docs/plugins.md works, found by its entry points as an installed distribution is."""

import io
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests import front_door
from tests.docs.console import blocks

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "examples" / "plugin"
POEM = """The Wind

The wind is in the rigging,
and will not let us sleep.

The moon is on the water;
the water here is deep.
"""
ODT = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>
<text:h text:outline-level="1">Log book</text:h><text:p>A <text:span>whale</text:span> off the mole.</text:p>
<text:p>She stayed until the tide turned.</text:p></office:text></office:body></office:document-content>"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug-in as pip would leave it: its package on the path, its metadata beside."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = tmp_path / "site" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in made.items()) for group, made in groups
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT, PLUGIN, tmp_path / "site"))))
    for folder in (PLUGIN, tmp_path / "site"):
        monkeypatch.syspath_prepend(folder)


@pytest.fixture
def poems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus with a poem, a document, and what only looks like one."""
    folder = tmp_path / "poems"
    folder.mkdir()
    (folder / "wind.txt").write_text(POEM)
    with zipfile.ZipFile(folder / "log.odt", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", ODT)
    with zipfile.ZipFile(folder / "bomb.odt", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", f"<!DOCTYPE a [<!ENTITY b 'c'>]>{ODT}")
    monkeypatch.chdir(folder)
    return folder


def biblicus(*words: str, code: int = 0) -> Any:
    printed, complained = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(complained):
        assert front_door.biblicus([*words, "--json"]) == code, complained.getvalue()
    return json.loads(complained.getvalue() if code else printed.getvalue())


def started(*words: str) -> Any:
    """The same in a process of its own, as a shell has it."""
    done = subprocess.run([sys.executable, "-m", "biblicus", *words, "--json"], capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


RECIPE = str(PLUGIN / "recipe.yml")


@pytest.mark.usefixtures("installed")
def test_the_example_plugin_reads_cuts_and_ranks(poems: Path):
    biblicus("init")
    (run,) = started("reindex", "--recipe", RECIPE)["runs"]
    assert run["chunks"] == 4
    assert [note["path"] for note in run["failed"]] == ["bomb.odt"]

    result = biblicus("query", "--recipe", RECIPE, "wind in the rigging")
    best = result["evidence"][0]
    assert best["text"] == "The Wind\n\nThe wind is in the rigging,\nand will not let us sleep."
    assert POEM[best["span_start"] : best["span_end"]] == best["text"]
    assert best["stage_scores"] == {"words": 1.0}

    best = biblicus("query", "--recipe", RECIPE, "a whale off the mole")["evidence"][0]
    assert (best["path"], best["heading"]) == ("log.odt", "Log book")
    elsewhere = biblicus("query", "--recipe", RECIPE, "a whale off the mole", "--path", "*.txt")["evidence"]
    assert {piece["path"] for piece in elsewhere} == {"wind.txt"}


@pytest.mark.usefixtures("installed")
def test_its_evidence_verifies_and_get_reads_what_the_default_recipe_reads(poems: Path):
    biblicus("init")
    recipes = poems / ".biblicus" / "recipes"
    recipes.mkdir()
    (recipes / "poems.yml").write_bytes((PLUGIN / "recipe.yml").read_bytes())
    with (poems / ".biblicus" / "config.yml").open("a") as config:
        config.write("default_recipe: poems\n")
    biblicus("reindex")
    result = biblicus("query", "a whale off the mole")
    (poems.parent / "evidence.json").write_text(json.dumps(result))
    assert biblicus("verify", "../evidence.json")["ok"]
    best = result["evidence"][0]
    assert biblicus("get", "log.odt", "--span", f"{best['span_start']}:{best['span_end']}")["text"] == best["text"]


PAGES = {
    "/pages.json": [{"name": "tides", "etag": "3", "readers": ["ada"]}, {"name": "gulls", "etag": "1", "readers": []}],
    "/tides.json": {"text": "The moon pulls the tides.", "address": "https://wiki.example/tides"},
    "/gulls.json": {"text": "Gulls follow boats.", "address": "https://wiki.example/gulls"},
}


class Served(BaseHTTPRequestHandler):
    """The wiki that the example source follows."""

    def do_GET(self) -> None:
        body = json.dumps(PAGES[self.path]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.mark.usefixtures("installed")
def test_its_source_follows_a_wiki_with_its_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    server = HTTPServer(("127.0.0.1", 0), Served)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        biblicus("init", "followed")
        monkeypatch.chdir(tmp_path / "followed")
        biblicus("sources", "add", f"http://127.0.0.1:{server.server_port}", "--kind", "wiki", "--allow-private")
        biblicus("sources", "sync")
        biblicus("reindex")
        assert biblicus("query", "what pulls the tides")["evidence"][0]["source_uri"] == "https://wiki.example/tides"
        everybody = biblicus("query", "gulls or tides", "--as", "ben")["evidence"]
        assert {piece["source_uri"] for piece in everybody} == {"https://wiki.example/gulls"}
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.usefixtures("installed")
def test_an_unknown_option_of_a_plugin_names_the_nearest_one(poems: Path):
    biblicus("init")
    recipe = (PLUGIN / "recipe.yml").read_text(encoding="utf-8").replace("at_least", "at_most")
    (poems / "other.yml").write_text(recipe)
    assert 'did you mean "at_least"' in biblicus("reindex", "--recipe", "./other.yml", code=5)["error"]["message"]


def test_without_the_plugin_its_recipe_is_refused_by_name(poems: Path):
    biblicus("init")
    error = biblicus("reindex", "--recipe", RECIPE, code=5)["error"]
    assert '"odt"' in error["message"]


def test_the_page_quotes_the_plugin():
    source = " ".join("\n".join(path.read_text("utf-8") for path in PLUGIN.rglob("*.py")).split())
    for block in blocks(ROOT / "docs" / "plugins.md", "python"):
        for line in block.splitlines():
            words = re.sub(r":? \.\.\.$", "", " ".join(line.split()))
            assert words in source, line
