"""Maintenance of a corpus: finds damage, repairs it, and adopts indexes from other machines."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.upkeep import check, check_sources, sandbox
else:
    __getattr__ = modules_of(__name__)
