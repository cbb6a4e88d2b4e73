"""Damaged files: bytes flipped, cut, repeated and put in; of zip archives also what their members hold."""

from __future__ import annotations

import gzip
import io
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks import generated
from biblicus.contracts import Call, MediaHint
from biblicus.extraction.workers.pool import ExtractionPool, Job
from biblicus.extraction.workers.unpacking import Bounds, Member, Unpacker
from biblicus.guards.process import Limits
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text import media

_PDF = Path(__file__).resolve().parents[1] / "examples" / "harbour" / "rules" / "handbook.pdf"
_RTF = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset204 Arial;}}{\info{\title High water}}\pard\f0 The m\'fcde moon"
    rb"\par \u8364?5 a night\par\trowd\intbl Boat\cell Fee\cell\row\trowd\intbl Gull\cell 35\cell\row{\*\bkmkstart x}}"
)
_EML = (
    b"From: =?utf-8?b?w4RyenRl?= <a@example.org>\nSubject: Spring\n tide\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n"
    b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html; charset=utf-8\n"
    b"Content-Transfer-Encoding: quoted-printable\n\n<p>The m=C3=BCde moon</p>\n--x\nContent-Type: message/rfc822\n\n"
    b"Subject: inner\n\nThe sea.\n--x\nContent-Type: application/pdf; name*=utf-8''pl%C3%A4n.pdf\n\nJVBERi0=\n--x--\n"
)


class Family(NamedTuple):
    """A kind of file: its name, and how to make a sound one."""

    name: str
    seed: Callable[[random.Random], bytes]


def _odt(rng: random.Random) -> bytes:
    texts = "".join(f"<text:p>{generated.sentence(rng)}</text:p>" for _ in range(5))
    spaces = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:x:text"'
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        file.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:body><office:text>{texts}</office:text></office:body>"
            "</office:document-content>",
        )
    return written.getvalue()


def _fods(rng: random.Random) -> bytes:
    rows = "".join(
        f"<t:table-row><t:table-cell><x:p>{generated.sentence(rng)}</x:p></t:table-cell></t:table-row>"
        for _ in range(5)
    )
    spaces = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t="urn:x:table" xmlns:x="urn:x:text"'
    )
    kind = 'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'
    body = f'<office:body><office:spreadsheet><t:table t:name="Q2">{rows}</t:table></office:spreadsheet></office:body>'
    return f'<?xml version="1.0"?><office:document {spaces} {kind}>{body}</office:document>'.encode()


def _jpeg(rng: random.Random) -> bytes:
    words = generated.sentence(rng).encode() + b"\0"
    entry = struct.pack("<HHII", 0x010E, 2, len(words), 26)
    exif = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0) + words
    xmp = b'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><a title="The moon"/></x:xmpmeta>'
    segments = b"".join(b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body for body in (exif, xmp))
    return b"\xff\xd8" + segments + b"\xff\xd9"


def _mp3(rng: random.Random) -> bytes:
    words = b"\x03" + generated.sentence(rng).encode()
    frame = b"TIT2" + struct.pack(">I", len(words)) + b"\0\0" + words
    return b"ID3\x03\0\0" + struct.pack(">I", len(frame)) + frame + b"\xff\xfb\x90\0" * 100


_GENERATED = ("docx", "pptx", "xlsx", "epub", "mbox", "vtt", "rss", "atom")

FAMILIES: Mapping[str, Family] = {
    **{kind: Family(f"a.{kind}", partial(generated.one, kind)) for kind in _GENERATED},
    "odt": Family("a.odt", _odt),
    "fods": Family("a.fods", _fods),
    "rtf": Family("a.rtf", lambda rng: _RTF),
    "eml": Family("a.eml", lambda rng: _EML),
    "jpg": Family("a.jpg", _jpeg),
    "mp3": Family("a.mp3", _mp3),
    "pdf": Family("a.pdf", lambda rng: _PDF.read_bytes()),
}  # fmt: skip


def _zip(rng: random.Random) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(6):
            archive.writestr(f"notes/{number}.txt", generated.sentence(rng))
    return written.getvalue()


def _tar(rng: random.Random) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for number in range(6):
            words = generated.sentence(rng).encode()
            info = tarfile.TarInfo(f"notes/m\u00fcde {number}.txt")
            info.size = len(words)
            archive.addfile(info, io.BytesIO(words))
    return written.getvalue()


ARCHIVES: Mapping[str, Family] = {
    "zip": Family("a.zip", _zip),
    "tar": Family("a.tar", _tar),
    "tar.gz": Family("a.tar.gz", lambda rng: gzip.compress(_tar(rng), mtime=0)),
    "attachments": Family("a.eml", lambda rng: _EML),
}
"""What holds members."""


def unpacked(family: str, count: int, rng: random.Random) -> Iterator[list[Member]]:
    """What the guarded worker unpacks of damaged files of a family."""
    name, seed = ARCHIVES[family]
    sound = seed(rng)
    kind = media.media_type(name, sound[:4096])
    bounds = Bounds(members=1_000, bytes=64 << 20, ratio=200, largest=16 << 20)
    with Unpacker(Limits(memory=1 << 30, seconds=20), bounds, Call()) as unpacker:
        for number in range(count):
            is_inside = kind == "application/zip" and number % 2
            raw = _in_members(sound, rng) if is_inside else _mutated(sound, rng)
            yield list(unpacker.members(raw, name, kind))


def is_crash(member: Member) -> bool:
    """Whether a file ended the worker that unpacked it."""
    return member.left is not None and member.left.reason.startswith(("the parser crashed", "the parser ended"))


def mutations(family: str, count: int, rng: random.Random) -> Iterator[Job]:
    """Damaged files of a family."""
    name, seed = FAMILIES[family]
    sound = seed(rng)
    is_zip = sound[:2] == b"PK"
    kind = media.media_type(name, sound[:4096])
    extractor = media.choose(kind)
    assert extractor is not None
    for number in range(count):
        raw = _in_members(sound, rng) if is_zip and number % 2 else _mutated(sound, rng)
        yield Job(raw, MediaHint(name, kind), extractor)


def outcomes(jobs: Iterator[Job]) -> Iterator[Extraction | NoExtraction]:
    """What the guarded workers make of them; a job that gets no outcome is missing."""
    with ExtractionPool(2, Limits(memory=1 << 30, seconds=20)) as pool:
        for _, outcome in pool.extract(jobs):
            yield outcome


def _mutated(raw: bytes, rng: random.Random) -> bytes:
    """A few damages."""
    data = bytearray(raw)
    for _ in range(rng.randint(1, 6)):
        if not data:
            break
        at, length = rng.randrange(len(data)), rng.randint(1, max(1, min(64, len(data) // 4)))
        match rng.randrange(6):
            case 0:
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length] * rng.randint(1, 20)
            case 3:
                data[at : at + length] = rng.randbytes(length)
            case 4:
                del data[at:]
            case _:
                data[at:at] = rng.choice(
                    (b"\xff" * 8, b"\0" * 8, b"<", b"&#x0;", b"{\\", b"99999999999", b"]]>", b"=?")
                )
    return bytes(data)


def _in_members(raw: bytes, rng: random.Random) -> bytes:
    """A sound archive with damaged members."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as sound, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as damaged:
        names = sound.namelist()
        chosen = set(rng.sample(names, k=min(len(names), rng.randint(1, 3))))
        for name in names:
            content = sound.read(name)
            if name in chosen and rng.random() < 0.1:
                continue
            damaged.writestr(name, _mutated(content, rng) if name in chosen else content)
    return written.getvalue()
