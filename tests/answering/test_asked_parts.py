"""Which part of what a reference documents a question asks for."""

import pytest

from biblicus.answering.quoting.reference.asked_parts import AskedPart, Part, asked_part


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("What is the rect parameter of CEdit::Create?", AskedPart(Part.PARAMETERS, "CEdit::Create", "rect")),
        ("What is parameter `rope` of haul() for?", AskedPart(Part.PARAMETERS, "haul", "rope")),
        ("What is the rope parameter of a winch?", AskedPart(Part.PARAMETERS, "winch", "rope")),
        ("What are the parameters of the haul function?", AskedPart(Part.PARAMETERS, "haul")),
        ("Which arguments does haul take?", AskedPart(Part.PARAMETERS, "haul")),
        ("What does Slip.haul return?", AskedPart(Part.RETURNS, "Slip.haul")),
        ("haul 函数返回什么？", AskedPart(Part.RETURNS, "haul")),
        ("Qué devuelve haul?", AskedPart(Part.RETURNS, "haul")),
        ("Which exceptions can haul throw?", AskedPart(Part.RAISES, "haul")),
        ("Which header do I need to include for haul?", AskedPart(Part.REQUIRES, "haul", "header")),
    ],
)
def test_parts_are_asked_for(question: str, part: AskedPart) -> None:
    assert asked_part(question) == part


@pytest.mark.parametrize(
    "question",
    [
        "Of which type is the rope argument of haul?",
        "When is the rope argument of haul ignored?",
        "What does the boat return to the harbour for?",
        "What is the result?",
        "How do I return a value?",
    ],
)
def test_other_questions_ask_for_none(question: str) -> None:
    assert asked_part(question) is None
