"""Capture the features of all training questions once, as a table of numbers without texts.

usage: python -m benchmarks.fitting.capture PLACE [COLLECTION]...    (PLACE keeps the indexed collections)
"""

from __future__ import annotations

import argparse
import os
import tarfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fitting import classes, questions
from benchmarks.fitting.questions import Asking
from benchmarks.workbench import ROOT, data_folder
from biblicus.answering.reader import features, scorer, units
from biblicus.answering.reader.units import Candidate
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call
from biblicus.models.evidence import Evidence, Result
from biblicus.models.recipe import JUDGED, WORDS

Array = np.ndarray[Any, Any]

TABLE = ROOT / "benchmarks" / "fitting" / "features.npz"
COLLECTIONS = {
    "xquad-en": 600, "xquad-de": 240, "xquad-ru": 240, "xquad-zh": 240, "tydi-en": 500, "tydi-multi": 300,
    "covidqa": 240, "faq-docs": 234, "pubmedqa": 100, "definitions": 564, "cpp-parameters": 120, "parameters": 240,
    "headings": 240, "strangers-cpp": 100, "strangers-networkx": 100, "strangers-peps": 100,
}  # fmt: skip
"""Collections, and how many questions of each."""
MODELS_OF = {
    "xquad-en": 150, "definitions": 110, "tydi-en": 150, "covidqa": 60, "faq-docs": 80, "pubmedqa": 10,
    "cpp-parameters": 40, "parameters": 60, "headings": 60, "strangers-cpp": 25, "strangers-networkx": 25,
    "strangers-peps": 25,
}  # fmt: skip
"""Those in the language of the models, and how many questions of each the models read."""
_SHAPED, _UNITS, _STEP = 1_000, 24, 1_000
"""Questions of a collection for the class model; units of a question that are kept; steps of a number's 1."""


@dataclass
class Table:
    """Rows of units by question. `about`: collection, half, whether its answer is in the folder, whether its passage
    was taken away, carrier, whether models read it; in thousandths the signs of the search (`scorer.Found`)."""

    rows: list[Array] = field(default_factory=list)
    gold: list[Array] = field(default_factory=list)
    words: list[Array] = field(default_factory=list)
    about: list[tuple[int, ...]] = field(default_factory=list)

    def save(self, path: Path, shapes: dict[str, Array]) -> None:
        """Write the table as small integers."""
        arrays: dict[str, Any] = {
            "rows": np.concatenate(self.rows),
            "gold": np.concatenate(self.gold),
            "words": np.concatenate(self.words),
            "counts": np.array([len(rows) for rows in self.rows], np.int16),
            "about": np.array(self.about, np.int16),
            **shapes,
        }
        np.savez_compressed(str(path), **arrays)


class Models:
    """The cosine and the judge of this machine, for the best units."""

    def __init__(self) -> None:
        from biblicus.contracts import Given
        from biblicus.embedding import judge, minilm_int8
        from biblicus.models.digest import file_digest

        self._judge = judge.find(file_digest)
        self._embedder = minilm_int8.build(minilm_int8.Options(), Given())
        self._question, self._known = "", dict[str, tuple[float, float]]()

    def read(self, question: str, candidates: Sequence[Candidate]) -> tuple[list[float], list[float]]:
        """Return cosine and logit of each candidate. Remembered for one question: both readings share most units."""
        if question != self._question:
            self._question, self._known = question, {}
        texts = [f"{one.breadcrumb}. {one.unit.reads}" if one.breadcrumb else one.unit.reads for one in candidates]
        new = [at for at, text in enumerate(texts) if text not in self._known]
        if new:
            vectors = self._embedder.embed([question, *(candidates[at].unit.reads for at in new)], Call())
            logits = self._judge.logits(question, [texts[at] for at in new], Call())
            for at, cosine, logit in zip(new, (vectors[1:] @ vectors[0]).tolist(), logits, strict=True):
                self._known[texts[at]] = (max(0.0, cosine), logit or 0.0)
        return [self._known[text][0] for text in texts], [self._known[text][1] for text in texts]


def main() -> None:
    """Capture and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place", type=Path)
    parser.add_argument("collections", nargs="*", default=list(COLLECTIONS))
    parser.add_argument("-o", "--output", type=Path, default=TABLE)
    parser.add_argument("--words", action="store_true", help="capture no model's scores")
    parser.add_argument("--models", action="store_true", help="capture only what models read")
    options = parser.parse_args()
    asked = {name: _questions(name, options.place) for name in options.collections}
    shapes = classes.fitted([one for name in COLLECTIONS for one in _questions(name, options.place, _SHAPED)])
    table = Table()
    for models in (None, *(() if options.words else (Models(),))):
        for name, some in asked.items() if models or not options.models else ():
            began = time.monotonic()
            read = some[: MODELS_OF.get(name, 0)] if models else some
            with Corpus.open(_folder(name, options.place)) as corpus:
                corpus.reindex(JUDGED if models else WORDS)
                for one in read:
                    _capture(table, name, one, corpus, shapes, models)
            print(f"{name}: {len(read)} questions in {time.monotonic() - began:.0f} s", flush=True)
    table.save(options.output, shapes.arrays)


def _questions(name: str, place: Path, most: int = 0) -> list[Asking]:
    _folder(name, place)
    return questions.of_collection(name, data_folder(), place, most or COLLECTIONS[name])


def _folder(name: str, place: Path) -> Path:
    """Return the indexed folder of a collection, made where it is missing."""
    source = questions.FOLDERS.get(name, "")
    folder = place / (source or name)
    if (folder / ".biblicus" / "runs").exists():
        return folder
    if source and not folder.exists():
        with tarfile.open(data_folder() / "folders" / f"{source}.tar.xz") as archive:
            archive.extractall(place, filter="data")
            (place / archive.getnames()[0].partition("/")[0]).rename(folder)
    for path, text in () if source else questions.passages(name, data_folder()):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex(WORDS)
    return folder


def _capture(
    table: Table, name: str, one: Asking, corpus: Corpus, shapes: classes.Fitted, models: Models | None
) -> None:
    """Add the units of a question, and those that are left where its passage is taken away."""
    result = corpus.query(one.question, recipe=JUDGED if models else WORDS)
    for is_gone in (False, True) if one.holds else (False,):
        texts = [piece.at_opening() for piece in result.texts if not (is_gone and piece.path == one.path)]
        _add(table, name, one, result, texts[: units.PIECES], shapes, models, is_gone)


def _add(
    table: Table, name: str, one: Asking, result: Result, evidence: Sequence[Evidence], shapes: classes.Fitted,
    models: Models | None, is_gone: bool,
) -> None:  # fmt: skip
    candidates = units.read(evidence)
    if not candidates:
        return
    rows = features.table(shapes.asked(one, result), candidates, evidence)
    scores = scorer.by_words(rows)
    kept = scorer.best_places(scores, scorer.JUDGED if models else _UNITS)
    shown = [candidates[place] for place in kept]
    more = models.read(one.question, shown) if models else ()
    values = [[*rows[place], *(column[at] for column in more)] for at, place in enumerate(kept)]
    values = [row + [0.0] * (len(features.NAMES) + len(features.MODELS) - len(row)) for row in values]
    table.rows.append(np.rint(np.array(values) * _STEP).astype(np.int16))
    holds = one.holds if one.holds and not is_gone else None
    table.gold.append(np.array([holds is not None and holds(unit) for unit in shown], bool))
    table.words.append(np.array([unit.unit.words for unit in shown], np.int16))
    found = [round(_STEP * value) for value in scorer.found(one.question, evidence, result.rarity)]
    at = list(COLLECTIONS).index(name)
    is_here = one.holds is not None and not is_gone
    table.about.append((at, one.half, int(is_here), int(is_gone), one.carrier, int(models is not None), *found))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
