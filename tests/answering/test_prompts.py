"""Prompts: shipped ones that hold what they need, and a user's own in their place."""

from pathlib import Path

import pytest

from biblicus.answering.prompts import PromptManager, names, parse, shipped
from biblicus.errors import ConfigInvalid

MINE = "version: 7\n\n## system\nBe brief. $marker costs $$5.\n## user\n$evidence\n$question\n"


def own(folder: Path, text: str, name: str = "answer") -> PromptManager:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_bytes(text.encode())
    return PromptManager(folder)


@pytest.mark.parametrize("name", names())
def test_a_shipped_prompt_holds_what_it_needs(name: str, tmp_path: Path):
    prompt = PromptManager(tmp_path).get(name)
    assert prompt.needs <= prompt.placeholders
    assert not prompt.own
    filled = prompt.fill(**{key: f"<{key}>" for key in prompt.placeholders})
    assert all(f"<{key}>" in "\n".join(filled) for key in prompt.placeholders)
    assert "$" not in "".join(filled)


def test_a_users_prompt_stands_in_its_place_and_has_its_own_mark(tmp_path: Path):
    mine = own(tmp_path, MINE).get("answer")
    assert mine.own
    assert mine.mark.startswith("answer/7:")
    assert mine.mark != shipped("answer").mark
    assert mine.fill(marker="m", evidence="e", question="q") == ("Be brief. m costs $5.", "e\nq")


def test_the_mark_changes_with_every_word(tmp_path: Path):
    one = own(tmp_path, MINE).get("answer").mark
    assert own(tmp_path, MINE.replace("brief", "short")).get("answer").mark != one
    assert own(tmp_path, MINE).get("answer").mark == one


def test_values_are_not_read_as_templates(tmp_path: Path):
    prompt = own(tmp_path, MINE).get("answer")
    assert "$question $$ ${marker}" in prompt.fill(marker="m", evidence="$question $$ ${marker}", question="q")[1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Just be nice.", "expected `version"),
        (MINE.replace("$question", ""), r"\$question does not stand in it"),
        (MINE.replace("brief", "$brief"), r"nothing is known for \$brief"),
        (MINE.replace("$$5", "$5"), "a \\$ stands before no name"),
        ("version: 1\n" + "x" * 70_000, "larger than"),
    ],
)
def test_a_prompt_that_is_none_is_named_with_its_fault(tmp_path: Path, text: str, problem: str):
    with pytest.raises(ConfigInvalid, match=problem) as caught:
        own(tmp_path, text).get("answer")
    assert str(tmp_path / "answer.md") in caught.value.hint


def test_a_prompt_that_is_no_text_is_named(tmp_path: Path):
    (tmp_path / "answer.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigInvalid):
        PromptManager(tmp_path).get("answer")


def test_windows_line_ends_change_nothing():
    assert parse("answer", MINE.replace("\n", "\r\n")) == parse("answer", MINE)


def test_prompts_of_a_corpus_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    own(tmp_path / "prompts", MINE)
    monkeypatch.chdir(tmp_path)
    assert not PromptManager().get("answer").own


@pytest.mark.parametrize("name", ["../answer", "nothing", "answer.md", ""])
def test_only_shipped_names_are_prompts(name: str):
    with pytest.raises(KeyError):
        shipped(name)
