"""Members of archives whose libraries unpack several files per call: batches of bounded size, unpacked on first use.

Files of a block cannot be unpacked without the files before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import NoExtraction, Packed

_BATCH = 64 << 20
"""Maximum bytes of files that are unpacked together."""
_LARGEST = 256 << 20
_TOO_LARGE = NoExtraction("too large", f"larger than {_LARGEST >> 20} MiB, in an archive that is unpacked in memory")


@dataclass(frozen=True)
class Entry:
    """A file in an archive's listing. `size`: its bytes; `packed`: its compressed bytes, 0 if unknown; `left`: why it
    is not unpacked."""

    name: str
    size: int
    packed: int = 0
    left: NoExtraction | None = None


def in_batches(entries: Sequence[Entry], unpack: Callable[[Sequence[int]], Iterable[bytes]]) -> Iterator[Packed]:
    """Yield the members in order. `unpack`: returns the bytes of the files with these numbers."""
    batch: list[int] = []
    batch_bytes = 0
    for number, entry in enumerate(entries):
        if entry.left is not None or entry.size > _LARGEST:
            yield Packed(entry.name, left=entry.left or _TOO_LARGE)
            continue
        if batch and batch_bytes + entry.size > _BATCH:
            yield from _batch(entries, batch, unpack)
            batch, batch_bytes = [], 0
        batch.append(number)
        batch_bytes += entry.size
    yield from _batch(entries, batch, unpack)


def _batch(
    entries: Sequence[Entry], numbers: Sequence[int], unpack: Callable[[Sequence[int]], Iterable[bytes]]
) -> Iterator[Packed]:
    unpacked: dict[int, bytes] = {}

    def blocks(number: int) -> Iterator[bytes]:
        """Yield a file's bytes. The first request unpacks the batch, or only that file if one of the batch is
        damaged."""
        if number not in unpacked:
            try:
                unpacked.update(zip(numbers, unpack(numbers), strict=True))
            except ExtractionFailed:
                unpacked.update(zip([number], unpack([number]), strict=True))
        yield unpacked.pop(number)

    for number in numbers:
        entry = entries[number]
        yield Packed(entry.name, blocks(number), entry.packed)
