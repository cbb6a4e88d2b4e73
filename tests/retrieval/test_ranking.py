"""Scores to six digits, and how much of a question a text holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.models.question import Question
from biblicus.retrieval import ranking
from biblicus.retrieval.ranking import rounded, support
from biblicus.retrieval.words.wording import Languages, understood

ENGLISH = Languages(("english",))
SCORES = st.one_of(
    st.floats(-2_000, 2_000),
    st.floats(0, 120, width=32),
    st.integers(100_000, 2_000_000).map(lambda digits: (digits + 0.5) / 10_000),  # halfway between two
    st.integers(100_000, 2_000_000).map(lambda digits: (digits + 0.5) / 100_000),
)


@given(SCORES)
def test_a_score_is_rounded_as_it_is_written_with_six_digits(score: float):
    assert rounded(score) == float(f"{score:.6g}")


@pytest.mark.parametrize("score", [9.999995, 9.9999949, 99.99995, 99.999949, 0.0, 1.0, 10.0, 100.0, 12.03125, -3.25])
def test_at_the_edges_too(score: float):
    assert rounded(score) == float(f"{score:.6g}")


_PIECES = (
    "tide", "tides", "gauge", "gauges", "Gauge", "readGauge", "read-gauge", "tide_gauge", "gauge2", "2gauge",
    ".NETgauge", "netgauge", "C++", "C++11", "ebb", "ebbs", "gaug\N{LATIN SMALL LETTER E WITH ACUTE}", "rebuilt",
    "harbour",
)  # fmt: skip


def held(text: str, question: str) -> float:
    wording = understood(Question(question, {"en": 1.0}), ENGLISH)
    return support(wording, ENGLISH.stemmers, [text], lambda term: 1.0 + len(term))


def held_by_its_terms(text: str, question: str) -> float:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_holds_all", lambda text, words: False)
        return held(text, question)


@pytest.mark.parametrize(
    ("text", "question"), [("gauge2 2gauge", "gauge"), (".NETgauge", "netgauge"), ("tide_gauge", "gauge")]
)
def test_words_are_held_whole(text: str, question: str):
    assert held(text, question) == held_by_its_terms(text, question)


@given(
    st.lists(st.sampled_from((*_PIECES, "the", "\n", "...", "(gauge)")), min_size=1, max_size=6).map(" ".join),
    st.lists(st.sampled_from(_PIECES), min_size=1, max_size=3).map(" ".join),
)
def test_what_a_text_holds_is_the_same_without_a_look_at_how_it_is_spelled(text: str, question: str):
    assert held(text, question) == held_by_its_terms(text, question)


def test_a_text_that_says_the_question_in_its_own_words_is_not_analysed(monkeypatch: pytest.MonkeyPatch):
    wording = understood(Question("How is a tide gauge read?", {"en": 1.0}), ENGLISH)
    monkeypatch.setattr("biblicus.text.terms.analysis.indexed", None)
    assert support(wording, ENGLISH.stemmers, ["Tide: the gauge is read daily."], lambda term: 1.0) == 1.0
