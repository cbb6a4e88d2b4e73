"""Files that survive: durable writes, locks, seals."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.disk import observing
else:
    __getattr__ = modules_of(__name__)
