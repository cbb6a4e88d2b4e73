"""The things that a question names."""

import pytest

from biblicus.answering.asked_things import things


@pytest.mark.parametrize(
    ("question", "stemmer", "named"),
    [
        ("What is the root password of the router?", "english", "root password router"),
        ("How much does a day with the Merian cost?", "english", "day merian"),
        ("What did Ada say about the drone crash?", "english", "ada drone crash"),
        ("What is Ada's telephone number?", "english", "ada telephon"),
        ("When does the grant end?", "english", "grant"),
        ("How many oysters were counted in plot G7?", "english", "oyster plot g7"),
        ("Combien de kilos de seigle ont été moulus ?", "french", "kilos seigl"),
        ("Quel est l'IBAN de Kerautret ?", "french", "iban kerautret"),
        ("Welche Arten von Möwen hat der Hafen?", "german", "mow haf"),
        ("Сколько чаек в Мурманске?", "russian", "мурманск"),
    ],
)
def test_things_that_a_question_names(question: str, stemmer: str, named: str) -> None:
    assert things(question, stemmer) == frozenset(named.split())
