"""What files are called, and what of it a question says."""

import time

import pytest

from biblicus.text.terms import file_names
from tests.sampling import each


@each(
    ("path", "terms"),
    [
        ("winch/trim.py", ("=trim.py",)),
        ("laws/bylaw-0007.rst", ("=bylaw-0007.rst", "=bylaw-0007", "=bylaw7")),
        ("RFC2616.txt", ("=rfc2616.txt", "=rfc2616")),
        ("rfcs/0012-New-Lamp.md", ("=0012-new-lamp.md", "=0012-new-lamp", "=rfc12")),
        ("2024-05-01-storm.md", ("=2024-05-01-storm.md", "=2024-05-01-storm", "=date20240501", "=day0501")),
        ("log/20240501.txt", ("=20240501.txt", "=date20240501", "=day0501")),
        ("Lecture 5.pdf", ("=lecture5",)),
        ("old.zip!/log/sea_state.txt", ("=sea_state.txt", "=sea_state")),
        ("Карта-7.md", ("=карта-7.md", "=карта-7", "=карта7")),
        ("v1.2.md", ("=v1.2.md", "=v1.2")),
        ("notes/release_2.8.1.rst", ("=release_2.8.1.rst", "=v2.8.1")),
        ("acts/act-0021-ebb.rst", ("=act-0021-ebb.rst", "=act-0021-ebb", "=act21")),
        ("RFC_1234_ropes.txt", ("=rfc_1234_ropes.txt", "=rfc_1234_ropes")),
        ("budget_2025_plan.md", ("=budget_2025_plan.md", "=budget_2025_plan")),
        ("python-3-guide.md", ("=python-3-guide.md", "=python-3-guide")),
        ("README", ()),
        (".hidden", ()),
    ],
)
def test_the_terms_of_a_files_name(path: str, terms: tuple[str, ...]) -> None:
    assert file_names.of(path) == terms


@pytest.mark.parametrize(
    ("path", "title", "terms"),
    [
        ("jep/201/README.md", "JEP-201: Deckhands as code", ("=readme.md", "=jep201")),
        ("keps/0021-x/README.md", "NEP 21 — Indexing", ("=readme.md", "=nep21")),
        ("slep006/README.md", "SLEP006", ("=readme.md", "=slep6")),
        ("rfc-1234-ropes", "RFC 1234: Ropes", ("=rfc-1234-ropes", "=rfc1234")),
        ("3/README.md", "Chapter 3: The whale", ("=readme.md",)),
        ("21/README.md", "NEP 21 is not of this kind", ("=readme.md",)),
        ("diseases.md", "COVID-19: what is known", ("=diseases.md",)),
        ("utf.md", "UTF-8", ("=utf.md",)),
        ("sound.mp3", "MP 3: sound", ("=sound.mp3",)),
    ],
)
def test_the_number_that_a_title_begins_with(path: str, title: str, terms: tuple[str, ...]) -> None:
    assert file_names.of(path, title) == terms


@each(
    ("question", "whole", "joined"),
    [
        ("What does bylaw 7 say?", ["=bylaw7"], []),
        ("BYLAW-0007, please", ["=bylaw7"], ["=bylaw-0007"]),
        ("open winch/Trim.py", ["=trim.py"], []),
        ("how is a try-except written", [], ["=try-except"]),
        ("what changed in version 3.11?", [], ["=v3.11"]),
        ("v1.2 of the winch", [], ["=v1.2"]),
        ("42 boats", [], []),
        ("the meeting of 10 September 2025", ["=date20250910"], []),
        ("notes of Sept. 1st, 2025 and Mai 5, 2024", ["=date20250901", "=date20240505"], []),
        ("am 3.2.2021, el 4 de marzo de 2020", ["=date20210203", "=date20200304"], []),
        ("2025-09-10", ["=date20250910"], ["=2025-09-10"]),
        ("what did I do on March 9th?", ["=day0309"], []),
        ("was war am 9. März", ["=day0309", "=am9"], []),
        ("the 3 files of 10 people", ["=the3", "=of10"], []),
        ("2025年9月10日的会议", ["=date20250910"], []),
        ("4 boats 2020", ["=boats2020"], []),
        ("build it with HTTP/3", ["=http3"], []),
        ("", [], []),
    ],
)
def test_the_names_that_a_question_says(question: str, whole: list[str], joined: list[str]) -> None:
    assert file_names.asked(question) == (tuple(whole), tuple(joined))


@each("unit", ["a-", "a.", "bylaw 7 ", "a0", "0", "-_", "1 May 2024 ", "May "])
@each("end", ["", ".a"])
def test_hostile_questions_name_few(unit: str, end: str) -> None:
    began = time.process_time()
    whole, joined = file_names.asked(unit * 12_500 + end)
    assert time.process_time() - began < 8
    assert len(whole) <= 16
    assert len(joined) <= 16
