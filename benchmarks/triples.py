"""Questions that were written by hand, each with the sentence that answers it, and the folders they are about.

`triples.tsv` has folder, path, sentence and question, in other words than the sentence's, over the manual of 9,746
files, the mixed documents, a library's repository and the PEPs. A sentence is known by its letters, as people read it.
"""

from __future__ import annotations

import re
import shutil
import tarfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.workbench import ROOT, Workbench, data_folder
from biblicus.answering.reader.reading.readable import readable
from biblicus.connectors.python import Corpus

TRIPLES = ROOT / "benchmarks" / "triples.tsv"
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


def indexed(folder: Path) -> Corpus:
    """The corpus in a folder, with a run of `lexical`."""
    if (folder / ".biblicus").exists():
        return Corpus.open(folder)
    corpus = Corpus.init(folder)
    corpus.reindex("lexical")
    return corpus
