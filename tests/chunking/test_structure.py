import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.chunking.boundaries import fences, in_words, is_bare_heading, starts_row
from biblicus.models.extraction import Span


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


def spans(*lengths: int) -> list[Span]:
    ends = [sum(lengths[: at + 1]) for at in range(len(lengths))]
    return [Span(end - length, end) for end, length in zip(ends, lengths, strict=True)]


def base64_of(lines: int, width: int = 76) -> str:
    coded = base64.b64encode(random.Random(1).randbytes(lines * width)).decode()
    return "".join(coded[at : at + width] + "\n" for at in range(0, lines * width, width))


@pytest.mark.parametrize("width", [76, 1_200])
def test_a_chunk_of_bytes_in_letters_is_left_out(width: int):
    coded = base64_of(1_200 // width + 1, width)
    text = f"The file is below.\n{coded}Best, Bo\n"
    head, bytes_, end = spans(19, len(coded), 9)
    assert list(in_words(text, [head, bytes_, end])) == [head, end]


def test_where_there_is_nothing_else_the_first_one_stays():
    coded = base64_of(40)
    first, second = spans(len(coded) // 2, len(coded) // 2)
    assert list(in_words(coded, [first, second])) == [first]


@pytest.mark.parametrize(
    "text",
    [
        base64_of(5),  # as long as a key
        "".join(f"ssh-rsa {line.strip()} ada@mole\n" for line in base64_of(20).split("\n") if line),
        "ACGTTGCAAC" * 100,
        "".join(f"{number:064x}\n" for number in range(20)),
        "".join(f"https://harbour.example/Boats/2024/mooring-{number}.html\n" for number in range(30)),
        "灯台は港の入口に立つ。" * 60,
        "getTheHarbourMasterOfTheOldMole17_\n" * 30,
        "".join(f"/Usr2/lib/Harbour{number}/Mole17/boats/Anchor_{number}/readme\n" for number in range(30)),
    ],
    ids=["a key", "keys with names", "letters alone", "sums", "addresses", "Japanese", "names", "paths"],
)
def test_what_says_something_stays(text: str):
    (all_of_it,) = spans(len(text))
    assert next(in_words(f"{text}The end.", [all_of_it, Span(len(text), len(text) + 8)])) == all_of_it


def test_columns_of_numbers_are_counted_and_left_out_behind_the_first():
    rows = "\n".join(f"{n * 0.37:.5f},{n},{-n}e-3,{n % 7}" for n in range(60)) + "\n"
    words = "depth,time,drift,day\n"
    prices = "\n".join(f"{n} boats,{n * 1.8:.2f} euros" for n in range(60)) + "\n"
    text = words + rows + rows + prices
    first = Span(0, len(words + rows))
    second = Span(first.end, first.end + len(rows))
    third = Span(second.end, len(text))
    numbers: list[Span] = []
    assert list(in_words(text, [first, second, third], numbers)) == [first, third]
    assert numbers == [second]
    assert list(in_words(rows, [Span(0, len(rows))], [])) == [Span(0, len(rows))]


def test_a_head_in_words_leaves_a_long_column_of_numbers_one():
    rows = "".join(f"{n},{n * 0.37:.5f}\n" for n in range(2_000))
    head = "the depth of the harbour as the pilot read it, in metres\n" * 4
    first, second = Span(0, len(rows)), Span(len(rows), len(rows + head + rows))
    numbers: list[Span] = []
    assert list(in_words(rows + head + rows, [first, second], numbers)) == [first]
    assert numbers == [second]
