"""The reader: units with exact spans, features in bounds, one scorer, and doubt."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from biblicus import Corpus
from biblicus.answering.reader import answerer, classes, features, scorer, statements, units
from biblicus.contracts import Call, Given
from biblicus.errors import Unavailable
from biblicus.models.answers.answer import Drafted
from biblicus.models.evidence import Judged, Result
from tests.folders import write

TEXTS = {
    "boats.md": "# Boats\n\nVisitors are welcome.\n\n## Fees\n\nA visiting boat pays 12 pounds a night. Members pay "
    "nothing.\n\n## Mooring\n\n1. Call the harbour.\n2. Lay out fenders.\n3. Make fast.\n",
    "lamp.txt": "The lamp of the harbour was lit in 1842. It burns oil, and the keeper trims its wick at dusk.",
    "mole.txt": "The north mole is 84 metres long.",
    "old.txt": "The north mole is 96 metres long, and ends in a beacon.",
    "hafen.txt": "Der Leuchtturm wurde 1842 gebaut. Die Gebühren zahlt der Hafenmeister.",
    "dengta.txt": "灯塔建于一八四二年。潮汐每天涨落两次。港口的船长住在山上。",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("reader") / "harbour"
    with Corpus.init(folder) as made:
        write(folder, TEXTS)
        made.reindex()
        yield made


QUESTIONS = (
    "What does a visiting boat pay a night?",
    "When was the lamp lit?",
    "Wann wurde der Leuchtturm gebaut?",
    "灯塔是哪一年建的？",
    "How do I make fast?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_units_are_exact_spans_with_features_in_bounds(corpus: Corpus, question: str) -> None:
    result = corpus.query(question)
    candidates = units.read(result.texts)
    rows = features.table(features.asked(question, result), candidates, result.texts)
    assert len(rows) == len(candidates) > 0
    for candidate, row in zip(candidates, rows, strict=True):
        text = candidate.piece.text[candidate.unit.start : candidate.unit.end]
        assert text
        assert not text[0].isspace()
        assert len(row) == len(features.NAMES)
        values = dict(zip(features.NAMES, row, strict=True))
        assert all(-1 <= value <= 1.000001 for name, value in values.items() if name not in ("words", "clause"))
        assert sum(values[name] for name in ("idf", "before", "after", "named", "around")) <= 3


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_citation_is_the_text_of_its_piece(corpus: Corpus, question: str) -> None:
    answer = corpus.answer(question)
    assert answer.statements
    for statement in answer.statements:
        for citation in statement.citations:
            piece = citation.as_evidence()
            assert TEXTS[piece.path][piece.span_start : piece.span_end] == piece.text


def test_the_order_of_equal_questions_changes_nothing(corpus: Corpus) -> None:
    before = [corpus.answer(question).answer for question in QUESTIONS]
    shuffled = random.Random(1).sample(QUESTIONS, len(QUESTIONS))
    after = {question: corpus.answer(question).answer for question in shuffled}
    assert before == [after[question] for question in QUESTIONS]


def test_probabilities_of_shapes_sum_to_one_and_tell_a_time_from_a_name() -> None:
    for question in (*QUESTIONS, "", "a" * 10_000):
        assert sum(classes.probabilities(question).values()) == pytest.approx(1)
    when, who = classes.probabilities("In what year was it built?"), classes.probabilities("Who was the first mayor?")
    assert when["time"] > who["time"]
    assert who["name"] > when["name"]


def test_steps_are_quoted_in_order_from_the_first(corpus: Corpus) -> None:
    answer = corpus.answer("How do I make fast after I lay out fenders?")
    assert "Call the harbour." in answer.answer
    assert answer.answer.index("Call the harbour.") < answer.answer.index("Make fast.")


def test_places_that_differ_are_both_quoted_and_named(corpus: Corpus) -> None:
    answer = corpus.answer("How long is the north mole?")
    assert "84 metres" in answer.answer
    assert "96 metres" in answer.answer
    assert "differ in numbers" in answer.reasoning_summary


def test_what_nothing_answers_shows_the_nearest_as_such(corpus: Corpus) -> None:
    answer = corpus.answer("Which bishop bought oil for the organ of the cathedral in Rome?")
    assert answer.insufficient
    assert answer.confidence < answerer.ANSWERS
    assert answer.answer.startswith("Nothing answers this; nearest is:")
    assert answer.statements[0].citations


def test_what_shares_no_word_is_empty(corpus: Corpus) -> None:
    assert corpus.answer("Who won the chess tournament?").answer == ""


@pytest.mark.parametrize("most", [5, 8, 20, 60])
def test_no_more_words_are_quoted_than_asked(corpus: Corpus, most: int) -> None:
    for question in QUESTIONS:
        assert (
            len(corpus.answer(question, max_words=most).answer.replace("Nothing answers this; nearest is:", "").split())
            <= most
        )


def _answer(result: Result, question: str) -> Drafted:
    return answerer.build(answerer.Options(), Given()).answer(question, result, Call())


def test_a_judge_reads_at_most_so_many_units_and_decides(corpus: Corpus) -> None:
    seen: list[Sequence[tuple[str, str]]] = []

    def prefers_oil(texts: Sequence[tuple[str, str]]) -> Sequence[float]:
        seen.append(texts)
        return [40.0 if "oil" in text else -40.0 for _, text in texts]

    result = replace(corpus.query("When was the lamp of the harbour lit?"), judged=Judged(prefers_oil))
    assert "oil" in _answer(result, result.query).statements[0].text
    assert 0 < len(seen[0]) <= scorer.JUDGED
    assert any(breadcrumb for breadcrumb, _ in seen[0])


def test_a_judge_without_time_leaves_the_words(corpus: Corpus) -> None:
    def is_late(texts: Sequence[tuple[str, str]]) -> Sequence[float]:
        raise Unavailable("late")

    result = corpus.query("When was the lamp of the harbour lit?")
    assert _answer(replace(result, judged=Judged(is_late)), result.query) == _answer(result, result.query)


def test_confidence_rises_with_the_signs_of_the_fit() -> None:
    signs = [0.0] * len(scorer.SIGNS)
    low = scorer.confidence(signs, "words")[0]
    for name in ("share", "idf", "covered", "pairs", "passage", "terms"):
        signs[scorer.SIGNS.index(name)] = 1.0
    assert scorer.confidence(signs, "words")[0] > low


def test_units_are_chosen_while_they_are_near_and_fit() -> None:
    assert statements.chosen([1.0, 0.9, -5.0], [10, 10, 10], 60) == [0, 1]
    assert statements.chosen([1.0, 0.9], [40, 40], 60) == [0]
    assert statements.chosen([1.0, 0.9], [90, 40], 60) == [1]
    assert statements.chosen([], [], 60) == []
    assert statements.without_repeats([0, 1, 2], ["The lamp.", "the lamp", "A mole."]) == [0, 2]
