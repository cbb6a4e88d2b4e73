"""What is told in a section is quoted from where it begins, in order; which section that is, its heading says."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

from biblicus.answering.reader.answerer import Options, build
from biblicus.contracts import Call, Given
from biblicus.errors import EmbedderUnavailable
from biblicus.models.answers.answer import Drafted
from biblicus.models.evidence import Likeness
from tests.answering.test_quote import TEXTS, drafted, piece, result
from tests.sampling import examples

ALIKE = "## Splicing\n\nUnlay the strands. Then tuck them."
ELSEWHERE = "## Prices\n\nTwo ropes are joined by the chandler for money."


def told_by_meaning(cosine: float, languages: frozenset[str] | None = None) -> Drafted:
    """What is told of two pages, the second of which has the words, and the first a heading so like the question."""
    likeness = Likeness(lambda texts: [cosine if text == "Splicing" else 0.1 for text in texts], languages)
    asked = replace(result(piece(ALIKE), piece(ELSEWHERE, 2)), likeness=likeness)
    return build(Options(max_words=60), Given()).answer("join two ropes", asked, Call())


@pytest.mark.parametrize(("cosine", "languages"), [(0.4, None), (0.8, frozenset({"de"}))])
def test_a_heading_that_is_less_like_it_or_in_a_language_that_the_model_does_not_know_tells_nothing(cosine, languages):
    assert "Unlay" not in "".join(statement.text for statement in told_by_meaning(cosine, languages).statements)


def test_words_decide_where_the_model_of_a_heading_cannot_be_asked():
    def of(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("remote", "it does not answer", "biblicus doctor")

    asked = replace(result(piece(ALIKE), piece(ELSEWHERE, 2)), likeness=Likeness(of))
    (statement,) = build(Options(max_words=60), Given()).answer("join two ropes", asked, Call()).statements
    assert statement.text == "Two ropes are joined by the chandler for money."


@settings(max_examples=examples(100), deadline=None)
@given(TEXTS)
def test_what_is_told_stands_in_the_text_and_keeps_to_the_words(text):
    answer = drafted("How do I light the lamp?", piece(f"# Lighting the lamp\n\n{text}"), max_words=20)
    assert sum(len(statement.text.split()) for statement in answer.statements) <= 20
    for statement in answer.statements:
        assert all(citation.text.strip() == citation.text != "" for citation in statement.citations)
