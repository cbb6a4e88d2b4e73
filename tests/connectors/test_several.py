"""What a person is told of evidence of several corpora."""

from __future__ import annotations

from pathlib import Path

import pytest

from biblicus.connectors.cli import several
from biblicus.connectors.cli.front.commands import Given
from biblicus.connectors.cli.query import ASK
from biblicus.service.corpora import Corpora


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["corpus://ab", "corpus://a"], {"a": "-C corpus://a", "ab": "-C corpus://ab"}),
        (["ab=http://127.0.0.1:9#x", "a=corpus://ab"], {"a": "-C corpus://ab", "ab": "--at 'http://127.0.0.1:9#x'"}),
    ],
)
def test_each_corpus_is_told_by_its_own_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], options: dict[str, str]
) -> None:
    monkeypatch.setenv("BIBLICUS_PLACES", '{"a": "http://127.0.0.1:9#a", "ab": "http://127.0.0.1:9#b"}')
    given = Given(ASK, {"query": "tide", "also": words})
    corpora = Corpora.open(words)
    assert {name: several._option(name, corpora, given) for name in corpora.names()} == options
    corpora.close()
