"""Vectors shared in a team, in groups of neighbouring chunks, keyed by the model and the digests of their texts.

A group ends at a text whose digest has a certain form, so an edit leaves the groups before and after it unchanged. A
group is fetched and stored as a whole: an index of 50,000 chunks has some thousand groups, fetched 64 at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from biblicus.contracts import Call

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.stores.shared import SharedCache

_KIND = "vectors"
_FORM = "1"
"""Version of the entries' format."""
_MOST = 256
"""Maximum number of texts in a group."""
_ENDS = 4
"""A group ends with a text whose digest's first byte is below this: one in 64."""


class Group(NamedTuple):
    """Neighbouring texts: their positions in the request, and their keys."""

    places: Sequence[int]
    keys: Sequence[bytes]


class Fetched(NamedTuple):
    """Vectors (n, dim) of texts with their keys; `cut`: the model truncates the text."""

    keys: list[bytes]
    vectors: NDArray[float32]
    cut: list[bool]


class SharedVectors:
    """Shared vectors of one model. `may_leave`: return true if an item's text may be shared."""

    def __init__(self, shared: SharedCache, fingerprint: str, dim: int, may_leave: Callable[[str], bool]) -> None:
        self._shared, self._dim, self._may_leave = shared, dim, may_leave
        self._model = f"{_FORM} {dim} {fingerprint} "

    def groups(self, keys: Sequence[bytes], paths: Sequence[str], rows: Sequence[int]) -> list[Group]:
        """Return the groups that may be shared and contain a text without a row."""
        groups = []
        for path, neighbours in groupby(range(len(paths)), paths.__getitem__):
            places = list(neighbours)
            if all(rows[place] >= 0 for place in places) or not self._may_leave(path):
                continue
            groups += [Group(part, [keys[place] for place in part]) for part in _divided(places, keys)]
        return self.lacking(groups, rows)

    def lacking(self, groups: Sequence[Group], rows: Sequence[int]) -> list[Group]:
        """Return the groups that contain a text without a row."""
        return [group for group in groups if any(rows[place] < 0 for place in group.places)]

    def fetched(self, groups: Sequence[Group], call: Call) -> Iterator[Fetched]:
        """Yield vectors that the team has, some groups at a time; each text once."""
        import numpy as np

        groups_by_identity = {self._identity(group): group for group in groups}
        taken: set[bytes] = set()
        for entries in self._shared.found(_KIND, list(groups_by_identity), call):
            keys: list[bytes] = []
            cut: list[bool] = []
            vectors: list[NDArray[float32]] = []
            for identity, body in entries:
                group_keys = groups_by_identity[identity].keys
                if len(body) != len(group_keys) * (1 + 4 * self._dim):
                    continue
                matrix = np.frombuffer(body, "<f4", offset=len(group_keys)).reshape(len(group_keys), self._dim)
                for key, vector, is_cut in zip(group_keys, matrix, body, strict=False):
                    if key not in taken and np.isfinite(vector).all():
                        taken.add(key)
                        keys.append(key)
                        vectors.append(vector)
                        cut.append(bool(is_cut))
            if keys:
                yield Fetched(keys, np.stack(vectors), cut)

    def put(
        self, groups: Sequence[Group], rows: Sequence[int], cut: Sequence[bool], matrix: NDArray[float32], call: Call
    ) -> None:
        """Share groups whose texts all have a row now. `rows`, `cut`: of all requested texts."""
        import numpy as np

        entries = {}
        for group in groups:
            group_rows = [rows[place] for place in group.places]
            if min(group_rows) >= 0:
                body = np.ascontiguousarray(matrix[group_rows], dtype="<f4").tobytes()
                entries[self._identity(group)] = bytes(cut[place] for place in group.places) + body
        self._shared.put(_KIND, entries, call)

    def _identity(self, group: Group) -> str:
        return self._model + hashlib.sha256(b"".join(group.keys)).hexdigest()


def _divided(places: Sequence[int], keys: Sequence[bytes]) -> Iterator[list[int]]:
    part: list[int] = []
    for place in places:
        part.append(place)
        if keys[place][0] < _ENDS or len(part) == _MOST:
            yield part
            part = []
    if part:
        yield part
