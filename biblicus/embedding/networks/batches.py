"""Batches of texts of similar length, to reduce padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def by_length(lengths: Sequence[int], most_tokens: int, most_texts: int) -> Iterator[list[int]]:
    """Yield batches of indexes, shortest first. With padding each has at most `most_tokens`, or one text."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == most_texts or (len(batch) + 1) * lengths[index] > most_tokens):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
