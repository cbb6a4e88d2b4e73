"""Which side of a thing a question asks for."""

import pytest

from biblicus.answering.quoting.reference.aspects import asked_side


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("What are the limitations of the slip?", "the slip"),
        ("What is the architecture of Harbour?", "Harbour"),
        ("Which permissions does the crane need?", "the crane"),
        ("When should I use a winch?", "a winch"),
        ("Why does the winch not work?", "the winch"),
        ("What is a buoy in Harbour?", None),
        ("What is the default of the winch?", None),
        ("What are the differences between a winch and a capstan?", None),
        ("How does one haul a boat?", None),
    ],
)
def test_what_is_asked_of_a_thing(question: str, of: str | None) -> None:
    side = asked_side(question)
    assert (side.of if side else None) == of
