"""Words for a corpus and for a place become folders and addresses."""

import json
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import CorpusUnknown, UsageError
from biblicus.service.corpora import Corpora
from biblicus.service.places import folder_of, targets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus in a folder with a name that needs escapes, called harbour and quay among this user's places."""
    made = tmp_path / "my notes+ü"
    Corpus.init(made).close()
    places = {"harbour": str(made), "quay": made.as_uri(), "far": "https://far.example"}
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps(places))
    return made


def test_a_folder_has_several_names(folder: Path):
    for word in (str(folder), folder.as_uri(), folder.as_uri().replace("file:///", "file:/"), "corpus://harbour"):
        assert folder_of(word) == folder
        assert [target.folder for target in targets(word, "local")] == [folder]
    assert folder_of("corpus://quay") == folder
    assert folder_of(folder.as_uri().replace("file://", "file://localhost")) == folder


@pytest.mark.parametrize("word", ["file://elsewhere/notes", "file:notes", "file:///notes?x", "http://127.0.0.1:9"])
def test_what_is_no_folder_here_is_refused(folder: Path, word: str):
    with pytest.raises(UsageError):
        folder_of(word)


def test_a_service_takes_the_same_words(folder: Path):
    for words, names in (
        (["corpus://harbour"], ["harbour"]),
        (["corpus://quay", f"mine={folder.as_uri()}"], ["mine", "quay"]),
        ([f"mine={folder}"], ["mine"]),
    ):
        served = Corpora.open(words)
        assert served.names() == names
        served.close()
    with pytest.raises(CorpusUnknown, match="nosuch"):
        Corpora.open(["corpus://nosuch"])
    with pytest.raises(UsageError, match="another machine"):
        Corpora.open(["corpus://far"])


def test_a_corpus_that_a_service_knows_needs_no_name_here(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({"office": "https://office.example"}))
    (there,) = targets("corpus://manuals", "office")
    assert (there.address, there.corpus) == ("https://office.example", "manuals")
    with pytest.raises(CorpusUnknown, match="known: office"):
        targets("corpus://manuals", "office,local")
