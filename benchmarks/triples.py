"""Questions that were written by hand, each with the sentence that answers it: is that quoted, is its page cited?

`triples.tsv` has folder, path, sentence and question, in other words than the sentence's, over the manual of 9,746
files, the mixed documents, a library's repository and the PEPs. A sentence is known by its letters, as people read it.
"""

from __future__ import annotations

import re
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure
from benchmarks.workbench import ROOT, Workbench, data_folder
from biblicus.answering.quoting.reading.readable import readable
from biblicus.connectors.python import Corpus

TRIPLES = ROOT / "benchmarks" / "triples.tsv"
_BARS = {"cpp-docs": 0.45, "mixed": 0.85, "networkx": 0.55, "peps": 0.35}
_SURE = 0.6
_SAME = 60
"""Letters of a sentence by which it is known in an answer."""


class Triple(NamedTuple):
    """A question, the path that answers it and the sentence there that does."""

    folder: str
    path: str
    sentence: str
    question: str


def triples(folder: str) -> list[Triple]:
    """Those over a folder."""
    lines = TRIPLES.read_text("utf-8").splitlines()[1:]
    return [triple for triple in (Triple(*line.split("\t")) for line in lines) if triple.folder == folder]


def stands(sentence: str, text: str) -> bool:
    """Whether a text holds a sentence, whatever marks are around its words."""
    return letters(readable(sentence))[:_SAME] in letters(text)


def letters(text: str) -> str:
    """The words of a text, each with one blank between."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def measure(bench: Workbench) -> list[Figure]:
    """The rows `triples`."""
    return [_measured(name, _folder(bench, name)) for name in _BARS]


def _folder(bench: Workbench, name: str) -> Path:
    if name == "mixed":
        return mixed(bench)
    return bench.copies(1) if name == "cpp-docs" else unpacked(bench, name)


def mixed(bench: Workbench) -> Path:
    """A copy of the mixed documents."""
    folder = bench.place / "mixed"
    if not folder.exists():
        shutil.copytree(data_folder() / "mixed", folder)
        (folder / "MANIFEST.tsv").unlink()  # it quotes the others
    return folder


def unpacked(bench: Workbench, name: str) -> Path:
    """One of the shared folders, as it is; a folder below it counts in paths."""
    folder = bench.place / f"known-{name}"
    if not folder.exists():
        with tarfile.open(data_folder() / "folders" / f"{name}.tar.xz") as packed:
            packed.extractall(folder, filter="data")
    return folder


def _measured(name: str, folder: Path) -> Figure:
    with indexed(folder) as corpus:
        return figure(corpus, name, triples(name))


def figure(corpus: Corpus, name: str, asked: Sequence[Triple]) -> Figure:
    """The share of sentences quoted, and what else of the answers."""
    quoted = cited = sure = true = citations = 0
    for triple in asked:
        answer = corpus.answer(triple.question)
        paths = {citation.piece.path for statement in answer.statements for citation in statement.citations}
        quoted += stands(triple.sentence, answer.answer)
        cited += triple.path in paths
        sure += triple.path not in paths and answer.confidence >= _SURE
        verdicts = corpus.verify(answer)
        true, citations = true + sum(verdict.status == "ok" for verdict in verdicts), citations + len(verdicts)
    detail = (
        f"{len(asked)} questions; page cited {cited}, another page at {_SURE} or more {sure};"
        f" {true} of {citations} citations verify"
    )
    return Figure("triples", f"sentence quoted, {name}", "share", quoted / len(asked), _BARS[name], detail=detail)


def indexed(folder: Path) -> Corpus:
    """The corpus in a folder, with a run of `lexical`."""
    if (folder / ".biblicus").exists():
        return Corpus.open(folder)
    corpus = Corpus.init(folder)
    corpus.reindex("lexical")
    return corpus
