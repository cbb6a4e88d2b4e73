"""A format of another distribution's plug-in reaches the catalog: media type, title, metadata, places, members."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.front_door import biblicus

MODULE = '''
"""Crates: a title, an author, chapters behind `## `, a page behind `<`, and files behind `>> NAME`."""
from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer
from biblicus.models.records import NoOptions as Options
from biblicus.models.extraction import Packed

MEDIA_TYPES = ("application/x-crate",)
EXTENSIONS = {"crate": "application/x-crate"}
VERSION = 1


class Crate:
    guarded = VERSION == 1  # a worker that waits has the module of then

    def __init__(self, html):
        self.html, self.fingerprint = html, f"crate/{VERSION}"

    def extract(self, raw, hint):
        title, author, *lines = raw.decode("latin-1").split(">>")[0].split("\\n")
        composer = Composer()
        for number, line in enumerate(line for line in lines if line):
            if line.startswith("## "):
                composer.spot("chapter", line[3:], str(number + 1))
                composer.heading(1, line[3:])
            elif line.startswith("<"):
                composer.paragraph(self.html.extract(line.encode(), MediaHint("", "text/html")).text)
            else:
                composer.paragraph(line)
        return composer.extraction(title=f"{title[1:]} {VERSION}", metadata={"author": author})


def members(raw, name, passwords):
    for part in raw.split(b">> ")[1:]:
        inside, _, data = part.partition(b"\\n")
        yield Packed(inside.decode(), [data])


def build(options, given):
    return Crate(given.extractor("html", content="all"))
'''
RECIPE = "name: crates\nbuild:\n  extraction: {crate: {}}\n  chunking: {default: {by: whole}}\n  legs: {lexical: {}}\n"
RAW = (
    b"\0The winch\nAda Oar\n## Drum\nThe drum takes rope.\n<p>Its <b>brake</b> squeals.</p>\n"
    b">> rope.txt\nThe rope is of hemp.\n"
)


@pytest.fixture
def crate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The plug-in's module, installed as pip would leave it."""
    site = tmp_path / "site"
    about = site / "crate_plugin-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: crate-plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[biblicus.extraction]\ncrate = crate_plugin\n")
    (site / "crate_plugin.py").write_text(MODULE)
    monkeypatch.syspath_prepend(site)
    yield site / "crate_plugin.py"
    sys.modules.pop("crate_plugin", None)


@pytest.fixture
def corpus(tmp_path: Path, crate: Path) -> Iterator[Corpus]:
    """A corpus whose default recipe names the plug-in."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "winch.crate").write_bytes(RAW)
    (folder / "notes.txt").write_text("Moor at noon.")
    with Corpus.init(folder) as corpus:
        (folder / ".biblicus" / "recipes").mkdir()
        (folder / ".biblicus" / "recipes" / "crates.yml").write_text(RECIPE)
        with (folder / ".biblicus" / "config.yml").open("a") as config:
            config.write("default_recipe: crates\n")
        corpus.reindex()
        yield corpus


def test_an_item_has_the_media_type_title_and_metadata_that_the_plugin_gives(corpus: Corpus) -> None:
    item = next(item for item in corpus.list() if item.path == "winch.crate")
    assert (item.media_type, item.title) == ("application/x-crate", "The winch 1")
    assert item.metadata["author"] == "Ada Oar"
    assert [one.path for one in corpus.list(type="application/x-crate")] == ["winch.crate"]


def test_its_evidence_stands_in_the_places_that_the_plugin_names(corpus: Corpus) -> None:
    (best,) = corpus.query("brake squeals").evidence
    assert best.locator is not None
    assert (best.path, best.locator.label, best.title) == ("winch.crate", "chapter 1: Drum", "The winch 1")
    assert corpus.get("winch.crate", locator="chapter 1").text.endswith("Its brake squeals.\n")
    assert [verdict.status for verdict in corpus.verify([best])] == ["ok"]


def test_what_it_holds_are_items(corpus: Corpus) -> None:
    (best,) = corpus.query("hemp").evidence
    assert (best.path, best.media_type) == ("winch.crate!/rope.txt", "text/plain")
    assert corpus.get("winch.crate!/rope.txt").text == "The rope is of hemp.\n"
    assert [verdict.status for verdict in corpus.verify([best])] == ["ok"]


@pytest.mark.parametrize(
    ("path", "extractor"), [("winch.crate", "crate"), ("notes.txt", "text"), ("winch.crate!/rope.txt", "text")]
)
def test_show_says_which_extractor_read_an_item(
    corpus: Corpus, path: str, extractor: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corpus.show(path).extractor == extractor
    assert biblicus(["-C", str(corpus.path), "show", path]) == 0
    assert f"extractor {extractor}" in " ".join(capsys.readouterr().out.split())


def test_a_new_version_of_the_plugin_describes_its_files_anew(corpus: Corpus, crate: Path) -> None:
    crate.write_text(MODULE.replace("VERSION = 1", "VERSION = 12"))
    importlib.reload(importlib.import_module("crate_plugin"))
    corpus.ingest()
    assert next(item.title for item in corpus.list() if item.path == "winch.crate") == "The winch 12"


def test_another_recipe_reads_without_the_plugin(corpus: Corpus) -> None:
    corpus.reindex("lexical")
    assert not corpus.query("brake", recipe="lexical").evidence
    assert corpus.query("hemp", recipe="lexical").evidence


def test_without_the_plugin_the_recipe_names_what_is_missing(corpus: Corpus, crate: Path) -> None:
    (crate.parent / "crate_plugin-1.0.dist-info" / "entry_points.txt").write_text("")
    with pytest.raises(BiblicusError, match="crate"):
        corpus.reindex()
