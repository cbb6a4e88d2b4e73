import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.models.question import Question
from biblicus.retrieval.snippet import highlights, snippet

FILLER = "The harbour is old and grey.\n\n"
ANSWER = "A visiting boat may stay three nights in winter, says the harbour master."


def shown(text, question, **languages):
    return [text[start:end] for start, end in highlights(text, Question(question, languages or {"en": 1.0}))]


def test_a_short_text_is_shown_whole_on_one_line():
    assert snippet("Two\n  lines\there.", "lines") == "Two lines here."


def test_the_part_with_most_of_the_questions_words_is_shown():
    line = snippet(FILLER * 20 + ANSWER + FILLER * 20, "How many nights may visitors stay in winters?")
    assert ANSWER in line
    assert line.startswith("…")
    assert line.endswith("…")
    assert "\n" not in line
    assert len(line) <= 300


def test_without_any_of_the_words_the_beginning_is_shown():
    text = "First words. " + FILLER * 20
    assert snippet(text, "zeppelin").startswith("First words.")
    assert snippet(text, "???").startswith("First words.")


def test_words_count_where_they_begin_only():
    text = "unstable " * 60 + "The table is set. " + "unstable " * 60
    assert "The table is set." in snippet(text, "table")


def test_scripts_without_spaces_have_snippets_too():
    assert "黑猫跑" in snippet("今天天气很好。" * 80 + "黑猫跑得很快。" + "今天天气很好。" * 80, "黑猫")


def test_other_forms_of_the_questions_words_are_highlighted():
    assert shown("Tides, a tide; the tidal table.", "the tide") == ["Tides", "tide"]


def test_highlights_ignore_case_and_accents_and_count_code_points():
    assert shown("😀 Café 𝒳 CAFE", "cafe") == ["Café", "CAFE"]


def test_names_from_code_are_highlighted_whole_when_a_part_was_asked():
    assert shown("call getUserName(x)", "user") == ["getUserName"]
    assert shown("call getUserName(x)", "getUserName") == ["getUserName"]


def test_runs_without_spaces_are_highlighted_where_the_words_are():
    assert shown("昨天黑猫跑得很快", "黑猫跑", zh=1.0) == ["黑猫跑"]


@pytest.mark.parametrize(
    ("language", "question", "text", "words"),
    [
        ("hi", "दीपस्तंभ बिल्ली १८४२", "दीपस्तंभ 1842, बिल्लियों का।", ["दीपस्तंभ", "1842", "बिल्लियों"]),
        ("bn", "বিজ্ঞান", "এই বিজ্ঞান।", ["বিজ্ঞান"]),
        ("fa", "دکتر ۱۳۴۲", "دکتر در 1342", ["دکتر", "1342"]),
        ("tr", "istanbul 24", "İSTANBUL 24", ["İSTANBUL", "24"]),
    ],
)
def test_words_that_are_indexed_with_other_letters_are_highlighted_and_shown(language, question, text, words):
    assert shown(text, question, **{language: 1.0}) == words
    others = "… . " * 200
    assert words[0] in snippet(f"{others}{text} {others}", question, {language: 1.0})


def test_each_language_of_the_run_is_tried():
    assert shown("Die Häuser stehen", "Haus", en=0.5, de=0.5) == ["Häuser"]


@given(st.text(), st.text(max_size=40))
def test_any_text_and_question_have_a_snippet_and_exact_highlights(text, question):
    assert "\n" not in snippet(text, question)
    spans = highlights(text, Question(question, {"en": 1.0, "zh": 0.1}))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one.end < other.start for one, other in pairwise(spans))


@pytest.mark.parametrize("text", ["a " * 500_000, "x" * 1_000_000, "猫" * 1_000_000, "aB" * 500_000])
def test_a_megabyte_takes_less_than_a_second(text):
    began = time.thread_time()
    snippet(text, "a x 猫 b" * 100)
    assert time.thread_time() - began < 10
