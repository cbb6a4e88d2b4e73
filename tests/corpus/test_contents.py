"""Bytes of members: whatever order they are asked for in, and lists of them, kept by content."""

import gzip
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biblicus.contracts import Call
from biblicus.corpus.extracted import contents
from biblicus.corpus.extracted.contents import Contents
from biblicus.corpus.extracted.extractions import Raw, of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.founding import create
from biblicus.extraction.workers.unpacking import Member
from biblicus.models.extraction import Extraction, NoExtraction
from tests.extraction.test_members import tarred, zipped

TEXTS = {f"notes/{number}.txt": f"Note {number}.".encode() for number in range(5)}


@pytest.fixture
def corpus(tmp_path: Path) -> CorpusFolder:
    made = create(tmp_path / "harbour", None)
    packed = gzip.compress(tarred(*((tarfile.TarInfo(name), text) for name, text in TEXTS.items())))
    (made.root / "all.tar.gz").write_bytes(packed)
    (made.root / "outer.zip").write_bytes(zipped(("all.tar.gz", packed)))
    return made


@pytest.mark.parametrize("holder", ["all.tar.gz", "outer.zip!/all.tar.gz"])
@pytest.mark.parametrize("order", [list, lambda names: list(reversed(names))])
def test_members_are_read_in_any_order(
    corpus: CorpusFolder, holder: str, order: Callable[[list[str]], list[str]]
) -> None:
    with Contents(corpus, Call()) as reader:
        sources = {name: reader.source(f"{holder}!/{name}", "") for name in TEXTS}
        for name in order(list(TEXTS)):
            source = sources[name]
            assert not isinstance(source, Path)
            assert source() == TEXTS[name]
            assert source() == TEXTS[name]  # a worker that died is given it once more


@pytest.mark.parametrize("path", ["all.tar.gz!/none.txt", "none.zip!/a.txt", "all.tar.gz!/notes/0.txt!/x"])
def test_what_is_not_there_is_no_member(corpus: CorpusFolder, path: str) -> None:
    with pytest.raises(FileNotFoundError):
        contents.read(corpus, path)
    with pytest.raises(FileNotFoundError):
        contents.facts(corpus, path)


def test_a_list_is_kept_by_content(corpus: CorpusFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    first = contents.facts(corpus, "all.tar.gz!/notes/0.txt")
    assert first.bytes == 7
    monkeypatch.setattr(Contents, "_members", None)  # nothing is unpacked again
    assert contents.facts(corpus, "all.tar.gz!/notes/0.txt") == first


def test_a_list_that_a_busy_machine_cut_short_is_not_kept(
    corpus: CorpusFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> Iterator[Member]:
        yield Member("", left=NoExtraction("failed", "it took longer than 30 s"))

    sha256 = contents.facts(corpus, "all.tar.gz").sha256
    with monkeypatch.context() as busy:
        busy.setattr(Contents, "_members", late)
        with Contents(corpus, Call()) as reader:
            assert [left.why.status for left in reader.listing("all.tar.gz", sha256).left] == ["failed"]
    with Contents(corpus, Call()) as reader:
        assert [member.name for member in reader.listing("all.tar.gz", sha256).members] == list(TEXTS)


def test_members_that_are_parsed_are_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their order in the archive: what did not fit beside the one that is read was unpacked anew."""
    made = create(tmp_path / "harbour", None)
    names = [f"{number}.html" for number in range(9)]
    made.root.joinpath("all.zip").write_bytes(zipped(*((name, b"<p>Tides " + name.encode()) for name in names[::-1])))
    begun: list[str] = []
    begin = Contents._begin
    monkeypatch.setattr(contents, "_ASIDE", 0)

    def counted(reader: Contents, holder: str, name: str) -> None:
        begun.append(name)
        begin(reader, holder, name)

    monkeypatch.setattr(Contents, "_begin", counted)
    extractions = of_default_recipe(made, Call())
    with Contents(made, Call()) as reader:
        paths = [f"all.zip!/{name}" for name in names]
        raws = [Raw(path, reader.facts(path).sha256, "text/html", 20) for path in paths]
    outcomes = {raw.path: outcome for raw, outcome in extractions.guarded(raws)}
    assert {path: outcome.text for path, outcome in outcomes.items() if isinstance(outcome, Extraction)} == {
        f"all.zip!/{name}": f"Tides {name}\n" for name in names
    }
    assert begun == ["8.html"]
