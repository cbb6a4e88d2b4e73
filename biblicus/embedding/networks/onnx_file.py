"""The part of the ONNX file format that our models need: tensors, operators, one graph (onnx.proto of ONNX).

A file is a protocol buffer: a message is a series of fields, each with a number, a type and a value. The package `onnx`
would take 36 MB for this."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biblicus.lazy import NDArray, np

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_TYPES: dict[int, np.dtype[Any]] = {
    1: np.dtype("<f4"),
    2: np.dtype("u1"),
    3: np.dtype("i1"),
    7: np.dtype("<i8"),
    10: np.dtype("<f2"),
}
_NUMBERS = {kind: number for number, kind in _TYPES.items()}
_FLOAT = 1
_WORD = (1 << 64) - 1
"""Integers have 64 bits, in two's complement."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One node of a graph: the operator's name and the names of its inputs and outputs."""

    kind: str
    inputs: Sequence[str]
    outputs: Sequence[str]


# --- reading ---


def read(raw: bytes) -> tuple[dict[str, NDArray[Any]], list[Operator]]:
    """Return the tensors by name and the operators of a model. Raises `ValueError` for another format."""
    tensors, operators = {}, []
    for number, value in _fields(_first(memoryview(raw), 7)):
        if number == 5:
            name, array = _tensor(value)
            tensors[name] = array
        elif number == 1:
            operators.append(_operator(value))
    return tensors, operators


def _operator(raw: Any) -> Operator:
    fields = list(_fields(raw))
    texts = {key: [str(value, "utf-8") for number, value in fields if number == key] for key in (1, 2, 4)}
    return Operator("".join(texts[4]), texts[1], texts[2])


def _tensor(raw: Any) -> tuple[str, NDArray[Any]]:
    """Return name and content of a tensor: raw bytes, or numbers one by one."""
    shape: list[int] = []
    numbers: list[int] = []
    name, kind, data = "", 0, None
    for number, value in _fields(raw):
        if number == 1:
            shape.extend([value] if isinstance(value, int) else _varints(value))
        elif number == 2:
            kind = value
        elif number == 5:
            numbers.extend([value] if isinstance(value, int) else _varints(value))
        elif number == 8:
            name = str(value, "utf-8")
        elif number in (4, 9) and not isinstance(value, int):
            data = value
    if kind not in _TYPES or (data is None and not numbers):
        return name, np.empty(0, np.float32)
    if data is None:
        return name, np.array([number & _WORD for number in numbers], np.uint64).astype(_TYPES[kind]).reshape(shape)
    return name, np.frombuffer(data, _TYPES[kind]).reshape(shape)


def _first(raw: Any, wanted: int) -> Any:
    for number, value in _fields(raw):
        if number == wanted:
            return value
    raise ValueError("the file has no graph")


def _fields(raw: Any) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each field of a message: an int, or a view of bytes."""
    at = 0
    while at < len(raw):
        key, at = _varint(raw, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(raw, at)
            yield number, value
            continue
        if kind == _BYTES:
            size, at = _varint(raw, at)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError("a field of an unknown kind")
        if at + size > len(raw):
            raise ValueError("the file ends within a field")
        yield number, raw[at : at + size]
        at += size


def _varint(raw: Any, at: int) -> tuple[int, int]:
    """Read a number of seven bits a byte, and its end position."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(raw):
            break
        value |= (raw[at] & 0x7F) << shift
        at += 1
        if raw[at - 1] < 0x80:
            return value, at
    raise ValueError("a number that does not end")


def _varints(raw: Any) -> Iterator[int]:
    at = 0
    while at < len(raw):
        value, at = _varint(raw, at)
        yield value


# --- writing ---


def model(
    graph: Iterable[bytes], ends: Sequence[tuple[str, Sequence[int | str]]], versions: Mapping[str, int], ir: int
) -> bytes:
    """Return a model of `tensor` and `operator` parts.

    `ends`: name and shape of its input and of its output; `versions`: of the operators, by namespace; `ir`: version of
    the format."""
    described = [_field(number, _described(*end)) for number, end in zip((11, 12), ends, strict=True)]
    graph_bytes = b"".join([*graph, _field(2, b"graph"), *described])
    operator_sets = [_field(8, _field(1, domain.encode()) + _field(2, version)) for domain, version in versions.items()]
    return b"".join([_field(1, ir), _field(7, graph_bytes), *operator_sets])


def tensor(name: str, value: NDArray[Any]) -> bytes:
    """Return a constant of a graph."""
    shape = b"".join(_field(1, size) for size in value.shape)
    data = _field(9, np.ascontiguousarray(value).tobytes())
    return _field(5, shape + _field(2, _NUMBERS[value.dtype]) + _field(8, name.encode()) + data)


def operator(made: Operator, domain: str, options: Mapping[str, int | float | Sequence[int]]) -> bytes:
    """Return an operator of a graph."""
    names = [(1, name) for name in made.inputs] + [(2, name) for name in made.outputs]
    parts = [_field(number, name.encode()) for number, name in [*names, (4, made.kind), (7, domain)]]
    return _field(1, b"".join([*parts, *(_field(5, _option(*option)) for option in options.items())]))


def _option(name: str, value: int | float | Sequence[int]) -> bytes:
    if isinstance(value, float):
        return _field(1, name.encode()) + _field(2, value) + _field(20, 1)
    if isinstance(value, int):
        return _field(1, name.encode()) + _field(3, value) + _field(20, 2)
    return _field(1, name.encode()) + b"".join(_field(8, number) for number in value) + _field(20, 7)


def _described(name: str, shape: Sequence[int | str]) -> bytes:
    """Return name and type of a float input or output; a text in its shape is a variable size."""
    sizes = [_field(1, size) if isinstance(size, int) else _field(2, size.encode()) for size in shape]
    kind = _field(1, _FLOAT) + _field(2, b"".join(_field(1, size) for size in sizes))
    return _field(1, name.encode()) + _field(2, _field(1, kind))


def _field(number: int, value: int | float | bytes) -> bytes:
    if isinstance(value, bytes):
        return _packed(number << 3 | _BYTES) + _packed(len(value)) + value
    if isinstance(value, float):
        return _packed(number << 3 | _FIXED32) + struct.pack("<f", value)
    return _packed(number << 3 | _VARINT) + _packed(value)


def _packed(value: int) -> bytes:
    packed = bytearray()
    value &= _WORD
    while value > 0x7F:
        packed.append(value & 0x7F | 0x80)
        value >>= 7
    packed.append(value)
    return bytes(packed)
