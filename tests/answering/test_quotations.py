"""Words that are claimed to be quoted are found as they stand there, or not at all."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.answering.quotations import find


def found(text: str, quote: str) -> list[str]:
    return [text[start:end] for start, end in find(text, quote)]


@pytest.mark.parametrize(
    ("text", "quote", "cited"),
    [
        ("The moon pulls tides.", "moon pulls", ["moon pulls"]),
        ("The moon\n  pulls\ttides.", "moon pulls tides", ["moon\n  pulls\ttides"]),
        ("The moon pulls tides.", '"the Moon pulls tides."', ["The moon pulls tides."]),
        ("It’s “low” – very low.", 'it\'s "low" - very', ["It’s “low” – very"]),
        ("The moon, as is known, pulls the tides.", "The moon … pulls the tides", ["The moon", "pulls the tides"]),
        ("The moon, as is known, pulls tides.", "The moon [...] pulls", ["The moon", "pulls"]),
        ("月亮引起潮汐。", "引起潮汐", ["引起潮汐"]),
        ("Die Flut steigt im März.", "FLUT STEIGT IM MÄRZ", ["Flut steigt im März"]),
        ("high\u00adwater mark", "highwater mark", ["high\u00adwater mark"]),
        ("**bold** words", "**bold** words", ["bold** words"]),
        ("İstanbul is İ.", "İstanbul", ["İstanbul"]),
    ],
)
def test_what_stands_there_is_found_exactly(text: str, quote: str, cited: list[str]):
    assert found(text, quote) == cited


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The moon pulls tides.", "moon pushes"),
        ("A party of gulls.", "art of"),
        ("A party of gulls.", "of gull"),
        ("pulls tides, says the moon", "the moon … pulls tides"),
        ("The moon pulls tides.", ""),
        ("The moon pulls tides.", "…"),
        ("The moon pulls tides.", '" "'),
        ("", "moon"),
        ("1914", "191"),
        ("Rates were 12 or 13.", "12 13"),
    ],
)
def test_what_does_not_stand_there_is_not_found(text: str, quote: str):
    assert not find(text, quote)


@given(st.text(max_size=200), st.text(max_size=40))
def test_spans_are_ascending_and_within_the_text(text: str, quote: str):
    spans = find(text, quote)
    ends = [offset for span in spans for offset in span]
    assert ends == sorted(ends)
    assert all(0 <= start < end <= len(text) for start, end in spans)


@given(st.text(min_size=1, max_size=200), st.data())
def test_whole_words_of_a_text_are_always_found(text: str, data: st.DataObject):
    words = text.split()
    if not words:
        return
    low = data.draw(st.integers(0, len(words) - 1))
    high = data.draw(st.integers(low + 1, len(words)))
    quote = " ".join(words[low:high])
    if any(map(str.isalnum, quote)) and "…" not in quote and "..." not in quote:
        spans = find(text, quote)
        assert spans
        letters = [char for char in quote if char.isalnum()]
        cited = [char for char in text[spans[0].start : spans[-1].end] if char.isalnum()]
        assert "".join(cited).lower() == "".join(letters).lower()


def test_hostile_texts_take_linear_time():
    began = time.process_time()
    find("a " * 125_000, "a " * 1000 + "b")
    find("aaaa" * 62_500, "aaaa" * 1000 + " a")
    assert time.process_time() - began < 8
