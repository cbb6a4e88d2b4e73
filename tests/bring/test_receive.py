"""What one document over a wire becomes: which words identify it, and what is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import CheckFailed, UnfitInput
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.service.verbs import RECEIVE


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.init(tmp_path / "harbour") as made:
        yield made


def receive(corpus: Corpus, text: str, **said: Any):
    return corpus._asker.ask(RECEIVE, ReceiveRequest(text=text, index=False, **said), Call())


@pytest.mark.parametrize("word", ["note", "cli", "web", "my notes", "C:/x y"])
def test_a_word_that_is_no_uri_identifies_nothing(corpus: Corpus, word: str):
    first, second = receive(corpus, "The moon.", source=word), receive(corpus, "The sun.", source=word)
    assert (first.outcome, second.outcome) == ("added", "added")
    assert first.item_id != second.item_id
    assert [item.metadata["source"] for item in corpus.list()] == [word, word]


@pytest.mark.parametrize("uri", ["https://example.org/a", "urn:isbn:1", "file:a.txt", "memo:1"])
def test_a_uri_makes_it_the_same_document_again(corpus: Corpus, uri: str):
    first, second = receive(corpus, "The moon.", source=uri), receive(corpus, "The sun.", source=uri)
    assert (first.outcome, second.outcome) == ("added", "changed")
    assert first.item_id == second.item_id


@pytest.mark.parametrize("name", ["report.md.biblicus.yml", "REPORT.MD.BIBLICUS.YML", ".biblicusignore", ".gitignore"])
def test_a_name_of_our_own_files_is_refused_and_leaves_nothing(corpus: Corpus, name: str):
    with pytest.raises(UnfitInput, match="its own files"):
        receive(corpus, "id: taken", filename=name)
    assert not (corpus.path / "imports").exists()
    receive(corpus, "# Report", filename="report.md")
    assert [item.item_id for item in corpus.list()] != ["taken"]


def test_what_ignore_rules_leave_out_leaves_nothing(corpus: Corpus):
    (corpus.path / ".biblicusignore").write_text("*.log\n")
    with pytest.raises(CheckFailed, match=r"ignored by \.biblicusignore"):
        receive(corpus, "noise", filename="noise.log")
    assert not list((corpus.path / "imports").glob("*"))
