"""Members of tar archives, compressed or not; a single compressed file is its own only member."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import IO, cast

from biblicus.extraction.kit.extras import missing
from biblicus.extraction.members import LINK
from biblicus.models.extraction import Packed, Unopened

_BLOCK = 1 << 18


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files of the archive in its order."""
    if not is_tar(raw):
        stem = name.rpartition("/")[2].rpartition(".")[0] or "file"
        yield Packed(stem, _blocks(_opened(raw)))
        return
    with tarfile.open(fileobj=_opened(raw), mode="r|", errors="surrogateescape", encoding="utf-8") as archive:
        for info in archive:
            if info.isdir():
                continue
            stream = archive.extractfile(info) if info.isreg() else None
            yield Packed(info.name, left=LINK) if stream is None else Packed(info.name, _blocks(stream))


def is_tar(raw: bytes) -> bool:
    """Return True if the decompressed data is a tar archive. Raises the decompressors' errors."""
    return _opened(raw).read(512)[257:262] == b"ustar"


def _opened(raw: bytes) -> IO[bytes]:
    """Return a stream that decompresses the data as it is read."""
    stream = io.BytesIO(raw)
    if raw.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=stream))
    if raw.startswith(b"BZh"):
        return bz2.BZ2File(stream)
    if raw.startswith(b"\x28\xb5\x2f\xfd"):
        return _of_zstd(stream)
    return lzma.LZMAFile(stream) if raw.startswith(b"\xfd7zXZ") else stream


def _of_zstd(stream: IO[bytes]) -> IO[bytes]:
    """Return a zstd reader: of Python from 3.14 on, before that of `backports.zstd`, which py7zr installs."""
    try:
        zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ImportError:
        raise Unopened(missing("archives")) from None
    return cast(IO[bytes], zstd.ZstdFile(stream))


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block
