"""Several corpora, one list: by rank, within the one budget that was asked for."""

import hashlib

from biblicus.retrieval.merging import merged
from tests.personas.conftest import piece

SENTENCES = "The moon pulls the tides of the sea. " * 12


def asked(**bounds):
    return {"items": 10, "tokens": None, "characters": None, "per_source": None, **bounds}


def test_pieces_come_by_rank_then_by_name_of_corpus():
    lists = {"b": [piece(1, "b one"), piece(2, "b two")], "a": [piece(1, "a one")]}
    found, budget = merged(lists, [asked(), asked()])
    assert [(p.corpus, p.text, p.rank) for p in found] == [
        ("a", "a one", 1),
        ("b", "b one", 2),
        ("b", "b two", 3),
    ]
    assert found[0].score == 9.0
    assert found[0].stage_scores == {"lexical": 9.0, "rrf": 0.0163934}
    assert budget["used"] == {"items": 3, "tokens": 6, "characters": 15}
    assert budget["dropped"] == []


def test_tokens_are_of_the_whole_list_and_the_last_piece_ends_with_a_sentence():
    lists = {"a": [piece(1, SENTENCES[:185])], "b": [piece(1, SENTENCES)]}
    found, budget = merged(lists, [asked(tokens=80)] * 2)
    assert [p.corpus for p in found] == ["a", "b"]
    assert found[1].text.endswith("sea.")
    assert len(found[1].text) < len(SENTENCES)
    assert found[1].hash == hashlib.sha256(found[1].text.encode()).hexdigest()
    assert budget["asked"]["tokens"] == 80 >= budget["used"]["tokens"]
    assert budget["dropped"] == [{"chunk_id": "i1:0", "path": "i1.md", "reason": "tokens:shortened", "corpus": "b"}]


def test_characters_and_items_are_of_the_whole_list():
    lists = {name: [piece(1, SENTENCES[:111])] for name in "abc"}
    assert merged(lists, [asked(characters=111)] * 3)[1]["used"]["characters"] == 111
    found, budget = merged(lists, [asked(items=2)] * 3)
    assert len(found) == 2
    assert [(dropped["corpus"], dropped["reason"]) for dropped in budget["dropped"]] == [("c", "items")]


def test_a_source_is_an_item_of_one_corpus():
    same = [piece(1, "one", item_id="x"), piece(2, "two", item_id="x", span_start=9)]
    lists = {"a": same, "b": [piece(1, "one", item_id="x", corpus_id="other")]}
    found, budget = merged(lists, [asked(per_source=1)] * 2)
    assert [(p.corpus, p.text) for p in found] == [("a", "one"), ("b", "one")]
    assert [dropped["reason"] for dropped in budget["dropped"]] == ["per_source"]


def test_of_bounds_that_recipes_set_the_widest_counts():
    budget = merged({"a": [], "b": []}, [asked(items=3, tokens=50), asked(items=7, tokens=None)])[1]
    assert budget["asked"] == asked(items=7)
