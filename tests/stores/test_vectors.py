"""The store of vectors: what is kept, what a crash may leave, what is not believed, and what readers keep."""

import os
from pathlib import Path

import numpy as np
import pytest

from biblicus.errors import VectorsGone
from biblicus.stores.vectors import VectorStore, key_of

DIM = 8


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


def some(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)


def keys(count: int, first: int = 0) -> list[bytes]:
    return [key_of(f"text {number}") for number in range(first, first + count)]


def test_what_is_appended_is_found_by_another_process(folder):
    store = VectorStore(folder, DIM)
    assert store.find(keys(2)) == [-1, -1]
    assert store.append(keys(2), some(2), [False] * 2) == [0, 1]
    assert store.append(keys(3, 2), some(3, 1), [False] * 3) == [2, 3, 4]
    again = VectorStore(folder, DIM)
    assert again.find(keys(6)) == [0, 1, 2, 3, 4, -1]
    assert np.array_equal(again.matrix(again.generation()), np.concatenate([some(2), some(3, 1)]))
    assert again.is_sound()


def test_which_texts_were_cut_is_kept(folder):
    store = VectorStore(folder, DIM)
    store.append(keys(3), some(3), [False, True, False])
    assert store.are_cut([2, 1, -1]) == [False, True, False]
    store.compact([1, 2])
    assert VectorStore(folder, DIM).are_cut([0, 1]) == [True, False]


def test_blocks_of_rows(folder, monkeypatch):
    monkeypatch.setattr("biblicus.stores.vectors._BLOCK", 4)
    store = VectorStore(folder, DIM)
    for number in range(11):
        store.append(keys(1, number), some(1, number), [False] * 1)
    other = VectorStore(folder, DIM)
    os.utime(folder / f"{other.generation()}.f32")  # another change time: every byte is read again
    assert VectorStore(folder, DIM).count() == 11
    assert len(VectorStore(folder, DIM)._checked().blocks) == 3


def test_what_a_crash_left_beyond_the_seal_is_cut_off(folder):
    store = VectorStore(folder, DIM)
    store.append(keys(3), some(3), [False] * 3)
    generation = store.generation()
    for suffix in (".f32", ".keys"):
        with (folder / f"{generation}{suffix}").open("ab") as file:
            file.write(b"torn")
    after = VectorStore(folder, DIM)
    assert after.count() == 3
    assert after.append(keys(1, 3), some(1, 9), [False] * 1) == [3]
    assert np.array_equal(VectorStore(folder, DIM).matrix(generation)[3], some(1, 9)[0])


@pytest.mark.parametrize("suffix", [".f32", ".keys"])
def test_a_flipped_bit_is_not_believed(folder, suffix):
    store = VectorStore(folder, DIM)
    store.append(keys(3), some(3), [False] * 3)
    path = folder / f"{store.generation()}{suffix}"
    data = bytearray(path.read_bytes())
    data[10] ^= 1
    path.write_bytes(data)
    with pytest.raises(VectorsGone):
        VectorStore(folder, DIM).generation()
    fresh = VectorStore(folder, DIM)
    assert fresh.find(keys(3)) == [-1, -1, -1]  # a writer begins anew


def test_another_machines_is_not_believed_until_it_is_trusted(folder, monkeypatch, tmp_path):
    VectorStore(folder, DIM).append(keys(3), some(3), [False] * 3)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(VectorsGone):
        VectorStore(folder, DIM).generation()
    assert VectorStore(folder, DIM).trust()
    assert VectorStore(folder, DIM).find(keys(3)) == [0, 1, 2]


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b'{"generation": "../../../../etc/passwd", "dim": 8, "rows": 0, "blocks": [], "stamps": {}}',
        b'{"generation": "0123456789abcdef", "dim": 8, "rows": -1, "blocks": [], "stamps": {}}',
        b'{"generation": "0123456789abcdef", "dim": 8, "rows": 10000000000, "blocks": ["x"], "stamps": {}}',
        b"[" * 100_000,
    ],
)
def test_a_hostile_seal_is_not_trusted(folder, body):
    folder.mkdir()
    (folder / "seal.json").write_bytes(b"0" * 64 + b"\n" + body)
    assert not VectorStore(folder, DIM).trust()


def test_another_dimension_is_another_store(folder):
    VectorStore(folder, DIM).append(keys(1), some(1), [False] * 1)
    with pytest.raises(VectorsGone):
        VectorStore(folder, DIM + 1).generation()


def test_compaction_numbers_anew_and_readers_keep_what_they_have(folder):
    store = VectorStore(folder, DIM)
    store.append(keys(10), some(10), [False] * 10)
    before = store.generation()
    held = store.matrix(before)
    moved = store.compact([1, 3, 9])
    assert moved.tolist() == [-1, 0, -1, 1, -1, -1, -1, -1, -1, 2]
    assert (folder / f"{before}.f32").exists()  # until the runs were led over
    store.drop_others()
    assert not (folder / f"{before}.f32").exists()
    assert np.array_equal(held, some(10))
    again = VectorStore(folder, DIM)
    assert again.find(keys(10)) == moved.tolist()
    assert np.array_equal(again.matrix(again.generation()), some(10)[[1, 3, 9]])
    with pytest.raises(VectorsGone):
        again.matrix(before)
