"""A state folder of our own, and tiny models made for the purpose: a user's are never touched."""

import json
import os
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("BIBLICUS_") and name != "BIBLICUS_DATA"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """The format, written independently of how we read it."""
    names = {"float32": "F32", "float16": "F16", "int64": "I64"}
    header, body = {}, b""
    for name, tensor in tensors.items():
        end = len(body) + tensor.nbytes
        header[name] = {
            "dtype": names[str(tensor.dtype)],
            "shape": list(tensor.shape),
            "data_offsets": [len(body), end],
        }
        body += tensor.tobytes()
    raw = json.dumps(header).encode()
    path.write_bytes(len(raw).to_bytes(8, "little") + raw + body)
