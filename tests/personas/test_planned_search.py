"""Several queries, one result: fused by rank, within the budget, exact, the same in whatever order items come."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.answers.planned_search import search
from biblicus.contracts import Call
from biblicus.models.evidence import Evidence, Result
from biblicus.models.requests.query import QueryRequest
from tests.personas.conftest import piece, result
from tests.sampling import examples


def asker(results: Mapping[str, Result]):
    return lambda query, call: results[query.query]


def test_one_query_is_the_query_itself():
    own = result("q", piece(1, "one"), piece(2, "two"))
    found, (query,) = search(asker({"q": own}), QueryRequest("q"), [], Call())
    assert found is own
    assert (query.origin, query.found, query.kept) == ("question", 2, 2)


def test_the_questions_own_order_leads_and_gaps_are_filled():
    one, two, three = piece(1, "one"), piece(2, "two"), piece(1, "three", item_id="x")
    results = {"q": result("q", one, two), "h": result("h", three)}
    found, queries = search(asker(results), QueryRequest("q"), [("h", "plan")], Call())
    assert [(p.text, p.rank, p.stage) for p in found.evidence] == [
        ("one", 1, "plan"), ("two", 2, "plan"), ("three", 3, "plan")
    ]  # fmt: skip
    assert [(q.origin, q.found, q.kept) for q in queries] == [("question", 2, 2), ("plan", 1, 1)]
    assert found.evidence[0].stage_scores == {"lexical": 9.0, "plan": found.evidence[0].score}


def test_what_several_queries_find_comes_before_what_one_finds():
    results = {
        "q": result("q", piece(1, "one"), piece(2, "two")),
        "h": result("h", piece(1, "two", item_id="i2")),
    }
    found, _ = search(asker(results), QueryRequest("q"), [("h", "plan")], Call())
    assert [p.text for p in found.evidence] == ["two", "one"]


def test_the_result_stays_the_questions():
    own = result("q", piece(1, "one"))
    found, _ = search(asker({"q": own, "h": result("h", piece(1, "x"))}), QueryRequest("q"), [("h", "graph")], Call())
    assert (found.query, found.run_id, found.insufficient) == ("q", own.run_id, own.insufficient)
    assert found.timings == {"total": 2.0}


def test_what_each_query_left_out_is_told_where_no_other_found_it():
    own, plan = result("q", piece(1, "one")), result("h", piece(1, "two", item_id="x"))
    left_out = [
        {"chunk_id": piece(1, "two", item_id="x").chunk_id, "path": "x.md", "reason": "items"},
        {"chunk_id": "y:1", "path": "y.md", "reason": "near_duplicate"},
    ]
    own = replace(own, budget={**own.budget, "dropped": left_out})
    plan = replace(plan, budget={**plan.budget, "dropped": left_out[1:]})
    found, _ = search(asker({"q": own, "h": plan}), QueryRequest("q"), [("h", "plan")], Call())
    assert len(found.evidence) == 2
    assert found.budget["dropped"] == left_out[1:]


def test_a_reranker_has_the_last_word():
    results = {"q": result("q", piece(1, "one"), piece(2, "two")), "h": result("h", piece(1, "x", item_id="x"))}

    def by_text(question: str, pieces: list[Evidence], call: Call) -> list[float]:
        return [float(one.text == "x") for one in pieces]

    found, _ = search(asker(results), QueryRequest("q"), [("h", "plan")], Call(), by_text)  # type: ignore[arg-type]
    assert (found.evidence[0].text, found.evidence[0].stage) == ("x", "rerank")
    assert {"lexical", "plan", "rerank"} == set(found.evidence[0].stage_scores)


PIECES = st.lists(st.tuples(st.integers(0, 6), st.text("ab. \n", min_size=1, max_size=200)), max_size=8)


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(PIECES, min_size=2, max_size=4), st.integers(1, 6), st.integers(5, 60))
def test_fused_evidence_is_exact_and_within_the_budget(lists: list[list[tuple[int, str]]], items: int, tokens: int):
    texts: dict[int, str] = {}
    results = {}
    for number, entries in enumerate(lists):
        once = dict(entries)
        pieces = [
            piece(rank, texts.setdefault(item, text), item_id=f"i{item}")
            for rank, (item, text) in enumerate(once.items(), 1)
        ]
        results[str(number)] = result(str(number), *pieces, items=items, tokens=tokens)
    more = [(name, "plan") for name in list(results)[1:]]
    found, queries = search(asker(results), QueryRequest("0"), more, Call())  # type: ignore[arg-type]
    assert len(found.evidence) <= items
    assert [p.rank for p in found.evidence] == list(range(1, len(found.evidence) + 1))
    assert len({p.chunk_id for p in found.evidence}) == len(found.evidence)
    for p in found.evidence:
        assert texts[int(p.item_id[1:])].startswith(p.text)
        assert p.span_end - p.span_start == len(p.text)
        assert p.line_end == p.line_start + p.text.count("\n")
        assert p.hash in ("", hashlib.sha256(p.text.encode()).hexdigest())
    assert [q.found for q in queries] == [len(results[name].evidence) for name in results]


def test_of_a_piece_that_was_shortened_somewhere_the_longest_form_counts():
    results = {
        "q": result("q", piece(1, "one"), piece(2, "two and", item_id="x")),
        "h": result("h", piece(1, "two and three", item_id="x")),
    }
    found, _ = search(asker(results), QueryRequest("q"), [("h", "plan")], Call())
    assert [(p.text, p.span_end) for p in found.evidence if p.item_id == "x"] == [("two and three", 13)]


def test_a_piece_that_the_budget_shortens_is_exact():
    long = "One sentence of some length.\nAnother sentence that is longer still."
    results = {"q": result("q", piece(1, long, span_start=100), tokens=10), "h": result("h")}
    found, _ = search(asker(results), QueryRequest("q"), [("h", "plan")], Call())
    (kept,) = found.evidence
    assert (kept.text, kept.span_start, kept.span_end) == (long[:28], 100, 128)
    assert (kept.line_start, kept.line_end) == (1, 1)
    assert kept.hash == hashlib.sha256(kept.text.encode()).hexdigest()
    assert [dropped["reason"] for dropped in found.budget["dropped"]] == ["tokens:shortened"]


def test_hints_make_no_thin_evidence_sufficient():
    thin = replace(result("q", piece(1, "one")), insufficient=True)
    found, _ = search(asker({"q": thin, "h": result("h", piece(1, "x"))}), QueryRequest("q"), [("h", "plan")], Call())
    assert found.insufficient
