"""A corpus that another user built, or that may only be read: it is asked after `trust`, which lives with the user."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from tests.front_door import biblicus


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that another user owns (as root), or where nothing may be written; this user's state is empty."""
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "tides.txt").write_text("The moon pulls tides.\n", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
    every = [folder, *folder.rglob("*")]
    for path in every:
        if os.geteuid() == 0:
            os.chown(path, 65_534, 65_534)
        else:
            path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(folder)
    yield folder
    for path in every:
        path.chmod(0o755 if path.is_dir() else 0o644)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_it_is_asked_once_it_is_trusted_and_nothing_in_it_changes(
    theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(theirs)
    assert biblicus(["query", "moon"]) == 7
    told = capsys.readouterr().err
    assert "Try: biblicus trust, if you trust whoever built it" in told
    assert "reindex" not in told
    assert biblicus([]) == 0
    assert "Next: biblicus trust" in capsys.readouterr().out
    assert biblicus(["trust"]) == 0
    assert biblicus(["query", "moon"]) == 0
    assert "The moon pulls tides." in capsys.readouterr().out
    assert biblicus(["answer", "What pulls tides?"]) == 0
    assert biblicus([]) == 0
    assert "Next: biblicus query" in capsys.readouterr().out
    assert everything(theirs) == before


def test_what_is_not_this_users_is_no_damage(theirs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert biblicus(["trust"]) == 0
    capsys.readouterr()
    assert biblicus(["check"]) == 0
    assert "it is another user's; it is not used" in capsys.readouterr().out
