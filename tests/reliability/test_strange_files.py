"""What a folder may hold: special files, links, names, depths and sizes of every kind. Each costs itself at most."""

import os
import resource
import socket
import sys
import time
from pathlib import Path

import pytest

from tests.reliability.conftest import Command
from tests.sampling import IS_LONG, some

NAMES = (
    b"caf\xe9.md", b"new\nline.md", b"esc\x1b[31m.md", "e\u0301.md".encode(), "\u00e9.md".encode(), b"TIDES.md",
    b"-rf.md", b"--json.md", b" .md", b"a" * 255, "\u202egnp.md".encode(), b"CON.md", b"\xee\xbe\x80.md", b"%2e%2e.md",
)  # fmt: skip
LINES = (
    "a", "a ", " ", "\n", ".", "#", "`", "<", "[", "(a", "|", "a.b_C", "\u0301", "-", "*_", "a@", "\u4e2d", "> ", "1. ",
    "~", "![a](", "\\", "&amp;", "{", "'",
)  # fmt: skip


def test_special_files_and_loops_are_skipped_with_a_reason(
    corpus: Path, told: Command, monkeypatch: pytest.MonkeyPatch
):
    os.mkfifo(corpus / "pipe.md")
    os.mkfifo(corpus / "tides.md.biblicus.yml")
    os.mkfifo(corpus / ".biblicusignore")
    monkeypatch.chdir(corpus)  # a socket's name must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
    (corpus / "loop").symlink_to(".")
    (corpus / "one").symlink_to("two")
    (corpus / "two").symlink_to("one")
    done = told("ingest", "--json")
    assert done.code == 0
    for name in ("pipe.md", "tides.md.biblicus.yml", "socket.md", "loop", "one", "two"):
        assert f'"path": "{name}", "reason": ' in done.out
    assert told("query", "moon").code == 0


def test_an_item_is_named_by_its_path_whatever_bytes_that_has(corpus: Path, told: Command):
    for name in NAMES:
        (corpus / os.fsdecode(name)).write_bytes(b"Gulls follow boats.")
    assert told("ingest").code == 0
    for name in NAMES:
        done = told("get", f"./{os.fsdecode(name)}")
        assert (done.code, done.out) == (0, "Gulls follow boats.\n"), name
    assert told("get", "\ud800").code == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to make a device file")
def test_a_device_is_not_opened(corpus: Path, told: Command):
    os.mknod(corpus / "zeros.md", 0o600 | 0o020000, os.makedev(1, 5))
    done = told("ingest", "-v")
    assert "zeros.md: not a regular file" in done.out


def test_an_item_that_became_a_pipe_is_told_apart(corpus: Path, told: Command):
    (corpus / "tides.md").unlink()
    os.mkfifo(corpus / "tides.md")
    for words in (("get", "tides.md"), ("show", "tides.md"), ("query", "moon")):
        assert told(*words).is_clean
    checked = told("check", "--read-data")
    assert (checked.code, "tides.md: it is, or lies behind, a link, a pipe" in checked.out) == (4, True)
    assert "tides.md: not a regular file" in told("ingest", "-v").out


def test_a_sparse_file_of_100_gib_is_skipped_unread(corpus: Path, told: Command):
    with (corpus / "huge.md").open("wb") as stream:
        stream.truncate(100 << 30)
    began = time.process_time()
    done = told("ingest")
    assert "huge.md: larger than" in done.out
    assert time.process_time() - began < 30


def test_a_large_file_is_hashed_as_a_stream(corpus: Path, told: Command):
    with (corpus / "large.md").open("wb") as stream:
        stream.truncate(1 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "1 added" in told("ingest").out
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * (1 if sys.platform == "darwin" else 1024) < 64 << 20


def test_any_name_is_kept_found_and_shown_safely(corpus: Path, told: Command):
    for name in NAMES:
        (Path(os.fsdecode(os.fsencode(corpus) + b"/" + name))).write_text("Seals sleep on rocks.")
    first = told("reindex")
    assert first.code == 0
    assert "differs from" in first.out  # TIDES.md and tides.md, é in two forms
    listed = told("list")
    assert len(listed.out.splitlines()) == len(NAMES) + 1
    assert "new\u240aline.md" in listed.out
    assert not any(mark in listed.out for mark in ("\x1b", "\u202e", "\r"))
    assert told("check", "--read-data").code == 0


def test_folders_may_be_nested_500_deep(corpus: Path, told: Command):
    folder = os.open(corpus, os.O_RDONLY)
    for _ in range(500):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("seals.md", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    assert "1 added" in told("ingest").out


def test_a_path_longer_than_the_system_takes_is_a_reported_failure(corpus: Path, told: Command):
    folder = os.open(corpus, os.O_RDONLY)
    for _ in range(50):
        os.mkdir("d" * 100, dir_fd=folder)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    done = told("ingest")
    assert done.code == 0
    assert "file name too long" in done.out


def test_many_empty_files_are_only_many(corpus: Path, told: Command):
    count = 10_000 if IS_LONG else 2_500
    for number in range(count):
        (corpus / f"{number}.txt").touch()
    began = time.process_time()
    assert f"{count:,} added" in told("ingest").out
    assert time.process_time() - began < 100
    assert told("query", "moon").code == 0


@pytest.mark.parametrize("suffix", some(["md", "txt", "py", "json", "rst", "csv"], 2))
def test_a_line_of_one_mebibyte_holds_nobody_up(corpus: Path, told: Command, suffix: str):
    for number, piece in enumerate(LINES):
        (corpus / f"{number}.{suffix}").write_text(piece * (1 << 20 >> 4) if suffix != "txt" else piece * 65536)
    (corpus / f"whole.{suffix}").write_text("(a" * (1 << 19))
    began = time.process_time()
    assert told("reindex").code == 0
    assert time.process_time() - began < 100


def test_a_folder_that_looks_like_litter_is_left_alone(corpus: Path, told: Command):
    (corpus / ".biblicus-tmp-0123456789ab").mkdir()
    (corpus / ".biblicus-tmp-notes.md").write_text("mine")
    assert told("ingest").code == 0
    assert (corpus / ".biblicus-tmp-0123456789ab").is_dir()
    assert (corpus / ".biblicus-tmp-notes.md").read_text() == "mine"


@pytest.mark.parametrize("words", ["ingest -", "verify -", "verify /dev/zero"])
def test_input_without_an_end_is_refused_once_it_is_too_large(
    corpus: Path, told: Command, monkeypatch: pytest.MonkeyPatch, words: str
):
    monkeypatch.setenv("BIBLICUS_MAX_FILE_BYTES", str(1 << 20))
    monkeypatch.setattr("biblicus.search.verify.LIMIT", 1 << 20)
    with open("/dev/zero") as endless:
        monkeypatch.setattr("sys.stdin", endless)
        done = told(*words.split())
    assert done.code in (5, 7)
    assert done.is_clean
    assert "larger than 1,048,576 bytes" in done.err
