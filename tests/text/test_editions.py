"""Editions of a document by the names of its files."""

from __future__ import annotations

import pytest

from biblicus.text import editions


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("a/rules-2024.docx", "a/rules-2023.docx"),
        ("rules 2024 final (1).docx", "rules 2023.pdf"),
        ("rules_v10.md", "rules_v9 (copy).md"),
        ("Satzung Fassung 3.odt", "Satzung Fassung 2.odt"),
        ("rules.docx", "rules OLD.docx"),
        ("rules 2023.docx", "rules 2025 Entwurf.docx"),
        ("rules DRAFT.docx", "rules old.docx"),
    ],
)
def test_one_edition_takes_the_place_of_another(newer: str, older: str) -> None:
    one, other = editions.of_path(newer), editions.of_path(older)
    assert one.of == other.of
    assert one.is_newer(other)
    assert not other.is_newer(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("minutes 2024-06-13.docx", "minutes 2024-09-19.docx"),  # days
        ("bill 2023-013.pdf", "bill 2024-021.pdf"),  # numbers within years
        ("a/rules 2023.docx", "b/rules 2024.docx"),
        ("2023.md", "2024.md"),  # no name
        ("rules.docx", "rules 2024.docx"),  # which may be the older one
        ("rules final.docx", "rules (2).docx"),
    ],
)
def test_others_stand_beside_each_other(one: str, other: str) -> None:
    first, second = editions.of_path(one), editions.of_path(other)
    assert first.of != second.of or not (first.is_newer(second) or second.is_newer(first))


@pytest.mark.parametrize(
    ("question", "is_named", "wants_older"),
    [
        ("the fee in 2023", True, False),
        ("the fee of rules v2", True, False),
        ("the fee of version 2", True, False),
        ("2023年的会费", True, False),
        ("la cuota en la versión 2", True, False),
        ("the fee in 2024", False, False),
        ("How did the fee change?", False, True),
        ("the fee", False, False),
        ("Как изменилась плата?", False, True),
        ("费用有什么变化？", False, True),
    ],
)
def test_a_question_names_an_edition_or_asks_for_what_was(question: str, is_named: bool, wants_older: bool) -> None:
    assert editions.is_named(question, editions.of_path("rules 2023 v2.docx")) is is_named
    assert editions.wants_older(question) is wants_older


def test_thousands_of_digits_are_no_part_of_a_version() -> None:
    assert editions.of_path(f"bundle.zip!/rules v1.{'1' * 5_000}.md").version == (1,)


@pytest.mark.parametrize(
    ("question", "newer", "older", "is_told"),
    [
        ("How high is the fee?", "The fee is 15 euros.", "The fee is 12 euros.", True),
        ("When did the shed burn down?", "The shed was painted.", "The shed burned down.", False),
        ("Was kostet die Nacht?", "Die Nacht kostet 15 Euro.", "Die Nächte: eine Nacht kostet 12 Euro.", True),
        ("船坞何时烧毁？", "船坞已粉刷。", "船坞在三月烧毁。", False),
    ],
)
def test_what_a_newer_edition_tells_of_a_question(question: str, newer: str, older: str, is_told: bool) -> None:
    assert editions.tells_as_much(question, newer, older) is is_told
