"""Documents as files: exact, told from edited ones, put in place all or none."""

import errno
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.founding import create
from biblicus.disk import files
from biblicus.errors import StorageFailed
from biblicus.extraction.kit import front_matter
from biblicus.measure import datasets, documents
from biblicus.measure.documents import Judgements, uri_of
from biblicus.measure.formats import Document
from biblicus.models.answers.evaluation import Dataset, JudgedQuestion, Judgement
from biblicus.models.requests.measure import DatasetRequest, ImportDatasetRequest

NOW = "2026-11-21T12:00:00Z"
words = st.text(max_size=60).filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text))


@given(words, words, words.filter(str.strip))
def test_front_matter_is_read_as_written_and_the_text_stands_after_it(title, text, name):
    data = documents.as_file("set", Document(1, name, title, text), "an-id", NOW).decode()
    found = front_matter.read(data)
    assert found.warnings == ()
    assert found.metadata["id"] == "an-id"
    assert f'uri: "{uri_of("set", name)}"' in data.splitlines()[1]
    plain = "".join(filter(str.isprintable, " ".join(title.split())))[:300]
    assert found.metadata.get("title", "") == plain
    assert data[found.masked[0].end :] == (text if text.endswith("\n") else text + "\n")
    assert documents.is_as_imported(data.encode())


@given(st.integers(0, 10_000), st.sampled_from(["x", ""]))
def test_any_edit_after_the_source_shows(at, put):
    data = documents.as_file("set", Document(1, "1", "A title", "Some text."), "1", NOW).decode()
    start = data.index("id: ")
    at = start + at % (len(data) - start)
    edited = data[:at] + put + data[at + 1 :]
    assert documents.is_as_imported(edited.encode()) == (edited == data)


def test_metadata_comes_along_and_what_yaml_refuses_is_left_aside():
    kept = documents.as_file("s", Document(1, "1", "", "", {"url": "a: b", "n": 3}), "1", NOW).decode()
    assert front_matter.read(kept).metadata["metadata"] == {"url": "a: b", "n": "3"}
    deep: dict = {}
    for _ in range(30):
        deep = {"a": deep}
    assert b"metadata" not in documents.as_file("s", Document(1, "1", "", "", deep), "1", NOW)


@pytest.fixture
def place(tmp_path: Path) -> CorpusFolder:
    return create(tmp_path / "corpus", None)


def collection(folder: Path, texts: dict[str, str]) -> Path:
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"_id": name, "title": "", "text": text}) for name, text in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "what"}\n')
    (folder / "qrels" / "test.tsv").write_text(f"q\t{next(iter(texts))}\t1\n")
    return folder


def bring(place: CorpusFolder, source: Path) -> documents.Imported:
    return datasets.bring(place, ImportDatasetRequest(str(source)), Call())


def test_questions_that_are_items_too_are_told(place: CorpusFolder):
    line = json.dumps({"query": "what is pulled", "relevant": ["tides.txt"]})
    (place.root / "own.jsonl").write_text(line)
    assert [
        note["path"]
        for note in datasets.bring(place, ImportDatasetRequest(str(place.root / "own.jsonl")), Call()).warnings
    ] == ["own.jsonl"]
    (place.root / ".biblicusignore").write_text("own.jsonl\n")
    (place.root.parent / "other.jsonl").write_text(line)
    for ignored_or_outside in (place.root / "own.jsonl", place.root.parent / "other.jsonl"):
        assert datasets.bring(place, ImportDatasetRequest(str(ignored_or_outside)), Call()).warnings == []


@pytest.mark.parametrize(
    "name", ["../../escape", "a/b", "..", ".hidden", "CON.", "x" * 300, "\u202e", "~", "null", "--x", "*"]
)
def test_a_hostile_document_id_stays_in_its_folder(place: CorpusFolder, tmp_path: Path, name: str):
    source = collection(tmp_path / "set", {"ok": "fine", name: "text"})
    (source / "qrels" / "test.tsv").write_text("q\tok\t1\n")
    done = bring(place, source)
    assert (done.added, done.failed) == (2, [])
    assert len(list((place.root / "imports" / "set").iterdir())) == 2
    assert sorted(path.name for path in place.root.iterdir()) == [".biblicus", "imports"]
    shown = datasets.show(place, DatasetRequest("set"), Call())
    assert shown.missing == 0


def test_a_file_in_the_way_is_never_replaced(place: CorpusFolder, tmp_path: Path):
    mine = place.root / "imports" / "set" / "1.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    done = bring(place, collection(tmp_path / "set", {"1": "theirs", "2": "too"}))
    assert (done.added, [note["path"] for note in done.failed]) == (1, ["imports/set/1.txt"])
    assert mine.read_text() == "mine"


def test_a_failed_fsync_leaves_nothing_behind(place: CorpusFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = collection(tmp_path / "set", {str(number): "text" for number in range(300)})

    def broken(_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(files, "_sync_file", broken)
        with pytest.raises(StorageFailed, match="input/output error"):
            bring(place, source)
    assert not (place.root / "imports").exists()
    assert place.leftovers() == []
    assert datasets.registered(place) == []
    assert bring(place, source).added == 300


def test_a_changed_file_keeps_its_mode(place: CorpusFolder, tmp_path: Path):
    bring(place, collection(tmp_path / "set", {"1": "old"}))
    file = place.root / "imports" / "set" / "1.txt"
    os.chmod(file, 0o640)
    assert bring(place, collection(tmp_path / "set", {"1": "new"})).changed == 1
    assert file.stat().st_mode & 0o777 == 0o640
    assert file.read_text().endswith("new\n")


def test_a_document_that_is_no_more_is_counted_and_stays(place: CorpusFolder, tmp_path: Path):
    bring(place, collection(tmp_path / "set", {"1": "one", "2": "two"}))
    done = bring(place, collection(tmp_path / "set", {"1": "one"}))
    assert (done.unchanged, done.gone) == (1, 1)
    assert (place.root / "imports" / "set" / "2.txt").exists()


def test_judgements_find_the_datasets_own_document_then_id_then_path():
    dataset = Dataset(
        "two",
        [JudgedQuestion("q", "what", (Judgement("1"), Judgement("2", 3), Judgement("a.txt"), Judgement("x")))],
        "",
    )
    items = [
        ("1", "one/1.txt", "dataset:one/1"),
        ("two-1", "two/1.txt", "dataset:two/1"),
        ("2", "b.txt", ""),
        ("9", "a.txt", ""),
    ]
    judged = Judgements(dataset, items)
    assert judged.of(dataset.questions[0]).grades == {"two-1": 1, "2": 3, "9": 1, "\0x": 1}
    assert judged.missing == ["x"]
