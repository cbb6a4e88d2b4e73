"""The default chunker by example. Limits are small so that the texts can be read: 20 tokens are 80 characters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.chunking.boundaries import fences, span_around
from biblicus.chunking.paragraphs import Options, build
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Heading, Span
from biblicus.text.counting import estimate
from tests.sampling import examples

THIRTY = "Thirty characters of plain text"  # 31, to be exact


def extraction(text: str, **fields) -> Extraction:
    headings = []
    at = 0
    for line in text.splitlines(keepends=True):
        if line.startswith("#"):
            headings.append(Heading(at, len(line) - len(line.lstrip("#")), line.strip("# \n")))
        at += len(line)
    return Extraction(text, headings=tuple(headings), **fields)


def chunks(text: str, tokens: int = 20, overlap: int = 0, **fields) -> list[str]:
    spans = build(Options(tokens=tokens, overlap=overlap), Given()).chunk(extraction(text, **fields))
    return [text[start:end] for start, end in spans]


def test_a_small_text_is_one_chunk():
    assert chunks("\n  Just this.\n\nAnd that.\n") == ["Just this.\n\nAnd that."]


@pytest.mark.parametrize("text", ["", " \n\t\n ", "\u2028"])
def test_nothing_visible_gives_no_chunk(text):
    assert chunks(text) == []


def test_paragraphs_are_packed_up_to_the_limit():
    text = "\n\n".join([THIRTY] * 5)
    assert chunks(text) == [f"{THIRTY}\n\n{THIRTY}", f"{THIRTY}\n\n{THIRTY}", THIRTY]


def test_blank_lines_may_hold_spaces_and_carriage_returns():
    text = "\r\n \t\r\n".join([THIRTY] * 3)
    assert chunks(text) == [f"{THIRTY}\r\n \t\r\n{THIRTY}", THIRTY]


def test_a_heading_starts_a_chunk_when_a_third_is_full():
    text = f"# One\n\n{THIRTY}\n\n# Two\n\n{THIRTY}"
    assert chunks(text) == [f"# One\n\n{THIRTY}", f"# Two\n\n{THIRTY}"]


def test_a_heading_starts_no_chunk_when_there_is_next_to_nothing_yet():
    text = f"# One\n\nShort.\n\n# Two\n\n{THIRTY}"
    assert chunks(text) == [text]


def test_the_last_few_words_get_no_chunk_of_their_own():
    text = f"# One\n\n{THIRTY}\n\n{THIRTY}\n\n# End"
    assert chunks(text) == [text]
    assert chunks(f"{THIRTY} {THIRTY} ten more.\n\nThe end.") == [f"{THIRTY} {THIRTY} ten more.\n\nThe end."]


def test_no_chunk_ends_with_a_heading():
    text = f"{THIRTY} x.\n\n## Section\n\n{THIRTY} {THIRTY}"
    assert chunks(text) == [f"{THIRTY} x.", f"## Section\n\n{THIRTY} {THIRTY}"]


def test_no_chunk_ends_with_a_heading_that_came_too_early_to_end_it():
    text = f"Short.\n\n## Section\n\n{'x' * 70}"
    assert chunks(text) == ["Short.", f"## Section\n\n{'x' * 70}"]


def test_a_chunk_that_starts_with_a_heading_gets_on():
    section = f"## A longer heading of its section\n\n{'x' * 80}"
    assert chunks(f"{THIRTY}\n\n{section}\n\nEnd.") == [THIRTY, section[:80], "x" * 36 + "\n\nEnd."]


def test_a_crumb_goes_with_a_part_of_a_paragraph_that_is_too_long_anyway():
    assert chunks("Short.\n\n" + "word " * 30)[0] == "Short.\n\n" + ("word " * 14).strip()
    assert chunks("Short.\n\n## S\n\n" + "word " * 30)[0].endswith("word")


def test_a_paragraph_that_fits_is_not_divided_for_a_crumb():
    assert chunks(f"Short.\n\n{'x' * 80}\n\n{THIRTY}") == ["Short.", "x" * 80, THIRTY]


def test_headings_in_a_row_stay_together():
    text = f"{THIRTY}\n\n# Part\n\n## Chapter\n\n{THIRTY}\n\n{THIRTY}"
    assert chunks(text) == [THIRTY, f"# Part\n\n## Chapter\n\n{THIRTY}\n\n{THIRTY}"]


def test_a_heading_stays_with_a_paragraph_that_must_be_divided():
    text = "# Heading\n\n" + "Words and words without an end of a sentence " * 4
    first = chunks(text)[0]
    assert first.startswith("# Heading\n\nWords and words")
    assert len(first) > 60


def test_a_long_paragraph_is_divided_at_sentences():
    one, two, three = "A first sentence of some length here.", "The second sentence is as long.", "A third to end with."
    assert chunks(f"{one} {two} {three}") == [f"{one} {two}", three]


def test_a_long_sentence_is_divided_at_words_and_a_long_word_anywhere():
    assert chunks("word " * 30) == [("word " * 16).strip(), ("word " * 14).strip()]
    assert chunks("x" * 200) == ["x" * 80, "x" * 80, "x" * 40]


def test_rows_of_a_table_and_items_of_a_list_stay_whole():
    for mark in ("|", "- ", "12. "):
        row = f"{mark}some cell. Another cell. x"
        spans = chunks("\n".join([row] * 9))
        assert len(spans) > 3
        assert all(line == row for chunk in spans for line in chunk.split("\n"))


def test_a_code_fence_that_fits_stays_whole():
    fence = "```py\nfirst = 1\n\nsecond = 2\n\nthird = first + second\nfourth = 4\n```"
    assert chunks(f"{THIRTY}\n\n{fence}\n\n{THIRTY}") == [THIRTY, fence, THIRTY]


def test_a_row_that_fits_stays_whole_after_a_short_one():
    row = "| " + "A cell. Another. " * 4 + "|"
    assert chunks(f"|a|\n{row} xxxxxxx\n{row}") == ["|a|", f"{row} xxxxxxx", row]


def test_a_code_fence_inside_a_long_paragraph_stays_whole():
    fence = "```\ncall. Next. More\n```"
    assert chunks(f"Words that come first\n{fence}\n{'x' * 90}")[0] == f"Words that come first\n{fence}"


def test_no_part_of_a_code_fence_is_repeated():
    fence = "```\naaaa\n\nbbbb\n\ncccc\n```"
    last = "x" * 70
    assert chunks(f"Intro text is here.\n\n{fence}\n\n{last}", overlap=5) == [f"Intro text is here.\n\n{fence}", last]


def test_a_code_fence_that_is_too_long_is_divided_at_lines():
    fence = "```py\n" + "call(argument). Next. x\n" * 12 + "```"
    assert all(line in fence.split("\n") for chunk in chunks(fence) for line in chunk.split("\n"))


def test_marks_that_are_never_closed_fence_nothing():
    text = "```\n" + "\n\n".join([THIRTY] * 3)
    assert chunks(text) == [f"```\n{THIRTY}\n\n{THIRTY}", THIRTY]


def test_overlap_repeats_paragraphs_else_sentences_else_words():
    first, second, third, fourth = (f"Twenty characters {n}" for n in range(4))
    assert chunks("\n\n".join([first, second, third, fourth]), tokens=12, overlap=6) == [
        f"{first}\n\n{second}",
        f"{second}\n\n{third}",
        f"{third}\n\n{fourth}",
    ]
    sentences = "A sentence of words one. A sentence of words two. A sentence of words three. And a last one of them."
    assert chunks(sentences, tokens=14, overlap=7)[1].startswith("A sentence of words two.")
    assert chunks("word " * 30, tokens=10, overlap=3)[1].startswith("word word word")


def test_nothing_is_repeated_across_a_heading():
    text = f"# One\n\n{THIRTY}\n\n# Two\n\n{THIRTY}"
    assert chunks(text, overlap=10) == chunks(text)


def test_ideographs_count_as_a_token_each():
    sentence = "港には船が三隻ある。"
    assert chunks(sentence * 5) == [sentence * 2, sentence * 2, sentence]


def test_pages_part_chunks_unless_asked_otherwise():
    pages = (0, 10)
    assert chunks("Page one. Page two.", pages=pages) == ["Page one.", "Page two."]
    both = build(Options(tokens=20, cross_pages=True), Given()).chunk(extraction("Page one. Page two.", pages=pages))
    assert list(both) == [Span(0, 19)]


def test_front_matter_is_left_out():
    text = "---\ntitle: T\n---\n# T\n\nText."
    assert chunks(text, masked=(Span(0, 17),)) == ["# T\n\nText."]


BLOCKS = st.lists(
    st.sampled_from(
        [
            *(
                "# A\n",
                "## B\n",
                "\n",
                "Word.\n\n",
                "word word ",
                "\n\n",
                "x" * 90 + " ",
                "- item. Item\n",
                "| a. B |\n",
            ),
            *("A plain sentence. " * 6, THIRTY + "\n\n", "```\ncode\n\nmore. Code\n```\n"),
            "~~~\n" + "line of code\n\n" * 5 + "~~~\n",
        ]
    ),
    max_size=25,
).map("".join)


@settings(deadline=None, max_examples=examples(400))
@given(BLOCKS, st.integers(20, 60), st.booleans())
def test_a_heading_is_never_the_last_of_a_chunk_but_at_the_end(text, tokens, overlaps):
    spans = chunks(text, tokens=tokens, overlap=tokens // 4 if overlaps else 0)
    for chunk in spans[:-1]:
        assert not chunk.rpartition("\n")[2].startswith("#") or set(chunk) <= set("#AB \n")


@settings(deadline=None, max_examples=examples(400))
@given(BLOCKS.map(lambda text: text.replace("#", "")), st.integers(20, 60))
def test_no_fence_that_fits_is_divided(text, tokens):
    whole = fences(text)
    for span in build(Options(tokens=tokens), Given()).chunk(Extraction(text)):
        fence = span_around(whole, span.end)
        assert fence is None or estimate(text[fence.start : fence.end]) > tokens
