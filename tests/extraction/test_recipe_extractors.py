"""Extractors of another distribution that a recipe names: what they read, and what runs and reports say of it."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from biblicus import Corpus
from tests.front_door import biblicus

MODULE = """
from pydantic import BaseModel, ConfigDict

from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction

MEDIA_TYPES = ("application/vnd.apache.parquet",)
EXTENSIONS = ("moon",)
VERSION = 1


class Options(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Moon:
    guarded = False

    def __init__(self):
        self.fingerprint = f"moon/{VERSION}"

    def extract(self, raw, hint):
        if b"eclipse" in raw:
            raise ExtractionFailed("there is no moon")
        return Extraction(f"read by moon {VERSION}: " + raw[4:].decode("latin-1").strip("\\0"))


def build(options, given):
    return Moon()
"""
RECIPE = "name: moon\nbuild:\n  extraction: {moon: {}}\n  chunking: {default: {by: whole}}\n  legs: {lexical: {}}\n"
BINARY = b"\0\1\2\3"


@pytest.fixture
def moon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The plug-in's module, installed as pip would leave it."""
    site = tmp_path / "site"
    (site / "moon_plugin-1.0.dist-info").mkdir(parents=True)
    (site / "moon_plugin-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: moon\nVersion: 1.0\n")
    points = "[biblicus.extraction]\nmoon = moon_plugin\n"
    (site / "moon_plugin-1.0.dist-info" / "entry_points.txt").write_text(points)
    (site / "moon_plugin.py").write_text(MODULE)
    monkeypatch.syspath_prepend(site)
    yield importlib.import_module("moon_plugin")
    monkeypatch.delitem(importlib.import_module("sys").modules, "moon_plugin")


@pytest.fixture
def corpus(tmp_path: Path, moon: ModuleType) -> Iterator[Corpus]:
    """A corpus with a recipe of that plug-in, and files that nothing of ours reads."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "log.parquet").write_bytes(BINARY + b"A whale off the mole." + b"\0" * 30)
    (folder / "tides.moon").write_bytes(BINARY + b"The tides turn." + b"\0" * 30)
    (folder / "talk.mkv").write_bytes(BINARY)
    with Corpus.init(folder) as corpus:
        (folder / ".biblicus" / "recipes").mkdir()
        (folder / ".biblicus" / "recipes" / "moon.yml").write_text(RECIPE)
        yield corpus


def test_what_a_recipes_extractor_cannot_read_is_told_with_its_run(
    corpus: Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus.path / "night.moon").write_bytes(BINARY + b"An eclipse." + b"\0" * 30)
    assert biblicus(["-C", str(corpus.path), "reindex", "--recipe", "moon"]) == 0
    assert "Failed (1)\n  night.moon: failed: there is no moon" in capsys.readouterr().out


def by_default(corpus: Corpus) -> None:
    with (corpus.path / ".biblicus" / "config.yml").open("a") as config:
        config.write("default_recipe: moon\n")


def test_a_run_names_the_extractors_that_it_used(corpus: Corpus) -> None:
    (run,) = corpus.reindex("moon").runs
    used = {name: version for name, version in run.manifest.components.items() if name.startswith("extraction.")}
    assert used == {"extraction.moon": "moon/1"}


def test_a_new_version_of_a_recipes_extractor_builds_a_new_run(
    corpus: Corpus, moon: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = corpus.reindex("moon").runs
    assert corpus.reindex("moon").runs[0].built == "unchanged"
    monkeypatch.setattr(moon, "VERSION", 2)
    (second,) = corpus.reindex("moon").runs
    assert second.differs == ("extraction.moon",)
    assert second.manifest.index_version != first.manifest.index_version
    assert corpus.query("whale", recipe="moon").evidence[0].text.startswith("read by moon 2")


def test_a_file_of_an_extension_that_nothing_knows_is_the_plugins(corpus: Corpus) -> None:
    corpus.reindex("moon")
    (best,) = corpus.query("tides", recipe="moon").evidence
    assert (best.path, best.media_type) == ("tides.moon", "application/octet-stream")
    assert [verdict.status for verdict in corpus.verify([best])] == ["ok"]


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"<!doctype html><p>The tides turn."])
def test_what_is_plainly_something_else_is_not(corpus: Corpus, content: bytes) -> None:
    (corpus.path / "tides.moon").write_bytes(content)
    (run,) = corpus.reindex("moon").runs
    assert "moon/1" in run.manifest.components.values()
    assert {"extraction.pdf", "extraction.html"} & run.manifest.components.keys()


@pytest.mark.parametrize("again", [False, True])
def test_no_report_calls_unsupported_what_a_recipe_reads(corpus: Corpus, again: bool) -> None:
    if again:
        corpus.reindex("lexical")
    report = corpus.reindex("moon")
    assert [note["path"] for note in report.refresh.skipped] == ["talk.mkv"]
    assert [note.path for note in report.runs[0].manifest.skipped] == ["talk.mkv"]
    assert [note["path"] for note in corpus.reindex("lexical").refresh.skipped] == [
        "log.parquet",
        "talk.mkv",
        "tides.moon",
    ]


def test_nor_what_the_default_recipe_reads_wherever_the_folder_is_looked_at(corpus: Corpus) -> None:
    by_default(corpus)
    assert [note["path"] for note in corpus.ingest().skipped] == ["talk.mkv"]


def test_what_the_default_recipe_reads_is_brought_in_from_a_source(corpus: Corpus, tmp_path: Path) -> None:
    by_default(corpus)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for name in ("log.parquet", "talk.mkv"):
        (shelf / name).write_bytes((corpus.path / name).read_bytes() + b"more")
    corpus.add_source(str(shelf), name="shelf", allow_local=True)
    (report,) = corpus.sync().sources
    assert [entry["path"] for entry in report.added] == ["imports/shelf/log.parquet"]
