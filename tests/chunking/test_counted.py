"""Chunks of sentences, of lines, and the whole, by example."""

from itertools import pairwise

from biblicus.chunking import lines, sentences, whole
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span


def texts(chunker, text: str, **fields) -> list[str]:
    return [text[start:end] for start, end in chunker.chunk(Extraction(text, **fields))]


def numbered(count: int) -> list[str]:
    return [f"Sentence number {n} is here." for n in range(1, count + 1)]


def test_sentences_are_grouped_with_overlap():
    chunker = sentences.build(sentences.Options(sentences=3, overlap=1), Given())
    one = numbered(7)
    assert texts(chunker, " ".join(one)) == [" ".join(one[0:3]), " ".join(one[2:5]), " ".join(one[4:7])]


def test_windows_inside_paragraphs_repeat_one_sentence_and_never_cross_a_blank_line():
    chunker = sentences.build(sentences.Options(sentences=3, overlap=1, paragraphs=True), Given())
    one = numbered(7)
    text = "\n\n".join([" ".join(one[:5]), one[5], one[6]])
    assert texts(chunker, text) == [" ".join(one[0:3]), " ".join(one[2:5]), one[5], one[6]]


def test_the_last_chunk_never_only_repeats():
    chunker = sentences.build(sentences.Options(sentences=3, overlap=2), Given())
    assert len(texts(chunker, " ".join(numbered(4)))) == 2


def test_a_crumb_joins_the_last_sentences():
    chunker = sentences.build(sentences.Options(sentences=3, overlap=0), Given())
    text = " ".join([*numbered(3), "End."])
    assert texts(chunker, text) == [text]


def test_lines_are_grouped_with_overlap():
    chunker = lines.build(lines.Options(lines=4, overlap=1), Given())
    text = "\n".join("abcdefghij")
    assert texts(chunker, text) == ["a\nb\nc\nd", "d\ne\nf\ng", "g\nh\ni\nj"]


def test_a_tenth_of_the_lines_joins_the_last_chunk():
    chunker = lines.build(lines.Options(lines=10, overlap=0), Given())
    assert [chunk.count("\n") + 1 for chunk in texts(chunker, "x\n" * 21)] == [10, 11]
    assert [chunk.count("\n") + 1 for chunk in texts(chunker, "x\n" * 22)] == [10, 10, 2]


def test_only_a_line_feed_ends_a_line_of_code():
    chunker = lines.build(lines.Options(lines=1, overlap=0), Given())
    assert texts(chunker, "a\rb\u2028c\nd") == ["a\rb\u2028c", "d"]


def test_blank_lines_count_but_give_no_chunk():
    chunker = lines.build(lines.Options(lines=2, overlap=1), Given())
    assert texts(chunker, "a\n\n\n\n\nb\n") == ["a", "b"]


def test_a_line_of_minified_script_is_divided():
    chunker = lines.build(lines.Options(lines=3, overlap=1), Given())
    text = "head\n" + "f(x);" * 10_000 + "\ntail\nmore\n" + "g(x);" * 3_000
    spans = list(chunker.chunk(Extraction(text)))
    assert max(span.end - span.start for span in spans) <= lines.LONGEST
    assert all(not text[before.end : after.start].strip() for before, after in pairwise(spans))
    assert spans[-1].end == len(text)


def test_what_follows_a_divided_line_is_not_lost():
    chunker = lines.build(lines.Options(lines=3, overlap=1), Given())
    text = "\n".join(["a;" * 300, "b;" * 300, "c;" * 5_990, "after", "last", "x", "y"])
    spans = list(chunker.chunk(Extraction(text)))
    assert [text[start:end] for start, end in spans][-2:] == ["after\nlast", "last\nx\ny"]


def test_the_whole_is_one_chunk_of_each_page():
    chunker = whole.build(whole.Options(), Given())
    assert texts(chunker, " All of it.\n\nReally. \n") == ["All of it.\n\nReally."]
    assert texts(chunker, "Page one. Page two.", pages=(0, 10)) == ["Page one.", "Page two."]
    across = whole.build(whole.Options(cross_pages=True), Given())
    assert texts(across, "Page one. Page two.", pages=(0, 10)) == ["Page one. Page two."]


def test_what_is_masked_parts_a_text():
    chunker = whole.build(whole.Options(), Given())
    assert texts(chunker, "keep SECRET keep", masked=(Span(5, 11),)) == ["keep", "keep"]
