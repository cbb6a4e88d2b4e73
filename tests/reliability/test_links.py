"""No link leads a writer, or a reader, out of the corpus."""

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.reliability.conftest import Command

WRITING = (
    "ingest", "reindex", "tag tides.md +sea", "check --repair", "recipes new mine", "runs prune --keep 1", "trust",
    "check --prune-cache",
)  # fmt: skip


def tree(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(f"{path}:{path.lstat().st_mode}:{path.lstat().st_mtime_ns}\n".encode())
    return digest.hexdigest()


@pytest.mark.parametrize(
    "part",
    ["", "/local", "/runs", "/recipes", "/local/index", "/local/cache", "/local/cache/extractions", "/local/damaged"],
)
def test_nothing_is_written_through_a_linked_folder(corpus: Path, told: Command, tmp_path: Path, part: str):
    ours, outside = corpus / f".biblicus{part}", tmp_path / "outside"
    if ours.exists():
        shutil.move(ours, outside)
    else:
        outside.mkdir()
        ours.parent.mkdir(exist_ok=True, parents=True)
    ours.symlink_to(outside)
    (corpus / "new.md").write_text("The sun pulls, too.")
    before = tree(outside)
    for words in WRITING:
        done = told(*words.split())
        assert done.is_clean
        assert done.code == 7 or words.startswith("recipes"), (words, done)
    assert tree(outside) == before or part == ""


@pytest.mark.parametrize("into", [None, "imports/deeper", "notes"])
def test_an_import_does_not_go_through_a_link(corpus: Path, told: Command, tmp_path: Path, into: str | None):
    outside = tmp_path / "outside"
    outside.mkdir()
    (corpus / "imports").symlink_to(outside)
    (corpus / "notes").symlink_to(outside)
    (tmp_path / "letter.txt").write_text("A letter.")
    done = told("ingest", str(tmp_path / "letter.txt"), *(["--into", into] if into else []))
    assert (done.code, done.is_clean) == (7, True)
    assert not list(outside.iterdir())


@pytest.mark.parametrize("kind", ["dangling", "leading out"])
def test_a_linked_sidecar_is_not_written(corpus: Path, told: Command, tmp_path: Path, kind: str):
    outside = tmp_path / "outside.yml"
    if kind != "dangling":
        outside.write_text("title: mine\n")
    link = corpus / "tides.md.biblicus.yml"
    link.symlink_to(outside)
    done = told("tag", "tides.md", "+sea")
    assert (done.code, done.is_clean) == (7, True)
    assert link.is_symlink()
    assert kind == "dangling" or outside.read_text() == "title: mine\n"


@pytest.fixture
def swapped(corpus: Path, told: Command, tmp_path: Path) -> str:
    """An item whose folder became a link to one outside, which holds a file of that name."""
    (corpus / "notes").mkdir()
    (corpus / "notes" / "key.txt").write_text("Once a harmless note.")
    assert told("reindex").code == 0
    assert told("reindex", "--recipe", "scan").code == 0
    shutil.rmtree(corpus / "notes")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("The secret of the harbour.")
    (corpus / "notes").symlink_to(secret)
    return "notes/key.txt"


def test_no_reader_follows_a_linked_folder(swapped: str, told: Command):
    for words in (("get", swapped), ("show", swapped), ("query", "secret harbour", "--recipe", "scan")):
        done = told(*words)
        assert done.is_clean
        assert "secret of" not in done.out.lower()
    assert told("get", swapped).code == 3
    assert told("check", "--read-data").code == 4


def test_a_refresh_forgets_what_lies_behind_a_link(swapped: str, told: Command):
    assert "notes: symbolic link" in told("ingest", "-v").out
    assert swapped not in told("list").out


@pytest.mark.parametrize("name", ["catalog.json", "config.yml"])
def test_a_linked_file_of_ours_is_not_read_and_can_be_repaired(corpus: Path, told: Command, tmp_path: Path, name: str):
    outside = tmp_path / name
    shutil.move(corpus / ".biblicus" / name, outside)
    before = outside.read_bytes()
    (corpus / ".biblicus" / name).symlink_to(outside)
    assert told("ingest").code != 0
    assert told("check", "--repair").code == 0
    assert told("query", "moon").code == 0
    assert outside.read_bytes() == before
