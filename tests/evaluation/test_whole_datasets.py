"""An imported dataset is whole or not there, and what is said of it names no folder of this machine."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.disk import files
from biblicus.errors import StorageFailed


def beir(folder: Path, question: str) -> str:
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    (folder / "queries.jsonl").write_text(f'{{"_id": "q1", "text": "{question}"}}\n')
    for split in ("test", "train"):
        (folder / "qrels" / f"{split}.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    return str(folder)


def members(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("is_there", [False, True], ids=["the first time", "over an older one"])
@pytest.mark.parametrize("call", range(4))
def test_an_import_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool, call: int
) -> None:
    """Of its three files one cannot be written, or the folder cannot take its place."""
    outside, datasets = tmp_path / "lights", tmp_path / "corpus" / ".biblicus" / "datasets"
    with Corpus.init(tmp_path / "corpus") as corpus:
        if is_there:
            corpus.import_dataset(beir(outside, "what burns"))
        before = members(datasets)
        beir(outside, "what sounds")
        write, move, written = files.write, files.move, [0]

        def failing(path: Path, *words: Any, **options: Any) -> None:
            if path.is_relative_to(datasets):
                written[0] += 1
                if written[0] == call + 1:
                    raise StorageFailed(str(path), "no space left on device")
            write(path, *words, **options)

        def not_moving(source: Path, target: Path) -> None:
            if call == 3 and target == datasets / "lights" and written[0]:
                written[0] = 0
                raise OSError(28, "No space left on device")
            move(source, target)

        monkeypatch.setattr(files, "write", failing)
        monkeypatch.setattr(files, "move", not_moving)
        with pytest.raises(StorageFailed):
            corpus.import_dataset(str(outside))
        monkeypatch.undo()
        assert members(datasets) == before
        corpus.import_dataset(str(outside))
        assert members(datasets / "lights") == members(outside)


def test_what_a_killed_import_left_is_no_dataset_and_goes_with_the_next_writer(tmp_path: Path) -> None:
    with Corpus.init(tmp_path / "corpus") as corpus:
        left = tmp_path / "corpus" / ".biblicus" / "datasets" / f"{files.TEMPORARY}0123456789ab"
        beir(left, "half")
        assert list(corpus.datasets()) == []
        assert corpus.check().problems == []
        corpus.import_dataset(beir(tmp_path / "lights", "what burns"))
        assert not left.exists()


def without(pattern: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for path in folder.rglob(pattern):
            if path.is_file():
                path.unlink()

    return damage


def linked(folder: Path) -> None:
    (folder / "queries.jsonl").unlink()
    (folder / "queries.jsonl").symlink_to(__file__)


DAMAGES = {"no judgements": without("*.tsv"), "nothing": without("*"), "a link": linked}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_check_says_of_a_damaged_dataset_names_no_folder_of_the_machine(tmp_path: Path, damage: str) -> None:
    with Corpus.init(tmp_path / "corpus") as corpus:
        corpus.import_dataset(beir(tmp_path / "lights", "what burns"))
        DAMAGES[damage](tmp_path / "corpus" / ".biblicus" / "datasets" / "lights")
        (problem,) = corpus.check().problems
        (entry,) = corpus.datasets()
    assert problem["path"] == ".biblicus/datasets/lights"
    assert str(tmp_path) not in str((problem, entry))
