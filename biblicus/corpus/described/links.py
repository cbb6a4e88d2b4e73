"""Links between items, read from the current texts and stored nowhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.extracted.contents import Contents
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.models.item import Item
from biblicus.models.reading import ItemLink
from biblicus.sources.links import links_of
from biblicus.text.counting import LineIndex
from biblicus.text.decoding import decode
from biblicus.text.links import LINKING, MARKDOWN, Link, addresses, link_to
from biblicus.text.links import links as links_in
from biblicus.text.paths import MEMBER, file_of, from_os, is_member, whole_of

_HTML = frozenset(("text/html", "application/xhtml+xml"))


class Linked:
    """The links between the items of a catalog. `contents`: reads members of archives, too."""

    def __init__(self, corpus: CorpusFolder, catalog: Catalog, contents: Contents | None = None) -> None:
        self._corpus, self._catalog, self._contents = corpus, catalog, contents
        self._named: dict[str, list[str]] = {}
        for path in catalog.entries:
            name = posixpath.basename(path).lower()
            self._named.setdefault(name, []).append(path)
            if name.endswith(".md"):
                self._named.setdefault(name[:-3], []).append(path)

    def of(self, item: Item) -> tuple[ItemLink, ...]:
        """Return the links of an item without duplicates; a link to a missing item has no id."""
        links_by_target: dict[tuple[str, str], ItemLink] = {}
        for link in sorted(self.links(item.path, item.media_type), key=lambda link: link.line):
            path = self.target(item.path, link)
            item_link = ItemLink(path or link.name, link.line, self._id(path), link.part or None)
            links_by_target.setdefault((item_link.path, link.part), item_link)
        return tuple(links_by_target.values())

    def to(self, item: Item, call: Call) -> tuple[ItemLink, ...]:
        """Return the links of other items to this one, in order of path and line."""
        stem = posixpath.basename(item.path).removesuffix(".md")
        marks = [mark.lower().encode() for mark in (stem, quote(stem))]
        backlinks = []
        beside = file_of(item.path) + MEMBER
        entries = self._catalog.entries
        members = [path for path in entries if path.startswith(beside) and _may_link(entries[path].media_type)]
        if self._contents is not None:
            for path in members:
                self._contents.source(path, "")  # all are registered before the first is read
            members.sort(key=self._contents.place)
        for path in (*(path for path in entries if not is_member(path)), *members):
            entry = entries[path]
            call.check()
            if path == item.path:
                continue
            backlinks += [
                ItemLink(path, link.line, entry.item_id, link.part or None)
                for link in self.links(path, entry.media_type, marks)
                if self.target(path, link) == item.path
            ]
        return tuple(sorted(backlinks, key=lambda link: (link.path, link.line)))

    def _id(self, path: str | None) -> str | None:
        return self._catalog.entries[path].item_id if path else None

    def links(self, path: str, media_type: str, marks: list[bytes] | None = None) -> Iterator[Link]:
        """Yield the links of a file. `marks`: skip the file unless it contains one of these."""
        text = self._text(path, media_type, marks)
        if media_type == MARKDOWN:
            yield from links_in(text)
        else:
            yield from filter(None, (link_to(*address) for address in addresses_in(text, media_type)))

    def addresses(self, item: Item) -> Iterator[tuple[str, int]]:
        """Yield the addresses in a file with their lines, those of the web included."""
        yield from addresses_in(self._text(item.path, item.media_type), item.media_type)

    def _text(self, path: str, media_type: str, marks: list[bytes] | None = None) -> str:
        """Return the text of a file that may have links, else an empty one."""
        if not _may_link(media_type) or (is_member(path) and self._contents is None):
            return ""
        try:
            if is_member(path) and self._contents is not None:
                raw = self._contents.read(path)
            else:
                raw = files.read(self._corpus.inside(path), limit=self._corpus.settings.max_text_bytes)
        except (OSError, UnsafeInput):
            return ""
        return decode(raw).text if marks is None or any(mark in raw.lower() for mark in marks) else ""

    def target(self, path: str, link: Link) -> str | None:
        """Return the path of the item that a link in the item at `path` refers to, or None.
        Among several notes of one name, take the one in the same folder, else the least nested."""
        entries: Mapping[str, object] = self._catalog.entries
        name = from_os(link.name)
        folder = posixpath.dirname(path)
        sibling = posixpath.normpath(posixpath.join(folder, name)) if not name.startswith("/") else name.strip("/")
        for stem in (sibling, name.strip("/")) if link.is_path else (name.strip("/"), sibling):
            for candidate in (stem, f"{stem}.md", whole_of(stem)):
                if candidate in entries:
                    return candidate
        if link.is_path:
            return None
        ending = f"/{name.strip('/').lower()}"
        same = [
            known
            for known in self._named.get(posixpath.basename(name).lower(), ())
            if "/" not in name or f"/{known.lower()}".endswith((ending, f"{ending}.md"))
        ]
        return min(same, key=lambda known: (posixpath.dirname(known) != folder, known.count("/"), known), default=None)


def _may_link(media_type: str) -> bool:
    return media_type in LINKING or media_type in _HTML


def addresses_in(text: str, media_type: str) -> Iterator[tuple[str, int]]:
    """Yield the addresses of a text's links with their lines, those of the web included."""
    if media_type in _HTML:
        lines = LineIndex(text)
        yield from ((href, lines.line_of(start)) for href, start in links_of(text, "biblicus").hrefs.items())
    else:
        yield from addresses(text, media_type)
