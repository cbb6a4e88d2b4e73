"""A text that came without a title is called by its first line, which is an answer all the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus

MEMOS = (
    "The bilge pump is primed every Sunday by Jon",
    "The flag is raised at seven by Eva.\nThen coffee.",
    "The gate  is locked at nine by Ole.\n\nNobody else has a key.",
    "船的旗帜每天早上七点升起。\n然后喝咖啡。",
    "The winch\n\nIt is greased in May.",
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder: Path = tmp_path_factory.mktemp("memos")
    with Corpus.init(folder) as corpus:
        for memo in MEMOS:
            corpus.ingest(text=memo)
        corpus.reindex()
        yield corpus


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("When is the bilge pump primed?", "The bilge pump is primed every Sunday by Jon"),
        ("When is the flag raised?", "The flag is raised at seven by Eva."),
        ("Who locks the gate?", "The gate is locked at nine by Ole."),
        ("When is the gate locked?", "The gate is locked at nine by Ole."),
        ("船的旗帜什么时候升起？", "船的旗帜每天早上七点升起。"),
        ("When is the winch greased?", "It is greased in May."),
    ],
)
def test_the_sentence_that_a_memo_is_called_by_answers(corpus: Corpus, question: str, quoted: str) -> None:
    answer = corpus.answer(question)
    assert answer.statements
    assert answer.statements[0].text.startswith(quoted)
