"""Weights on disk: `.biblicus/weights.yml`, possibly from an untrusted clone."""

from __future__ import annotations

import os
from typing import Any

from biblicus.config import options_of
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, UnsafeInput
from biblicus.models.weights import GLOBAL, Weight, Weights

WHERE = f"{FOLDER}/weights.yml"
NONE = Weights()
LIMIT = 64 << 10
"""Maximum size in bytes."""
_HEAD = "# What counts more, or less, than its score: biblicus weight --help\n"


class WeightFile:
    """The weights of one corpus, read again if the file changed. Thread-safe."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus, self._path = corpus, str(corpus.home / "weights.yml")
        self._known: tuple[object, Weights] = (None, NONE)

    def read(self) -> Weights:
        """Return the current weights. Raises `ConfigInvalid`."""
        stamp = files.stamp(self._path, follow=False)
        if stamp != self._known[0]:
            self._known = stamp, read(self._corpus)
        return self._known[1]


def read(corpus: CorpusFolder) -> Weights:
    """Read the weights; none if there is no file. Raises `ConfigInvalid`."""
    from biblicus.guards import yaml  # lazy: most corpora have no weights

    path = corpus.home / "weights.yml"
    if not os.path.lexists(path):
        return NONE
    try:
        corpus.refuse_links()
        data = yaml.read(files.read(path, limit=LIMIT).decode())
    except (BadData, UnsafeInput) as error:
        raise ConfigInvalid(WHERE, error.message, f"edit {WHERE}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigInvalid(WHERE, "It cannot be read.", f"ls -l {WHERE}") from error
    values: Any = {} if data is None else data
    return options_of(Weights, values, WHERE, f"edit {WHERE}")


def write(corpus: CorpusFolder, weights: Weights) -> None:
    """Replace the file durably; without weights, delete it. The caller holds the corpus's lock."""
    from biblicus.guards import yaml

    corpus.refuse_links()
    path = corpus.home / "weights.yml"
    if not weights.weights:
        if os.path.lexists(path):
            files.remove(path, then="biblicus weight list")
        return
    ordered = sorted(weights.weights, key=lambda weight: weight.target)
    files.write(path, (_HEAD + yaml.write({"weights": [_as_data(weight) for weight in ordered]})).encode())


def _as_data(weight: Weight) -> dict[str, object]:
    fields = {name: value for name, value in weight.model_dump().items() if value is not None}
    if weight.namespace == GLOBAL:
        del fields["namespace"]
    return {**fields, "multiplier": f"{weight.multiplier:g}"}
