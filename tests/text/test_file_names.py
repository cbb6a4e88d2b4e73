"""What files are called, and what of it a question says."""

import pytest

from biblicus.text.terms import file_names


@pytest.mark.parametrize(
    ("path", "terms"),
    [
        ("winch/trim.py", ("=trim.py",)),
        ("laws/bylaw-0007.rst", ("=bylaw-0007.rst", "=bylaw-0007", "=bylaw7")),
        ("RFC2616.txt", ("=rfc2616.txt", "=rfc2616")),
        ("rfcs/0012-New-Lamp.md", ("=0012-new-lamp.md", "=0012-new-lamp", "=rfc12")),
        ("2024-05-01-storm.md", ("=2024-05-01-storm.md", "=2024-05-01-storm")),
        ("Lecture 5.pdf", ("=lecture5",)),
        ("old.zip!/log/sea_state.txt", ("=sea_state.txt", "=sea_state")),
        ("Карта-7.md", ("=карта-7.md", "=карта-7", "=карта7")),
        ("v1.2.md", ("=v1.2.md",)),
        ("README", ()),
        (".hidden", ()),
    ],
)
def test_the_terms_of_a_files_name(path: str, terms: tuple[str, ...]) -> None:
    assert file_names.of(path) == terms


@pytest.mark.parametrize(
    ("question", "whole", "joined"),
    [
        ("What does bylaw 7 say?", ["=bylaw7"], []),
        ("BYLAW-0007, please", ["=bylaw7"], ["=bylaw-0007"]),
        ("open winch/Trim.py", ["=trim.py"], []),
        ("how is a try-except written", [], ["=try-except"]),
        ("what changed in version 3.11", [], []),
        ("42 boats", [], []),
        ("", [], []),
    ],
)
def test_the_names_that_a_question_says(question: str, whole: list[str], joined: list[str]) -> None:
    assert file_names.asked(question) == (whole, joined)


@pytest.mark.parametrize("unit", ["a-", "a.", "bylaw 7 ", "a0", "0", "-_"])
@pytest.mark.parametrize("end", ["", ".a"])
def test_hostile_questions_name_few(unit: str, end: str) -> None:
    whole, joined = file_names.asked(unit * 50_000 + end)
    assert len(whole) <= 16
    assert len(joined) <= 16
