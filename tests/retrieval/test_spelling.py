"""Which slips a misspelt word may be, and which of several words is meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.models.question import Question
from biblicus.retrieval.words.reading import _slips, meant
from biblicus.retrieval.words.wording import Languages

ENGLISH = Languages(("english",))


class Words:
    """A run whose chunks hold one word each."""

    def __init__(self, counts):
        self.counts = counts
        self.words = list(counts)

    def chunks_with(self, term):
        return self.counts.get(term, 0)

    def chunks_with_each(self, terms):
        return [self.chunks_with(term) for term in terms]

    def one_with(self, term):
        return self.words.index(term)


def read(question, **counts):
    words = Words(counts)
    mended = meant(Question(question), ENGLISH, words, words.words.__getitem__)
    return {word: meant.word for word, meant in mended.items()}


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("recieve", "receiv"),
        ("habour", "harbour"),
        ("harrbour", "harbour"),
        ("harbuor", "harbour"),
        ("harbowr", None),  # a consonant for a vowel may be another word
        ("arbour", None),  # the first letters must be right
        ("tidee", None),
        ("tdes", None),  # too short
        ("contezt", None),
        ("chenodeosycholic", "chenodeoxychol"),
    ],
)
def test_a_slip_is_mended_and_another_word_is_not(written, held):
    counts = {"harbour": 3, "receiv": 2, "context": 5, "tid": 4, "chenodeoxychol": 1}
    spelled = {"receiv": "receive", "chenodeoxychol": "chenodeoxycholic"}
    words = Words(counts)
    mended = meant(Question(written), ENGLISH, words, lambda row: spelled.get(words.words[row], words.words[row]))
    assert {word: meant.word for word, meant in mended.items()} == ({written: spelled.get(held, held)} if held else {})


def test_of_words_as_likely_the_most_frequent_is_meant():
    assert read("farmor", farmer=2, farmar=9) == {"farmor": "farmar"}


def test_the_likelier_slip_is_meant_however_rare_its_word():
    assert read("farmmer", farmer=1, farmmar=9) == {"farmmer": "farmer"}


def test_what_is_there_is_not_looked_at():
    assert read("harbor", harbor=1, harbour=50) == {}


@given(st.text("abcdeéж", min_size=5, max_size=14))
def test_slips_keep_the_beginning_and_differ_by_one(word):
    for _, spellings in _slips(word):
        for other in spellings:
            assert other[:2] == word[:2]
            assert abs(len(other) - len(word)) <= 1
