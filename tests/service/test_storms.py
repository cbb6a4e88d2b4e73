"""Storms: many changes at once, and many in a row. Whoever follows settles, and what is found is what lies there.

The quick versions run with the tests; `make test-storms` has ten thousand files at once, and 200 storms.
"""

import os
import random
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from tests.followed import Followed, followed_from_now
from tests.sampling import IS_LONG

FILES = int(os.environ.get("BIBLICUS_FILES_AT_ONCE", "10000"))
STORMS = int(os.environ.get("BIBLICUS_STORMS", "200"))
FLAT = 64 << 20
"""Bytes by which memory may grow over all storms but the first: caches of SQLite and of the allocator."""
_WORDS = ("moon", "tide", "gull", "rope", "winch", "pilot", "buoy", "lamp", "pier", "oil", "crew", "log", "storm")
_FOLDERS = ("", "a/", "b/", "a/c/", "d/e/f/")


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    Corpus.init(tmp_path / "harbour").close()
    yield from followed_from_now(tmp_path / "harbour")


def test_many_files_at_once(followed: Followed) -> None:
    at_once(followed, 1_000 if IS_LONG else 300)


@pytest.mark.storms
def test_ten_thousand_files_at_once(followed: Followed, tally: Callable[..., None]) -> None:
    at_once(followed, FILES)
    tally(edits=4 * FILES)


def at_once(followed: Followed, count: int) -> None:
    """They come, are changed, move and go, each time all at once."""
    folder = followed.folder
    for number in range(count):
        file = folder / f"{number % 40}" / f"{number}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# Buoy {number}\n\nIt blinks.", "utf-8")
    settled(followed)
    assert followed.found(f"buoy {count - 1}") >= {f"{(count - 1) % 40}/{count - 1}.md"}
    before = memory()
    for number in range(count):
        (folder / f"{number % 40}" / f"{number}.md").write_text(f"# Lamp {number}\n\nIt burns.", "utf-8")
    settled(followed)
    assert followed.found("blinks") == set()
    assert followed.found(f"lamp {count - 1}") >= {f"{(count - 1) % 40}/{count - 1}.md"}
    (folder / "all").mkdir()
    for number in range(40):
        (folder / f"{number}").rename(folder / "all" / f"{number}")
    settled(followed)
    assert all(path.startswith("all/") for path in followed.found("lamp"))
    shutil.rmtree(folder / "all")
    settled(followed)
    assert followed.found_paths() == set()
    assert memory() - before < FLAT + 12_000 * count


def test_storms_of_random_edits(followed: Followed) -> None:
    storms(followed, 8)


@pytest.mark.storms
def test_two_hundred_storms_of_random_edits(followed: Followed, tally: Callable[..., None]) -> None:
    tally(edits=storms(followed, STORMS))


def storms(followed: Followed, count: int) -> int:
    """After each storm the catalog has every file, and at the end the evidence is that of a fresh index.

    Return the number of edits.
    """
    chance = random.Random(7)
    before, edits = None, 0
    for number in range(count):
        for _ in range(chance.randint(1, 40)):
            edit(followed.folder, chance)
            edits += 1
        settled(followed)
        if number == count // 4:
            before = memory()
    assert before is not None
    assert memory() - before < FLAT
    with Corpus.open(followed.folder) as corpus:
        checked = corpus.verify_run("lexical")
        assert checked["ok"], checked
        assert not corpus.check().problems
    return edits


def settled(followed: Followed) -> None:
    followed.until(followed.holds_what_lies_there)


def edit(folder: Path, chance: random.Random) -> None:
    """One change, of whatever kind."""
    files = sorted(path for path in folder.rglob("*.md") if ".biblicus" not in path.parts)
    kind = chance.choice(("new", "new", "edit", "rename", "delete", "touch", "tree", "replace"))
    new = folder / f"{chance.choice(_FOLDERS)}{chance.randint(0, 300)}.md"
    text = f"# {chance.choice(_WORDS)} {chance.randint(0, 9_999)}\n\n{' '.join(chance.choices(_WORDS, k=12))}\n"
    if kind == "new" or not files:
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(text, "utf-8")
        return
    file = chance.choice(files)
    if kind == "edit":
        file.write_text(text, "utf-8")
    elif kind == "replace":
        beside = file.with_name(".being-edited")
        beside.write_text(text, "utf-8")
        beside.replace(file)
    elif kind == "rename":
        new.parent.mkdir(parents=True, exist_ok=True)
        file.replace(new)
    elif kind == "delete":
        file.unlink()
    elif kind == "touch":
        file.touch()
    elif kind == "tree" and file.parent != folder:
        moved = folder / f"tree{chance.randint(0, 5)}"
        if moved not in file.parents:
            shutil.rmtree(moved, ignore_errors=True)
            file.parent.rename(moved)


def memory() -> int:
    """Resident bytes."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()
