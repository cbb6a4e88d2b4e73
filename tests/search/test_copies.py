"""What says the same is passed over, and how far."""

from __future__ import annotations

from typing import NamedTuple

from biblicus.models.question import Budget
from biblicus.retrieval.budget import Candidate, spend
from biblicus.search.copies import Copies


class Ranked(NamedTuple):
    """Of what is made of a run's rows, all that copies are told by."""

    stages: dict[str, float]


def candidates(*texts: str) -> list[Candidate]:
    return [
        Candidate(text, 1, f"i{at}", f"i{at}:0", f"{at}.md", 1.0 - at / 1000, at, Ranked({}))
        for at, text in enumerate(texts)
    ]


def test_of_hundreds_of_copies_no_more_are_read_than_a_bound():
    read: list[int] = []

    def counted():
        for candidate in candidates(*["The moon."] * 900, "The sun."):
            read.append(candidate.item)
            yield candidate

    copies = Copies("the moon")
    spent = spend(copies.left_out(counted()), Budget(items=2, tokens=None))
    assert [candidate.path for candidate in spent.kept] == ["0.md", "201.md"]
    assert len(copies.dropped) == len(copies.of["i0:0"]) == 200
    assert len(read) < 220


def test_scores_never_rise():
    older, between, newer = candidates(
        "The moon pulls the tide of the sea.", "Sun", "The moon pulls the tide of the sea."
    )
    ranked = [
        older._replace(path="1.0/moon.md"),
        between._replace(path="sun.md"),
        newer._replace(path="2.0/moon.md"),
    ]
    kept = list(Copies("moon").left_out(ranked))
    assert [(candidate.path, candidate.score) for candidate in kept] == [("2.0/moon.md", 1.0), ("sun.md", 0.999)]
