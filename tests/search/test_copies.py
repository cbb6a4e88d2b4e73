"""What says the same is passed over, and how far."""

from collections import Counter
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


def test_pieces_of_one_length_are_read_once_and_not_once_for_each_other():
    read: Counter[str] = Counter()

    class Counted(Candidate):
        __slots__ = ()

        @property
        def text(self) -> str:
            read[self.chunk_id] += 1
            return f"Line {self.chunk_id} of the log."

        @property
        def length(self) -> int:
            return 20

    of_one_item = [Counted("", 1, "log", f"{at:04}", "day.log", 1.0, at, Ranked({})) for at in range(500)]
    spent = spend(Copies("log").left_out(of_one_item), Budget(items=5, tokens=None, per_source=3))
    assert [candidate.chunk_id for candidate in spent.kept] == ["0000", "0001", "0002"]
    assert max(read.values()) < 20
