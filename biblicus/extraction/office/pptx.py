"""PowerPoint presentations (pptx, pptm, ppsx): each slide with its title, texts, lists, tables, charts and notes.

A slide is a spot of its own: evidence names it, and no chunk reaches into the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.composing import ENCRYPTED, Asides, Composer, folded, rows
from biblicus.extraction.office.bullets import Bullets
from biblicus.extraction.office.charts import lines_of
from biblicus.extraction.office.flat import opened
from biblicus.extraction.office.ooxml import Package, text_of
from biblicus.extraction.text import Options
from biblicus.guards.archive import Encrypted
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_MARGINS = {"ftr": "Footer", "hdr": "Header"}
_FURNITURE = ("sldNum", "dt", "ftr", "hdr", "sldImg")


class Pptx:
    """Parsed in a guarded worker."""

    guarded = True
    fingerprint = "pptx/8"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        try:
            return _presentation(opened(raw))
        except Encrypted:
            return ENCRYPTED


def build(options: Options, given: Given) -> Extractor:
    """The extractor for presentations."""
    return Pptx()


def _presentation(package: Package) -> Extraction | NoExtraction:
    main = package.main("ppt/presentation.xml")
    composer, asides, bullets = Composer(), Asides(), Bullets(package)
    slides = _slides(package, main)
    has_images = False
    for number, name in enumerate(slides, 1):
        composer.gap()
        composer.spot("slide", "", str(number))
        has_images = _slide(package, name, composer, asides, bullets) or has_images
    composer.beside(asides)
    title, metadata = package.properties()
    image = NoExtraction("needs ocr", "the slides hold images and no text")
    return composer.extraction(
        title=title, metadata=metadata, warnings=package.warnings, otherwise=image if has_images else None
    )


def _slides(package: Package, main: str) -> list[str]:
    """The slides in their order; where that cannot be told, by name."""
    targets = {relation.id: relation.target for relation in package.relations(main) if relation.kind == "slide"}
    ordered = [targets.get(entry.get("r:id", "")) for entry in package.part(main).iter("sldId")]
    named = [name for name in ordered if name and package.has(name)]
    if named:
        return named
    files = [name for name in package.names if name.startswith("ppt/slides/slide") and name.endswith(".xml")]
    return sorted(files, key=lambda name: (len(name), name))


def _slide(package: Package, name: str, composer: Composer, asides: Asides, bullets: Bullets) -> bool:
    """Composes a slide; whether it shows an image."""
    root = package.part(name)
    hidden = "(hidden slide) " if root.get("show") in ("0", "false") else ""
    shapes = list(_shapes(root))
    titles = [shape for shape in shapes if _role(shape) in ("title", "ctrTitle")]
    words = folded(" ".join(text_of(body) for shape in titles for body in shape.iter("txBody")))
    if words:
        composer.heading(1, hidden + words)
    elif hidden:
        composer.paragraph(hidden.strip())
    for shape in shapes:
        if kind := _MARGINS.get(_role(shape)):
            asides.add(kind, text_of(shape))
        elif shape not in titles and _role(shape) not in _FURNITURE:
            _compose(package, name, shape, composer, bullets)
    for part in package.related(name, "notesSlide"):
        notes = [
            text_of(body)
            for shape in _shapes(package.part(part))
            if _role(shape) not in _FURNITURE
            for body in shape.iter("txBody")
        ]
        if text := "\n".join(filter(str.strip, notes)):
            composer.paragraph(f"Notes: {text}")
    for part in package.related(name, "comments"):
        for comment in package.part(part).iter("cm"):
            if text := folded("".join(node.text or "" for node in comment.iter("text"))) or folded(text_of(comment)):
                composer.paragraph(f"Comment: {text}")
    return any(True for _ in root.iter("blip"))


def _shapes(root: Element) -> Iterator[Element]:
    """The shapes of a slide in order, those of groups too."""
    pending = list(reversed(root))
    while pending:
        node = pending.pop()
        if node.tag in ("sp", "graphicFrame", "pic", "cxnSp"):
            yield node
        elif node.tag != "Fallback":
            pending.extend(reversed(node))


def _role(shape: Element) -> str:
    """What a placeholder is for; empty for any other shape."""
    placeholder = next(shape.iter("ph"), None)
    return "" if placeholder is None else placeholder.get("type", "body")


def _compose(package: Package, name: str, shape: Element, composer: Composer, bullets: Bullets) -> None:
    """A shape's texts."""
    composer.gap()
    table = next(shape.iter("tbl"), None)
    if table is not None:
        cells = [[text_of(cell) for cell in row.iter("tc")] for row in table.iter("tr")]
        for line in rows(cells):
            composer.line(line)
        return
    for label, text in bullets.lines(name, shape):
        if label:
            composer.item(label, text)
        else:
            composer.line(text)
    if shape.tag == "graphicFrame":
        for node in shape.iter():
            for line in lines_of(package, name, node):
                composer.line(line)
    described = next(shape.iter("cNvPr"), None)
    if shape.tag == "pic" and described is not None and (words := folded(described.get("descr", ""))):
        composer.line(f"[Image: {words}]")
