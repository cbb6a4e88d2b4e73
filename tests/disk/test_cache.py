"""The cache keeps to its bound while it is used: what was used longest ago goes first."""

import json
import os
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.disk.cache import BoundedCache

BODY = b'{"a": "' + b"x" * 8_000 + b'"}'
"""Takes three blocks of 4 KiB with its seal."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


def kept(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.rglob("*.json"))


def put(cache: BoundedCache, folder: Path, key: str, *, hours_ago: float) -> None:
    cache.put("texts", key, BODY)
    path = folder / "texts" / key[:2] / f"{key}.json"
    used = path.stat().st_mtime - hours_ago * 3600
    os.utime(path, (used, used))


def test_writers_keep_to_the_bound_and_the_longest_unused_goes_first(folder: Path):
    cache = BoundedCache(folder, 50_000)
    for number in range(20):
        put(cache, folder, f"k{number:02}", hours_ago=100 - number)
    assert "k19" in kept(folder)
    assert kept(folder) == [f"k{number:02}" for number in range(20 - len(kept(folder)), 20)]
    assert sum(path.stat().st_size for path in folder.rglob("*.json")) <= 50_000


def test_what_is_used_stays(folder: Path):
    cache = BoundedCache(folder, 50_000)
    for number in range(4):
        put(cache, folder, f"k{number:02}", hours_ago=9)
    assert cache.get("texts", "k00", {str: object}) == json.loads(BODY)
    for number in range(4, 12):
        put(cache, folder, f"k{number:02}", hours_ago=5)
    assert "k00" in kept(folder)
    assert "k01" not in kept(folder)


def test_what_a_command_has_just_used_stays_until_it_is_over(folder: Path):
    cache = BoundedCache(folder, 10_000)
    for number in range(6):
        cache.put("texts", f"k{number}", BODY)
    assert len(kept(folder)) == 6
    cache.settle()
    assert len(kept(folder)) == 1


def test_several_writers_count_together(folder: Path):
    for number in range(12):
        put(BoundedCache(folder, 50_000), folder, f"k{number:02}", hours_ago=9 - number / 10)
    assert len(kept(folder)) <= 6


def test_files_are_counted_now_and_then_only(folder: Path, monkeypatch: pytest.MonkeyPatch):
    counts = 0
    entries = BoundedCache._entries

    def counted(cache: BoundedCache) -> object:
        nonlocal counts
        counts += 1
        return entries(cache)

    monkeypatch.setattr(BoundedCache, "_entries", counted)
    cache = BoundedCache(folder, 400_000)
    for number in range(200):
        put(cache, folder, f"k{number:03}", hours_ago=9 - number / 100)
    assert counts <= 200 * len(BODY) / (0.1 * 400_000) + 2
    for number in range(200):
        cache.put("texts", f"n{number:03}", BODY)  # all in use: nothing can go
    assert counts <= 2 * (200 * len(BODY) / (0.1 * 400_000) + 2)


def test_a_total_that_somebody_put_there_leads_nowhere(folder: Path, tmp_path: Path):
    (tmp_path / "theirs").write_bytes(b"precious")
    (folder / "total").symlink_to(tmp_path / "theirs")
    cache = BoundedCache(folder, 0)
    cache.put("texts", "k0", BODY)
    cache.settle()
    cache.trim(0)
    assert (tmp_path / "theirs").read_bytes() == b"precious"


@pytest.mark.parametrize("command", ["reindex", "ingest"])
def test_a_writer_leaves_the_bound_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str):
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BIBLICUS_CACHE_BYTES", "9000")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number in range(4):
        (corpus / f"{number}.html").write_text(f"<title>{number}</title><p>" + f"The moon pulls tide {number}. " * 90)
    with Corpus.init(corpus) as made:
        report = getattr(made, command)()
        assert kept(corpus / ".biblicus/local/cache") != []
        assert sum(p.stat().st_size for p in (corpus / ".biblicus/local/cache").rglob("*.json")) <= 9000
        if command == "reindex":
            assert report.runs[0].manifest.counts["items"] == 4
            assert not report.runs[0].manifest.failed
