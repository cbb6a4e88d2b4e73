"""Names of definitions as terms of their own."""

import pytest

from biblicus.text.terms import symbols
from biblicus.text.terms.symbols import alone, exact
from tests.sampling import each


@each(
    ("question", "name"),
    [
        ("--strict", "--strict"),
        ("What does --strict turn on?", "--strict"),
        ("When should I use `Winch.haul_in()`?", "Winch.haul_in"),
        ("why would I need HarbourMaster", "HarbourMaster"),
        ("How does the HTTP option work?", "HTTP"),
        ("how does mooring work", "mooring"),
        ("mooring", "mooring"),
        ("spring tides", "spring tides"),
        ("Wann brauche ich --strict?", "--strict"),
        ("¿Cómo funciona HarbourMaster?", "HarbourMaster"),
        ("Как работает HarbourMaster?", "HarbourMaster"),
        ("When should I use git log --oneline?", "git log --oneline"),
        ("How do I use --strict?", ""),
        ("What does MD013 check?", "MD013"),
        ("what does the no-tar rule forbid", "no-tar"),
        ("What does the keeper check?", ""),
        ("What does the by-law require?", ""),
        ("What does OSHA require?", ""),
        ("What does the TIMEOUT setting control?", "TIMEOUT"),
        ("what is a using declaration", ""),
        ("use case", ""),
        ("using HarbourMaster", ""),
        ("When is using HarbourMaster needed?", "HarbourMaster"),
        ("comment utiliser HarbourMaster", ""),
        ("Can --strict be turned off by a test?", ""),
        ("What is the mooring?", ""),
        ("When was the mooring?", ""),
        ("the depth of the harbour", ""),
        ("什么是浮标", ""),
        ("what is it", ""),
        ("", ""),
    ],
)
def test_the_one_name_that_a_question_asks_about(question: str, name: str) -> None:
    assert alone(question) == name


@pytest.mark.parametrize(
    ("text", "name", "spelled"),
    [
        ("use --no-strict, -v or Winch.haul_in", "", ["=--no-strict", "=-v", "=winch.haul_in"]),
        ("a well-known HarbourMaster", "", []),
        ("Value", "Value", ["=Value"]),
        ("value", "value", []),
    ],
)
def test_options_and_joined_names_are_terms_as_they_are_spelled(text: str, name: str, spelled: list[str]) -> None:
    assert exact(text, name) == spelled


def test_an_operation_of_an_api_is_a_name_as_it_is_spelled() -> None:
    assert "=GET /boats/{id}" in symbols.exact("What does GET /boats/{id} return?")
