"""Guards between strangers' data and this process: YAML, JSON, the terminal, and limits for parser processes."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.guards import json, network, process, yaml
else:
    __getattr__ = modules_of(__name__)
