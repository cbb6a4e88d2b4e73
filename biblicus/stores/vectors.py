"""The vectors of one model over a corpus: one append-only, memory-mapped store; runs refer to its rows.

It is also a cache: a text's vector is found by the text's sha256, so nothing is embedded twice. `seal.json` has the
number of valid rows and, under this machine's seal, a digest for each block of rows; the next writer cuts off rows that
a crash left beyond them. Rows are never renumbered within a generation; `compact` begins a new one.

Writers hold the corpus's lock. A reader keeps the rows that it mapped, despite later appends and compactions."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from biblicus.disk import files, seals, system
from biblicus.errors import BiblicusError, StorageFailed, UnsafeInput, VectorsGone
from biblicus.guards import json as guarded
from biblicus.lazy import NDArray, np
from biblicus.models.digest import canonical

_KEY = 33
"""Bytes of a row in the file of keys: the text's sha256, and 1 if the model truncated the text."""
_BLOCK = 4_096
"""Number of rows in a block with one digest."""
_LARGEST_SEAL = 64 << 20
_GENERATION = re.compile(r"[0-9a-f]{16}")


def key_of(text: str) -> bytes:
    """Return the key of a text's vector."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


@dataclass
class _Sealed:
    """Content of the seal: generation, dimension, number of valid rows, and a digest for each block."""

    generation: str
    dim: int
    rows: int
    blocks: list[str]
    stamps: Mapping[str, list[int]]


_SHAPE = {"generation": str, "dim": int, "rows": int, "blocks": [str], "stamps": {str: [int]}}


def stores(folder: Path) -> list[VectorStore]:
    """Return every store below a folder; one with an unreadable seal has dimension 0."""
    with suppress(OSError):
        return [VectorStore(path, _dim(path)) for path in sorted(folder.iterdir()) if not path.is_symlink()]
    return []


def _dim(folder: Path) -> int:
    sealed = _unproved(folder)
    return sealed.dim if sealed else 0


def _unproved(folder: Path) -> _Sealed | None:
    """Parse a seal without verifying it; None if it is invalid. Its content must not be trusted."""
    try:
        body = files.read(folder / seals.SEAL, limit=_LARGEST_SEAL).partition(b"\n")[2]
        sealed = _Sealed(**guarded.read(body, max_bytes=_LARGEST_SEAL))
        is_sane = (
            isinstance(sealed.generation, str)
            and _GENERATION.fullmatch(sealed.generation)
            and all(isinstance(number, int) and number >= 0 for number in (sealed.dim, sealed.rows))
            and sealed.dim < 1 << 16
            and len(sealed.blocks) == -(-sealed.rows // _BLOCK)
        )
        return sealed if is_sane else None
    except (OSError, BiblicusError, TypeError):
        return None


class VectorStore:
    """The store of one model, in its own folder."""

    def __init__(self, folder: Path, dim: int) -> None:
        self.folder, self.dim = folder, dim
        self._sealed: _Sealed | None = None
        self._rows: dict[bytes, int] | None = None
        self._cut: list[bool] = []

    # --- reading ---

    def generation(self) -> str:
        """Return the current generation. Raises `VectorsGone` if there is no valid store."""
        return self._checked().generation

    def count(self) -> int:
        return self._checked().rows

    def matrix(self, generation: str) -> NDArray[np.float32]:
        """Return all rows, memory-mapped. Raises `VectorsGone` for another generation than the current one."""

        sealed = self._checked()
        if sealed.generation != generation:
            raise VectorsGone
        if not sealed.rows:
            return np.empty((0, self.dim), np.float32)
        shape = (sealed.rows, self.dim)
        return np.memmap(self._vectors(sealed), dtype="<f4", mode="r", shape=shape).view(np.ndarray)

    def size(self) -> int:
        """Return the store's size on disk in bytes."""
        with suppress(OSError):
            return sum(entry.stat().st_size for entry in os.scandir(self.folder))
        return 0

    def is_sealed(self) -> bool:
        """Return true if there is a store sealed by this machine."""
        try:
            return self._checked().rows >= 0
        except VectorsGone:
            return False

    def is_sound(self) -> bool:
        """Return true if every sealed byte is unchanged, despite the stamps."""
        try:
            sealed = self._checked()
            return sealed.blocks == self._digests(sealed, 0, sealed.rows)
        except (OSError, VectorsGone, UnsafeInput):
            return False

    # --- writing, under the corpus's lock ---

    def trust(self) -> bool:
        """Seal a store from another machine; return false if its digests do not match."""
        sealed = _unproved(self.folder)
        try:
            if sealed is None or sealed.blocks != self._digests(sealed, 0, sealed.rows):
                return False
            self._write(sealed)
        except (OSError, UnsafeInput):
            return False
        return True

    def find(self, keys: Sequence[bytes]) -> list[int]:
        """Return the row of each key, or -1."""
        rows = self._known()
        return [rows.get(key, -1) for key in keys]

    def are_cut(self, rows: Sequence[int]) -> list[bool]:
        """Return for each row if the model truncated its text; false for -1."""
        self._known()
        return [row >= 0 and self._cut[row] for row in rows]

    def append(self, keys: Sequence[bytes], vectors: NDArray[np.float32], cut: Sequence[bool]) -> list[int]:
        """Append vectors (n, dim) durably and return their rows. `cut`: the model truncated the text."""

        rows_by_key = self._known()
        sealed = self._sealed
        assert sealed is not None  # `_known` creates a missing store
        first = sealed.rows
        try:
            body = np.ascontiguousarray(vectors, dtype="<f4").tobytes()
            _append(self._vectors(sealed), first * self.dim * 4, body)
            marked = (key + bytes([flag]) for key, flag in zip(keys, cut, strict=True))
            _append(self._keys(sealed), first * _KEY, b"".join(marked))
            self._seal(sealed, first + len(keys))
        except OSError as error:
            raise StorageFailed(str(self.folder), files.describe(error)) from error
        rows = list(range(first, first + len(keys)))
        rows_by_key.update(zip(keys, rows, strict=True))
        self._cut += cut
        return rows

    def compact(self, keep: Sequence[int]) -> NDArray[np.int64]:
        """Begin a new generation with these rows only; return the new row of each old one (-1: dropped).

        The files of the old generation stay until `drop_others`, so that runs can be migrated in between."""

        old = self._checked()
        vectors, (keys, cut) = self.matrix(old.generation), _read_keys(self._keys(old), old.rows)
        self._begin()
        moved: NDArray[np.int64] = np.full(old.rows, -1, np.int64)
        for start in range(0, len(keep), _BLOCK):
            part = list(keep[start : start + _BLOCK])
            moved[part] = self.append([keys[row] for row in part], vectors[part], [cut[row] for row in part])
        return moved

    def delete(self) -> None:
        system.remove_tree(self.folder, ignore_errors=True)
        self._sealed = self._rows = None

    def drop_others(self) -> None:
        """Delete the files of earlier generations."""
        generation = self._checked().generation
        for path in self.folder.iterdir():
            if path.suffix in (".f32", ".keys") and path.stem != generation:
                files.remove(path)

    # --- inside ---

    def _vectors(self, sealed: _Sealed) -> Path:
        return self.folder / f"{sealed.generation}.f32"

    def _keys(self, sealed: _Sealed) -> Path:
        return self.folder / f"{sealed.generation}.keys"

    def _checked(self) -> _Sealed:
        """Return the seal, verified by the files' stamps or else by reading them."""
        if self._sealed is None:
            self._sealed = self._read()
        return self._sealed

    def _read(self) -> _Sealed:
        values = seals.read_object(self.folder / seals.SEAL, _SHAPE)
        if values is None:
            raise VectorsGone
        sealed = _Sealed(**values)
        if sealed.dim != self.dim:
            raise VectorsGone
        try:
            if sealed.stamps != self._stamps(sealed):
                if sealed.blocks != self._digests(sealed, 0, sealed.rows):
                    raise VectorsGone
                with suppress(StorageFailed):  # a reader may lack write permission; the seal is still valid
                    self._write(sealed)
        except (OSError, UnsafeInput):
            raise VectorsGone from None
        return sealed

    def _known(self) -> dict[bytes, int]:
        if self._rows is None:
            try:
                sealed = self._checked()
            except VectorsGone:
                sealed = self._begin()
            keys, self._cut = _read_keys(self._keys(sealed), sealed.rows)
            self._rows = {key: row for row, key in enumerate(keys)}
        return self._rows

    def _begin(self) -> _Sealed:
        """Create an empty generation."""
        files.make_folder(self.folder)
        self._rows, self._cut = {}, []
        self._sealed = _Sealed(secrets.token_hex(8), self.dim, 0, [], {})
        for path in (self._vectors(self._sealed), self._keys(self._sealed)):
            path.touch()
        self._seal(self._sealed, 0)
        return self._sealed

    def _seal(self, sealed: _Sealed, rows: int) -> None:
        """Make appended rows valid; the last, possibly partial block is read again."""
        full_blocks = sealed.rows // _BLOCK
        sealed.blocks = sealed.blocks[:full_blocks] + self._digests(sealed, full_blocks * _BLOCK, rows)
        sealed.rows = rows
        self._write(sealed)

    def _write(self, sealed: _Sealed) -> None:
        sealed.stamps = self._stamps(sealed)
        seals.write_sealed(self.folder / seals.SEAL, canonical(vars(sealed)))

    def _stamps(self, sealed: _Sealed) -> dict[str, list[int]]:
        return {path.name: seals.stamp(path) for path in (self._vectors(sealed), self._keys(sealed))}

    def _digests(self, sealed: _Sealed, first: int, rows: int) -> list[str]:
        digests = []
        with files.opened(self._vectors(sealed)) as vectors, files.opened(self._keys(sealed)) as keys:
            for start in range(first, rows, _BLOCK):
                count = min(_BLOCK, rows - start)
                digest = hashlib.sha256(system.read_at(vectors, count * self.dim * 4, start * self.dim * 4))
                digest.update(system.read_at(keys, count * _KEY, start * _KEY))
                digests.append(digest.hexdigest())
        return digests


def _append(path: Path, offset: int, data: bytes) -> None:
    """Write at an offset durably, cutting off later bytes."""
    descriptor = system.open_file(path, system.WRITE)
    try:
        os.ftruncate(descriptor, offset)
        view = memoryview(data)
        while view:
            written = system.write_at(descriptor, view, offset)
            view, offset = view[written:], offset + written
        files.sync(descriptor)
    finally:
        os.close(descriptor)


def _read_keys(path: Path, rows: int) -> tuple[list[bytes], list[bool]]:
    data = files.read(path)
    starts = range(0, rows * _KEY, _KEY)
    return [data[at : at + _KEY - 1] for at in starts], [bool(data[at + _KEY - 1]) for at in starts]
