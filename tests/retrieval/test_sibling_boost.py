"""A page with several good chunks comes before one that mentions a thing in passing."""

import pytest

from biblicus.contracts import Hit
from biblicus.retrieval.words import sibling_boost


def weighed(*chunks: tuple[float, int, int]) -> list[tuple[int, float]]:
    """Rows and scores, of chunks with a score, an item and its other chunks."""
    hits = [Hit(row, score) for row, (score, _, _) in enumerate(chunks)]
    items, others = [item for _, item, _ in chunks], [others for _, _, others in chunks]
    again = sibling_boost.weighed(hits, items, others, sibling_boost.Boost(0.1, 4, 1))
    return [(hit.row, hit.score) for hit in again]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([(10.0, 1, 0)], [(0, 10.0)]),
        ([(10.0, 1, 1), (10.0, 1, 1)], [(0, 10.5), (1, 10.5)]),
        ([(10.0, 1, 5)], [(0, 9.5)]),
        # Three good chunks of item 2 beat the one of item 1; that of item 3, which has no others, is as it was.
        (
            [(10.0, 1, 9), (9.9, 2, 9), (9.9, 2, 9), (9.9, 2, 9), (9.8, 3, 0)],
            [(1, 10.065), (2, 10.065), (3, 10.065), (4, 9.8), (0, 9.5)],
        ),
        ([], []),
    ],
)
def test_what_company_counts(chunks, expected):
    again = weighed(*chunks)
    assert [row for row, _ in again] == [row for row, _ in expected]
    assert [score for _, score in again] == pytest.approx([score for _, score in expected], rel=1e-5)


def test_only_the_pool_counts_and_all_of_a_tie_is_of_it():
    alone = [(5.0, row, 1) for row in range(sibling_boost.POOL)]
    beyond = [(4.0, 0, 1)]
    assert dict(weighed(*alone, *beyond))[0] == pytest.approx(4.75)
    tied = [(5.0, 0, 1)]
    assert dict(weighed(*alone, *tied))[0] == pytest.approx(5.25)


def test_scores_do_not_depend_on_how_many_are_asked_for(read, chunk):
    from biblicus.contracts import Call
    from biblicus.models.question import Question

    texts = ["winch rope", "winch", "a winch and a rope and a boat", "rope", "a boat", "the winch rope of a boat"] * 40
    reader = read([chunk(row, text, item=row // 3, others=2) for row, text in enumerate(texts)])
    question = Question("winch rope", {"en": 1.0})
    everything = reader.search(question, None, 500, Call())
    for k in (1, 3, 10, 64, 65, 130):
        hits = reader.search(question, None, k, Call())
        assert hits == everything[: len(hits)]
        assert len(hits) >= k
