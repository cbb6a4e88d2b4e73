"""A refresh that looks at what differs comes to what one comes to that knows nothing and reads all."""

import os
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus import passes
from biblicus.corpus.changes import known_folder
from biblicus.disk import seals

_NAMES = ("a", "b", "A", "c", "talk", "é", "e\u0301")
_ENDINGS = (".md", ".txt", ".mp3", ".vtt", ".bin", ".zip", "")
_KEPT = ("folder.json", "scan.json", "stamps.json")


class Folder:
    """A corpus's folder that is changed at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.random = root, random.Random(seed)
        self.acts: list[Callable[[], object]] = [
            *(self.add, self.add, self.add, self.edit, self.edit, self.touch, self.delete, self.move, self.swap),
            *(self.describe, self.describe, self.ignore, self.hide, self.move_folder, self.link, self.pack),
        ]

    def change(self) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(self.acts)()

    def files(self) -> list[Path]:
        return sorted(
            path
            for path in self.root.rglob("*")
            if path.is_file() and not path.is_symlink() and ".biblicus" not in path.relative_to(self.root).parts
        )

    def folders(self) -> list[Path]:
        return sorted(
            {path.parent for path in self.files()} | {self.root}, key=lambda path: str(path.relative_to(self.root))
        )

    def any_file(self) -> Path | None:
        return self.random.choice(self.files()) if self.files() else None

    def place(self) -> Path:
        folder = self.random.choice(self.folders())
        if self.random.random() < 0.3 and len(folder.relative_to(self.root).parts) < 3:
            folder = folder / self.random.choice(_NAMES[:4])
        if folder.exists() and not folder.is_dir():
            return self.place()
        folder.mkdir(exist_ok=True)
        return folder / (self.random.choice(_NAMES) + self.random.choice(_ENDINGS))

    def text(self) -> str:
        words = self.random.choice(("moon", "tide", "quay"))
        # Of two that declare the same id, whichever has it keeps it, unless all are described anew.
        own = f"---\nid: own-{self.random.getrandbits(40)}\n---\n"
        declared = self.random.choice(("", "", "", own, "---\n- : broken\n---\n"))
        return f"{declared}# {words}\n\nThe {words}.\n"

    def add(self) -> None:
        path = self.place()
        if not path.exists() and path.suffix != ".zip":
            path.write_text(self.text() * self.random.randint(0, 2), "utf-8")

    def pack(self) -> None:
        path = self.place().with_suffix(".zip")
        if not path.is_dir():
            with zipfile.ZipFile(path, "w") as archive:
                for name in self.random.sample(("x.md", "y.txt", "sub/z.md", "skip.csv"), 2):
                    archive.writestr(name, self.text())

    def edit(self) -> None:
        if (path := self.any_file()) and path.suffix not in (".zip", ".yml"):
            with path.open("a", encoding="utf-8") as file:
                file.write("More.\n")

    def touch(self) -> None:
        if path := self.any_file():
            os.utime(path, (1_600_000_000, 1_600_000_000 + self.random.randint(0, 9)))

    def delete(self) -> None:
        if path := self.any_file():
            path.unlink()

    def move(self) -> None:
        path, target = self.any_file(), self.place()
        if path and not target.exists():
            path.rename(target.with_suffix(path.suffix) if not target.with_suffix(path.suffix).exists() else target)

    def swap(self) -> None:
        if (path := self.any_file()) and (other := self.any_file()) and path != other:
            first, second = path.read_bytes(), other.read_bytes()
            path.write_bytes(second)
            other.write_bytes(first)

    def describe(self) -> None:
        path = self.any_file() or self.root / "none.md"
        if path.suffix != ".yml":
            tag = self.random.choice(("sea", "land"))
            path.with_name(f"{path.name}.biblicus.yml").write_text(f"tags: [{tag}]\n", "utf-8")

    def ignore(self) -> None:
        rules = self.random.choice(("*.csv\n", "b.*\n", "", "!.hidden.md\n"))
        (self.random.choice(self.folders()) / ".biblicusignore").write_text(rules, "utf-8")

    def hide(self) -> None:
        (self.random.choice(self.folders()) / ".hidden.md").write_text("Hidden.", "utf-8")

    def move_folder(self) -> None:
        folder = self.random.choice(self.folders())
        target = self.root / f"moved{self.random.randint(0, 9)}"
        if folder != self.root and not target.exists():
            folder.rename(target)

    def link(self) -> None:
        path = self.root / self.random.choice(("l1", "l2"))
        if not path.exists() and not path.is_symlink():
            path.symlink_to(self.random.choice(self.folders()))


def forgotten(corpus: Path, name: str) -> Path:
    """A copy that knows nothing of what was seen."""
    copy = corpus.with_name(name)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(corpus, copy, symlinks=True)
    for kept in _KEPT:
        (copy / ".biblicus" / "local" / kept).unlink(missing_ok=True)
    return copy


def ingested(folder: Path) -> tuple[dict[str, Any], bytes]:
    """What an ingest tells, and the catalog."""
    with Corpus.open(folder) as corpus:
        report = corpus.ingest()
    lists = ("added", "changed", "renamed", "removed", "unchanged", "skipped", "failed", "warnings")
    return {name: getattr(report, name) for name in lists}, (folder / ".biblicus" / "catalog.json").read_bytes()


@pytest.fixture
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """All files are as of yesterday."""
    for module in (passes, known_folder):
        monkeypatch.setattr(module, "is_calm", lambda stamp, started_ns: True)


@pytest.mark.parametrize(("seed", "is_calm"), [(0, True), (1, True), (4, False), (5, False)])
def test_a_refresh_tells_of_changes_what_one_tells_that_reads_all(
    tmp_path: Path, request: pytest.FixtureRequest, seed: int, is_calm: bool
):
    """Files of yesterday, and such as were changed just before, which are looked at again."""
    if is_calm:
        request.getfixturevalue("_calm")
    folder = Folder(tmp_path / "corpus", seed)
    Corpus.init(folder.root).close()
    for _ in range(12 if is_calm else 8):
        folder.change()
        whole = forgotten(folder.root, "whole")
        assert ingested(folder.root) == ingested(whole)
        told = ingested(folder.root)[0]
        assert [told[name] for name in ("added", "changed", "renamed", "removed")] == [[], [], [], []]


@pytest.mark.parametrize("name", _KEPT)
@pytest.mark.usefixtures("_calm")
def test_what_earlier_refreshes_saw_counts_with_all_of_its_parts_alone(tmp_path: Path, name: str):
    folder = tmp_path / "corpus"
    Corpus.init(folder).close()
    for path in ("a.md", "b.md"):
        (folder / path).write_text("---\nid: same\n---\nThe tide.\n", "utf-8")
    ingested(folder)
    older = (folder / ".biblicus" / "local" / name).read_bytes()
    (folder / "a.md").unlink()
    (folder / ".hidden").write_text("Hidden.\n", "utf-8")
    ingested(folder)
    (folder / ".biblicus" / "local" / name).write_bytes(older)
    whole = forgotten(folder, "whole")
    told, catalog = ingested(folder)
    assert (told, catalog) == ingested(whole)
    assert told["failed"] == []
    assert [note["path"] for note in told["skipped"]] == [".hidden"]


def test_what_another_version_kept_of_a_folder_is_not_used(tmp_path: Path):
    folder = tmp_path / "corpus"
    Corpus.init(folder).close()
    (folder / "a.md").write_text("The tide.\n", "utf-8")
    told, _ = ingested(folder)
    assert [entry["path"] for entry in told["added"]] == ["a.md"]
    older = b'{"corpus_digest":"0","own":"","folders":[""],"names":[["a.md"]],"unsure":[],"stamps":""}'
    local = folder / ".biblicus" / "local"
    seals.write_cache(local / "folder.json", older, local)
    (folder / "b.md").write_text("The moon.\n", "utf-8")
    assert [entry["path"] for entry in ingested(folder)[0]["added"]] == ["b.md"]
