"""Which embedder a name stands for, and that a digest is computed once."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from biblicus import Corpus
from biblicus.config import load_settings
from biblicus.corpus.folder import CorpusFolder
from biblicus.embedding import static
from biblicus.embedding.ollama import Ollama
from biblicus.errors import ConfigInvalid, UnknownModel, UnknownName
from biblicus.runs import embedders
from features.model import Meaning
from tests.hearing import heard

if TYPE_CHECKING:
    pass


@pytest.fixture
def place(tmp_path: Path) -> CorpusFolder:
    folder = tmp_path / "notes"
    folder.mkdir()
    Corpus.init(folder)
    return CorpusFolder(folder)


def configure(home: Path, text: str) -> None:
    (home / "config").mkdir(exist_ok=True)
    (home / "config" / "config.yml").write_text(text, encoding="utf-8")


def test_a_name_of_the_users_own_is_found(place: CorpusFolder, home: Path):
    configure(home, "embedders:\n  mine: {by: ollama, model: tiny}\n")
    for choice in ("mine", {"by": "mine"}):
        assert isinstance(embedders.find(place, choice), Ollama)


def test_the_environment_may_define_one_too(place: CorpusFolder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_EMBEDDERS", '{"mine": {"by": "ollama", "model": "tiny"}}')
    monkeypatch.setenv("BIBLICUS_DEVICE", "cpu")
    assert isinstance(embedders.find(place, "mine"), Ollama)
    assert load_settings().device == "cpu"


@pytest.mark.parametrize("name", ["ollama", "openai-compatible", "sentence-transformers", "mine", "os", "../x", ""])
def test_a_recipe_cannot_name_what_the_user_has_not_defined(place: CorpusFolder, name: str):
    with pytest.raises(UnknownModel) as caught:
        embedders.find(place, name)
    assert "known: minilm, minilm-int8, e5, e5-int8, static" in caught.value.message
    assert "config.yml" in caught.value.hint


@pytest.mark.parametrize(
    "choice",
    [
        {"by": "mine", "url": "http://elsewhere"},
        {"by": "minilm", "model": "/etc"},
        {"model": "x"},
        {"by": 3},
    ],
)
def test_a_recipe_gives_a_name_and_nothing_else(place: CorpusFolder, choice: dict[str, object]):
    with pytest.raises(ConfigInvalid, match="nothing else"):
        embedders.find(place, choice)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mine: {by: ollama}", "embedders.mine: model"),
        ("mine: {by: ollama, model: x, ulr: y}", 'did you mean "url"'),
        ("mine: {by: ollama, model: x, url: 'file:///etc'}", "http"),
        ("mine: {model: x}", "embedders.mine.by"),
        ("mine: tiny", "embedders.mine: input should be a mapping"),
        ("Mine: {by: ollama, model: x}", "embedders"),
    ],
)
def test_a_mistake_in_a_definition_says_where(place: CorpusFolder, home: Path, text: str, says: str):
    configure(home, f"embedders:\n  {text}\n")
    with pytest.raises(ConfigInvalid) as caught:
        embedders.find(place, "mine")
    assert says in caught.value.message
    assert "config.yml" in caught.value.message


def test_an_unknown_kind_lists_the_known_ones(place: CorpusFolder, home: Path):
    configure(home, "embedders:\n  mine: {by: olama, model: x}\n")
    with pytest.raises(UnknownName, match="openai-compatible"):
        embedders.find(place, "mine")


def test_a_built_in_name_is_not_redefined(place: CorpusFolder, home: Path):
    configure(home, "embedders:\n  minilm: {by: ollama, model: x}\n")
    with pytest.raises(ConfigInvalid, match="built-in"):
        embedders.find(place, "minilm")


def test_static_is_built_in(place: CorpusFolder):
    pytest.importorskip("wordllama", reason="the extra [static] is not installed")
    assert isinstance(embedders.find(place, "static"), static.Static)


# --- digests ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    return heard(monkeypatch, embedders, "file_digest", lambda path: path)


def test_a_digest_is_computed_once_while_the_file_stays(tmp_path: Path, counted: list[Path]):
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = embedders.remembered_digest(file)
    assert embedders.remembered_digest(file) == first
    assert len(counted) == 1
    file.write_bytes(b"two")
    assert embedders.remembered_digest(file) != first


def test_equal_size_and_time_do_not_hide_a_change(tmp_path: Path):
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = embedders.remembered_digest(file)
    found = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert embedders.remembered_digest(file) != first


@pytest.mark.parametrize("raw", [b"", b"{}", b"0" * 64 + b'\n{"x": 1}'])
def test_a_memory_that_is_not_ours_is_not_believed(tmp_path: Path, home: Path, counted: list[Path], raw: bytes):
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = embedders.remembered_digest(file)
    (home / "state" / "weights.json").write_bytes(raw)
    assert embedders.remembered_digest(file) == first
    assert len(counted) == 2


def test_a_state_folder_that_cannot_be_written_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(file / "under a file"))
    assert len(embedders.remembered_digest(file)) == 64


@pytest.mark.parametrize(("at_once", "sizes"), [(None, [64, 6]), (30, [30, 30, 10])])
def test_an_embedder_says_how_many_texts_it_wants_together(
    place: CorpusFolder, monkeypatch: pytest.MonkeyPatch, at_once: int | None, sizes: list[int]
):
    model = Meaning()
    handed = heard(monkeypatch, model, "embed", lambda texts, call: len(texts))
    monkeypatch.setattr(model, "at_once", at_once, raising=False)
    monkeypatch.setattr("biblicus.runs.embedders.find", lambda place, name: model)
    for number in range(70):
        (place.root / f"note-{number}.md").write_text(f"Boat {number} is at the pier.\n", "utf-8")
    with Corpus.open(place.root) as corpus:
        corpus.reindex("vector")
    assert handed == sizes
