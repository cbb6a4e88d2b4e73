"""Section of a site, and detection of addresses that lead nowhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from biblicus.errors import IngestionError, UsageError
from biblicus.guards.network.urls import Url, parse
from biblicus.models.sources.entries import SiteEntry
from biblicus.text.globs import matches_path

_LONGEST = 500
"""Maximum characters of an address: longer ones usually grow endlessly."""

_DEEPEST = 20
"""Maximum folders in an address."""

_REPEATED = 2
_WEB = frozenset((80, 443))


@dataclass(frozen=True)
class Scope:
    """A host, a folder on it, and the entry's globs. `start` always belongs to it."""

    start: Url
    host: str
    port: int
    folder: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def holds(self, url: Url) -> bool:
        """Check if an address is visited."""
        if (url.host, 0 if url.port in _WEB else url.port) != (self.host, 0 if self.port in _WEB else self.port):
            return False
        return (self._inside(url) or url == self.start) and not matches_path(url.path[1:], self.exclude)

    def keeps(self, url: Url) -> bool:
        """Check if the content of a visited address becomes a document of the source."""
        return self._inside(url) and (not self.include or matches_path(url.path[1:], self.include))

    def _inside(self, url: Url) -> bool:
        return (url.path + "/").startswith(self.folder)


def scope_of(entry: SiteEntry, listed: Url, arrived: Url, moved: bool) -> Scope:
    """Return the section after the reply of its start. `arrived`: the final address; `moved`: after a permanent
    redirect.

    Without a prefix it is the folder of the start. A temporary redirect elsewhere fails the sync: otherwise a
    maintenance notice would replace the section. Raises `IngestionError`, `UsageError`."""
    if entry.prefix:
        prefix = parse(entry.prefix)
        if prefix.host != listed.host:
            raise UsageError(f"The prefix of {entry.name} is on another host than its address.", "edit sources.yml")
        folder = _folder(prefix.path)
    else:
        folder = _folder_of(listed)
        if arrived.path == listed.path + "/" or (moved and not (arrived.path + "/").startswith(folder)):
            folder = _folder_of(arrived)
        elif not (arrived.path + "/").startswith(folder):
            raise IngestionError(str(listed), f"it redirects out of its section for now, to {arrived}")
    return Scope(arrived, arrived.host, arrived.port, folder, entry.include, entry.exclude)


def _folder(path: str) -> str:
    return path if path.endswith("/") else path + "/"


def _folder_of(url: Url) -> str:
    return url.path.rpartition("/")[0] + "/"


def is_trap(url: Url) -> bool:
    """Check if an address seems generated in a loop: very long, very deep, or with repeated folders."""
    folders = [part for part in url.path.split("/") if part]
    repeated = len(folders) > 2 * _REPEATED and max(Counter(folders).values()) > _REPEATED
    return len(str(url)) > _LONGEST or len(folders) > _DEEPEST or repeated
