"""What `quote` promises of any text: exact spans, within the words, and nothing where nothing fits."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.answering.reader.answerer import Options, build
from biblicus.answering.reader.reading.units import units, words
from biblicus.answers.answer import answer_from
from biblicus.contracts import Call, Given
from biblicus.errors import EmbedderUnavailable
from biblicus.models.evidence import Evidence, Likeness, Rarity, Result
from biblicus.models.plain import encoded
from biblicus.models.requests.answer import AnswerRequest
from biblicus.text.terms import analysis
from tests.sampling import examples

TEXTS = st.text(
    st.one_of(
        st.sampled_from(list("abc lamp. harbour, was lit; in 1842\n\n# - | 灯塔。建于，年 Гавань ü-")),
        st.characters(codec="utf-8"),
    ),
    max_size=1_500,
)


def piece(text: str, rank: int = 1, **more: Any) -> Evidence:
    made = Evidence(
        rank=rank, score=10.0 / rank, corpus_id="c", item_id=f"i{rank}", chunk_id=f"i{rank}:0", path=f"{rank}.txt",
        source_uri=f"{rank}.txt", media_type="text/plain", text=text, snippet="", stage="retrieve", stage_scores={},
        recipe_id="r", run_id="run", hash="", item_sha256="", extraction_id="x", span_start=100,
        span_end=100 + len(text),        line_start=7, line_end=7 + text.count("\n"), language="en",
    )  # fmt: skip
    return replace(made, **more)


def result(*pieces: Evidence, insufficient: bool = False) -> Result:
    return Result("q", "c", "run", "r", "v", None, "now", pieces, insufficient, {}, {})


def drafted(question: str, *pieces: Evidence, max_words: int = 60):
    return build(Options(max_words=max_words), Given()).answer(question, result(*pieces), Call())


@settings(max_examples=examples(200), deadline=None)
@given(TEXTS, st.integers(1, 50))
def test_units_cover_every_visible_character_once_and_are_short(text, longest):
    found = list(units(text, longest))
    covered = "".join(text[unit.start : unit.end] for unit in found)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(unit.words == words(unit.reads) for unit in found)
    assert all(unit.words <= longest for unit in found if unit.says)
    assert all(text[unit.start : unit.end].strip() == text[unit.start : unit.end] for unit in found)


def test_two_hundred_words_of_one_sentence_are_cut_where_clauses_end():
    filler = ", ".join(f"and thing {number} lay upon the quay beside the others" for number in range(20))
    text = f"It is told that {filler}, while the keeper hid the golden key under the seventh stone, {filler}."
    found = drafted("Where did the keeper hide the golden key?", piece(text))
    assert words(found.statements[0].text) <= 60
    assert "hid the golden key under the seventh stone" in found.statements[0].text
    assert found.statements[0].text[-1] in ",."


def test_an_answer_is_json_for_anyone():
    made = build(Options(max_words=60), Given())
    evidence = result(piece("The lamp was lit in 1842."))
    answer = answer_from(evidence, made, AnswerRequest("When was the lamp lit?"), Call())
    shown = json.loads(json.dumps(answer.as_object()))
    assert shown == json.loads(encoded(answer))
    assert shown["statements"][0]["citations"][0]["text"] == "The lamp was lit in 1842."


def as_meant(*pieces: Evidence, question: str, meant: str, languages: frozenset[str] | None = None, **more: Any) -> str:
    """The best statement, where one text means what the question does; what is asked of the model is counted."""
    compared: list[str] = more.pop("compared", [])

    def of(texts: Sequence[str]) -> list[float]:
        compared.extend(texts)
        return [0.9 if text.startswith(meant) else 0.1 for text in texts]

    evidence = replace(result(*pieces), likeness=Likeness(more.pop("of", of), languages))
    return build(Options(max_words=12), Given()).answer(question, evidence, Call()).statements[0].text


KEEPERS = "The keeper of the light sleeps by day. The keeper of the light rows ashore on Fridays."
ROWS = "The keeper of the light rows ashore on Fridays."


def test_of_sentences_that_words_put_close_together_the_one_that_means_the_question_is_quoted():
    question = "Does the keeper of the light leave the island at low tide?"
    first = drafted(question, piece(KEEPERS), max_words=12).statements[0].text
    assert first == "The keeper of the light sleeps by day."
    assert as_meant(piece(KEEPERS), question=question, meant=ROWS) == ROWS
    assert as_meant(piece(KEEPERS), question=question, meant=ROWS, languages=frozenset({"en"})) == ROWS


def test_words_decide_where_the_model_cannot_be_asked():
    def of(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("remote", "it does not answer", "biblicus doctor")

    question = "Does the keeper of the light leave the island at low tide?"
    assert as_meant(piece(KEEPERS), question=question, meant=ROWS, of=of) == "The keeper of the light sleeps by day."


def test_capitals_alone_on_a_line_name_what_follows():
    says = {unit.reads: unit.says for unit in units("WORK\n\nPilot, since 2019\n\nHOBBIES\n\nRowing, choir\n")}
    assert says == {"WORK": False, "Pilot, since 2019": True, "HOBBIES": False, "Rowing, choir": True}


def test_items_of_a_list_stand_alone():
    text = "The crew:\n- Ada keeps the engine\n- Grace keeps the log\n- Mary keeps the cook awake"
    assert (
        drafted("Who keeps the log of the crew?", piece(text), max_words=6).statements[0].text == "Grace keeps the log"
    )


def test_a_quotation_knows_its_own_line():
    text = "One.\n\nTwo about whales.\n\nThe lamp was lit in 1842."
    (citation,) = drafted("When was the lamp lit?", piece(text)).statements[0].citations
    assert (citation.as_evidence().line_start, citation.as_evidence().line_end) == (11, 11)


def test_a_question_of_many_spaces_is_read_to_its_end():
    (statement,) = drafted(
        f"What is a{' ' * 300_000}winch drum?", piece("A winch drum is a part of a winch.")
    ).statements
    assert statement.text == "A winch drum is a part of a winch."


def test_a_model_that_went_away_leaves_confidence_to_the_words():
    def away(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("mine", "it does not answer")

    evidence = result(piece("The keeper rang the bell of the chapel in a fog."))
    alone = replace(evidence, likeness=Likeness(away))
    answerer = build(Options(max_words=60), Given())
    question = "Who rang the bell in the storm?"
    assert answerer.answer(question, alone, Call()).confidence == answerer.answer(question, evidence, Call()).confidence


def test_the_rarest_word_of_a_question_that_only_other_texts_hold_is_doubt():
    evidence = result(piece("The keeper rang the bell of the chapel in a fog."))

    def sure(question: str, storm: float) -> float:
        weights = {"keeper": 4.0, "rang": 2.0, "bell": 2.0, "chapel": 2.0, "fog": 6.0 - storm, "storm": storm}
        known = replace(evidence, rarity=Rarity(weights, 7.0))
        return build(Options(max_words=60), Given()).answer(question, known, Call()).confidence

    asked = "Which keeper rang the chapel bell in a storm?"
    long = f"{asked[:-1]}, and what else is told of that day, of the harbour, and of all those who were there then?"
    assert sure(asked, 4.0) - sure(asked, 6.0) > sure(long, 4.0) - sure(long, 6.0)


@pytest.mark.parametrize("question", ["?" * 5_000, "'\"" * 5_000, "When should I use " + "x" * 90_000])
def test_a_question_of_marks_or_as_long_as_a_page_is_read_at_once(question):
    assert not drafted(question, piece("The rope is dry.")).statements


@pytest.mark.parametrize("question", ["{} Who dries the rope?", "Who dries the rope? {}"])
def test_a_question_before_or_behind_a_long_text_is_answered(question):
    said = "We met at the quay, and the weather was fine for once. " * 60
    assert drafted(question.format(said), piece("Ada dries the rope.")).statements


@pytest.mark.parametrize(
    ("question", "telling"),
    [
        ("데비안이란 무엇인가?", "데비안"),
        ("설치 로그는 어디에 저장됩니까?", "설치 로그는 저장"),
        ("배는 무엇이 다릅니까", "배 다릅니까"),
    ],
)
def test_endings_that_only_ask_are_dropped_in_korean(question: str, telling: str):
    assert analysis.without_endings(question).strip("? ").split() == telling.split()
