"""Archives are read within bounds: entries, bytes, ratio, names; and XML parts without anything they could declare."""

import io
import random
import zipfile
from contextlib import suppress

import pytest

from biblicus.guards import xml
from biblicus.guards.archive import Archive, ArchiveRefused, Bounds, Encrypted, resolved


def zipped(**members: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return written.getvalue()


def test_members_are_read_by_name_whatever_its_case() -> None:
    archive = Archive(zipped(a=b"one", B=b"two"))
    assert (archive.names, archive.read("a"), archive.read("b"), archive.read("c")) == (["a", "B"], b"one", b"two", b"")


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../b", "a\\b", "folder/"])
def test_names_that_lead_out_are_no_members(name: str) -> None:
    assert Archive(zipped(**{name: b"x", "a": b"y"})).names == ["a"]


@pytest.mark.parametrize(
    ("raw", "bounds", "cause"),
    [
        (b"no archive", Bounds(), "no readable zip"),
        (zipped(a=b"")[:-30], Bounds(), "no readable zip"),
        (zipped(**{str(n): b"" for n in range(5)}), Bounds(entries=4), "more than 4 entries"),
        (zipped(a=bytes(3 << 20)), Bounds(bytes=2 << 20), "more than 2 MiB"),
    ],
    ids=["no archive", "cut off", "many entries", "long"],
)
def test_what_is_no_archive_or_too_much_is_refused_at_once(raw: bytes, bounds: Bounds, cause: str) -> None:
    with pytest.raises(ArchiveRefused, match=cause):
        Archive(raw, bounds)


def test_a_member_that_lies_about_its_size_is_refused_while_it_is_read() -> None:
    raw = bytearray(zipped(a=bytes(4 << 20)))
    central = raw.rfind(b"PK\1\2")
    raw[central + 24 : central + 28] = (100).to_bytes(4, "little")  # its size unpacked, as the directory says it
    with pytest.raises(ArchiveRefused):
        Archive(bytes(raw)).read("a")
    with pytest.raises(ArchiveRefused, match="200 times"):
        Archive(zipped(a=bytes(4 << 20))).read("a")


def _changed(raw: bytes, mark: bytes, at: int, value: bytes) -> bytes:
    """The archive with other bytes in the entry that begins with this mark."""
    start = raw.find(mark) + at
    return raw[:start] + value + raw[start + len(value) :]


@pytest.mark.parametrize(
    "raw",
    [
        _changed(zipped(ü=b"one" * 9), b"PK\3\4", 30, b"\xc3("),
        _changed(zipped(ü=b"one" * 9), b"PK\1\2", 46, b"\xc3("),
        _changed(zipped(a=b"one" * 9), b"PK\1\2", 42, b"\xff\xff\xff\xf0"),
        _changed(zipped(a=b"one" * 9), b"PK\5\6", 16, b"\xff\0\0\0"),
        _changed(zipped(a=b"one" * 9), b"PK\1\2", 24, b"\xff\xff\xff\xff"),
    ],
    ids=["name in its entry", "name in the directory", "place of an entry", "place of the directory", "size"],
)
def test_a_damaged_archive_is_refused(raw: bytes) -> None:
    with pytest.raises(ArchiveRefused):
        Archive(raw).read("a") or Archive(raw).read("ü")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_packed_as_no_document_is_is_refused(method: int) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as archive:
        archive.writestr("a", b"one")
    with pytest.raises(ArchiveRefused, match="packed"):
        Archive(written.getvalue()).read("a")


def test_no_damage_gets_past_the_guard() -> None:
    chance, raw = random.Random(7), zipped(ä=b"one two " * 40, b=bytes(range(256)))
    for _ in range(3_000):
        damaged = bytearray(raw)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        with suppress(ArchiveRefused):
            archive = Archive(bytes(damaged))
            for name in archive.names:
                archive.read(name)


def test_all_that_is_read_counts_together() -> None:
    raw = zipped(a=bytes(900), b=bytes(900))
    archive = Archive(raw, Bounds(bytes=1_800))
    archive.read("a")
    archive.read("b")
    with pytest.raises(ArchiveRefused, match="more than"):
        archive.read("a")


def test_a_member_with_a_password_is_told_as_such() -> None:
    raw = bytearray(zipped(a=b"x"))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        raw[raw.find(mark) + at] |= 1
    with pytest.raises(Encrypted):
        Archive(bytes(raw)).read("a")


@pytest.mark.parametrize(
    ("base", "target", "member"),
    [("a/b.xml", "../c.xml", "c.xml"), ("a/b.xml", "/d/c.xml", "d/c.xml"), ("b.xml", "c/d.xml", "c/d.xml")],
)
def test_references_are_relative_to_the_part_that_makes_them(base: str, target: str, member: str) -> None:
    assert resolved(base, target) == member


_ENTITY = '<!DOCTYPE d [<!ENTITY a "moon">]><d>&a;</d>'
_OUTSIDE = '<!DOCTYPE d SYSTEM "http://example.org/d.dtd"><d/>'


@pytest.mark.parametrize("document", [_ENTITY, _OUTSIDE, "<!DOCTYPE d><d/>", "<d>", "", "<d>&a;</d>"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_part_declares_nothing_in_any_encoding(document: str, encoding: str) -> None:
    with pytest.raises(xml.XmlRefused):
        xml.read_part(document.encode(encoding))


def test_a_part_of_a_book_may_have_a_type_and_no_entities() -> None:
    assert xml.read_part(_OUTSIDE.encode(), typed=True).tag == "d"
    with pytest.raises(xml.XmlRefused, match="entities"):
        xml.read_part(_ENTITY.encode(), typed=True)


class _Deaf:
    """Hears of a document's parts and keeps nothing."""

    def start(self, name: str, attributes: dict[str, str], /) -> None: ...

    def end(self, name: str, /) -> None: ...

    def data(self, text: str, /) -> None: ...


@pytest.mark.parametrize(
    "encoding", ["nosuch", "utf-8x", "utf-7", "big5", "base64", "rot13", "idna", "undefined", "x" * 300]
)
def test_a_part_in_no_encoding_that_is_read_is_refused(encoding: str) -> None:
    raw = f'<?xml version="1.0" encoding="{encoding}"?><d>x</d>'.encode() + b"\xff"
    for parse in (xml.read_part, lambda raw: xml.read_part(raw, typed=True), lambda raw: xml.scan_part(raw, _Deaf())):
        with pytest.raises(xml.XmlRefused):
            parse(raw)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "us-ascii"])
def test_a_part_is_read_alike_in_every_encoding(encoding: str) -> None:
    spaces = 'xmlns:w="u" xmlns:r="u/relationships"'
    text = f'<?xml version="1.0" encoding="{encoding}"?><w:d {spaces} w:id="1" r:id="2">x</w:d>'
    root = xml.read_part(text.encode(encoding))
    assert (root.tag, root.attrib, root.text) == ("d", {"id": "1", "r:id": "2"}, "x")
