"""Members of zip archives."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator, Sequence

from biblicus.extraction.members import LINK, Packed
from biblicus.models.extraction import NoExtraction

_BLOCK = 1 << 18
_ASKS = NoExtraction("encrypted", "it asks for a password; unpack it into the folder")
_UNKNOWN = NoExtraction("unsupported", "it is packed in a way that is not read; unpack it into the folder")
_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_UTF_8 = 0x800


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """The files of the archive, in its order."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for info in archive.infolist():
            inside = _name(info)
            if inside.endswith("/"):
                continue
            if stat.S_ISLNK(info.external_attr >> 16):
                yield Packed(inside, left=LINK)
            elif info.flag_bits & 0x1:
                yield Packed(inside, left=_ASKS)
            elif info.compress_type not in _WAYS:
                yield Packed(inside, left=_UNKNOWN)
            else:
                yield Packed(inside, _blocks(archive, info), info.compress_size or 1)


def are_all_locked(raw: bytes) -> bool:
    """Whether every file of the archive asks for a password. Raises what `zipfile` raises."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    return bool(infos) and all(info.flag_bits & 0x1 for info in infos)


def _blocks(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as stream:
        while block := stream.read(_BLOCK):
            yield block


def _name(info: zipfile.ZipInfo) -> str:
    """The name, with slashes. Programs on Unix write UTF-8 without saying so."""
    name = info.filename
    if not info.flag_bits & _UTF_8 and not name.isascii():
        try:
            name = name.encode("cp437").decode()
        except UnicodeError:
            pass  # it is what the standard says
    return name.replace("\\", "/")
