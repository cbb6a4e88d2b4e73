"""Files of older Office versions written for a test: compound files, workbooks, and workbooks with a password."""

import hashlib
import io
import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate

_SECTOR, _SMALLEST = 512, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_BOF, _FILE_PASS, _SHEET, _EOF, _LABEL = 0x0809, 0x002F, 0x0085, 0x000A, 0x0204


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file ([MS-CFB]) of one sector of allocations, 60 kB at most; a stream may lie in a folder: `a/b`."""
    inside: dict[str, list[str]] = {"": []}
    for path in streams:
        folder, _, name = path.rpartition("/")
        if folder not in inside:
            inside[""].append(folder)
        inside.setdefault(folder, []).append(name)
    paths = [f"{folder}/{name}".lstrip("/") for folder, names in inside.items() for name in names]
    number = {path: at for at, path in enumerate(paths, 1)}
    directories = -(-(len(paths) + 1) * 128 // _SECTOR)
    fat, contents = [_FAT, *range(2, directories + 1), _END], b""
    entries = [_entry("Root Entry", 5, _END, 0, child=1)]
    for folder, names in inside.items():
        for name, after in zip(names, [*names[1:], None], strict=True):
            path = f"{folder}/{name}".lstrip("/")
            right = number[f"{folder}/{after}".lstrip("/")] if after else _FREE
            if path in inside:
                entries.append(_entry(name, 1, 0, 0, right=right, child=number[f"{path}/{inside[path][0]}"]))
                continue
            raw = streams[path].ljust(max(_SMALLEST, -(-len(streams[path]) // _SECTOR) * _SECTOR), b"\0")
            entries.append(_entry(name, 2, len(fat), len(raw), right=right))
            fat += [*range(len(fat) + 1, len(fat) + len(raw) // _SECTOR), _END]
            contents += raw
    numbers = (0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, _SMALLEST, _END, 0, _END, 0, 0)
    head = struct.pack("<8s16xHHHHH6xIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", *numbers)
    table = struct.pack(f"<{len(fat)}I", *fat)
    parts = (head, table, b"".join(entries).ljust(directories * _SECTOR, b"\0"))
    return b"".join(part.ljust(_SECTOR, b"\xff") for part in parts) + contents


def _entry(name: str, kind: int, start: int, size: int, *, right: int = _FREE, child: int = _FREE) -> bytes:
    wide = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", wide, len(wide) + 2, kind, 1, _FREE, right, child, start, size)


def summary(code_page: int, title: bytes, count: int = 2, kind: int = 30, length: int | None = None) -> bytes:
    """What a file says of itself ([MS-OLEPS]): its code page, its title. `kind`: of the title's value."""
    texts = struct.pack("<II", kind, len(title) if length is None else length) + title
    section = struct.pack("<IIIIIIIHH", 0, count, 1, 24, 2, 32, 2, code_page, 0) + texts
    return bytes(44) + struct.pack("<I", 48) + section


def workbook(text: str, password: str = "") -> bytes:
    """A workbook of Excel 97 whose sheet Q2 holds a text in A1; with a password, by RC4 ([MS-XLS] 2.2.10)."""
    sheet = [
        (_BOF, struct.pack("<HH12x", 0x600, 0x10)),
        (_LABEL, struct.pack("<HHHHB", 0, 0, 0, len(text), 0) + text.encode()),
        (_EOF, b""),
    ]
    lock = [(_FILE_PASS, _lock(password))] if password else []
    book = [(_BOF, struct.pack("<HH12x", 0x600, 5)), *lock, (_SHEET, b""), (_EOF, b"")]
    size = sum(4 + len(body) for _, body in book) + 10
    book[-2] = (_SHEET, struct.pack("<IHBB", size, 0, 2, 0) + b"Q2")
    stream = b"".join(struct.pack("<HH", kind, len(body)) + body for kind, body in (*book, *sheet))
    stream += struct.pack("<HH", 0, _SMALLEST - 4 - len(stream)).ljust(_SMALLEST - len(stream), b"\0")
    return compound({"Workbook": _sealed(stream, password) if password else stream})


_SALT = bytes(range(16))


def _ciphered(raw: bytes, password: str, size: int) -> bytes:
    from msoffcrypto.method.rc4 import DocumentRC4

    return bytes(DocumentRC4.decrypt(password, _SALT, io.BytesIO(raw), blocksize=size).read())


def _lock(password: str) -> bytes:
    verifier = b"v" * 16
    digest = hashlib.md5(verifier).digest()
    return struct.pack("<HHH16s", 1, 1, 1, _SALT) + _ciphered(verifier + digest, password, 1024)


def _sealed(stream: bytes, password: str) -> bytes:
    """The bodies of records ciphered, but for those that say how."""
    sealed, ciphered, at = bytearray(stream), _ciphered(stream, password, 1024), 0
    while at < len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        plain = length if kind in (_BOF, _FILE_PASS) else 4 if kind == _SHEET else 0
        sealed[at + 4 + plain : at + 4 + length] = ciphered[at + 4 + plain : at + 4 + length]
        at += 4 + length
    return bytes(sealed)


def word_97(
    parts: Sequence[tuple[str, bytes, bytes | bool]],
    lengths: Sequence[int] = (),
    lists: tuple[bytes, bytes] = (b"", b""),
) -> tuple[bytes, bytes]:
    """A document of Word 97 and its table ([MS-DOC]), of texts that each have properties, which begin with a style's
    number, and may be deleted or have properties of letters. `lengths`: of the text and of what
    stands beside it. `lists`: definitions, and those that use them."""
    begins = 0x400 if any(lists) else 0x200
    raw = "".join(text for text, _, _ in parts).encode("cp1252")
    borders = [*accumulate((len(text.encode("cp1252")) for text, _, _ in parts), initial=begins)]
    start = begins + -(-len(raw) // 512) * 512
    looks = [gone if isinstance(gone, bytes) else struct.pack("<HB", 0x0800, 1) * gone for _, _, gone in parts]
    deleted = _page(borders, [bytes((len(look),)) * bool(look) + look for look in looks], 1)
    settings = [b"\0" + bytes((len(kept) // 2,)) + kept if kept else b"" for _, kept, _ in parts]
    pages = [struct.pack("<III", borders[0], borders[-1], start // 512 + number) for number in range(2)]
    pieces = struct.pack("<II2xI2x", 0, len(raw), begins * 2 | 0x40000000)
    table = b"".join((*pages, b"\2", struct.pack("<I", len(pieces)), pieces))
    head = bytearray(begins)
    struct.pack_into("<HH6xH", head, 0, 0xA5EC, 0xC1, 0x0200)
    for place, at in ((0x2E2, len(table)), (0x2EA, len(table) + len(lists[0]))) if any(lists) else ():
        struct.pack_into("<H", head, 0x98, 93)
        struct.pack_into("<I", head, place, at)
    table += b"".join(lists)
    struct.pack_into(f"<{len(lengths)}i", head, 0x4C, *lengths)
    for place, at, length in ((0xFA, 0, 12), (0x102, 12, 12), (0x1A2, 24, 5 + len(pieces))):
        struct.pack_into("<II", head, place, at, length)
    return bytes(head) + raw.ljust(start - begins, b"\0") + deleted + _page(borders, settings, 13), table


def _page(borders: Sequence[int], entries: Sequence[bytes], width: int) -> bytes:
    """A page of properties: where each begins, and, from behind, what it is."""
    page, at = bytearray(512), 510
    struct.pack_into(f"<{len(borders)}I", page, 0, *borders)
    for number, entry in enumerate(entries):
        if entry:
            at = (at - len(entry)) & ~1
            page[at : at + len(entry)] = entry
            page[4 * len(borders) + width * number] = at // 2
    page[511] = len(entries)
    return bytes(page)
