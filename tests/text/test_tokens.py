import time

from hypothesis import given
from hypothesis import strategies as st

from biblicus.text.counting import estimate, reach, reach_back

TEXTS = st.text(st.one_of(st.sampled_from("ab \n漢かア한😀é—ж"), st.characters(exclude_categories=[])), max_size=80)


def test_four_latin_or_cyrillic_letters_are_a_token():
    assert [estimate("a" * n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert estimate("жжжжжжжж") == 2


def test_an_ideograph_a_kana_a_hangul_syllable_and_an_emoji_are_a_token_each():
    assert estimate("漢字かなアハ한국😀") == 9
    assert estimate("，。") == 2


def test_typographic_marks_do_not_make_english_dear():
    assert estimate("“It’s — fine…”") == estimate("'It's - fine..'")


def test_characters_are_wide_from_the_ideographic_space_on():
    assert estimate("\u3000" * 8) == 8
    assert estimate("\u2fff" * 8) == 2


def test_lone_surrogates_are_counted_not_refused():
    assert estimate("\ud800\udfff") == 2


@given(TEXTS, st.integers(0, 30), st.data())
def test_reach_is_the_furthest_offset_that_the_tokens_pay_for(text, tokens, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    offset = reach(text, start, end, tokens)
    assert start <= offset <= end
    assert estimate(text[start:offset]) <= tokens
    assert offset == end or estimate(text[start : offset + 1]) > tokens


@given(TEXTS, st.integers(0, 30), st.data())
def test_reach_back_is_the_nearest_offset_that_the_tokens_pay_for(text, tokens, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    offset = reach_back(text, start, end, tokens)
    assert start <= offset <= end
    assert estimate(text[offset:end]) <= tokens
    assert offset == start or estimate(text[offset - 1 : end]) > tokens


def test_an_estimate_of_ascii_does_not_depend_on_length():
    text = "x" * 50_000_000
    began = time.thread_time()
    for _ in range(1000):
        estimate(text)
    assert time.thread_time() - began < 5
