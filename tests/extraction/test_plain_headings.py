"""Headings of plain text: what stands by itself as one, and not what is a list, a table of contents or a step."""

import pytest

from biblicus.text.headings import plain_headings
from tests.extraction.reading import read
from tests.sampling import each

RULE = "=" * 60


@each(
    ("text", "headings"),
    [
        ("Ropes\n=====\n\nHemp.\n\nCare\n----\nDry.\n", [(1, "Ropes"), (2, "Care")]),
        ("=======\n Ropes\n=======\n\nHemp.\n", [(1, "Ropes")]),
        ("=======\nRopes\n=======\n\nHemp.\n", [(1, "Ropes")]),
        ("Ropes are made\n==============\nof hemp.\n", [(1, "Ropes are made")]),
        ("They are made of\nhemp\n----\n\nAnd wire.\n", []),
        ("1.  Ropes\n\n   Hemp.\n\n1.1.  Care\n\n   Dry.\n", [(1, "1. Ropes"), (2, "1.1. Care")]),
        ("Appendix B.  Knots\n\n   Eight.\n\nB.1.  Hitch\n\n   One.\n", [(1, "Appendix B. Knots"), (2, "B.1. Hitch")]),
        ("CHAPTER II. The Storm\n\nIt rose.\n", [(1, "CHAPTER II. The Storm")]),
        ("Глава 3\n\nОна росла.\n", [(1, "Глава 3")]),
        (f"{RULE}\n2. Two ways of undo\t\t*undo-two* *u*\n\nHow.\n", [(1, "2. Two ways of undo")]),
        ("*10.1* Record it\t*rec*\n" + "~" * 20 + "\nHow.\n", [(1, "Record it")]),
        ("SEE ALSO\n\n   winch\n", [(1, "SEE ALSO")]),
        ("NOTES\n    winch\n", [(1, "NOTES")]),
        ("1. Ropes\n2. Winches\n\nText.\n", []),
        ("1. Ropes\n\n2. Winches\n\n3. Knots\n\n1. Ropes\n\nHemp.\n", [(1, "1. Ropes")]),
        ("1. Ropes ........ 3\n\n2. Winches\t14\n\nText.\n", []),
        ("2. Haul in the rope.\n\nText.\n", []),
        ("3 boats sail\n\nText.\n", []),
        ("3.141.\u00a0lamp_oil\n\nText.\n\n3.142. wick\n\nText.\n", [(2, "3.141. lamp_oil"), (2, "3.142. wick")]),
        ("3.14. wick and oil\n\nText.\n\n2.5 litres\n\nText.\n", []),
        ("part of it\n\nText.\n", []),
        ("Book a berth\n\nText.\n", []),
        ("OK\n\nText.\n", []),
        ("-- \nAda\n\nText.\n", []),
        ("A line\n\nText.\n", []),
        ("SEE ALSO\n", []),
        ("Name  Fee\n----  ---\nGull  35\n", []),
        ("x" * 300 + "\n\nText.\n", []),
        ("A\n===\n\na\n\nB\n===\n\nb\n\nC\n===\n\n1. Haul\n\nc\n", [(1, "A"), (1, "B"), (1, "C")]),
    ],
)  # fmt: skip
def test_what_stands_as_a_heading_is_one(text: str, headings: list[tuple[int, str]]) -> None:
    found = list(plain_headings(text))
    assert [(heading.level, heading.title) for heading in found] == headings
    for heading in found:
        assert heading.title.split()[0] in text[heading.offset :].split("\n")[0]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Ropes\n=====\n\nHemp.\n", "Ropes"),
        (f"{RULE}\nROPES\n{RULE}\n\nHemp.\n", "ROPES"),
        ("1. Ropes\n\nHemp.\n", None),
        ("By Ada\n\nRopes\n=====\n\nHemp.\n", None),
    ],
)
def test_a_heading_above_all_is_the_title(text: str, title: str | None) -> None:
    assert read("text", text, "text/plain").title == title
