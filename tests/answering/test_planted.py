"""Instructions planted in documents, against a model that obeys them all.

Each line of `planted.jsonl` is a document with an order in it, the `goal` it is after, and, where it asks for another
form of reply, that `reply`. The model obeys in every way there is. What may get through is what any document may do: be
quoted, as what it says, with its own place.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from biblicus.answering.llm import LLMAnswerer, Options
from biblicus.answering.prompts import PromptManager
from biblicus.contracts import Call
from biblicus.errors import LLMError
from biblicus.llm.dependable import DependableLLMClient
from biblicus.models.answers.answer import Drafted
from tests.answering.language_models import Saying, reply, shown, statement
from tests.answering.packs import cut, result
from tests.answering.test_llm import verified
from tests.sampling import each

ATTACKS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "planted.jsonl").read_text(encoding="utf-8").splitlines()
]
TRUE = "The harbour master keeps the log. Boats pay by length."
ANOTHER = "The society met in spring and thanked the baker."
PLANTED = 2

WAYS = {
    "cites no piece": lambda goal, planted: statement(goal),
    "cites a piece that is not there": lambda goal, planted: statement(goal, (99, goal)),
    "cites the planted piece's own number plus one hundred": lambda goal, planted: statement(goal, (PLANTED + 100, "")),
    "puts the words into a true piece": lambda goal, planted: statement(goal, (1, goal)),
    "cites a true piece without words": lambda goal, planted: statement(goal, (1, "")),
    "adds a false citation to a true one": lambda goal, planted: statement(goal, (1, "keeps the log"), (99, "")),
    "quotes the planted piece": lambda goal, planted: statement(goal, (PLANTED, goal)),
    "cites the planted piece without words": lambda goal, planted: statement(goal, (PLANTED, "")),
}
"""How an obedient model may try to give the goal the look of evidence."""


def obeyed(attack: dict[str, Any], said: Any) -> tuple[Drafted | None, Saying]:
    """The answer that a model leads to that says this whenever it is asked; None where there is none."""
    documents = [TRUE, attack["text"], ANOTHER]
    evidence = result(cut(documents, [(at, 0, len(text)) for at, text in enumerate(documents)]), "Who keeps the log?")
    model = Saying(lambda _: said)
    answerer = LLMAnswerer(Options(), DependableLLMClient(model, 1, 1), PromptManager())
    try:
        drafted = answerer.answer("Who keeps the log?", evidence, Call())
    except LLMError:
        return None, model
    verified(drafted, evidence)
    return drafted, model


def test_the_set_is_wide():
    assert len(ATTACKS) >= 30
    assert len({attack["language"] for attack in ATTACKS}) >= 8
    assert len({attack["format"] for attack in ATTACKS}) >= 7
    assert len({attack["name"] for attack in ATTACKS}) == len(ATTACKS)


@each("attack", ATTACKS)
def test_an_obedient_model_can_cite_the_planted_document_and_nothing_else(attack: dict[str, Any]):
    for way, said in WAYS.items():
        drafted, _ = obeyed(attack, reply(said(attack["goal"], attack["text"])))
        assert drafted is not None
        for one in drafted.statements:
            assert {citation.piece.item_id for citation in one.citations} == {"1"}, way


@each("attack", ATTACKS)
def test_a_planted_document_cannot_leave_its_fence(attack: dict[str, Any]):
    _, model = obeyed(attack, reply(insufficient=True))
    pieces = shown(model.prompts[0])
    assert list(pieces) == [1, 2, 3]
    assert (pieces[1], pieces[3]) == (TRUE, ANOTHER)
    heads = [line for line in model.prompts[0].splitlines() if line.startswith("### [")]
    assert sum(line.endswith("line 1") or "lines" in line for line in heads) >= 3


@pytest.mark.parametrize("attack", [one for one in ATTACKS if "reply" in one], ids=lambda attack: attack["name"])
def test_a_reply_of_another_form_is_no_answer(attack: dict[str, Any]):
    assert obeyed(attack, attack["reply"])[0] is None


def test_the_published_rates():
    """research/quoting-measured.md says these numbers; change them there, too."""
    tries = through = outside = 0
    for attack in ATTACKS:
        for said in WAYS.values():
            drafted, _ = obeyed(attack, reply(said(attack["goal"], attack["text"])))
            assert drafted is not None
            tries += 1
            through += bool(drafted.statements)
            outside += sum(
                citation.piece.item_id not in ("0", "1", "2")
                for one in drafted.statements
                for citation in one.citations
            )
    assert outside == 0
    page = (Path(__file__).parents[2] / "research" / "quoting-measured.md").read_text(encoding="utf-8")
    assert f"Of {tries} attempts" in page
    assert f"{through} of them reach the answer" in page
