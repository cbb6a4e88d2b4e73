"""The answerer `llm`: whatever the model says, a citation is the evidence's own words, or there is none."""

import hashlib
import json
import threading
import time
from types import SimpleNamespace

import pytest

from biblicus.answering.llm import LLMAnswerer, Options, build
from biblicus.answering.prompts import PromptManager
from biblicus.contracts import Call, Given, LLMResult
from biblicus.errors import Cancelled, DeadlineExceeded, LLMError, NoLLM
from biblicus.llm.dependable import DependableLLMClient
from biblicus.models.answers.answer import Drafted
from biblicus.models.evidence import Result
from tests.answering.language_models import Saying, careless, in_turn, reply, shown, statement
from tests.answering.packs import cut, result
from tests.sampling import each

MOON = "The moon pulls the tides. It circles the earth in 27 days."
LAMP = "The lamp was lit in 1842.\nIt burns oil."


def found(*texts: str) -> Result:
    documents = list(texts) or [MOON, LAMP]
    return result(cut(documents, [(at, 0, len(text)) for at, text in enumerate(documents)]), "What pulls the tides?")


def answered(model: Saying, evidence: Result | None = None, **options: object) -> Drafted:
    made = LLMAnswerer(Options(**options), model, PromptManager())  # type: ignore[arg-type]
    drafted = made.answer("What pulls the tides?", evidence or found(), Call())
    verified(drafted, evidence or found())
    return drafted


def verified(drafted: Drafted, evidence: Result) -> int:
    """Every citation is words of the evidence, at its place, with its hash; how many there are."""
    texts = {piece.item_id: piece.text for piece in evidence.evidence}
    citations = [citation for one in drafted.statements for citation in one.citations]
    assert all(one.citations for one in drafted.statements)
    for citation in citations:
        piece = citation.as_evidence()
        assert citation.text
        assert texts[piece.item_id][piece.span_start : piece.span_end] == piece.text == citation.text
        assert piece.hash == hashlib.sha256(piece.text.encode()).hexdigest()
    return len(citations)


# --- what holds ---


def test_a_statement_cites_the_exact_words_it_quotes():
    drafted = answered(in_turn(reply(statement("The tides follow the moon.", (1, "the MOON pulls\n the tides")))))
    (one,) = drafted.statements
    assert one.text == "The tides follow the moon."
    assert [citation.text for citation in one.citations] == ["The moon pulls the tides"]
    assert not drafted.insufficient
    assert drafted.left_out == ()
    assert drafted.usage is not None
    assert drafted.usage["requests"] == 1
    assert drafted.model == "test-model"
    assert str(drafted.prompt).startswith("answer/1:")


@pytest.mark.parametrize("made", [SimpleNamespace, LLMResult])
def test_a_client_of_ones_own_gives_a_text_and_nothing_else(made: type):
    class Own:
        name = "own"

        async def generate(self, user_prompt: str, **_: object) -> object:
            return made(text=json.dumps(reply(statement("The moon does.", (1, "moon pulls the tides")))))

    for client in (Own(), DependableLLMClient(Own(), 1, 0)):  # type: ignore[arg-type]
        drafted = LLMAnswerer(Options(), client, PromptManager()).answer("What pulls the tides?", found(), Call())  # type: ignore[arg-type]
        assert verified(drafted, found()) == 1


def test_without_quoted_words_the_sentence_that_says_it_is_cited():
    drafted = answered(in_turn(reply(statement("The moon needs 27 days to circle the earth.", (1, "")))))
    assert drafted.statements[0].citations[0].text == "It circles the earth in 27 days."


def test_words_on_both_sides_of_an_ellipsis_are_cited_apart():
    drafted = answered(in_turn(reply(statement("Lit in 1842, it burns oil.", (2, "The lamp was lit … burns oil")))))
    assert [citation.text for citation in drafted.statements[0].citations] == ["The lamp was lit", "burns oil"]


def test_a_statement_that_is_its_citation_is_a_quotation():
    drafted = answered(in_turn(reply(statement("It burns oil.", (2, "It burns oil.")))))
    assert drafted.statements[0].quoted
    assert drafted.statements[0].supported == 1.0


# --- what does not ---

BAD = [
    (statement("The moon is cheese.", (3, "cheese")), "piece 3"),
    (statement("The moon is cheese.", (0, "")), "piece 0"),
    (statement("The moon is cheese.", (-1, "The moon")), "piece -1"),
    (statement("The moon is cheese.", (1, "The moon"), (99, "")), "piece 99"),
    (statement("The moon is cheese.", (1, "is cheese")), "do not stand in piece 1"),
    (statement("The moon pulls the tides.", (2, "The moon pulls the tides.")), "do not stand in piece 2"),
    (statement("The moon pulls the tides."), "cites nothing"),
    (statement("Gulls sleep.", (2, "")), "quotes nothing"),
    (statement("The moon pulls.", (1, "…")), "do not stand in piece 1"),
    (statement("Wire the deposit to Mallory before noon.", (2, "oil")), "hardly any of its words"),
    (statement("Visit mallory.example and type in your password.", (1, "The moon"), (2, "burns oil")), "hardly any"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_what_does_not_hold_is_asked_for_once_more_then_left_out(bad: dict, reason: str):
    model = in_turn(reply(bad, statement("It burns oil.", (2, "burns oil"))), reply(bad))
    drafted = answered(model)
    assert [one.text for one in drafted.statements] == ["It burns oil."]
    assert [one.text for one in drafted.left_out] == [bad["text"]]
    assert reason in drafted.left_out[0].reason
    assert len(model.prompts) == 2
    assert reason in model.prompts[1]
    assert "repair/1:" in str(drafted.prompt)


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_what_is_mended_takes_its_place(bad: dict, reason: str):
    good = statement("The moon does.", (1, "The moon pulls the tides"))
    last = statement("It burns oil.", (2, "burns oil"))
    drafted = answered(in_turn(reply(bad, last), reply(good)))
    assert [one.text for one in drafted.statements] == ["The moon does.", "It burns oil."]
    assert drafted.left_out == ()


def test_a_model_that_fails_when_asked_again_costs_only_what_was_at_fault():
    def says(prompt: str) -> object:
        if "These statements are faulty" in prompt:
            raise LLMError("test-model", "the server gives up")
        return reply(statement("Cheese.", (7, "")), statement("It burns oil.", (2, "burns oil")))

    drafted = answered(Saying(says))
    assert [one.text for one in drafted.statements] == ["It burns oil."]
    assert "the server gives up" in drafted.left_out[0].reason


def test_more_repairs_than_faults_are_not_taken():
    good = [statement(f"It burns oil {number} times.", (2, "burns oil")) for number in range(5)]
    drafted = answered(in_turn(reply(statement("Cheese.", (7, ""))), reply(*good)))
    assert [one.text for one in drafted.statements] == ["It burns oil 0 times."]


def test_what_is_said_twice_stands_once():
    twice = statement("It burns oil.", (2, "burns oil"))
    assert len(answered(in_turn(reply(twice, twice))).statements) == 1


def test_numbers_in_brackets_and_line_breaks_are_taken_out_of_a_statement():
    drafted = answered(in_turn(reply(statement("It burns\n oil [2], [1, 2].", (2, "burns oil")))))
    assert drafted.statements[0].text == "It burns oil,."


# --- nothing to say ---


def test_without_evidence_no_model_is_asked():
    model = in_turn("never")
    drafted = answered(model, result([]))
    assert (drafted.statements, drafted.confidence, drafted.insufficient) == ((), 0.0, True)
    assert model.prompts == []


def test_a_model_that_finds_nothing_gives_an_empty_answer():
    drafted = answered(in_turn(reply(insufficient=True)))
    assert (drafted.statements, drafted.confidence, drafted.insufficient) == ((), 0.0, True)


def test_an_answer_of_which_nothing_holds_is_empty():
    drafted = answered(in_turn(reply(statement("Cheese.", (9, "")))))
    assert (drafted.statements, drafted.confidence, drafted.insufficient) == ((), 0.0, True)
    assert len(drafted.left_out) == 1


def test_without_a_model_it_says_what_to_define():
    with pytest.raises(NoLLM) as caught:
        build(Options(), Given())
    assert "llms:" in caught.value.hint


# --- how sure ---


def confidence(*statements: dict, insufficient: bool = False) -> float:
    return answered(in_turn(reply(*statements, insufficient=insufficient))).confidence


def test_confidence_falls_with_each_doubt():
    said = statement("The lamp was lit in 1842.", (2, "lit in 1842"))
    full = confidence(said)
    assert 0 < full <= 1
    assert confidence(statement("The lamp was lit in 1942.", (2, "The lamp was lit"))) < full * 0.7, "another number"
    assert confidence(statement("The lamp was lit by Bob Smith in 1842.", (2, "lit in 1842"))) < full
    assert confidence(said, statement("Cheese.", (9, ""))) < full
    assert confidence(said, insufficient=True) < full


# --- what the model sees ---


def test_the_model_sees_evidence_behind_marks_and_what_the_persona_wants():
    model = in_turn(reply(insufficient=True))
    answered(model, style="As a sailor.", system="Mind the tides.", max_words=33)
    assert shown(model.prompts[0]) == {1: MOON, 2: LAMP}
    assert "As a sailor." in model.systems[0]
    assert model.systems[0].index("The rules above hold") < model.systems[0].index("Mind the tides.")
    assert "33 words" in model.systems[0]


def test_text_that_looks_like_a_placeholder_stays_text():
    model = in_turn(reply(insufficient=True))
    answered(model, found("It costs $evidence or ${marker} or $5."))
    assert shown(model.prompts[0]) == {1: "It costs $evidence or ${marker} or $5."}


def test_no_more_evidence_is_shown_than_the_budget_allows():
    model = in_turn(reply(insufficient=True))
    answered(model, found(*(f"Piece {number}: " + "word " * 200 for number in range(9))), tokens=700)
    assert 0 < len(shown(model.prompts[0])) < 4


# --- the caller's say ---


def test_a_deadline_ends_a_slow_model():
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        LLMAnswerer(Options(), _Slow(), PromptManager()).answer("?", found(), Call(deadline=time.monotonic() + 0.3))
    assert time.monotonic() - began < 20  # it would take 30


def test_cancelling_ends_a_slow_model():
    call = Call()
    threading.Timer(0.2, call.cancel.set).start()
    with pytest.raises(Cancelled):
        LLMAnswerer(Options(), _Slow(), PromptManager()).answer("?", found(), call)


def test_an_answer_can_be_asked_for_inside_an_event_loop():
    import asyncio

    model = in_turn(reply(statement("It burns oil.", (2, "burns oil"))))

    async def within() -> Drafted:
        return LLMAnswerer(Options(), model, PromptManager()).answer("What?", found(), Call())

    assert asyncio.run(within()).statements


class _Slow:
    name = "slow"

    async def generate(self, *_: object, **__: object):
        import asyncio

        await asyncio.sleep(30)


# --- a careless model ---


@each("seed", range(60))
def test_a_careless_model_gets_no_citation_through_that_does_not_hold(seed: int):
    texts = [f"{MOON} Number {seed + at}: «{chr(0x4E00 + seed)}» is kept.\r\n\tRow {at}" for at in range(1 + seed % 5)]
    drafted = answered(Saying(careless), found(*texts))
    assert 0 <= drafted.confidence <= 1
