"""Weights are data: what is not sound safetensors is a sentence, never a crash."""

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.embedding.networks import safetensors
from biblicus.errors import ConfigInvalid
from tests.embedding.conftest import write_safetensors

TENSORS: dict[str, np.ndarray] = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "half": np.ones((4, 2), np.float16),
    "rows": np.array([3, 1], np.int64),
    "none": np.empty((0, 3), np.float32),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    write_safetensors(path, TENSORS)
    return path


def raw_with(header: object, body: bytes = b"\0" * 64) -> bytes:
    raw = json.dumps(header).encode()
    return len(raw).to_bytes(8, "little") + raw + body


def test_tensors_come_back_as_they_were_written(file: Path):
    tensors = safetensors.read(file)
    assert set(tensors) == set(TENSORS)
    for name, tensor in TENSORS.items():
        assert tensors[name].dtype == tensor.dtype
        np.testing.assert_array_equal(tensors[name], tensor)


def test_tensors_are_read_only(file: Path):
    with pytest.raises(ValueError, match="read-only"):
        safetensors.read(file)["a"][0, 0] = 1


def test_the_library_reads_the_same(file: Path):
    library = pytest.importorskip("safetensors.numpy", reason="the extra [static] is not installed")
    for name, tensor in library.load_file(file).items():
        np.testing.assert_array_equal(safetensors.read(file)[name], tensor)


def test_what_the_writer_says_of_itself_is_no_tensor(tmp_path: Path):
    path = tmp_path / "m.safetensors"
    path.write_bytes(raw_with({"__metadata__": {"format": "pt"}}))
    assert safetensors.read(path) == {}


def test_a_type_that_numpy_lacks_is_left_out(tmp_path: Path):
    path = tmp_path / "m.safetensors"
    path.write_bytes(raw_with({"b": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}))
    assert safetensors.read(path) == {}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\1",
        b"\xff" * 8,
        b"\xff" * 40,
        (200).to_bytes(8, "little") + b"{}",
        raw_with([]),
        raw_with({"a": 1}),
        raw_with({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}),
        raw_with({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}),
        raw_with({"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}}),
        raw_with({"a": {"dtype": "F32", "shape": [100], "data_offsets": [0, 400]}}),
        raw_with({"a": {"dtype": "F32", "shape": [1 << 62, 1 << 62], "data_offsets": [0, 4]}}),
        raw_with({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], "more": 1}}),
        b"\x80\x04\x95 a pickle's first bytes",
    ],
)
def test_a_broken_file_is_a_sentence(tmp_path: Path, raw: bytes):
    path = tmp_path / "m.safetensors"
    path.write_bytes(raw)
    with pytest.raises(ConfigInvalid, match="no sound safetensors"):
        safetensors.read(path)


@given(st.integers(0, 400), st.binary(min_size=1, max_size=9))
def test_changed_bytes_are_a_sentence_or_other_numbers(tmp_path_factory: pytest.TempPathFactory, at: int, new: bytes):
    path = tmp_path_factory.mktemp("m") / "m.safetensors"
    write_safetensors(path, TENSORS)
    raw = bytearray(path.read_bytes())
    raw[at : at + len(new)] = new
    path.write_bytes(raw)
    with suppress(ConfigInvalid):
        safetensors.read(path)
