"""A persona's file is a stranger's data: where it may point, and what it cannot do."""

import os
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.answers import persona_files as personas
from biblicus.answers.personas import template
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.founding import create
from biblicus.errors import PersonaError, PersonaNotFound, UsageError
from biblicus.models.answers.persona import Persona


@pytest.fixture
def place(tmp_path: Path) -> CorpusFolder:
    folder = tmp_path / "home" / "team"  # what a test puts above the corpus stays in its own folder
    folder.mkdir(parents=True)
    return create(folder / "corpus", None)


def pointing(said: str) -> Persona:
    return Persona(id="keeper", name="Keeper", manual_corpus=said)


def write(place: CorpusFolder, text: str, name: str = "keeper") -> None:
    place.personas.mkdir(exist_ok=True)
    (place.personas / f"{name}.yml").write_text(text, "utf-8")


@pytest.mark.parametrize("said", ["manual", "a/b/../manual", "../manual", "./../manual"])
def test_a_manual_lies_in_the_corpus_or_beside_it(place: CorpusFolder, said: str):
    assert personas.manual_folder(place, pointing(said)) == Path(os.path.normpath(place.root / said))


@pytest.mark.parametrize(
    "said",
    [
        "/etc", "//etc", "~/manual", "~", "../../manual", "../beside/manual", "..", "../..", ".", "a/..", "C:/x",
        "a\\b", "file:///etc", "https://example.org/x", "corpus://", "corpus://Name", "corpus://a/b", "CORPUS://a",
        "../../../../../../../../etc", "x\0y",
    ],
)  # fmt: skip
def test_anywhere_else_is_refused(place: CorpusFolder, said: str):
    with pytest.raises(PersonaError):
        personas.manual_folder(place, pointing(said))


def test_within_a_work_tree_whatever_was_committed_with_it(place: CorpusFolder):
    (place.root.parent / ".git").mkdir()
    assert personas.manual_folder(place, pointing("../beside/manual")) == place.root.parent / "beside" / "manual"
    with pytest.raises(PersonaError):
        personas.manual_folder(place, pointing("../../manual"))


def test_a_home_that_is_a_work_tree_is_no_repository_of_the_corpus(
    place: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    home = place.root.parents[1]
    (home / ".git").mkdir()
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(PersonaError):
        personas.manual_folder(place, pointing("../../private"))


def test_a_link_is_not_followed(place: CorpusFolder, tmp_path: Path):
    (tmp_path / "secret").mkdir()
    (place.root / "manual").symlink_to(tmp_path / "secret")
    with pytest.raises(PersonaError, match="symbolic link"):
        personas.manual_folder(place, pointing("manual"))


def test_a_corpus_behind_a_link_of_the_users_own_has_its_manual(place: CorpusFolder, tmp_path: Path):
    (tmp_path / "short").symlink_to(place.root)
    assert personas.manual_folder(CorpusFolder(tmp_path / "short"), pointing("manual")) == place.root / "manual"


def test_a_name_is_the_users(place: CorpusFolder):
    assert personas.manual_folder(place, pointing("corpus://manuals")) is None


@pytest.mark.parametrize(
    "text",
    [
        "", "- a", "id: captain\nname: Captain", "id: keeper", "id: keeper\nname: [a]", "id: keeper\nname: x\nllm: y",
        "id: keeper\nname: !!x y",
        "id: keeper\nname: x\nllm: {by: ollama, url: http://127.0.0.1}", "id: keeper\nname: x\nrecipe: ../x.yml",
        "id: keeper\nname: x\nlimits: {queries: 99}", "id: keeper\nname: x\nbudget: {items: -1}", "a: &a [*a]",
        "id: keeper\nname: " + "x" * 70_000, "id: keeper\nname: x\nfocus: {entities: " + "[" * 30 + "]" * 30 + "}",
    ],
)  # fmt: skip
def test_a_file_that_is_no_persona_is_one_clean_error(place: CorpusFolder, text: str):
    write(place, text)
    with pytest.raises(PersonaError) as found:
        personas.read(place, "keeper")
    assert found.value.hint == "biblicus personas check keeper"
    assert "\n" not in found.value.message


def test_a_pipe_a_link_and_a_folder_are_no_personas(place: CorpusFolder, tmp_path: Path):
    place.personas.mkdir()
    os.mkfifo(place.personas / "pipe.yml")
    (tmp_path / "outside.yml").write_text("id: link\nname: Link\n", "utf-8")
    (place.personas / "link.yml").symlink_to(tmp_path / "outside.yml")
    (place.personas / "folder.yml").mkdir()
    for name in personas.ids(place):
        with pytest.raises(PersonaError):
            personas.read(place, name)
    assert personas.ids(place) == ["folder", "link", "pipe"]


def test_a_folder_of_personas_that_is_a_link_is_refused(place: CorpusFolder, tmp_path: Path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "keeper.yml").write_text("id: keeper\nname: K\n", "utf-8")
    place.personas.symlink_to(tmp_path / "outside")
    with pytest.raises(PersonaError):
        personas.read(place, "keeper")


@pytest.mark.parametrize("name", ["../keeper", "a/b", "Keeper", "", "x" * 41, ".hidden"])
def test_a_name_is_no_path(place: CorpusFolder, name: str):
    write(place, "id: keeper\nname: K\n")
    with pytest.raises(PersonaNotFound):
        personas.read(place, name)
    with Corpus.open(place.root) as corpus, pytest.raises(UsageError):
        corpus.new_persona(name)


@pytest.mark.parametrize("title", ["Keeper", "no", "2025", "a: b", "# x", "Чайка ' \"", "- a", "鐘"])
def test_a_template_holds_whatever_it_is_called(title: str):
    assert personas.parsed(template("keeper", title), "keeper").name == title


def test_what_the_template_offers_is_accepted():
    lines = [line.removeprefix("# ") for line in template("keeper", "K").splitlines()]
    keys = (
        "manual_corpus:",
        "recipe:",
        "focus:",
        "  entities:",
        "  relations:",
        "style:",
        "system:",
        "budget:",
        "limits:",
    )
    offered = [line for line in lines if line.startswith(keys)]
    assert len(offered) == len(keys)
    found = personas.parsed("id: keeper\nname: K\n" + "\n".join(offered), "keeper")
    assert (found.manual_corpus, found.limits.requests, found.focus.relations) == ("manual", 6, ("owns", "moored at"))
