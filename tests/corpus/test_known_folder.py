"""What a refresh takes as known of a folder in which nothing changed."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.disk import files


def _listed_but(works: Callable[[Any], Any], ending: str) -> Callable[[Any], Any]:
    """`os.scandir` but for one folder, as of a mount that answers again soon."""

    def listed(path: Any) -> Any:
        if str(path).endswith(ending):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return works(path)

    return listed


def test_a_folder_that_could_not_be_listed_for_a_moment_is_listed_by_the_next_refresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for module in ("passes", "changes.known_folder"):  # as files of yesterday
        monkeypatch.setattr(f"biblicus.corpus.{module}.is_calm", lambda stamp, started_ns: True)
    corpus = Corpus.init(tmp_path)
    (corpus.path / "rules").mkdir()
    (corpus.path / "rules" / "berths.md").write_text("Berths are let by the week.")
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", _listed_but(os.scandir, "rules/"))
        assert [note["path"] for note in corpus.ingest().failed] == ["rules/"]
    assert [entry["path"] for entry in corpus.ingest().added] == ["rules/berths.md"]


def test_a_sidecar_that_was_written_just_before_a_refresh_is_missed_when_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    corpus = Corpus.init(tmp_path)
    (tmp_path / "tides.md").write_text("The moon pulls tides.")
    sidecar = tmp_path / "tides.md.biblicus.yml"
    sidecar.write_text("tags: [sea]\n")
    fresh = files.stamp(sidecar)
    for module in ("passes", "changes.known_folder"):
        monkeypatch.setattr(f"biblicus.corpus.{module}.is_calm", lambda stamp, started_ns: stamp != fresh)
    corpus.ingest()
    sidecar.unlink()
    assert [entry["path"] for entry in corpus.ingest().changed] == ["tides.md"]
    assert [item.tags for item in corpus.list()] == [()]
