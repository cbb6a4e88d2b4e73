from hypothesis import given
from hypothesis import strategies as st

from biblicus.embedding.networks.batches import by_length


@given(st.lists(st.integers(1, 60)), st.integers(1, 200), st.integers(1, 9))
def test_every_text_is_in_one_batch_and_batches_keep_to_their_bounds(lengths: list[int], tokens: int, texts: int):
    batches = list(by_length(lengths, tokens, texts))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or (len(batch) <= texts and len(batch) * max(lengths[i] for i in batch) <= tokens)


def test_neighbours_in_length_are_together():
    assert list(by_length([9, 1, 8, 2], 100, 2)) == [[1, 3], [2, 0]]
