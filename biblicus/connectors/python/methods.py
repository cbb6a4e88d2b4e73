"""The methods of a corpus, one a verb: made here, spelled out in `methods.pyi`."""

from __future__ import annotations

from biblicus.connectors.python.table import METHODS, made
from biblicus.service.askers.here import Here


class Methods:
    """One method a verb."""

    _asker: Here


for _method in METHODS:
    setattr(Methods, _method.name, made(_method))
