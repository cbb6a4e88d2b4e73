"""Extractor of EPUB 2 and 3 books: the spine documents in order, each read as HTML and cited as a chapter."""

from __future__ import annotations

from urllib.parse import unquote
from xml.etree.ElementTree import Element

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, day, folded
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.web.html import Html
from biblicus.extraction.web.html import Options as HtmlOptions
from biblicus.guards import xml
from biblicus.guards.archive import Archive, Encrypted, resolved
from biblicus.models.extraction import Extraction, NoExtraction

_ENCRYPTED = NoExtraction("encrypted", "the book is protected (DRM)")
_MOST_CHAPTERS, _LONGEST_RULES = 20_000, 200_000
"""Maximum chapters, and bytes of style sheets."""
_CSS = "text/css"


class Epub:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self) -> None:
        self._html = Html(HtmlOptions(content="all"))
        self.fingerprint = f"epub/3 {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        try:
            return _book(Archive(raw), self._html)
        except Encrypted:
            return _ENCRYPTED
        except xml.XmlRefused as error:
            raise ExtractionFailed(f"its package cannot be read: {error.message}") from error


def build(options: Options, given: Given) -> Extractor:
    return Epub()


def _book(archive: Archive, html: Html) -> Extraction | NoExtraction:
    package_name = _package_name(archive)
    package = xml.read_part(archive.read(package_name), typed=True)
    manifest = {entry.get("id", ""): entry for entry in package.iter("item")}
    spine = [manifest[key] for entry in package.iter("itemref") if (key := entry.get("idref", "")) in manifest]
    names = [_member(package_name, entry) for entry in spine[:_MOST_CHAPTERS]]
    protected = _protected(archive)
    if protected and protected & set(names):
        return _ENCRYPTED
    labels = _labels(archive, package_name, list(manifest.values()))
    styles = [
        archive.read(_member(package_name, entry)) for entry in manifest.values() if entry.get("media-type") == _CSS
    ]
    rules = b"".join(styles)[:_LONGEST_RULES]
    composer, number, lossy = Composer(), 0, False
    if len(spine) > _MOST_CHAPTERS:
        composer.warn(f"Chapters after the first {_MOST_CHAPTERS:,} are left out.")
    for name in names:
        page = html.extract(
            archive.read(name) + b"<style>%b</style>" % rules * bool(rules),
            MediaHint(name, "application/xhtml+xml"),
        )
        if not isinstance(page, Extraction):
            continue
        number += 1
        title = page.headings[0].title if page.headings else labels.get(name, "")
        composer.spot("chapter", title, str(number))
        composer.part(page.text, page.headings)
        lossy = lossy or bool(page.warnings)
    declared: dict[str, str] = {}
    for node in package.iter():
        if node.tag in ("title", "creator", "language", "date"):
            declared.setdefault(node.tag, folded(node.text or ""))
    metadata = {"author": declared.get("creator", "")[:300], "date": day(declared.get("date", ""))}
    return composer.extraction(
        title=declared.get("title"),
        language=declared.get("language") or None,
        metadata=metadata,
        warnings=("Some bytes could not be decoded; each stands as U+FFFD.",) if lossy else (),
        otherwise=NoExtraction("empty", "its chapters hold no text"),
    )


def _package_name(archive: Archive) -> str:
    """Return the name of the package document (OPF). Raises `ExtractionFailed`."""
    container = archive.read("META-INF/container.xml")
    if container:
        for root in xml.read_part(container, typed=True).iter("rootfile"):
            if archive.has(name := root.get("full-path", "")):
                return name
    for name in archive.names:
        if name.endswith(".opf"):
            return name
    raise ExtractionFailed("it names no package: the file is no EPUB")


def _member(package_name: str, entry: Element) -> str:
    return resolved(package_name, unquote(entry.get("href", "").partition("#")[0]))


def _protected(archive: Archive) -> set[str]:
    """Return the names of encrypted members, other than fonts."""
    raw = archive.read("META-INF/encryption.xml")
    if not raw:
        return set()
    root = xml.read_part(raw, typed=True)
    return {unquote(node.get("URI", "")) for node in root.iter("CipherReference")}


def _labels(archive: Archive, package_name: str, entries: list[Element]) -> dict[str, str]:
    """Return the title of each document by its name, from the table of contents (NCX)."""
    labels: dict[str, str] = {}
    for entry in entries:
        if entry.get("media-type") != "application/x-dtbncx+xml":
            continue
        name = _member(package_name, entry)
        try:
            root = xml.read_part(archive.read(name), typed=True)
        except xml.XmlRefused:
            continue
        for point in root.iter("navPoint"):
            content, label = point.find("content"), point.findtext("navLabel/text")
            if content is not None and label:
                target = resolved(name, unquote(content.get("src", "").partition("#")[0]))
                labels.setdefault(target, folded(label))
    return labels
