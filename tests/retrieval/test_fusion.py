"""Fusion: shares from floor to best, trust, reciprocal ranks, and what a rank may not depend on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.contracts import Hit
from biblicus.errors import UsageError
from biblicus.models.recipe import Fusion
from biblicus.retrieval.fusion import Ranked, fuse, leg_weights
from biblicus.search.copies import repeated

WEIGHTED = Fusion()


def hits(**scores):
    return [Hit(int(row[1:]), score) for row, score in sorted(scores.items(), key=lambda one: -one[1])]


def totals(words, vectors, fusion=WEIGHTED):
    return {one.row: one.score for one in fuse({"lexical": words, "vector": vectors}, fusion)}


def test_the_mean_of_shares_where_both_are_trusted():
    words = Ranked(hits(r1=8.0, r2=4.0), support=1.0)
    vectors = Ranked(hits(r1=0.5, r2=0.9, r3=0.3), floor=0.1)
    assert totals(words, vectors) == pytest.approx({1: (1 + 0.5) / 2, 2: (0.5 + 1) / 2, 3: 0.25 / 2})


def test_words_that_are_not_there_hardly_count():
    words = Ranked(hits(r1=3.0), support=0.05)
    vectors = Ranked(hits(r2=0.8, r1=0.2), floor=0.1)
    fused = totals(words, vectors)
    assert fused[2] > 0.8 > 0.3 > fused[1]


def test_vectors_that_no_word_supports_hardly_count():
    """A model that does not know the language: the words are there, and the vectors' best hold none of them."""
    words = Ranked(hits(r1=9.0, r2=8.0), support=1.0)
    vectors = Ranked(hits(r5=0.9, r6=0.9, r7=0.9, r8=0.9, r9=0.9, r1=0.5), floor=0.4)
    fused = totals(words, vectors)
    assert min(fused[1], fused[2]) > 0.8
    assert max(fused[row] for row in (5, 6, 7, 8, 9)) == 0.0


@pytest.mark.parametrize(
    ("foreign", "trust"),
    [(None, 0.0), (0.0, 1.0), (1.0, 0.0), (0.5, 0.5)],
)
def test_a_model_that_knows_the_language_is_trusted_whatever_the_words_say(foreign, trust):
    words = Ranked(hits(r1=9.0, r2=8.0), support=1.0)
    vectors = Ranked(hits(r5=0.9, r6=0.9, r7=0.9, r8=0.9, r9=0.9), floor=0.4, foreign=foreign)
    fused = totals(words, vectors)
    assert fused[1] == pytest.approx(1 / (1 + trust))
    assert fused[5] == pytest.approx(trust / (1 + trust))


def test_a_model_that_does_not_know_the_language_counts_a_quarter():
    words = Ranked(hits(r1=9.0, r2=8.0), support=1.0)
    vectors = Ranked(hits(r1=0.9, r2=0.8), floor=0.4, foreign=1.0)
    assert totals(words, vectors)[2] == pytest.approx((8 / 9 + 0.25 * 0.8) / 1.25)


def test_a_leg_without_hits_leaves_the_other_as_it_is():
    vectors = Ranked(hits(r1=0.9, r2=0.5), floor=0.1)
    assert totals(Ranked([], support=0.0), vectors) == pytest.approx({1: 1.0, 2: 0.5})
    assert totals(Ranked(hits(r1=4.0, r2=2.0), support=1.0), Ranked([])) == pytest.approx({1: 0.5, 2: 0.25})
    assert totals(Ranked([], support=0.0), Ranked([])) == {}


def test_below_the_floor_the_order_stays():
    words = Ranked([], support=0.0)
    vectors = Ranked(hits(r1=0.9, r2=0.2, r3=0.1), floor=0.5)
    assert [one.row for one in fuse({"lexical": words, "vector": vectors}, WEIGHTED)] == [1, 2, 3]


def test_weights():
    words, vectors = Ranked(hits(r1=2.0, r2=1.0), support=1.0), Ranked(hits(r2=1.0, r1=0.5), floor=0.0)
    assert totals(words, vectors, Fusion(weights={"lexical": 3, "vector": 1})) == pytest.approx(
        {1: (3 * 1 + 0.5) / 4, 2: (3 * 0.5 + 1) / 4}
    )


def test_the_plain_sum_takes_the_scores_as_they_are():
    words, vectors = Ranked(hits(r1=8.0, r2=4.0), support=0.01), Ranked(hits(r2=0.9, r3=0.5), floor=0.4)
    fused = totals(words, vectors, Fusion(by="sum", weights={"lexical": 0.1, "vector": 0.9}))
    assert fused == pytest.approx({1: 0.8, 2: 0.4 + 0.81, 3: 0.45})


def test_min_max_goes_from_the_worst_candidate_to_the_best():
    words, vectors = Ranked(hits(r1=8.0, r2=4.0, r3=2.0)), Ranked(hits(r2=0.9, r3=0.5), floor=0.4, more={1: 0.7})
    fused = totals(words, vectors, Fusion(by="min-max", weights={"lexical": 0.4, "vector": 0.6}))
    assert fused == pytest.approx({1: 0.4 + 0.3, 2: 0.4 / 3 + 0.6, 3: 0.0}, rel=1e-5)


def test_candidates_that_are_all_alike_are_all_the_best():
    words, vectors = Ranked(hits(r1=2.0, r2=2.0)), Ranked([])
    assert totals(words, vectors, Fusion(by="min-max")) == {1: 1.0, 2: 1.0}


@pytest.mark.parametrize(
    ("asked", "counted"),
    [
        ({"lexical": 0.7}, {"lexical": 0.7, "vector": 0.3}),
        ({"lexical": 0.5, "vector": 1.0}, {"lexical": 0.5, "vector": 1.0}),
        ({"vector": 0.0}, {"lexical": 1.0, "vector": 0.0}),
    ],
)
def test_legs_that_a_question_does_not_name_share_the_rest(asked, counted):
    assert leg_weights(asked, ["lexical", "vector"], "hybrid") == counted


@pytest.mark.parametrize(
    ("asked", "legs", "says"),
    [
        ({"lexcial": 0.7}, ["lexical", "vector"], "its legs: lexical, vector"),
        ({"lexical": 0.7}, ["lexical"], "nothing to weigh"),
        ({"lexical": 0.0, "vector": 0.0}, ["lexical", "vector"], "nothing would count"),
        ({"a": 0.7, "b": 0.7}, ["a", "b", "c"], "leaves nothing for c"),
    ],
)
def test_weights_that_cannot_be_meant_are_refused(asked, legs, says):
    with pytest.raises(UsageError, match=says):
        leg_weights(asked, legs, "mine")


def test_what_another_leg_says_counts():
    words = Ranked(hits(r1=2.0, r2=1.0), support=1.0)
    vectors = Ranked(hits(r2=0.9), floor=0.1, more={1: 0.8})
    (first, *_) = fuse({"lexical": words, "vector": vectors}, WEIGHTED)
    assert first.row == 1
    assert dict(first.stages) == pytest.approx({"lexical": 2.0, "vector": 0.8, "retrieve": (1 + 0.875) / 2})


def placed(directions):
    """What gives the vectors of rows, each a direction in degrees."""
    angles = {row: np.radians(degrees) for row, degrees in directions.items()}
    return lambda rows: np.array([[np.cos(angles[row]), np.sin(angles[row])] for row in rows], np.float32)


def alike(**more):
    """Rows 2 and 3 fit as well as each other; row 4, which fits better, is like 3."""
    return Ranked(hits(r1=0.9, r4=0.7, r2=0.5, r3=0.5), floor=0.1, **more)


PLACES = placed({1: 0, 2: -89, 3: 80, 4: 85})


def test_what_is_like_what_was_found_comes_before_what_is_not():
    legs = {"lexical": Ranked([], support=0.0), "vector": alike(vectors=PLACES)}
    fused = {one.row: one.score for one in fuse(legs, WEIGHTED)}
    to_first, to_fourth, to_second = np.cos(np.radians([80, 5, 169]))
    assert to_second < 0
    assert list(fused) == [1, 4, 3, 2]
    assert fused[3] == pytest.approx(0.5 + 0.1 * (to_first * (1 - 0.5) + to_fourth * (0.75 - 0.5)), rel=1e-4)


def test_the_best_one_stays_and_nothing_passes_it():
    everywhere = placed(dict.fromkeys((1, 2, 3, 4), 30))
    fused = totals(Ranked([], support=0.0), alike(vectors=everywhere))
    assert fused[1] == 1.0 == max(fused.values())


@pytest.mark.parametrize(("foreign", "counts"), [(0.0, 1.0), (0.5, 0.625), (1.0, 0.25), (None, 1.0)])
def test_vectors_that_are_trusted_less_draw_less(foreign, counts):
    words = Ranked([], support=0.0)
    whole = totals(words, alike(vectors=PLACES, foreign=0.0))[3] - 0.5
    assert totals(words, alike(vectors=PLACES, foreign=foreign))[3] - 0.5 == pytest.approx(counts * whole, abs=1e-6)


def test_vectors_that_count_nothing_draw_nothing():
    words, fusion = Ranked(hits(r2=1.0), support=1.0), Fusion(weights={"vector": 0})
    assert totals(words, alike(vectors=PLACES), fusion) == totals(words, alike(), fusion)


def test_what_has_no_vector_keeps_its_score():
    def none(rows):
        return np.zeros((len(rows), 2), np.float32)

    words = Ranked([], support=0.0)
    assert totals(words, alike(vectors=none)) == totals(words, alike())


def test_chunks_that_are_worth_less_count_less_where_a_leg_does_not_know():
    words, scores = Ranked([], support=0.0), hits(r1=0.9, r2=0.8, r3=0.05)
    as_they_are = totals(words, Ranked(scores, floor=0.1))
    fused = totals(words, Ranked(scores, floor=0.1, worths={1: 0.5, 3: 0.5}))
    assert fused == pytest.approx({**as_they_are, 1: 0.5})


def in_items(of, chunks):
    """Gives the items of rows, and how many other chunks each has."""
    return lambda rows: ([of[row] for row in rows], [chunks[of[row]] - 1 for row in rows])


def with_company(of, chunks, fusion=WEIGHTED):
    legs = {"lexical": Ranked([], support=0.0), "vector": Ranked(hits(r1=0.9, r2=0.8, r3=0.8), floor=0.1)}
    return {one.row: one.score for one in fuse(legs, fusion, in_items(of, chunks))}


def test_a_chunk_counts_by_how_near_the_next_best_of_its_item_come():
    fused = with_company({1: "one", 2: "page", 3: "page"}, {"one": 9, "page": 9})
    near = 0.9 + 0.2 / 3
    assert fused == pytest.approx({1: 0.9, 2: near * 0.875, 3: near * 0.875}, rel=1e-5)
    few = with_company({1: "one", 2: "page", 3: "page"}, {"one": 1, "page": 2})
    assert few == pytest.approx({1: 1.0, 2: (1 + 0.1 / 8) * 0.875, 3: (1 + 0.1 / 8) * 0.875}, rel=1e-5)
    far = with_company({1: "one", 2: "one", 3: "two"}, {"one": 2, "two": 1})
    factor = 1 + 0.2 / 8 * (0.875**2 - 0.5)
    assert far == pytest.approx({1: factor, 2: 0.875 * factor, 3: 0.875}, rel=1e-5)


def test_chunks_below_the_pool_have_no_company_and_pass_none_of_it():
    scores = {f"r{row}": 1 - row / 100 for row in range(70)}
    legs = {"lexical": Ranked([], support=0.0), "vector": Ranked(hits(**scores), floor=0.0)}
    one_item = in_items(dict.fromkeys(range(70), "page"), {"page": 70})
    fused = {one.row: one.score for one in fuse(legs, WEIGHTED, one_item)}
    assert list(fused) == list(range(70))
    assert fused[69] == pytest.approx(0.9 * (1 - 69 / 100))


@pytest.mark.parametrize("by", ["rrf", "sum", "min-max"])
def test_the_plain_formulas_know_no_company(by):
    fusion = Fusion(by=by)
    alone = with_company({1: "a", 2: "b", 3: "c"}, {"a": 1, "b": 1, "c": 1}, fusion)
    assert with_company({1: "a", 2: "b", 3: "b"}, {"a": 9, "b": 2}, fusion) == alone


@pytest.mark.parametrize("by", ["rrf", "sum", "min-max"])
def test_the_plain_formulas_know_no_likeness(by):
    words, fusion = Ranked(hits(r2=1.0)), Fusion(by=by)
    assert totals(words, alike(vectors=PLACES), fusion) == totals(words, alike(), fusion)


def test_below_the_pool_nothing_passes_it():
    """51 chunks: the last one of the pool is like none, and stays before what is not in the pool."""
    scores = {f"r{row}": 1 - row / 100 for row in range(51)}
    directions = {row: 0 if row < 49 else 90 for row in range(51)}
    fused = totals(Ranked([], support=0.0), Ranked(hits(**scores), floor=0.0, vectors=placed(directions)))
    assert fused[49] >= fused[50] == 0.5


def test_reciprocal_ranks_share_a_tie():
    words, vectors = Ranked(hits(r1=2.0, r2=2.0, r3=1.0)), Ranked(hits(r3=0.9))
    assert totals(words, vectors, Fusion(by="rrf", k=9)) == pytest.approx({1: 0.1, 2: 0.1, 3: 1 / 12 + 0.1}, rel=1e-5)


@given(
    st.dictionaries(st.integers(0, 30), st.floats(0.1, 20), max_size=12),
    st.dictionaries(st.integers(0, 30), st.floats(-1, 1), max_size=12),
    st.floats(0, 1),
    st.floats(-0.5, 0.9),
)
def test_scores_are_bounded_and_no_order_of_arrival_matters(words, vectors, support, floor):
    def ranked(found, **fields):
        return Ranked([Hit(row, score) for row, score in found], **fields)

    def by_score(found):
        return sorted(found.items(), key=lambda one: -one[1])

    first = fuse(
        {"lexical": ranked(by_score(words), support=support), "vector": ranked(by_score(vectors), floor=floor)},
        WEIGHTED,
    )
    assert {one.row for one in first} == words.keys() | vectors.keys()
    assert all(one.score <= 1.0 + 1e-9 for one in first)
    again = fuse(
        {"vector": ranked(by_score(vectors), floor=floor), "lexical": ranked(by_score(words), support=support)},
        WEIGHTED,
    )
    assert [(one.row, one.score) for one in again] == [(one.row, one.score) for one in first]


def test_near_duplicates_are_those_of_a_better_one():
    texts = ["the moon pulls the tides of the sea", "The moon pulls  the tides, of the sea!", "gulls follow boats", ""]
    assert repeated(texts, 0.9) == [1]
    assert repeated(["a b c d e", "a b c d f"], 0.5) == [1]
    assert repeated(["a b c d e", "a b c d f"], 0.6) == []
    assert repeated(["one", "one", "two"], 1.0) == [1]
