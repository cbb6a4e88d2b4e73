"""Dead links: local targets that do not exist and, on request, addresses that a server does not have."""

from __future__ import annotations

from collections.abc import Iterator, Set
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple
from urllib.parse import urljoin

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.changes import file_stats
from biblicus.corpus.described.links import Linked
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import IngestionError, UnsafeInput
from biblicus.guards.network.urls import UrlRefused, parse
from biblicus.models.requests.runs import DoctorRequest
from biblicus.models.sources.syncing import Reach
from biblicus.sources.web import GONE, Visitor
from biblicus.text.links import Link

_PAGE = 4 << 20
"""Maximum bytes of a page that is asked for."""


class Followed(NamedTuple):
    """A link that was followed. `kind`: `links` within the corpus, `addresses` of the web, or `unanswered` ones.

    `reason`: why it is dead; empty if it is not."""

    path: str
    line: int
    reason: str = ""
    kind: str = "links"


def dead_links(corpus: CorpusFolder, catalog: Catalog, request: DoctorRequest, call: Call) -> Iterator[Followed]:
    """Yield the links of the user's own files and, with `remote`, the addresses in all files."""
    linked = Linked(corpus, catalog)
    report = file_stats.load_scan(corpus).get("report", {})
    left_out = {basename(note["path"]).lower() for kind in ("skipped", "failed") for note in report.get(kind, ())}
    addresses: dict[str, dict[tuple[str, int], None]] = {}
    for item in catalog.items.values():
        call.check()
        is_own = item.source.kind in ("corpus", "declared")
        for link in linked.links(item.path, item.media_type) if is_own else ():
            yield Followed(item.path, link.line, _missing(corpus, linked, left_out, item.path, link))
        for address, line in linked.addresses(item) if request.remote else ():
            url = urljoin("" if is_own else item.source.uri, address).partition("#")[0]
            if url.startswith(("http://", "https://")):
                addresses.setdefault(url, {})[item.path, line] = None
    reach = Reach(cache=corpus.clones, private=request.allow_private, file_bytes=_PAGE)
    visitor = Visitor(reach, call, 0.0 if request.allow_private else 1.0)
    for done, (url, places) in enumerate(sorted(addresses.items())):
        call.progress("ask", done, len(addresses))
        reason, kind = _asked(visitor, url)
        yield from (Followed(path, line, reason, kind) for path, line in places)


def _missing(corpus: CorpusFolder, linked: Linked, left_out: Set[str], path: str, link: Link) -> str:
    """Return the reason if a link leads to no item, file or folder. What is outside the corpus is not looked at, nor
    paths from the root of a site, which is not known."""
    if linked.target(path, link) is not None or (not link.is_path and basename(link.name).lower() in left_out):
        return ""
    target = normpath(join(dirname(path), link.name) if link.is_path else link.name)
    try:
        is_there = target.startswith(("..", "/")) or corpus.inside(target).exists()
    except (OSError, ValueError, UnsafeInput):
        is_there = False
    return "" if is_there else f"there is no {target}"


def _asked(visitor: Visitor, url: str) -> tuple[str, str]:
    """Return the reason if a server says that it has no such page, and the kind of link."""
    try:
        status = visitor.get(parse(url)).status
    except (IngestionError, UrlRefused) as error:
        status = getattr(error, "status", 0)
        return "", "addresses" if status else "unanswered"
    return (f"{url} answers {status}" if status in GONE else ""), "addresses"
