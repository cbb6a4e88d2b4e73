"""Weights on disk: `.biblicus/weights.yml`, inert data that may come from a stranger."""

from __future__ import annotations

import os

from pydantic import ValidationError

from biblicus.config import explain
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, UnsafeInput
from biblicus.models.weights import GLOBAL, Weight, Weights

WHERE = f"{FOLDER}/weights.yml"
LIMIT = 64 << 10
"""Bytes."""
_HEAD = "# What counts more, or less, than its score: biblicus weight --help\n"


class WeightFile:
    """The weights of one corpus, read again where the file changed. Safe for several threads."""

    def __init__(self, place: CorpusFolder) -> None:
        self._place, self._path = place, str(place.home / "weights.yml")
        self._known: tuple[object, Weights] = (None, Weights())

    def read(self) -> Weights:
        """Raises `ConfigInvalid` where the file is not what it should be."""
        stamp = self._stamp()
        if stamp != self._known[0]:
            self._known = stamp, read(self._place)
        return self._known[1]

    def _stamp(self) -> object:
        try:
            found = os.lstat(self._path)
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def read(place: CorpusFolder) -> Weights:
    """The weights; none where there is no file. Raises `ConfigInvalid`."""
    from biblicus.guards import yaml  # lazy: most corpora have no weights

    path = place.home / "weights.yml"
    if not os.path.lexists(path):
        return Weights()
    try:
        place.refuse_links()
        found = yaml.read(files.read(path, limit=LIMIT).decode())
        return Weights.model_validate({} if found is None else found)
    except ValidationError as error:
        raise ConfigInvalid(WHERE, explain(error, Weights), "biblicus weight list") from error
    except (BadData, UnsafeInput) as error:
        raise ConfigInvalid(WHERE, error.message, f"edit {WHERE}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigInvalid(WHERE, "It cannot be read.", f"ls -l {WHERE}") from error


def write(place: CorpusFolder, weights: Weights) -> None:
    """Replace the file, durably; without weights there is none. The caller holds the corpus's lock."""
    from biblicus.guards import yaml

    place.refuse_links()
    path = place.home / "weights.yml"
    if not weights.weights:
        if os.path.lexists(path):
            files.remove(path)
        return
    ordered = sorted(weights.weights, key=lambda weight: weight.target)
    files.write(path, (_HEAD + yaml.write({"weights": [_as_data(weight) for weight in ordered]})).encode())


def _as_data(weight: Weight) -> dict[str, object]:
    found = weight.model_dump(mode="json", exclude_none=True)
    if weight.namespace == GLOBAL:
        del found["namespace"]
    return {**found, "multiplier": f"{weight.multiplier:g}"}
