"""Durable writes: what `disk.files` promises of one file."""

import errno
import os
import stat
from pathlib import Path

import pytest

from biblicus.contracts import Call
from biblicus.disk import files
from biblicus.errors import LockTimeout, StorageFailed, UnsafeInput


def _litter(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(files.TEMPORARY)]


def test_a_write_replaces_the_content_and_keeps_the_mode(tmp_path: Path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    before = os.umask(0o077)
    try:
        files.write(path, [b"ne", b"w"])
    finally:
        os.umask(before)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert not _litter(tmp_path)


def test_an_existing_file_is_not_touched_where_that_was_asked(tmp_path: Path):
    path = tmp_path / "a"
    path.write_bytes(b"yours")
    with pytest.raises(FileExistsError):
        files.write(path, b"ours", replace=False)
    assert path.read_bytes() == b"yours"
    assert not _litter(tmp_path)


@pytest.mark.parametrize("call", ["fsync", "replace", "write"])
def test_a_failed_call_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    calls = []

    def failing(*arguments: object) -> None:
        calls.append(arguments)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, call, failing)
    with pytest.raises(StorageFailed, match="input/output error"):
        files.write(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert len(calls) == 1, "a failed call is not tried again"
    assert not _litter(tmp_path)


def test_the_file_is_synced_before_it_is_renamed_and_the_folder_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[str] = []
    fsync, replace = os.fsync, os.replace

    def watched_fsync(descriptor: int) -> None:
        seen.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def watched_replace(source: Path, target: Path) -> None:
        seen.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    files.write(tmp_path / "a", b"new")
    assert seen == ["file", "rename", "folder"]


def test_links_pipes_and_folders_are_not_read(tmp_path: Path):
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(UnsafeInput):
            files.read(tmp_path / name)


def test_a_writer_waits_for_the_lock_only_so_long(tmp_path: Path):
    lock = tmp_path / "lock"
    with files.locked(lock, Call(), 1), pytest.raises(LockTimeout), files.locked(lock, Call(), 0.05):
        pass
    with files.locked(lock, Call(), 0):
        assert lock.exists()


def test_a_stamp_tells_every_change_of_a_file(tmp_path: Path):
    path, link = tmp_path / "a", tmp_path / "link"
    assert files.stamp(path) is None
    path.write_bytes(b"one")
    link.symlink_to(path)
    first = files.stamp(path)
    assert first is not None
    assert files.stamp(path) == first == files.stamp(link) != files.stamp(link, follow=False)
    began = path.stat().st_ctime_ns
    while path.stat().st_ctime_ns == began:  # the clock of the disk ticks coarsely
        path.write_bytes(b"two")
        os.utime(path, ns=(first.mtime_ns, first.mtime_ns))  # as a restored backup would
    changed = files.stamp(path)
    assert changed is not None
    assert (changed.size, changed.mtime_ns, changed.inode) == (first.size, first.mtime_ns, first.inode)
    assert changed != first
    assert str(changed) == f"{changed.size}:{changed.mtime_ns}:{changed.ctime_ns}:{changed.inode}"


def test_what_is_durable_already_is_not_made_so_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("old", "new"):
        (tmp_path / name).write_bytes(b"tide")
    synced: list[str] = []
    monkeypatch.setattr(files, "_sync_file", lambda path: synced.append(path.name))
    files.sync_tree(tmp_path, {tmp_path / "old"})
    assert synced == ["new"]
    files.sync_tree(tmp_path)
    assert sorted(synced) == ["new", "new", "old"]


@pytest.mark.parametrize("refusal", [None, errno.ENOTSUP, errno.ENOTTY])
def test_a_file_is_flushed_to_the_disk_itself_where_the_system_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int | None
):
    """As on macOS; a file system that does not know the command gets an fsync."""
    commands: list[int] = []

    def control(descriptor: int, command: int) -> None:
        commands.append(command)
        if refusal is not None:
            raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr("biblicus.disk.system._FULL_SYNC", 51)
    monkeypatch.setattr("fcntl.fcntl", control)
    with (tmp_path / "a").open("wb") as file:
        files.sync(file.fileno())
    assert commands == [51]


def test_a_flush_that_fails_is_an_error_and_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def control(descriptor: int, command: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("biblicus.disk.system._FULL_SYNC", 51)
    monkeypatch.setattr("fcntl.fcntl", control)
    with (tmp_path / "a").open("wb") as file, pytest.raises(OSError, match="Input/output"):
        files.sync(file.fileno())
