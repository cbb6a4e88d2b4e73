"""Evidence of several corpora as one result: how rare words are, and ids and scores that come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from biblicus.answers.several import Apart, together
from biblicus.contracts import Call
from biblicus.models.answers.answer import Citation, Drafted, Statement
from biblicus.models.evidence import Rarity, Result
from tests.personas.conftest import piece


def brought(name: str, score: float, rarity: dict[str, float], support: float) -> Result:
    """What a corpus brings: one piece, whose item has the id that the other's has."""
    of_corpus = replace(piece(1, f"The moon of {name}."), item_id="x", chunk_id="x:0", score=score, corpus=name)
    result = Result("moon", name, "run", "lexical", "v", None, "now", [of_corpus], False, {}, {}, {"lexical": support})
    return replace(result, rarity=Rarity(rarity, 5.0), notes=("asked otherwise",))


class Quotes:
    """Quotes every piece that it is given."""

    seen: list[tuple[str, float]]

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        self.seen = [(each.chunk_id, each.score) for each in result.evidence]
        cited: Any = tuple(Statement(each.text, (Citation(each, 0, 3),)) for each in result.evidence)
        return Drafted(cited, 1.0, False, "")


def test_several_results_are_one():
    results = {"a": brought("a", 9.0, {"moon": 2.0}, 0.4), "b": brought("b", 3.0, {"moon": 1.0, "tide": 4.0}, 0.8)}
    result = together(results, [each.evidence[0] for each in results.values()], {})
    assert result.rarity == Rarity({"moon": 1.0, "tide": 4.0}, 5.0)
    assert result.support == {"lexical": 0.8}
    assert result.notes == ("a: asked otherwise", "b: asked otherwise")


def test_items_of_the_same_id_stay_apart_and_come_back_as_they_were():
    results = {"a": brought("a", 9.0, {}, 1.0), "b": brought("b", 3.0, {}, 1.0)}
    result = together(results, [each.evidence[0] for each in results.values()], {})
    quotes = Quotes()
    drafted = Apart(quotes).answer("moon", result, Call())
    assert quotes.seen == [("a\nx:0", 1.0), ("b\nx:0", 1.0)]
    assert [statement.citations[0].piece for statement in drafted.statements] == list(result.evidence)
