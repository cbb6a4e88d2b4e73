"""What git's settings of this machine hide is what git itself hides by them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from biblicus.sources.folder import walk
from biblicus.sources.ignoring import BY_GIT_SETTINGS, own_rules

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

FILES = ("a.md", "private.md", "sub/private.md", "sub/deep/keep.tmp", "x.tmp", "out/y.md", "sub/out/z.md", "b c.md")
EXCLUDE = "# mine\n\nprivate.md\n/out\n*.tmp\n!keep.tmp\nb\\ c.md\n"


def git(folder: Path, *words: str) -> str:
    told = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    assert told.returncode in (0, 1), told.stderr
    return told.stdout


def filled(folder: Path) -> Path:
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return home


@pytest.fixture
def tree(tmp_path: Path, home: Path) -> Path:
    (tmp_path / "tree").mkdir()
    git(tmp_path / "tree", "init", "-q")
    return filled(tmp_path / "tree")


def hidden_as_by_git(folder: Path) -> list[str]:
    """The files of a folder that are left out, which are those that git ignores."""
    scan = walk(folder, own_rules(folder), max_bytes=1 << 20)
    hidden = sorted(set(FILES) - set(scan.files))
    assert hidden == sorted(name for name in FILES if git(folder, "check-ignore", name))
    assert {note.reason for note in scan.skipped} <= {BY_GIT_SETTINGS}
    return hidden


def test_info_exclude_hides(tree: Path):
    (tree / ".git/info/exclude").write_text(EXCLUDE)
    assert hidden_as_by_git(tree) == ["b c.md", "out/y.md", "private.md", "sub/private.md", "x.tmp"]


@pytest.mark.parametrize(
    "written",
    [
        "[core]\n\texcludesFile = ~/mine\n",
        '[CORE] excludesfile = "~/mi\\"ne" ; quoted\n',
        '[core]\n\texcludesfile = ~/no\n[remote "core"]\n\texcludesfile = ~/o\n[core]\nexcludesFile=~/mine # last\n',
        "[include]\n\tpath = more\n",
    ],
)
def test_the_file_that_the_settings_name_hides(home: Path, tree: Path, written: str):
    (home / ".gitconfig").write_text(written)
    (home / "more").write_text("[core]\n\texcludesFile = ~/mine\n")
    for name in ("mine", 'mi"ne'):
        (home / name).write_text(EXCLUDE)
    assert "private.md" in hidden_as_by_git(tree)


def test_the_usual_file_hides_and_info_exclude_takes_back(home: Path, tree: Path):
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_text(EXCLUDE)
    (tree / ".git/info/exclude").write_text("!private.md\n")
    assert hidden_as_by_git(tree) == ["b c.md", "out/y.md", "x.tmp"]


def test_a_linked_work_tree_shares_what_is_hidden(tree: Path, tmp_path: Path):
    git(tree, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "first")
    git(tree, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    (tree / ".git/info/exclude").write_text(EXCLUDE)
    assert "private.md" in hidden_as_by_git(filled(tmp_path / "linked"))


def test_patterns_are_of_the_work_tree_where_the_folder_lies_below_it(tree: Path):
    (tree / ".git/info/exclude").write_text("/sub/private.md\n")
    scan = walk(tree / "sub", own_rules(tree / "sub"), max_bytes=1 << 20)
    assert [note.path for note in scan.skipped] == ["private.md"]


@pytest.mark.parametrize("kind", ["fifo", "folder", "huge", "bytes"])
def test_strange_settings_stop_no_walk(home: Path, tree: Path, kind: str):
    import os

    where = tree / ".git/info/exclude"
    where.unlink()
    if kind == "fifo":
        os.mkfifo(where)
    elif kind == "folder":
        where.mkdir()
    elif kind == "huge":
        where.touch()
        os.truncate(where, 1 << 40)
    else:
        where.write_bytes(b"\xff\xfe\n[\n")
    assert "a.md" in walk(tree, own_rules(tree), max_bytes=1 << 20).files
