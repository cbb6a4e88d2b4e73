"""Extractor of feed files (RSS of any version, Atom): each entry under its title, with author, date and link."""

from __future__ import annotations

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit.composing import Composer
from biblicus.extraction.kit.texts import OfText, Options
from biblicus.extraction.web.html import Html
from biblicus.extraction.web.html import Options as HtmlOptions
from biblicus.guards import feeds
from biblicus.models.extraction import Extraction, Heading, NoExtraction

_BELOW = 1
"""Levels by which headings within an entry are lower than the entry's own."""


class FeedFile(OfText):
    """Extractor that runs in a guarded worker; a file that is no feed is plain text."""

    guarded = True

    def __init__(self) -> None:
        self._html = Html(HtmlOptions(content="all"))
        self.fingerprint = f"feed/3 {self._html.fingerprint}"

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        try:
            feed = feeds.read(text)
        except feeds.NoFeed:
            return Extraction(text, warnings=warnings)
        composer = Composer()
        self._page(composer, feed.about)
        for number, entry in enumerate(feed.entries, 1):
            composer.heading(1, entry.title or entry.link or entry.key or f"Entry {number}", apart=True)
            byline = ", ".join(filter(None, (entry.author, entry.date[:10])))
            for line in (byline, entry.link if entry.title else "", ", ".join(entry.topics)):
                composer.line(line)
            self._page(composer, entry.content)
        empty = NoExtraction("empty", "the feed has no entries")
        return composer.extraction(
            title=feed.title or None, language=feed.language[:2].lower() or None, warnings=warnings, otherwise=empty
        )

    def _page(self, composer: Composer, html: str) -> None:
        page = self._html.extract(html.encode("utf-8", "replace"), MediaHint("", "text/html"))
        if isinstance(page, Extraction):
            composer.part(page.text, [Heading(h.offset, h.level + _BELOW, h.title) for h in page.headings])


def build(options: Options, given: Given) -> Extractor:
    return FeedFile()
