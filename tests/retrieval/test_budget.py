import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.models.question import Budget
from biblicus.retrieval.budget import Candidate, spend
from biblicus.text.counting import estimate
from tests.sampling import each

SENTENCES = "The moon pulls the tides. " * 40


def candidate(name, text="The moon pulls the tides.", source=None):
    return Candidate(text, estimate(text), source or name, f"{name}:0", f"{name}.txt", 1.0, 0)


def reasons(spent):
    return [(dropped.chunk_id, dropped.reason) for dropped in spent.dropped]


def test_everything_that_fits_is_kept_in_order():
    spent = spend([candidate("a"), candidate("b")], Budget())
    assert [kept.source for kept in spent.kept] == ["a", "b"]
    assert spent.used == {"items": 2, "tokens": 14, "characters": 50}
    assert not spent.dropped
    assert not spent.filled


def test_the_first_candidate_beyond_the_number_of_items_is_named_and_reading_stops():
    spent = spend([candidate(name) for name in "abcde"], Budget(items=2))
    assert len(spent.kept) == 2
    assert reasons(spent) == [("c:0", "items")]
    assert spent.filled


def test_a_source_gives_no_more_than_its_share():
    spent = spend([candidate(name, source=name[0]) for name in ("a1", "a2", "a3", "b1")], Budget(per_source=2))
    assert [kept.chunk_id for kept in spent.kept] == ["a1:0", "a2:0", "b1:0"]
    assert reasons(spent) == [("a3:0", "per_source")]
    assert not spent.filled


@pytest.mark.parametrize("budget", [Budget(tokens=100), Budget(characters=400, tokens=None)])
def test_what_meets_a_bound_is_cut_at_the_end_of_a_sentence(budget):
    spent = spend([candidate("a", SENTENCES[:130]), candidate("b", SENTENCES), candidate("c")], budget)
    assert len(spent.kept) == 2
    assert spent.kept[1].text.endswith("tides.")
    assert SENTENCES.startswith(spent.kept[1].text)
    bound = "tokens" if budget.tokens else "characters"
    assert spent.used[bound] <= 100 * (1 if bound == "tokens" else 4)
    assert reasons(spent) == [("b:0", f"{bound}:shortened")]


def test_with_little_room_left_a_chunk_is_left_out():
    spent = spend([candidate("a", SENTENCES[:390]), candidate("b", SENTENCES)], Budget(tokens=110))
    assert [kept.source for kept in spent.kept] == ["a"]
    assert reasons(spent) == [("b:0", "tokens")]
    assert spent.filled


@each("text", [SENTENCES, "x" * 9_000, "猫" * 9_000, "\u0301" * 500])
@each("budget", [Budget(tokens=1), Budget(tokens=7), Budget(characters=1), Budget(characters=10)])
def test_the_first_chunk_is_never_left_out_for_its_length(text, budget):
    [kept] = spend([candidate("a", text)], budget).kept
    assert kept.text
    assert text.startswith(kept.text)


def test_no_bound_keeps_all():
    candidates = [candidate(str(n), SENTENCES, "a") for n in range(9)]
    assert len(spend(candidates, Budget(items=9, tokens=None, per_source=None)).kept) == 9


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=300), st.sampled_from("abc")), max_size=12),
    st.builds(
        Budget,
        items=st.integers(1, 8),
        tokens=st.none() | st.integers(1, 150),
        characters=st.none() | st.integers(1, 500),
        per_source=st.none() | st.integers(1, 3),
    ),
)
def test_bounds_hold_and_more_candidates_change_nothing_once_filled(texts, budget):
    candidates = [candidate(str(n), text, source) for n, (text, source) in enumerate(texts)]
    spent = spend(candidates, budget)
    assert bool(spent.kept) == bool(candidates)
    assert spent.used["items"] <= budget.items
    assert budget.tokens is None or spent.used["tokens"] <= budget.tokens or len(spent.kept) == 1
    assert budget.characters is None or spent.used["characters"] <= budget.characters
    for kept in spent.kept:
        original = next(c for c in candidates if c.chunk_id == kept.chunk_id)
        assert original.text.startswith(kept.text)
    for cut in range(len(candidates)):
        part = spend(candidates[:cut], budget)
        if part.filled:
            assert part.kept == spent.kept
