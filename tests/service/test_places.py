"""Words for a corpus and for a place become folders and addresses."""

import json
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import CorpusUnknown, UsageError
from biblicus.service.corpora import Corpora
from biblicus.service.places import folder_of, path_in, targets


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
    served = Corpora.open(["corpus://far"])
    assert (served.names(), served.here()) == (["far"], [])


def test_a_corpus_that_a_service_knows_needs_no_name_here(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({"office": "https://office.example"}))
    (there,) = targets("corpus://manuals", "office")
    assert (there.address, there.corpus) == ("https://office.example", "manuals")
    with pytest.raises(CorpusUnknown, match="known: office"):
        targets("corpus://manuals", "office,local")


NOTES = ("lamp.md", "gone.md", "notes/lamp.md", "notes/gone.md", "notes/new.md", "notes/own.md", "notes/sea/tides.md")


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus with a folder `notes`, where we are, and a link to the corpus beside it. `gone.md` was deleted since,
    `new.md` came since."""
    root = tmp_path / "corpus"
    with Corpus.init(root) as made:
        (root / "notes/sea").mkdir(parents=True)
        for path in NOTES:
            (root / path).write_text(f"What {path} says.\n")
        made.reindex()
    (root / "gone.md").unlink()
    (root / "new.md").write_text("New.\n")
    (tmp_path / "ln").symlink_to(root)
    (tmp_path / "other.md").write_text("Another's.\n")
    monkeypatch.chdir(root / "notes")
    return root


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("own.md", "notes/own.md"),
        ("sea", "notes/sea"),
        (".", "notes"),
        ("sea/..", "notes"),
        ("sea/../own.md", "notes/own.md"),
        ("lamp.md", "lamp.md"),
        ("./lamp.md", "notes/lamp.md"),
        ("../lamp.md", "lamp.md"),
        ("notes/lamp.md", "notes/lamp.md"),
        ("gone.md", "gone.md"),  # known, though it lies there no more
        ("new.md", "new.md"),  # not known yet
        ("{ln}/notes/lamp.md", "notes/lamp.md"),
        ("{ln}/", "."),
        ("../../other.md", "../../other.md"),
        ("{ln}/../other.md", "{ln}/../other.md"),
        ("nosuch.md", "nosuch.md"),
        ("own.md!/part.md", "notes/own.md!/part.md"),
        ("", ""),
    ],
)
def test_a_name_is_of_the_corpus_or_of_the_folder_where_we_are(noted: Path, name: str, path: str):
    link = noted.parent / "ln"
    assert path_in(None, name.format(ln=link)) == path.format(ln=link)


def test_the_beginning_of_an_id_comes_before_a_file_of_that_name(noted: Path):
    with Corpus.open(noted) as made:
        beginning = made.list()[0].item_id[:8]
    Path(beginning).write_text("A file.\n")
    assert path_in(None, beginning) == beginning
    assert path_in(None, f"./{beginning}") == f"notes/{beginning}"
