"""Reads weights in the safetensors format, mapped into memory, so that only used tensors are read.

A file is an 8-byte length, a JSON header (name to dtype, shape and offsets) and the tensors' bytes, little-endian
(https://github.com/huggingface/safetensors#format). It is data only; nothing is run."""

from __future__ import annotations

import math
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards import json as guarded_json
from biblicus.lazy import NDArray, np
from biblicus.models.frozen import dataclass
from biblicus.models.records import Bounds, Record

if TYPE_CHECKING:
    Tensors = Mapping[str, NDArray[Any]]

_LARGEST_HEADER = 16 << 20
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "|u1"}


@dataclass(frozen=True, kw_only=True)
class _Tensor(Record):
    dtype: str
    shape: list[Annotated[int, Bounds(ge=0)]]
    data_offsets: Annotated[tuple[Annotated[int, Bounds(ge=0)], ...], Bounds(min_length=2, max_length=2)]


def read(path: Path) -> Tensors:
    """Return the tensors of a file by name, read-only and mapped; types that numpy lacks are skipped.

    Raises `ConfigInvalid` for an invalid file, and `OSError` for an unreadable one."""

    with path.open("rb") as file:
        try:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as error:
            raise _broken(path, "it is empty") from error
    length = int.from_bytes(mapped[:8], "little")
    start = 8 + length
    if len(mapped) < 8 or length > min(_LARGEST_HEADER, len(mapped) - 8):
        raise _broken(path, "its header does not fit into it")
    tensors = {}
    for name, tensor in _header(path, mapped[8:start]).items():
        first, end = tensor.data_offsets
        if tensor.dtype not in _TYPES:
            continue
        dtype = np.dtype(_TYPES[tensor.dtype])
        count = math.prod(tensor.shape)
        if end - first != count * dtype.itemsize or start + end > len(mapped):
            raise _broken(path, f'the tensor "{name}" lies outside it')
        flat = np.frombuffer(mapped, dtype, count, start + first) if count else np.empty(0, dtype)
        tensors[name] = flat.reshape(tensor.shape)
    return tensors


def _header(path: Path, raw: bytes) -> dict[str, _Tensor]:
    try:
        header = guarded_json.read(raw, max_bytes=_LARGEST_HEADER)
        if not isinstance(header, dict):
            raise BadData("It is no JSON object.")
        header.pop("__metadata__", None)
        return {name: _Tensor.model_validate(tensor) for name, tensor in header.items()}
    except (BadData, ValueError) as error:
        raise _broken(path, "its header is no list of tensors") from error


def _broken(path: Path, cause: str) -> ConfigInvalid:
    return ConfigInvalid(str(path), f"no sound safetensors file: {cause}.", "install or download the model again")
