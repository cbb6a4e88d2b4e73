"""A schema version that there never was is bad data, wherever it stands."""

import re
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus import catalog, registries
from biblicus.corpus.changes import synced
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BadData, NewerSchema
from biblicus.runs import manifests


@pytest.fixture
def corpus(tmp_path: Path) -> CorpusFolder:
    with Corpus.init(tmp_path) as made:
        (tmp_path / "tides.md").write_text("The moon pulls tides.\n")
        made.reindex()
    return CorpusFolder(tmp_path)


def read(corpus: CorpusFolder, kind: str, version: str) -> object:
    """Read a file of the corpus that claims to be of that version."""
    if kind == "registry":
        header = registries.RegistryHeader(name="sky", kind="git", entry="")
        registries.write_registry(corpus, registries.Registry(header, {}))
    (run_id,) = manifests.ids(corpus)
    places = {
        "catalog": corpus.catalog,
        "manifest": corpus.runs / f"{run_id}.json",
        "registry": synced.registry_file(corpus, "sky"),
    }
    text = places[kind].read_text("utf-8")
    places[kind].write_text(re.sub(r'("schema_version": ?)1', rf"\g<1>{version}", text, count=1), "utf-8")
    match kind:
        case "catalog":
            return catalog.read(corpus)
        case "manifest":
            return manifests.read(corpus, run_id)
        case _:
            return registries.read_registry(corpus, "sky")


KINDS = ("catalog", "manifest", "registry")


@pytest.mark.parametrize("kind", KINDS)
def test_what_there_is_can_be_read(corpus: CorpusFolder, kind: str):
    assert read(corpus, kind, "1")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", ["0", "-1", "null", '"one"', "1.5"])
def test_what_there_never_was_is_bad_data(corpus: CorpusFolder, kind: str, version: str):
    with pytest.raises(BadData) as refused:
        read(corpus, kind, version)
    assert not isinstance(refused.value, NewerSchema)
