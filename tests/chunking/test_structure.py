from hypothesis import given
from hypothesis import strategies as st

from biblicus.chunking.structure import fences, is_bare_heading, starts_row


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in fences(text)]


def test_a_fence_reaches_from_its_opening_to_its_closing_line():
    assert found("a\n```py\ncode\n```\nb\n~~~\nmore\n~~~") == ["```py\ncode\n```", "~~~\nmore\n~~~"]


def test_a_fence_is_closed_by_as_many_marks_of_its_kind_alone_on_a_line():
    for inner in ("```", "````py", "~~~~\n~~~~", "text ````"):
        text = f"````\n{inner}\n````"
        assert found(text) == [text]


def test_a_fence_may_be_indented_or_quoted():
    assert found("- a\n\n    ```\n    code\n    ```\n") == ["    ```\n    code\n    ```"]
    assert found("> ```\n> code\n> ```") == ["> ```\n> code\n> ```"]


def test_marks_inside_a_line_or_never_closed_are_no_fence():
    assert found("```not``` a fence\n```\ncode\n```") == ["```\ncode\n```"]
    assert found("see ``` here\n```\nnever closed") == []


def test_a_heading_is_bare_while_nothing_follows_it():
    assert is_bare_heading("# Title\n\n", 0, 9)
    assert is_bare_heading("Title\n=====\n", 0, 12)
    assert is_bare_heading("=====\nTitle\n=====\n\n", 0, 19)
    assert not is_bare_heading("# Title\n\nText", 0, 13)
    assert not is_bare_heading("x" * 500, 0, 500)


def test_rows_and_items_are_told_by_their_start():
    text = "| cell\n- item\n  * item\n12. item\n2024 was\n-5 is\n1.5 is"
    starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
    assert [starts_row(text, start) for start in starts] == [True, True, True, True, False, False, False]


@given(st.text(st.sampled_from("ab#=- \n\r"), max_size=16))
def test_a_bare_heading_is_one_line_of_words_beside_lines_of_marks(text: str):
    lines = [line for line in text.strip().split("\n") if line.strip("=-# \r")]
    assert is_bare_heading(text, 0, len(text)) == (len(lines) <= 1)
