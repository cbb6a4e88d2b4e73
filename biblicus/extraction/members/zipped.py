"""Members of zip archives; AES encryption needs pyzipper (extra `[archives]`)."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator, Sequence
from typing import cast

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted
from biblicus.extraction.kit.extras import installed
from biblicus.extraction.members import LINK
from biblicus.models.extraction import NoExtraction, Packed, Unopened

_BLOCK = 1 << 18
_UNKNOWN = NoExtraction("unsupported", "it is packed in a way that is not read; unpack it into the folder")
_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_UTF_8, _LOCKED = 0x800, 0x1
_AES = 99
_NO_AES = NoExtraction(
    "encrypted", 'the file asks for a password; what opens it takes pip install "biblicus-corpus[archives]"'
)


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files of the archive in its order. Raises `Unopened` if none can be decrypted, and errors of
    `zipfile`."""
    with _archive(raw) as archive:
        files = [info for info in archive.infolist() if not _name(info).endswith("/")]
        locked = [info for info in files if info.flag_bits & _LOCKED]
        why = _unlock(archive, locked, passwords) if locked else None
        if why is not None and len(locked) == len(files):
            raise Unopened(why)
        for info in files:
            inside = _name(info)
            if stat.S_ISLNK(info.external_attr >> 16):
                yield Packed(inside, left=LINK)
            elif why is not None and info.flag_bits & _LOCKED:
                yield Packed(inside, left=why)
            elif info.compress_type not in _WAYS:
                yield Packed(inside, left=_UNKNOWN)
            else:
                yield Packed(inside, _blocks(archive, info), info.compress_size or 1)


def _archive(raw: bytes) -> zipfile.ZipFile:
    """Open the archive, with pyzipper (the same methods) if a file is encrypted with AES."""
    archive = zipfile.ZipFile(io.BytesIO(raw))
    if installed("pyzipper") == "none" or not any(info.compress_type == _AES for info in archive.infolist()):
        return archive
    import pyzipper

    return cast(zipfile.ZipFile, pyzipper.AESZipFile(io.BytesIO(raw)))


def _unlock(
    archive: zipfile.ZipFile, locked: Sequence[zipfile.ZipInfo], passwords: Sequence[str]
) -> NoExtraction | None:
    """Set the password that decrypts the smallest encrypted file; return why there is none, or None."""
    if any(info.compress_type == _AES for info in locked):
        return _NO_AES
    sample = min(locked, key=lambda info: (not info.file_size, info.file_size))
    for password in passwords:
        for encoded in dict.fromkeys((password.encode(), password.encode("cp437", "replace"))):
            archive.setpassword(encoded)
            try:
                for _ in _blocks(archive, sample):
                    pass
            except ExtractionFailed:  # a wrong password passes the check byte one time in 256, but not the checksum
                continue
            return None
    return encrypted(passwords)


def _blocks(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    try:
        with archive.open(info) as stream:
            while block := stream.read(_BLOCK):
                yield block
    except MemoryError:
        raise
    except Exception as error:  # zlib and pyzipper raise their own errors
        raise ExtractionFailed(str(error)) from error


def _name(info: zipfile.ZipInfo) -> str:
    """Return the name with slashes; programs on Unix write UTF-8 without the flag for it."""
    name = info.filename
    if not info.flag_bits & _UTF_8 and not name.isascii():
        try:
            name = name.encode("cp437").decode()
        except UnicodeError:
            pass  # cp437, as the standard says
    return name.replace("\\", "/")
