"""Archives that ask for a password, and those that programs of the standard library do not write."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping


def _by_zip_crypto(members: Mapping[str, bytes], password: str) -> bytes:
    """By the cipher of PKZIP, which `zipfile` reads and does not write."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in members.items():
            head = b"eleven byte" + bytes([zlib.crc32(data) >> 24])
            archive.writestr(name, bytes(_scrambled(head + data, password.encode())))
    raw = bytearray(written.getvalue())
    for at, data in zip(_records(raw, b"PK\3\4"), members.values(), strict=True):
        raw[at + 6] |= 1
        struct.pack_into("<III", raw, at + 14, zlib.crc32(data), len(data) + 12, len(data))
    for at, data in zip(_records(raw, b"PK\1\2"), members.values(), strict=True):
        raw[at + 8] |= 1
        struct.pack_into("<III", raw, at + 16, zlib.crc32(data), len(data) + 12, len(data))
    return bytes(raw)


def _records(raw: bytearray, sign: bytes) -> Iterable[int]:
    at = raw.find(sign)
    while at >= 0:
        yield at
        at = raw.find(sign, at + 4)


def _scrambled(data: bytes, password: bytes) -> Iterable[int]:
    """PKWARE's application note, section 6.1."""
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = ~zlib.crc32(bytes([byte]), ~keys[0] & 0xFFFFFFFF) & 0xFFFFFFFF
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = ~zlib.crc32(bytes([keys[1] >> 24]), ~keys[2] & 0xFFFFFFFF) & 0xFFFFFFFF

    for byte in password:
        update(byte)
    for byte in data:
        mask = (keys[2] | 2) & 0xFFFF
        yield byte ^ ((mask * (mask ^ 1)) >> 8 & 0xFF)
        update(byte)


def _by_aes(members: Mapping[str, bytes], password: str) -> bytes:
    import pyzipper

    written = io.BytesIO()
    with pyzipper.AESZipFile(written, "w", compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        for name, data in members.items():
            archive.writestr(name, data)
    return written.getvalue()


def in_7z(members: Mapping[str, bytes], password: str, *, with_names: bool = False) -> bytes:
    import py7zr

    written = io.BytesIO()
    with py7zr.SevenZipFile(written, "w", password=password or None, header_encryption=with_names) as archive:
        for name, data in members.items():
            archive.writef(io.BytesIO(data), name)
    return written.getvalue()


def in_rar(members: Mapping[str, bytes], password: str, *, by: str = "rar50", with_names: bool = False) -> bytes:
    import rars

    builder = rars.RarBuilder(by, password=password or None, encrypt_headers=with_names)
    for name, data in members.items():
        builder.add_bytes(data, name)
    return bytes(builder.to_bytes())


LOCKS: Mapping[str, Callable[[Mapping[str, bytes], str], bytes]] = {
    "a.zip": _by_zip_crypto,
    "aes.zip": _by_aes,
    "a.7z": in_7z,
    "names.7z": lambda members, password: in_7z(members, password, with_names=True),
    "a.rar": in_rar,
    "names.rar": lambda members, password: in_rar(members, password, with_names=True),
    "old.rar": lambda members, password: in_rar(members, password, by="rar29"),
}
"""Archives by their names: members and password to bytes. Without a password 7z and rar are open."""
