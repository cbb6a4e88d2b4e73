"""Texts of like length together: the less a batch is padded, the less is computed for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def by_length(lengths: Sequence[int], most_tokens: int, most_texts: int) -> Iterator[list[int]]:
    """Batches of indexes, shortest first; each padded to its longest stays within `most_tokens`, or holds one text."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == most_texts or (len(batch) + 1) * lengths[index] > most_tokens):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
