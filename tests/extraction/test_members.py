"""Members of archives and mails, unpacked in the guarded worker: names, bounds, damage and what hostile files do."""

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from importlib import import_module

import pytest

from biblicus.contracts import Call, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction import archive
from biblicus.extraction.members import zipped as zips
from biblicus.extraction.workers import unpacking
from biblicus.extraction.workers.unpacking import Bounds, Member, Unpacker
from biblicus.guards import process
from biblicus.guards.process import Limits
from biblicus.models.extraction import NoExtraction
from biblicus.models.records import NoOptions
from biblicus.text import media
from tests.extraction.archive_files import LOCKS, in_7z, in_rar

ZIP, TAR = "application/zip", "application/x-tar"
BOUNDS = Bounds(members=20, bytes=8 << 20, ratio=200, largest=4 << 20)


@pytest.fixture(scope="module")
def unpacker() -> Iterator[Unpacker]:
    with Unpacker(Limits(seconds=10), BOUNDS, Call()) as one:
        yield one


def zipped(*members: tuple[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", packed) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, packed)
    return written.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", errors="surrogateescape") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return written.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def told(members: Iterator[Member]) -> list[tuple[str, str]]:
    """Name, and the text, or why there is none."""
    return [(member.name, member.left.sentence if member.left else member.data.decode()) for member in members]


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_gives_its_files(unpacker: Unpacker, packed: int) -> None:
    raw = zipped(("a/moon.txt", b"moon"), ("a/", b""), ("tide.txt", b"tide"), packed=packed)
    assert told(unpacker.members(raw, "x.zip", ZIP)) == [("a/moon.txt", "moon"), ("tide.txt", "tide")]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_gives_its_files(unpacker: Unpacker, pack: Callable[[bytes], bytes]) -> None:
    raw = pack(tarred((tarfile.TarInfo("./moon.txt"), b"moon"), (special("d", tarfile.DIRTYPE), b"")))
    assert told(unpacker.members(raw, "x.tar.gz", TAR)) == [("moon.txt", "moon")]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_that_is_packed_alone_is_its_only_member(unpacker: Unpacker, pack: Callable[[bytes], bytes]) -> None:
    assert told(unpacker.members(pack(b"moon"), "notes.txt.gz", "application/gzip")) == [("notes.txt", "moon")]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("a\\b.txt", "a/b.txt"),
        ("./a//b.txt", "a/b.txt"),
        ("odd!/b.txt", "odd\uef21/b.txt"),
        ("mond-\u00fc.txt", "mond-\u00fc.txt"),
        ("B::Deparse.3perl", "B::Deparse.3perl"),
    ],
)
def test_names_are_made_paths(unpacker: Unpacker, name: str, given: str) -> None:
    assert told(unpacker.members(zipped((name, b"moon")), "x.zip", ZIP)) == [(given, "moon")]


def test_names_of_odd_bytes_are_kept(unpacker: Unpacker) -> None:
    raw = tarred((tarfile.TarInfo(os.fsdecode(b"m\xfcnd.txt")), b"moon"))
    assert told(unpacker.members(raw, "x.tar", TAR)) == [("m\ueffcnd.txt", "moon")]


@pytest.mark.parametrize("name", ["../x.txt", "/etc/x.txt", "a/../../x.txt", "C:/x.txt", ".."])
def test_names_that_lead_out_are_refused(unpacker: Unpacker, name: str) -> None:
    ((_, reason),) = told(unpacker.members(zipped((name, b"moon")), "x.zip", ZIP))
    assert "leaves the archive" in reason


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_equal_names_each_is_kept(unpacker: Unpacker) -> None:
    raw = zipped(("a.txt", b"one"), ("a.txt", b"two"), ("a (2).txt", b"three"))
    assert told(unpacker.members(raw, "x.zip", ZIP)) == [
        ("a.txt", "one"),
        ("a (2).txt", "two"),
        ("a (2) (2).txt", "three"),
    ]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_left_out(unpacker: Unpacker, kind: bytes) -> None:
    raw = tarred((special("x", kind, "/etc/passwd"), b""), (tarfile.TarInfo("a.txt"), b"moon"))
    assert told(unpacker.members(raw, "x.tar", TAR)) == [("x", "left out: a link or a device"), ("a.txt", "moon")]


def test_a_link_in_a_zip_is_left_out(unpacker: Unpacker) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        link = zipfile.ZipInfo("x")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert told(unpacker.members(written.getvalue(), "x.zip", ZIP)) == [("x", "left out: a link or a device")]


@pytest.mark.parametrize("name", LOCKS)
def test_the_right_password_opens_an_archive(unpacker: Unpacker, name: str) -> None:
    raw = LOCKS[name]({"a/moon.txt": b"moon", "tide.txt": b"tide"}, "ebb tide")
    assert told(unpacker.members(raw, name, _kind(raw), passwords=["gull", "ebb tide"])) == [
        ("a/moon.txt", "moon"),
        ("tide.txt", "tide"),
    ]


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize(
    ("passwords", "reason"), [([], "asks for a password"), (["gull"], "asks for another password")]
)
def test_without_it_an_archive_says_so_once(unpacker: Unpacker, name: str, passwords: list[str], reason: str) -> None:
    raw = LOCKS[name]({"a/moon.txt": b"moon", "tide.txt": b"tide"}, "ebb tide")
    assert not list(unpacker.members(raw, name, _kind(raw), passwords=passwords))
    outcome = archive.build(NoOptions(), Given(passwords=tuple(passwords))).extract(raw, MediaHint(name, _kind(raw)))
    assert isinstance(outcome, NoExtraction)
    assert (outcome.status, reason in outcome.reason) == ("encrypted", True)


@pytest.mark.parametrize("write", [in_7z, in_rar])
def test_7z_and_rar_give_their_files(unpacker: Unpacker, write: Callable[[dict[str, bytes], str], bytes]) -> None:
    raw = write({"a/moon.txt": b"moon", "empty.txt": b"", "m\u00fcnd.txt": b"tide"}, "")
    wanted = [("a/moon.txt", "moon"), ("empty.txt", ""), ("m\u00fcnd.txt", "tide")]
    assert sorted(told(unpacker.members(raw, "x", _kind(raw)))) == wanted
    (member,) = unpacker.members(raw, "x", _kind(raw), ["a/moon.txt"])
    assert member.data == b"moon"


@pytest.mark.parametrize("write", [in_7z, in_rar])
def test_a_bomb_in_them_costs_itself(unpacker: Unpacker, write: Callable[[dict[str, bytes], str], bytes]) -> None:
    raw = write({"bomb.txt": bytes(16 << 20), "moon.txt": b"moon"}, "")
    assert "too large" in told(unpacker.members(raw, "x", _kind(raw)))[0][1]


@pytest.mark.parametrize("write", [in_7z, in_rar])
@pytest.mark.parametrize("cut", [40, 200, 1_000])
def test_a_truncated_one_is_told(unpacker: Unpacker, write: Callable[[dict[str, bytes], str], bytes], cut: int) -> None:
    raw = write({f"{n}.txt": os.urandom(1_000) for n in range(3)}, "")
    *_, last = unpacker.members(raw[:cut], "x", _kind(raw))
    assert last.left is not None
    assert last.left.status == "failed"


def test_a_link_in_a_rar_is_left_out(unpacker: Unpacker) -> None:
    import rars

    builder = rars.RarBuilder()
    builder.add_unix_symlink("x", "/etc/passwd")
    raw = builder.to_bytes()
    assert told(unpacker.members(raw, "x.rar", _kind(raw))) == [("x", "left out: a link or a device")]


@pytest.mark.parametrize("name", ["aes.zip", "a.7z", "a.rar"])
def test_without_its_package_an_archive_says_which_it_takes(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    raw = LOCKS[name]({"moon.txt": b"moon"}, "ebb tide")
    for package in ("py7zr", "rars"):
        monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(zips, "installed", lambda package: "none")
    outcome = archive.build(NoOptions(), Given()).extract(raw, MediaHint(name, _kind(raw)))
    assert isinstance(outcome, NoExtraction)
    assert "biblicus-corpus[archives]" in outcome.reason


def test_what_is_packed_by_zstd_is_unpacked(unpacker: Unpacker) -> None:
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    for raw, name in (
        (zstd.compress(b"moon"), "tide.txt.zst"),
        (zstd.compress(tarred((tarfile.TarInfo("tide.txt"), b"moon"))), "x.tar.zst"),
    ):
        assert told(unpacker.members(raw, name, _kind(raw))) == [("tide.txt", "moon")]


def _kind(raw: bytes) -> str:
    return media.media_type("", raw[:8192])


def test_a_member_with_a_password_is_told(unpacker: Unpacker) -> None:
    raw = bytearray(zipped(("a.txt", b"moon"), ("b.txt", b"tide"), packed=zipfile.ZIP_STORED))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + at] |= 1
    (name, reason), other = told(unpacker.members(bytes(raw), "x.zip", ZIP))
    assert (name, reason) == ("a.txt", "encrypted: the file asks for a password")
    assert other == ("b.txt", "tide")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_tar_that_bombs_ends_there(unpacker: Unpacker, pack: Callable[[bytes], bytes]) -> None:
    zeros = tarred((tarfile.TarInfo("a.txt"), b"moon"), (tarfile.TarInfo("bomb.txt"), bytes(4 << 20)))
    names = told(unpacker.members(pack(zeros), "x.tar.gz", TAR))
    assert [name for name, _ in names] == ["a.txt", "bomb.txt", ""]
    assert "200 times" in names[-1][1]


def test_all_members_count_together(unpacker: Unpacker) -> None:
    raw = zipped(*((f"{n}.bin", os.urandom(3 << 20)) for n in range(3)), packed=zipfile.ZIP_STORED)
    members = list(unpacker.members(raw, "x.zip", ZIP))
    assert [member.bytes for member in members] == [3 << 20, 3 << 20, 0, 0]
    assert members[-1].left is not None
    assert "archive_bytes" in members[-1].left.reason


def test_too_many_members_are_told(unpacker: Unpacker) -> None:
    members = told(unpacker.members(zipped(*((f"{n}.txt", b"x") for n in range(30))), "x.zip", ZIP))
    assert len(members) == 21
    assert "archive_members" in members[-1][1]


def test_a_member_that_is_too_large_is_listed_and_not_handed_over(unpacker: Unpacker) -> None:
    raw = zipped(("large.bin", os.urandom(5 << 20)), packed=zipfile.ZIP_STORED)
    (listed,) = unpacker.members(raw, "x.zip", ZIP)
    assert listed.bytes == 5 << 20
    assert not list(unpacker.members(raw, "x.zip", ZIP, ["large.bin"]))


def test_what_is_wanted_is_given_whole(unpacker: Unpacker) -> None:
    data = os.urandom(100_000)
    raw = zipped(("a.bin", data), ("b.bin", b"b"))
    assert [len(member.data) for member in unpacker.members(raw, "x.zip", ZIP)] == [unpacking.HEAD, 1]
    (member,) = unpacker.members(raw, "x.zip", ZIP, ["a.bin"])
    assert member.data == data


@pytest.mark.parametrize("cut", [40, 200, 1_000, 3_000])
@pytest.mark.parametrize(("kind", "name"), [(ZIP, "x.zip"), (TAR, "x.tar.gz")])
def test_a_truncated_archive_is_told(unpacker: Unpacker, kind: str, name: str, cut: int) -> None:
    members = [(f"{n}.txt", os.urandom(1_000)) for n in range(5)]
    whole = zipped(*members) if kind == ZIP else gzip.compress(tarred(*((tarfile.TarInfo(n), d) for n, d in members)))
    *_, last = unpacker.members(whole[:cut], name, kind)
    assert last.left is not None
    assert last.left.status == "failed"


def test_pictures_that_a_page_shows_are_no_attachments(unpacker: Unpacker) -> None:
    message = EmailMessage()
    message.set_content("<img src='cid:logo'>", subtype="html")
    message.add_related(
        b"\x89PNG", maintype="image", subtype="png", cid="<logo>", filename="logo.png", disposition="inline"
    )
    assert not list(unpacker.members(message.as_bytes(), "a.eml", "message/rfc822"))


class Liar:
    """A worker that was taken over."""

    def __init__(self, answer: dict[str, object]) -> None:
        self.frame: tuple[dict[str, object], bytes] = (answer, b"")

    input = output = 1
    unsent = 0

    def touch(self) -> None: ...

    def post(self, header: object, body: bytes) -> None: ...

    def pump(self) -> bool:
        return True

    def answer(self) -> tuple[dict[str, object], bytes]:
        return self.frame

    def kill(self) -> None: ...


GOOD = {"name": "a.txt", "bytes": 1, "sha256": "0" * 64, "left": None}


@pytest.mark.parametrize(
    "lie",
    [
        {"name": "../a"},
        {"name": "/a"},
        {"name": "a!/b"},
        {"name": ""},
        {"name": 1},
        {"bytes": -1},
        {"bytes": 1 << 40},
        {"sha256": "x"},
        {"left": ["ok", "x"]},
        {"left": 3},
    ],
)
def test_an_answer_that_was_not_agreed_is_refused(lie: dict[str, object]) -> None:
    with pytest.raises(ExtractionFailed):
        unpacking._checked({**GOOD, **lie}, b"", BOUNDS)


def test_a_worker_that_repeats_itself_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "Worker", lambda *_: Liar(GOOD))
    monkeypatch.setattr(process, "wait", lambda *_: None)
    with Unpacker(Limits(), BOUNDS, Call()) as one:
        assert [bool(member.left) for member in one.members(b"", "x.zip", ZIP)] == [False, True]
