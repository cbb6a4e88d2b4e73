"""What every chunker promises, for any text, pages, masks and headings."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from biblicus.chunking import cells, definitions, lines, paragraphs, sentences, whole, windows
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Heading, Span
from biblicus.text.counting import estimate
from biblicus.text.sentences import sentences as split
from tests.sampling import crossed, each, examples

PIECES = [
    "word", "Word. ", " ", "\n", "\n\n", "\r\n\r\n", "\n \t\n", "# Head\n", "Title\n=====\n", "```py\n", "~~~\n",
    "```\ncode = 1\n\nmore\n```\n", "| a | b |\n", "- item\n", "1. one\n", "A sentence of words, nothing else. ",
    "漢字。", "日本", "😀", "👩\u200d👧", "e\u0301", "\u2028", "\xa0", "\x00", "\u200b", "\ud83d", "x" * 50, " " * 50,
    "lorem ipsum dolor " * 8,
]  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.text(st.characters(exclude_categories=[]), max_size=80),
)


@st.composite
def extractions(draw):
    text = draw(TEXTS)
    offsets = st.integers(0, len(text))
    pages = [0, *sorted(draw(st.lists(offsets, max_size=4)))] if draw(st.booleans()) else []
    borders = sorted(draw(st.lists(offsets, max_size=4, unique=True)))
    masks = [Span(a, b) for a, b in zip(borders[::2], borders[1::2], strict=False)]
    starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n" and at + 1 < len(text))]
    heads = sorted(draw(st.sets(st.sampled_from(starts), max_size=6))) if text else []
    headings = tuple(Heading(at, 1, text[at:].split("\n")[0].strip("# ")) for at in heads)
    return Extraction(text, tuple(pages), headings, tuple(masks))


@st.composite
def token_options(draw, module):
    tokens = draw(st.integers(8, 40))
    return module.Options(tokens=tokens, overlap=draw(st.integers(0, tokens // 2)), cross_pages=draw(st.booleans()))


@st.composite
def counted_options(draw, module, name):
    size = draw(st.integers(1, 6))
    return module.Options(**{name: size}, overlap=draw(st.integers(0, size - 1)), cross_pages=draw(st.booleans()))


def by(module):
    return lambda options: module.build(options, Given())


CHUNKERS = st.one_of(
    token_options(paragraphs).map(by(paragraphs)),
    token_options(windows).map(by(windows)),
    counted_options(sentences, "sentences").map(by(sentences)),
    counted_options(sentences, "sentences").map(lambda options: by(sentences)(replace(options, paragraphs=True))),
    counted_options(lines, "lines").map(by(lines)),
    counted_options(lines, "lines").map(by(definitions)),
    token_options(paragraphs).map(by(cells)),
    st.builds(whole.Options, cross_pages=st.booleans()).map(by(whole)),
)
check = settings(deadline=None, max_examples=examples(100))


@check
@given(CHUNKERS, extractions())
def test_spans_are_exact_visible_at_both_ends_and_ascending(chunker, extraction):
    text, before = extraction.text, Span(-1, -1)
    for span in chunker.chunk(extraction):
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        assert span.start > before.start
        assert span.end > before.end
        before = span


@check
@given(CHUNKERS, extractions())
def test_all_that_is_visible_outside_masks_is_covered_and_no_mask_is_touched(chunker, extraction):
    covered = [False] * len(extraction.text)
    for start, end in chunker.chunk(extraction):
        covered[start:end] = [True] * (end - start)
    masked = {at for start, end in extraction.masked for at in range(start, end)}
    for at, char in enumerate(extraction.text):
        assert covered[at] <= (at not in masked)
        assert covered[at] or at in masked or char.isspace()


@check
@given(CHUNKERS, extractions())
def test_no_span_crosses_the_start_of_a_page_unless_asked(chunker, extraction):
    if not chunker.options.cross_pages:
        for start, end in chunker.chunk(extraction):
            assert not any(start < page < end for page in extraction.pages)


@check
@given(CHUNKERS, extractions())
def test_the_same_extraction_gives_the_same_spans(chunker, extraction):
    assert list(chunker.chunk(extraction)) == list(chunker.chunk(extraction))


@check
@given(st.sampled_from([paragraphs, windows]).flatmap(lambda m: token_options(m).map(by(m))), extractions())
def test_tokens_and_overlap_keep_their_limits(chunker, extraction):
    tokens, overlap = chunker.options.tokens, chunker.options.overlap
    before = None
    for span in chunker.chunk(extraction):
        assert estimate(extraction.text[span.start : span.end]) <= tokens + tokens // 10
        if before and before.end > span.start:
            assert estimate(extraction.text[span.start : before.end]) <= overlap
        before = span


@check
@given(counted_options(sentences, "sentences").map(by(sentences)), extractions())
def test_sentences_keep_their_limit(chunker, extraction):
    text = extraction.text
    spans = list(chunker.chunk(extraction))
    for span in spans[:-1]:
        count = len(list(split(text, *span)))
        assert count <= chunker.options.sentences or span.end - span.start < 200  # a crumb joined


@check
@given(counted_options(lines, "lines").map(by(lines)), extractions())
def test_lines_keep_their_limit(chunker, extraction):
    for start, end in chunker.chunk(extraction):
        assert extraction.text.count("\n", start, end) < chunker.options.lines + chunker.options.lines // 10


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        (paragraphs, {"tokens": 7}, "greater than or equal to 8"),
        (paragraphs, {"tokens": 100, "overlap": 51}, r"overlap \(51\) must be at most half of tokens \(100\)"),
        (windows, {"tokens": 100, "overlap": 51}, r"overlap \(51\) must be at most half of tokens \(100\)"),
        (sentences, {"sentences": 2, "overlap": 2}, r"overlap \(2\) must be less than sentences \(2\)"),
        (lines, {"lines": 10, "overlap": 10}, r"overlap \(10\) must be less than lines \(10\)"),
        (lines, {"lines": 0}, "greater than or equal to 1"),
        (whole, {"tokens": 100}, "Unexpected keyword argument"),
        (windows, {"overlap": -1}, "greater than or equal to 0"),
    ],
)
def test_options_out_of_bounds_are_refused_with_a_reason(module, options, message):
    with pytest.raises(ValidationError, match=message):
        module.Options.model_validate(options)


@pytest.mark.parametrize("module", [paragraphs, windows, sentences, lines, whole])
def test_a_fingerprint_names_the_chunker_and_its_version(module):
    assert module.build(module.Options(), Given()).fingerprint == f"{module.__name__.rpartition('.')[2]}/1"


UNITS = ("x", " ", "\n", "\n ", ". ", "```\n", "```x", "漢", "\u0301", "# \n", "| ", "- a\n", "> ```\n")


@each(("unit", "module"), crossed(UNITS, [paragraphs, windows, sentences, lines, whole], each=2))
def test_a_hostile_text_takes_less_than_a_second(module, unit):
    extraction = Extraction("a" + unit * (2**18 // len(unit)) + "z")
    chunker = module.build(module.Options(), Given())
    began = time.thread_time()
    for _ in chunker.chunk(extraction):
        pass
    assert time.thread_time() - began < 8


@pytest.mark.parametrize("unit", ["# a\n", "#\n\n", "# a\n\ntext.\n\n"])
def test_a_hostile_text_of_headings_takes_less_than_two_seconds(unit):
    count = 2**18 // len(unit)
    extraction = Extraction(unit * count, headings=tuple(Heading(n * len(unit), 1, "a") for n in range(count)))
    began = time.thread_time()
    assert sum(1 for _ in paragraphs.build(paragraphs.Options(), Given()).chunk(extraction)) > 100
    assert time.thread_time() - began < 8


@pytest.mark.parametrize("module", [paragraphs, windows, sentences, lines])
def test_a_line_of_a_mebibyte_is_no_single_chunk(module):
    chunker = module.build(module.Options(), Given())
    longest = max(end - start for start, end in chunker.chunk(Extraction("{'a':1}," * 2**17)))
    assert longest <= 12_000
