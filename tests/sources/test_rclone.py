"""A drive that rclone mounts or copies is followed as a folder. Its local back end stands for the drive
(https://rclone.org/local/, an alias of https://rclone.org/alias/)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.folders import write

RCLONE = shutil.which("rclone") or ""
pytestmark = pytest.mark.skipif(not RCLONE, reason="rclone is not installed (apt-get install rclone)")
FIRST = {"a.md": "The moon pulls.", "b/c.md": "The quay is dry.", "d.md": "Ebb at noon."}


def rclone(place: Path, *words: str) -> list[str]:
    config = place / "rclone.conf"
    config.write_text(f"[drive]\ntype = alias\nremote = {place / 'drive'}\n")
    return [RCLONE, "--config", str(config), *words]


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[], None]:
    """Make the folder `here` again what the drive is."""
    return lambda: void(subprocess.run(rclone(tmp_path, "sync", "drive:", str(tmp_path / "here")), check=True))


def void(_: object) -> None:
    """Drop a value."""


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    where = tmp_path / "mounted"
    (tmp_path / "drive").mkdir()
    where.mkdir()
    options = ("--read-only", "--dir-cache-time", "0s", "--attr-timeout", "0s", "--daemon")  # it returns when mounted
    done = subprocess.run(rclone(tmp_path, "mount", "drive:", str(where), *options), capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine mounts nothing: {done.stderr.decode().splitlines()[-1][-100:]}")
    yield where
    subprocess.run(["umount", str(where)], capture_output=True, check=False)  # if the test did not come to it


def publish(place: Path, documents: dict[str, str]) -> None:
    shutil.rmtree(place, ignore_errors=True)
    write(place, documents)


def texts(corpus: Corpus) -> dict[str, str]:
    corpus.sync()
    return {item.path.removeprefix("imports/up/"): (corpus.path / item.path).read_text() for item in corpus.list()}


def test_a_copy_is_followed(tmp_path: Path, corpus: Corpus, copied: Callable[[], None]) -> None:
    publish(tmp_path / "drive", FIRST)
    copied()
    corpus.add_source(str(tmp_path / "here"), name="up", allow_local=True)
    assert texts(corpus) == FIRST
    later = {"a.md": "The moon pulled.", "e.md": "Ebb at noon."}
    publish(tmp_path / "drive", later)
    copied()
    assert texts(corpus) == later


def test_a_mount_is_followed_and_one_that_is_gone_deletes_nothing(
    tmp_path: Path, corpus: Corpus, mounted: Path
) -> None:
    write(tmp_path / "drive", FIRST)
    corpus.add_source(str(mounted), name="up", allow_local=True)
    assert texts(corpus) == FIRST
    (tmp_path / "drive/a.md").write_text("The moon pulled.")
    (tmp_path / "drive/d.md").unlink()
    assert texts(corpus) == {"a.md": "The moon pulled.", "b/c.md": FIRST["b/c.md"]}
    subprocess.run(["fusermount3" if shutil.which("fusermount3") else "fusermount", "-u", str(mounted)], check=True)
    with pytest.raises(BiblicusError, match="its list is empty"):
        corpus.sync()
    assert len(corpus.list()) == 2
