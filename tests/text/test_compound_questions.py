"""Questions that ask two things of one."""

import pytest

from biblicus.text.terms import compound


@pytest.mark.parametrize(
    ("question", "first", "then"),
    [
        ("What is a winch and how do I use it?", "What is a winch?", "how do I use a winch?"),
        ("what's a winch, and when should I buy one", "what's a winch?", "when should I buy a winch?"),
        ("What is oakum and how do I pick my own?", "What is oakum?", "how do I pick oakum?"),
        ("What is a winch, and what are its parts?", "What is a winch?", "what are a winch parts?"),
        ("What is a winch? Where is it kept?", "What is a winch?", "Where is a winch kept?"),
        (
            "What is the difference between a hawser and a warp and when do I need them?",
            "What is the difference between a hawser and a warp?",
            "when do I need a hawser and a warp?",
        ),
        ("Was ist eine Winde und wozu braucht man sie?", "Was ist eine Winde?", "wozu braucht man eine Winde?"),
        ("Qu'est-ce qu'un treuil et où le poser ?", "Qu'est-ce qu'un treuil?", "où un treuil poser?"),
        ("¿Qué es un torno y para qué sirve?", "¿Qué es un torno?", "para qué un torno sirve?"),
        ("Что такое лебёдка и как её чинить?", "Что такое лебёдка?", "как лебёдка чинить?"),
    ],
)
def test_both_questions(question: str, first: str, then: str) -> None:
    assert compound.two_of(question) == (first, then)
    assert compound.first_of(question) == first


@pytest.mark.parametrize(
    "question",
    [
        "What is rock and roll?",
        "What is a winch and why?",
        "Who is the pilot and where does Ada live?",
        "How do I use it and what is it?",
        f"What is {'a winch and how do I use it ' * 20}?",
    ],
)
def test_one_question(question: str) -> None:
    assert compound.two_of(question) is None
    assert compound.first_of(question) == question


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is a winch and how do I use it?", [("how do I use a winch?", 3)]),
        ("difference between a hawser and a warp", [("What is a hawser?", 1), ("What is a warp?", 1)]),
        ("Was ist der Unterschied zwischen Tau und Trosse?", [("What is Tau?", 1), ("What is Trosse?", 1)]),
        ("What is a winch?", []),
    ],
)
def test_what_else_is_asked_for(question: str, wanted: list[tuple[str, int]]) -> None:
    assert compound.further(question) == wanted
