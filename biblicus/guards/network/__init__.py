"""Network connections: allowed addresses, bounded requests, and clients of servers."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.guards.network import addresses, urls
else:
    __getattr__ = modules_of(__name__)
