"""The ONNX format that we read and write ourselves: it fits onnxruntime, and no damaged file gets past it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.embedding.networks import onnx_file, onnx_weights
from biblicus.embedding.networks.onnx_file import Operator
from biblicus.errors import ConfigInvalid

TENSORS: dict[str, Any] = {
    "floats": np.arange(6, dtype=np.float32).reshape(2, 3),
    "bytes": np.array([[0, 255, 128]], np.uint8),
    "signed": np.array([-128, 127], np.int8),
    "long": np.arange(300, dtype=np.float32),
}
ADD = Operator("Add", ["states", "floats"], ["sum"])


def model() -> bytes:
    parts = [onnx_file.tensor(name, value) for name, value in TENSORS.items()]
    parts.append(onnx_file.operator(ADD, "", {}))
    return onnx_file.model(parts, [("states", ["rows", 3]), ("sum", ["rows", 3])], {"": 20}, 9)


def test_what_is_written_is_read_again():
    tensors, operators = onnx_file.read(model())
    assert operators == [ADD]
    assert set(tensors) == set(TENSORS)
    for name, value in TENSORS.items():
        assert tensors[name].dtype == value.dtype
        assert np.array_equal(tensors[name], value)


def test_onnxruntime_computes_what_is_written():
    onnxruntime = pytest.importorskip("onnxruntime", reason="the extra [int8] is not installed")
    session = onnxruntime.InferenceSession(model(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"states": np.ones((2, 3), np.float32)})
    assert np.array_equal(result, TENSORS["floats"] + 1)


@pytest.mark.parametrize("end", range(0, len(model()) - 6, 7))
def test_a_file_that_breaks_off_is_refused(tmp_path: Path, end: int):
    path = tmp_path / "model.onnx"
    path.write_bytes(model()[:end])
    with pytest.raises(ConfigInvalid):
        onnx_weights.read(path, heads=1)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes):
    try:
        onnx_file.read(raw)
    except ValueError:
        pass
