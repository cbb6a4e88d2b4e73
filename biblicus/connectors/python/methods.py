"""The methods of a corpus, one for each verb: created here, written out in `methods.pyi`."""

from __future__ import annotations

from biblicus.connectors.python.table import METHODS, made
from biblicus.service.askers.here import Here


class Methods:
    """One method for each verb."""

    _asker: Here


for _method in METHODS:
    setattr(Methods, _method.name, made(_method))
