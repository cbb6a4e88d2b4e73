"""A command that is about few items looks, in a large corpus, at their files and at folders, and at no other file: what
it relies on is as it is, and what it left is told by the next refresh."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus import passes
from biblicus.corpus.changes import known_folder
from biblicus.disk import system
from biblicus.errors import AmbiguousItem, CatalogUnreadable, ConfigInvalid, DuplicateItem
from tests.corpus.test_looked_at import Folder, forgotten, ingested
from tests.hearing import heard
from tests.sampling import some

WORDS = "The tide comes.\n"
MINE = "The tide stays.\n"


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every corpus is a large one, and all files are as of yesterday."""
    monkeypatch.setattr(known_folder, "MANY", -1)
    for module in (passes, known_folder):
        monkeypatch.setattr(module, "is_calm", lambda stamp, started_ns: True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus of some files, one of which came from `outside.md`."""
    folder = tmp_path / "corpus"
    Corpus.init(folder).close()
    for path in ("notes/a.md", "notes/b.md", "log/c.md"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(f"The gull {path}.\n", "utf-8")
    (tmp_path / "outside.md").write_text(WORDS, "utf-8")
    with Corpus.open(folder) as corpus:
        corpus.ingest(tmp_path / "outside.md")
        corpus.ingest()
    return folder


def edited(path: Path, text: str) -> None:
    """Write other text of the same size in place, and set the time back."""
    before = path.stat()
    assert before.st_size == len(text.encode())
    path.write_text(text, "utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("seed", some(range(20, 24), 2))
def test_what_was_left_is_told_by_the_next_refresh(tmp_path: Path, seed: int):
    folder = Folder(tmp_path / "corpus", seed)
    Corpus.init(folder.root).close()
    outside = tmp_path / "outside.md"
    for turn in range(10):
        folder.change()
        if turn % 2:
            outside.write_text(f"Turn {turn}.\n", "utf-8")
        with Corpus.open(folder.root) as corpus, suppress(ConfigInvalid):  # of a sidecar that was swapped with a text
            corpus.ingest(*(outside,) if outside.exists() else ())
            if turn % 3 == 0 and (items := corpus.list()):
                corpus.tag(folder.random.choice(items).path, f"+turn{turn}")
        whole = forgotten(folder.root, "whole")
        assert ingested(folder.root)[1] == ingested(whole)[1]


def test_an_edit_of_another_file_in_place_is_left_to_the_next_refresh(folder: Path):
    edited(folder / "log/c.md", "The wind log/c.md.\n")
    with Corpus.open(folder) as corpus:
        before = corpus.show("log/c.md").sha256
        assert corpus.tag("notes/a.md", "+sea").tags == ("sea",)
        assert corpus.show("log/c.md").sha256 == before
        assert [entry["path"] for entry in corpus.ingest().changed] == ["log/c.md"]


@pytest.mark.parametrize("beside", [False, True])
def test_an_id_that_another_file_declares_by_now_is_refused(folder: Path, tmp_path: Path, beside: bool):
    (folder / "log/d.md").write_text("---\nid: yy\n---\nThe gull.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        corpus.ingest()
    edited(folder / "log/d.md", "---\nid: zz\n---\nThe gull.\n")
    text = "The quay.\n" if beside else "---\nid: zz\n---\nThe quay.\n"
    (tmp_path / "new.md").write_text(text, "utf-8")
    if beside:
        (tmp_path / "new.md.biblicus.yml").write_text("id: zz\n", "utf-8")
    with Corpus.open(folder) as corpus:
        assert "log/d.md" in corpus.ingest(tmp_path / "new.md").failed[0]["reason"]
        assert corpus.show("log/d.md").item_id == "zz"


def moved(folder: Path) -> None:
    (folder / "notes/a.md").rename(folder / "log/a.md")


def ignored(folder: Path) -> None:
    (folder / ".biblicusignore").write_text("c.*\n", "utf-8")


@pytest.mark.parametrize(
    ("act", "kind", "path"),
    [
        pytest.param(moved, "renamed", "log/a.md", id="a rename"),
        pytest.param(
            lambda folder: (folder / "notes/a.md").unlink(), "removed", "notes/a.md", id="a file that is gone"
        ),
        pytest.param(lambda folder: (folder / "log/n.md").write_text("New.\n"), "added", "log/n.md", id="a new file"),
        pytest.param(lambda folder: shutil.move(folder / "log", folder / "old"), "renamed", "old/c.md", id="a folder"),
        pytest.param(ignored, "removed", "log/c.md", id="ignore rules"),
    ],
)
def test_what_comes_goes_or_is_renamed_is_told_at_once(
    folder: Path, tmp_path: Path, act: Callable[[Path], object], kind: str, path: str
):
    with Corpus.open(folder) as corpus:
        listed = corpus.list()
    ids = {item.path: item.item_id for item in listed}
    act(folder)
    (tmp_path / "new.md").write_text("The quay.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        report = corpus.ingest(tmp_path / "new.md")
    told = {entry["path"]: entry for entry in getattr(report, kind)}
    assert path in told
    if kind == "renamed":
        assert told[path]["item_id"] == ids[told[path]["from"]]


def test_ignore_rules_that_were_edited_in_place_count_at_once(folder: Path, tmp_path: Path):
    (folder / ".biblicusignore").write_text("x.*\n", "utf-8")
    ingested(folder)
    edited(folder / ".biblicusignore", "c.*\n")
    (tmp_path / "new.md").write_text("The quay.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        assert [entry["path"] for entry in corpus.ingest(tmp_path / "new.md").removed] == ["log/c.md"]


def test_a_copy_that_was_edited_in_place_is_not_overwritten(folder: Path, tmp_path: Path):
    edited(folder / "imports/outside.md", MINE)
    (tmp_path / "outside.md").write_text("The tide went.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        (told,) = corpus.ingest(tmp_path / "outside.md").failed
    assert "was edited here" in told["reason"]
    assert (folder / "imports/outside.md").read_text("utf-8") == MINE


def test_what_was_edited_in_place_is_no_duplicate_any_more(folder: Path, tmp_path: Path):
    edited(folder / "log/c.md", "The wind log/c.md.\n")
    (tmp_path / "same.md").write_text("The gull log/c.md.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        report = corpus.ingest(tmp_path / "same.md")
    assert report.duplicates == []
    assert [entry["path"] for entry in report.added] == ["imports/same.md"]


def test_what_was_edited_in_place_to_the_same_is_a_duplicate(folder: Path, tmp_path: Path):
    edited(folder / "log/c.md", "The wind log/c.md.\n")
    (tmp_path / "same.md").write_text("The wind log/c.md.\n", "utf-8")
    with Corpus.open(folder) as corpus, pytest.raises(DuplicateItem):
        corpus.ingest(tmp_path / "same.md", on_duplicate="error")


def test_what_was_edited_in_place_to_the_same_is_left_to_the_next_refresh(folder: Path, tmp_path: Path):
    edited(folder / "log/c.md", "The wind log/c.md.\n")
    (tmp_path / "same.md").write_text("The wind log/c.md.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        report = corpus.ingest(tmp_path / "same.md")
        assert ([entry["path"] for entry in report.added], report.changed) == (["imports/same.md"], [])
        assert [entry["path"] for entry in corpus.ingest().changed] == ["log/c.md"]


def test_a_look_at_all_tells_of_all(folder: Path, tmp_path: Path):
    edited(folder / "notes/a.md", "The wind notes/a.md.\n")
    edited(folder / "imports/outside.md", MINE)
    (folder / "log/n.md").write_text("New.\n", "utf-8")
    (tmp_path / "outside.md").write_text("The tide went.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        report = corpus.ingest(tmp_path / "outside.md")
    assert [entry["path"] for entry in report.added] == ["log/n.md"]
    assert [entry["path"] for entry in report.changed] == ["imports/outside.md", "notes/a.md"]


def test_an_id_that_was_given_up_in_place_is_free(folder: Path, tmp_path: Path):
    text = "---\nid: x\n---\n"
    (folder / "log/c.md").write_text(text, "utf-8")
    ingested(folder)
    edited(folder / "log/c.md", text.replace("x", "y"))
    (tmp_path / "new.md").write_text(text + "The quay.\n", "utf-8")
    with Corpus.open(folder) as corpus:
        assert [entry["item_id"] for entry in corpus.ingest(tmp_path / "new.md").added] == ["x"]


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda corpus: corpus.remove("abc", delete_file=True), id="a removal"),
        pytest.param(lambda corpus: corpus.tag("abc", "+sea"), id="a tag"),
    ],
)
def test_the_beginning_of_an_id_that_another_has_since_is_ambiguous(folder: Path, act: Callable[[Corpus], object]):
    text = "---\nid: {}\n---\n"
    (folder / "notes/a.md").write_text(text.format("abc-1"), "utf-8")
    (folder / "log/c.md").write_text(text.format("xyz-2"), "utf-8")
    ingested(folder)
    edited(folder / "log/c.md", text.format("abc-2"))
    with Corpus.open(folder) as corpus, pytest.raises(AmbiguousItem):
        act(corpus)
    assert (folder / "notes/a.md").exists()


def test_who_declares_an_id_still_keeps_it(folder: Path):
    text = "---\nid: x\n---\n"
    (folder / "notes/b.md").write_text(text, "utf-8")
    ingested(folder)
    (folder / "notes/a.md").write_text(text, "utf-8")
    with Corpus.open(folder) as corpus:
        (failed,) = corpus.ingest().failed
        assert failed["path"] == "notes/a.md"
        assert corpus.tag("notes/b.md", "+sea").item_id == "x"


def test_tags_that_were_edited_in_place_stay(folder: Path):
    with Corpus.open(folder) as corpus:
        corpus.tag("notes/a.md", "+sea")
        corpus.ingest()
        edited(folder / "notes/a.md.biblicus.yml", "tags:\n- air\n")
        assert corpus.tag("notes/a.md", "+old").tags == ("air", "old")


def test_an_item_is_found_under_an_id_that_it_declares_since(folder: Path):
    text = "---\nid: x\n---\n"
    (folder / "log/c.md").write_text(text.replace("x", "y"), "utf-8")
    ingested(folder)
    edited(folder / "log/c.md", text)
    with Corpus.open(folder) as corpus:
        assert corpus.tag("x", "+sea").path == "log/c.md"


def test_an_import_that_was_edited_in_place_is_not_removed(folder: Path):
    edited(folder / "imports/outside.md", MINE)
    with Corpus.open(folder) as corpus, pytest.raises(Exception, match="was edited since"):
        corpus.remove("imports/outside.md")
    assert (folder / "imports/outside.md").read_text("utf-8") == MINE


def test_a_catalog_that_was_edited_by_hand_is_refused(folder: Path):
    catalog = folder / ".biblicus/catalog.json"
    edited(catalog, catalog.read_text("utf-8").replace('"title":"c"', '"title":"d"'))
    with Corpus.open(folder) as corpus, pytest.raises(CatalogUnreadable):
        corpus.tag("notes/a.md", "+sea")
    assert not (folder / "notes/a.md.biblicus.yml").exists()


def test_a_catalog_that_git_put_back_is_brought_up_to_the_whole_folder(folder: Path):
    catalog = folder / ".biblicus/catalog.json"
    older = catalog.read_bytes()
    (folder / "log/c.md").write_text("Another text of c.\n", "utf-8")
    ingested(folder)
    catalog.write_bytes(older)
    with Corpus.open(folder) as corpus:
        corpus.tag("notes/a.md", "+sea")
        assert corpus.show("log/c.md").bytes == len("Another text of c.\n")


def test_no_other_file_is_looked_at_in_a_large_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    acts: dict[str, Callable[[Corpus], object]] = {
        "a tag": lambda corpus: corpus.tag("000/7.md", "+sea"),
        "a removal": lambda corpus: corpus.remove("000/7.md", delete_file=True),
        "an import": lambda corpus: corpus.ingest("-", title="Quay", text="The quay."),
    }
    folder = tmp_path / "corpus"
    for number in range(2_001):
        within = folder / f"{number // 100:03}"
        within.mkdir(parents=True, exist_ok=True)
        (within / f"{number}.md").write_text(f"{number}\n", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.ingest()
        stamped = heard(monkeypatch, system.Folder, "numbers", lambda _, names: len(names))
        for name, act in acts.items():
            act(corpus)
            assert sum(stamped) == 0, name
            corpus.ingest()
            assert sum(stamped) >= 2_000, name
            stamped.clear()
