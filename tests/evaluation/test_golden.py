"""Golden questions from the command line: exit codes, JUnit, and files that are none."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.folders import corpus_of
from tests.front_door import biblicus

GOOD = "{question: Where is the rope?, expect: {document: rope.txt, contains: 'rope  LIES', within: 1}}"
BAD = "{question: Where is <the> rope?, expect: {url: 'https://*#L1', within: 1}}"
NONE = "{question: Who sold submarines?, expect: insufficient evidence}"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return corpus_of(tmp_path, {"rope.txt": "The rope\nlies on deck."})


def written(corpus: Path, *questions: str) -> str:
    file = corpus.parent / f"{corpus.name}-golden.yml"
    file.write_text("golden:\n" + "".join(f"- {question}\n" for question in questions), "utf-8")
    return str(file)


def test_failures_leave_with_4_and_say_why(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = corpus.parent / f"{corpus.name}.xml"
    file = written(corpus, GOOD, NONE, BAD)
    assert biblicus(["eval", file, "--golden", "--report", str(report), "-C", str(corpus)]) == 4
    said = capsys.readouterr().out
    assert "2 of 3 golden questions hold." in said
    assert "expected: url https://*#L1, within the first 1" in said
    suite = ET.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    (failure,) = suite.iter("failure")
    assert "found: rope.txt:1" in (failure.text or "")


def test_all_that_hold_leave_with_0(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert biblicus(["eval", written(corpus, GOOD, NONE), "--golden", "--json", "-C", str(corpus)]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True


@pytest.mark.parametrize(
    "question",
    [
        "{question: x}",
        "{question: x, expect: {}}",
        "{question: x, expect: {documnt: y}}",
        "{question: x, expect: maybe}",
        "&a [*a]",
    ],
)
def test_what_is_no_golden_file_is_refused(corpus: Path, question: str) -> None:
    with Corpus.open(corpus) as opened, pytest.raises(BiblicusError) as caught:
        opened.check_golden(written(corpus, question))
    assert caught.value.exit_code == 5
    assert "value error" not in caught.value.message.lower()
    assert "function" not in caught.value.message


def test_without_a_file_the_error_names_it(corpus: Path) -> None:
    with Corpus.open(corpus) as opened, pytest.raises(BiblicusError, match=r"golden\.yml"):
        opened.check_golden()


def test_without_a_dataset_there_is_nothing_to_measure(corpus: Path) -> None:
    assert biblicus(["eval", "-C", str(corpus)]) == 2


def test_where_there_are_none_it_says_how_to_write_them(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / ".biblicus" / "datasets" / "golden.yml").unlink(missing_ok=True)
    assert biblicus(["eval", "--golden", "-C", str(corpus)]) == 3
    said = capsys.readouterr().err
    assert "There are no golden questions in .biblicus/datasets/golden.yml." in said
    assert "golden: [{question: …" in said


@pytest.mark.parametrize("option", [["--procedure", "answer"], ["--fail-if", "holds < 1"], ["--answers"], ["-k", "5"]])
def test_what_golden_questions_do_not_use_is_refused(
    corpus: Path, capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    assert biblicus(["eval", written(corpus, GOOD), "--golden", *option, "-C", str(corpus)]) == 2
    assert f"Golden questions take no {option[0]}" in capsys.readouterr().err
