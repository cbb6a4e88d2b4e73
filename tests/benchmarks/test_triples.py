"""Sentences of answers are known by their words, and every triple names a sentence, a path and a question."""

import pytest

from benchmarks import triples
from benchmarks.workbench import data_folder
from biblicus.answering.reader.reading.readable import readable


def test_a_sentence_is_known_whatever_marks_are_around_its_words():
    assert triples.stands("A *mooring* is a [fixed place](a.md).", "So: a mooring is a fixed place, always.")
    assert not triples.stands("A mooring is a fixed place.", "A mooring is a place.")


def test_every_triple_is_of_a_known_folder_and_asks_in_other_words():
    every = [triple for folder in ("cpp-docs", "mixed", "networkx", "peps") for triple in triples.triples(folder)]
    assert len(every) == len(triples.TRIPLES.read_text("utf-8").splitlines()) - 1 >= 300
    assert all(triples.letters(triple.question) not in triples.letters(triple.sentence) for triple in every)
    assert len({triple.question for triple in every}) == len(every)


def test_the_sentences_stand_in_the_plain_files():
    folder = data_folder() / "mixed"
    if not folder.exists():
        pytest.skip("the shared documents are not here")
    plain = [triple for triple in triples.triples("mixed") if triple.path.endswith((".md", ".tex"))]
    texts = {triple.path: readable((folder / triple.path).read_text("utf-8")) for triple in plain}
    assert plain
    assert [triple.sentence for triple in plain if not triples.stands(triple.sentence, texts[triple.path])] == []
