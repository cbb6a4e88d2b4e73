"""Sources of a corpus: configured entries, and the parts of a sync."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.models.sources import syncing
else:
    __getattr__ = modules_of(__name__)
