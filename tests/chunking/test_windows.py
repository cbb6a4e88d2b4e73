from itertools import pairwise

from biblicus.chunking.windows import Options, build
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction
from biblicus.text.counting import estimate

SENTENCE = "The harbour master counts every boat at dusk. "
PARAGRAPHS = "\n\n".join([SENTENCE.strip()] * 60)


def chunks(text: str, tokens: int = 100, overlap: int = 20) -> list[str]:
    return [text[a:b] for a, b in build(Options(tokens=tokens, overlap=overlap), Given()).chunk(Extraction(text))]


def test_windows_are_nearly_full_and_overlap():
    found = chunks(PARAGRAPHS)
    assert all(75 <= estimate(chunk) <= 100 for chunk in found[:-1])
    assert all(chunk.startswith("The") and chunk.endswith("dusk.") for chunk in found)
    spans = list(build(Options(tokens=100, overlap=20), Given()).chunk(Extraction(PARAGRAPHS)))
    repeated = [estimate(PARAGRAPHS[later.start : earlier.end]) for earlier, later in pairwise(spans)]
    assert all(8 <= tokens <= 20 for tokens in repeated)


def test_windows_move_to_paragraphs_before_sentences():
    paragraph = SENTENCE + SENTENCE + "A third sentence is the last."
    assert all(chunk.endswith("the last.") for chunk in chunks("\n\n".join([paragraph] * 20), tokens=200))
    assert all(chunk.endswith("the last.") for chunk in chunks("\r\n\r\n".join([paragraph] * 20), tokens=200))


def test_without_overlap_nothing_is_repeated():
    assert "\n\n".join(chunks(PARAGRAPHS, overlap=0)) == PARAGRAPHS


def test_windows_move_to_sentences_else_words():
    assert all(chunk.endswith("dusk.") for chunk in chunks(SENTENCE * 60))
    assert all(chunk.startswith("word") and chunk.endswith("word") for chunk in chunks("word " * 500))


def test_text_without_spaces_is_windowed_too():
    found = chunks("x" * 1000)
    assert [len(chunk) for chunk in found[:-1]] == [400] * (len(found) - 1)


def test_a_rest_of_a_tenth_joins_the_last_window():
    assert len(chunks("x" * 440)) == 1
    assert len(chunks("x" * 444)) == 2


def test_the_common_setting_is_the_default():
    assert (Options().tokens, Options().overlap) == (1000, 200)
