"""What is watched to tell what seconds are made of is there, and counted once."""

import time
from pathlib import Path

import pytest

from benchmarks.costs import BUILD, QUESTION, Clock, imports_table, of_bytes, owner_of
from biblicus.connectors.python import Corpus
from tests.sampling import each


@each("place", [place for parts in (BUILD, QUESTION) for some in parts.values() for place in some])
def test_what_is_watched_is_there(place: str) -> None:
    owner, name = owner_of(place)
    assert callable(getattr(owner, name))


def test_a_second_is_counted_for_the_innermost_part(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((0.0, 1.0, 3.0, 7.0, 15.0, 31.0))
    monkeypatch.setattr(time, "thread_time", lambda: next(seconds))
    clock = Clock()
    outer = clock.switch("outer")
    inner = clock.switch("inner")
    clock.switch(inner)
    clock.switch(outer)
    clock.switch("end")
    assert clock.spent == {"all else": 17.0, "outer": 10.0, "inner": 4.0}


def test_every_byte_is_counted(tmp_path: Path) -> None:
    (tmp_path / "tides.md").write_text("# Tides\n\nThe moon pulls tides.\n", "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
    files = (path for path in (tmp_path / ".biblicus" / "local").rglob("*") if path.is_file())
    assert sum(of_bytes(tmp_path).values()) == pytest.approx(sum(path.stat().st_size for path in files) / 1e6)


def test_what_is_imported_is_told_by_whose_it_is() -> None:
    printed = """import time: self [us] | cumulative | imported package
import time:      1500 |       1500 |   _io
import time:      2000 |       3500 | biblicus.models
import time:      4000 |       4000 |     tantivy.tantivy
import time:       500 |        500 | biblicus
"""
    told = imports_table([printed, printed.replace("4000", "9000")])
    assert "| Biblicus | 2 | 2.5 |" in told
    assert "| all | 4 | 8.0 |" in told
    assert "The longest: `tantivy.tantivy` 4.0, `biblicus.models` 2.0" in told
