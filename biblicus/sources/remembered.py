"""Pages saved by a visit of a site, so that unchanged pages need not be parsed again for their links.

The file is in the source's cache on this machine: it may be lost, and its content is validated like a page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from biblicus.disk import system
from biblicus.errors import BadData
from biblicus.guards import json as guarded
from biblicus.guards.network.urls import UrlRefused, join
from biblicus.models.sources.syncing import Document, Row
from biblicus.sources.web import Got

_NAME = "pages.json"
_LARGEST = 64 << 20


class Seen(NamedTuple):
    """A saved page: digests of its copy and of its body, absolute links in order."""

    copy: str
    body: str
    links: list[str]

    @classmethod
    def of(cls, document: Document, body: str, got: Got) -> Seen:
        links = []
        if not got.links.robots & {"nofollow", "none"}:
            for href in got.links.hrefs:
                with suppress(UrlRefused):
                    links.append(str(join(got.base, href)))
        return cls(hashlib.sha256(document.data).hexdigest(), body, links)


@dataclass
class Remembered:
    """Pages by address. `before`: of the last visit, `now`: of this one."""

    before: Mapping[str, Seen] = field(default_factory=dict)
    now: dict[str, Seen] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Remembered:
        """Read the saved pages; none if the file is not valid."""
        try:
            with open(folder / _NAME, "rb") as stream:
                value = guarded.read(stream.read(_LARGEST + 1), max_bytes=_LARGEST)
            return cls(TypeAdapter(dict[str, Seen]).validate_python(value))
        except (OSError, BadData, ValidationError):
            return cls()

    def fits(self, row: Row) -> bool:
        """Check if the saved page is the one of the row."""
        saved_page = self.before.get(row.origin)
        return saved_page is not None and saved_page.copy == row.sha256

    def again(self, row: Row) -> Seen:
        """Mark the page as unchanged."""
        saved_page = self.before.get(row.origin, Seen(row.sha256, row.sha256, []))
        self.now[row.origin] = saved_page
        return saved_page

    def keep(self, folder: Path) -> None:
        """Save for the next visit; pages not visited this time are kept."""
        text = json.dumps({**self.before, **self.now}, separators=(",", ":"))
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{_NAME}.new").write_text(text, encoding="utf-8")
            system.replace(folder / f"{_NAME}.new", folder / _NAME)
