import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.errors import OutOfBounds
from biblicus.text.counting import LineIndex

TEXTS = st.lists(
    st.sampled_from(["\n", "\r\n", "\r", "a", "é", "漢" * 900, "\u2028", "\x0b", "line\n" * 500]), max_size=12
).map("".join)


def lines_of(text: str) -> list[str]:
    """The definition, spelled out: pieces that end with a line feed, and the rest."""
    return [piece + "\n" for piece in text.split("\n")[:-1]] + [piece for piece in [text.split("\n")[-1]] if piece]


def test_only_a_line_feed_ends_a_line():
    index = LineIndex("a\rb\u2028c\x0bd\ne")
    assert index.count == 2
    assert index.line_of(7) == 1
    assert index.line_of(8) == 2


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)])
def test_the_last_line_needs_no_line_feed(text, count):
    assert LineIndex(text).count == count


def test_a_span_ends_on_the_line_of_its_last_code_point():
    index = LineIndex("one\ntwo\nthree\n")
    assert index.line_range(0, 4) == (1, 1)
    assert index.line_range(0, 5) == (1, 2)
    assert index.line_range(4, 14) == (2, 3)


def test_a_span_of_many_lines_is_counted_as_well():
    index = LineIndex("line\n" * 10_000)
    assert index.line_range(3, 5 * 9_000) == (1, 9_000)
    assert index.line_range(3, 5 * 9_000 + 1) == (1, 9_001)


def test_lines_that_are_not_there_are_out_of_bounds():
    index = LineIndex("one\ntwo\n")
    for first, last in [(0, 1), (1, 3), (2, 1), (3, 3)]:
        with pytest.raises(OutOfBounds, match="2 lines"):
            index.span_of(first, last)


@given(TEXTS, st.data())
def test_offsets_and_lines_agree_with_a_plain_split(text, data):
    index, lines = LineIndex(text), lines_of(text)
    assert index.count == len(lines)
    if not lines:
        return
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    start, end = index.span_of(first, last)
    assert text[start:end] == "".join(lines[first - 1 : last])
    assert index.line_range(start, end) == (first, last)
    assert index.line_of(start) == first


@given(TEXTS)
def test_the_range_of_all_lines_is_the_text(text):
    index = LineIndex(text)
    assert not text or index.span_of(1, index.count) == (0, len(text))


def test_a_line_is_found_in_ten_megabytes_without_reading_them():
    index = LineIndex("x" * 99 + "\n" + ("y" * 99 + "\n") * 100_000)
    began = time.thread_time()
    for line in range(1, 100_000, 100):
        assert index.line_range(*index.span_of(line, line)) == (line, line)
    assert time.thread_time() - began < 5
