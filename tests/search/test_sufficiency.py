"""What the documents say of thin evidence holds among hundreds of documents, not in a dozen alone."""

import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus

ROOT = Path(__file__).resolve().parents[2]
PEPS = Path(os.environ.get("BIBLICUS_DATA") or ROOT.parent / "shared" / "data") / "folders" / "peps.tar.xz"
COUNT = 300


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """The example folder among some hundreds of documents about something else."""
    if not PEPS.exists():
        pytest.skip("the PEPs are not beside this checkout")
    folder = tmp_path_factory.mktemp("among")
    shutil.copytree(ROOT / "examples" / "harbour", folder / "harbour")
    with tarfile.open(PEPS) as packed:
        proposals = sorted(member.name for member in packed if member.name.endswith(".rst") and member.isfile())[:COUNT]
        members = [member for member in packed if member.name in proposals]  # in their order: no way back in an xz
        packed.extractall(folder, members=members, filter="data")
    assert len(proposals) == COUNT
    with Corpus.init(folder) as corpus:
        corpus.reindex("lexical")
        yield corpus


@pytest.mark.parametrize(
    "question",
    [
        "What do submarines eat?",
        "capital of Mongolia",
        "What is the capital of Mongolia?",
        "Who won the chess tournament in Reykjavik?",
    ],
)
def test_what_is_not_there_is_told_as_such(corpus: Corpus, question: str) -> None:
    assert corpus.query(question).insufficient
    assert corpus.answer(question).insufficient


@pytest.mark.parametrize(
    "question",
    [
        "Who rebuilds the parapet?",
        "Who rebuilds the parapet of the north mole?",
        "How long may a visiting boat stay in winter?",
        "When does the ferry sail?",
        "When are the seals counted?",
        "Was kostet eine Duschmarke?",
        "青銅の鐘の重さは？",
        "spill kit",
    ],
)
def test_what_is_there_is_enough(corpus: Corpus, question: str) -> None:
    result = corpus.query(question)
    assert not result.insufficient
    assert result.evidence[0].path.startswith("harbour/")
