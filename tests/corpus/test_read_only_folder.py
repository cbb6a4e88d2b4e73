"""A folder that this user may only read, and that nobody indexed: its index is made in the user's own cache."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus import founding
from biblicus.corpus.folder import cached_home
from biblicus.errors import UsageError
from tests.front_door import biblicus

NOBODY = 65_534


def lock(folder: Path) -> None:
    """Make a folder another user's where this is root, for whom modes are no walls; elsewhere read-only."""
    for path in (*sorted(folder.rglob("*"), reverse=True), folder):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(0o555 if path.is_dir() else 0o444)


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in (folder, *sorted(folder.rglob("*")))
    }


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "shared"
    (folder / "sea").mkdir(parents=True)
    (folder / "sea" / "tides.txt").write_text("The moon pulls tides.\n", "utf-8")
    lock(folder)
    for kind in ("CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"BIBLICUS_{kind}_HOME", str(tmp_path / kind.lower()))
    monkeypatch.chdir(folder)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)


@pytest.mark.parametrize("words", [["query", "moon"], ["answer", "What pulls tides?"], ["reindex"]])
def test_it_is_indexed_in_the_users_cache_and_stays_as_it_is(
    theirs: Path, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(theirs)
    assert biblicus(words) == 0
    told = capsys.readouterr()
    assert told.err.count(f"{theirs} is not written to: its index is made in {tmp_path / 'cache'}") == 1
    assert biblicus(["-C", "sea", "query", "moon"]) == 0, "a folder below finds it, too"
    told = capsys.readouterr()
    assert "The moon pulls tides." in told.out
    assert "not written to" not in told.err
    assert biblicus(["recipes", "new", "own"]) == 0
    assert "Edit .biblicus/recipes/own.yml" in capsys.readouterr().out
    assert biblicus(["check"]) == 0
    assert everything(theirs) == before


def test_a_changed_file_is_read_again(theirs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert biblicus(["query", "moon"]) == 0
    file = theirs / "sea" / "tides.txt"
    file.chmod(0o644)
    file.write_text("Herring follow the cold water.\n", "utf-8")
    assert biblicus(["reindex"]) == 0
    capsys.readouterr()
    assert biblicus(["query", "herring"]) == 0
    assert "Herring follow" in capsys.readouterr().out


def test_a_clone_that_was_never_indexed_keeps_its_configuration(theirs: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    shutil.copytree(theirs, work)
    for path in (work, *work.rglob("*")):
        path.chmod(0o755)
    with Corpus.init(work, name="harbour") as corpus:
        corpus.reindex()
    clone = tmp_path / "clone"
    shutil.copytree(work, clone, ignore=shutil.ignore_patterns("local"))
    committed = (clone / ".biblicus" / "config.yml").read_bytes()
    lock(clone)
    before = everything(clone)
    if os.geteuid() == 0:
        assert founding.found_in_cache(clone) is None, "root may write to it"
        return
    assert biblicus(["-C", str(clone), "query", "moon"]) == 0
    assert (cached_home(clone) / "config.yml").read_bytes() == committed
    assert everything(clone) == before


def test_init_founds_it_there_as_well(theirs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if os.geteuid() == 0:
        pytest.skip("needs another user than root")
    assert biblicus(["init"]) == 0
    assert "its index is made in" in capsys.readouterr().out
    assert biblicus(["reindex"]) == 0
    assert not (theirs / ".biblicus").exists()


def test_what_init_would_ask_about_is_founded_by_nobody(theirs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(theirs))
    assert biblicus(["query", "moon"]) == 3
    assert biblicus(["-C", "/", "query", "moon"]) == 3


def test_without_a_home_the_setting_to_set_is_named(theirs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BIBLICUS_CACHE_HOME")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(UsageError, match="BIBLICUS_CACHE_HOME"):
        founding.found_in_cache(theirs)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_as_another_user(theirs: Path, tmp_path: Path) -> None:
    """The same tests, by an ordinary user, for whom modes are walls."""
    place = Path("/tmp") / f"biblicus-{os.urandom(6).hex()}"
    place.mkdir()
    os.chown(place, NOBODY - 1, NOBODY - 1)
    # The interpreter may lie where that user cannot go: what is needed is imported before.
    code = (
        "import os, sys\n"
        "from biblicus.connectors.cli.front.app import run\n"
        "os.environ['BIBLICUS_CACHE_HOME'] = os.environ['BIBLICUS_STATE_HOME'] = sys.argv[2] + '/warm'\n"
        "run(['-C', sys.argv[2] + '/copy', 'init'])\n"
        "assert run(['-C', sys.argv[2] + '/copy', 'reindex']) == 0\n"
        "assert run(['-C', sys.argv[2] + '/copy', 'query', 'moon']) == 0\n"
        "import biblicus.corpus.founding\n"
        f"os.setresuid({NOBODY - 1}, {NOBODY - 1}, {NOBODY - 1})\n"
        "os.environ['BIBLICUS_CACHE_HOME'] = os.environ['BIBLICUS_STATE_HOME'] = sys.argv[2] + '/own'\n"
        "assert run(['-C', sys.argv[1], 'init']) == 0\n"
        "assert run(['-C', sys.argv[1], 'reindex']) == 0\n"
        "sys.exit(run(['-C', sys.argv[1], 'query', 'moon']))\n"
    )
    try:
        shutil.copytree(theirs, place / "copy")
        shutil.copytree(theirs, place / "theirs")
        lock(place / "theirs")
        before = everything(place / "theirs")
        done = subprocess.run(
            [sys.executable, "-c", code, str(place / "theirs"), str(place)], capture_output=True, text=True, cwd=place
        )
        assert done.returncode == 0, done.stderr
        assert f"its index is made in {place}/own" in done.stdout
        assert everything(place / "theirs") == before
    finally:
        shutil.rmtree(place)
