"""Extractor of PowerPoint presentations (pptx, pptm, ppsx): titles, texts, lists, tables, charts and notes by slide.

Each slide is a spot: citations give its number, and no chunk spans two slides.
Bullets and numbers come from the paragraph, its shape, the layout or the master.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.blocks import Box, from_top
from biblicus.extraction.kit.composing import BULLET, ENCRYPTED, Asides, Composer, folded
from biblicus.extraction.kit.grids import Cell, rows
from biblicus.extraction.kit.list_numbers import Level, ListNumbers
from biblicus.extraction.kit.texts import extractor
from biblicus.extraction.office.charts import lines_of
from biblicus.extraction.office.ooxml import EMPTY, Package, signed, text_of, whole
from biblicus.guards.archive import Encrypted
from biblicus.models.extraction import Extraction, NoExtraction

_MARGINS = {"ftr": "Footer", "hdr": "Header"}
_FRAMES = ("spPr/xfrm", "grpSpPr/xfrm", "xfrm")
_MERGED = frozenset(("hMerge", "vMerge"))
"""Attributes of cells that a merged cell covers."""
_FURNITURE = ("sldNum", "dt", "ftr", "hdr", "sldImg")
_OF_BODIES = frozenset(("body", "obj"))
_NUMBERS = (
    ("alphaLc", "lowerLetter"), ("alphaUc", "upperLetter"), ("romanLc", "lowerRoman"), ("romanUc", "upperRoman"),
)  # fmt: skip
_FORMS = (("ParenBoth", "(%{})"), ("ParenR", "%{})"))
_KINDS = frozenset(("buNone", "buChar", "buAutoNum", "buBlip"))


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        return _presentation(Package(raw))
    except Encrypted:
        return ENCRYPTED


build = extractor("pptx/15", _extract)


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
    """Return the names of the slides in presentation order, or sorted by name if that is unknown."""
    targets = {relation.id: relation.target for relation in package.relations(main) if relation.kind == "slide"}
    ordered = [targets.get(entry.get("r:id", "")) for entry in package.part(main).iter("sldId")]
    named = [name for name in ordered if name and package.has(name)]
    if named:
        return named
    files = [name for name in package.names if name.startswith("ppt/slides/slide") and name.endswith(".xml")]
    return sorted(files, key=lambda name: (len(name), name))


def _slide(package: Package, name: str, composer: Composer, asides: Asides, bullets: Bullets) -> bool:
    """Compose a slide. Returns True if it shows an image."""
    root = package.part(name)
    hidden = "(hidden slide) " if root.get("show") in ("0", "false") else ""
    shapes = list(_shapes(root, lambda shape: _place(package, name, shape)))
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


def _shapes(root: Element, place: Callable[[Element], Element | None] | None = None) -> Iterator[Element]:
    """Yield the shapes of a slide including those in groups, in stored order or sorted top to bottom by `place`."""
    pending = list(reversed(root))
    while pending:
        node = pending.pop()
        if node.tag in ("sp", "graphicFrame", "pic", "cxnSp"):
            yield node
        elif node.tag != "Fallback":
            parts = list(node)
            if place and node.tag in ("spTree", "grpSp"):
                parts = [parts[at] for at in from_top([_box(place(part)) for part in parts])]
            pending.extend(reversed(parts))


def _box(frame: Element | None) -> Box | None:
    """Return the box of a shape's frame."""
    if frame is None:
        return None
    offset, size = (next(frame.iter(tag), EMPTY) for tag in ("off", "ext"))
    left, top = signed(offset.get("x")), signed(offset.get("y"))
    return left, top, left + whole(size.get("cx")), top + whole(size.get("cy"))


def _place(package: Package, name: str, part: Element) -> Element | None:
    """Return the frame of a shape or group, or else that of its placeholder in the layout."""
    frame = next((part.find(path) for path in _FRAMES if part.find(path) is not None), None)
    placeholder = next(part.iter("ph"), None) if part.tag == "sp" else None
    if frame is not None or placeholder is None:
        return frame
    for layout in package.related(name, "slideLayout"):
        for layout_shape in package.part(layout).iter("sp"):
            same = next(layout_shape.iter("ph"), EMPTY)
            if same is not EMPTY and is_same(same, placeholder, "slideLayout"):
                return layout_shape.find(_FRAMES[0])
    return None


def _role(shape: Element) -> str:
    """Return the type of a placeholder, or an empty string for other shapes."""
    placeholder = next(shape.iter("ph"), None)
    return "" if placeholder is None else placeholder.get("type", "body")


def _compose(package: Package, name: str, shape: Element, composer: Composer, bullets: Bullets) -> None:
    composer.gap()
    table = next(shape.iter("tbl"), None)
    if table is not None:
        cells = [
            [
                Cell(text_of(cell), whole(cell.get("gridSpan"), 1), whole(cell.get("rowSpan"), 1))
                for cell in row.iter("tc")
                if not _MERGED.intersection(key for key, value in cell.items() if value in ("1", "true"))
            ]
            for row in table.iter("tr")
        ]
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


class Bullets:
    """The bullets and numbers of a presentation's shapes."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: dict[str, Element] = {}

    def lines(self, slide: str, shape: Element) -> Iterator[tuple[str, str]]:
        """Yield the paragraphs of a shape as label (`-`, `3.` or empty) and text."""
        styles = list(self._styles(slide, shape))
        for body in shape.iter("txBody"):
            numbers = ListNumbers()
            for paragraph in body.iter("p"):
                text, properties = text_of(paragraph), paragraph.find("pPr")
                if not text.strip():
                    continue
                level = whole(properties.get("lvl")) if properties is not None else 0
                yield (
                    _label([*([properties] if properties is not None else []), *_of(styles, level)], level, numbers),
                    text,
                )

    def _styles(self, slide: str, shape: Element) -> Iterator[Element]:
        """Yield the list styles that apply to a shape, the most specific first."""
        yield from shape.findall("txBody/lstStyle")
        placeholder = next(shape.iter("ph"), None)
        if placeholder is None:
            return
        kind = placeholder.get("type", "obj")
        above = slide
        for relation in ("slideLayout", "slideMaster"):
            above = next(self._package.related(above, relation), "")
            root = self._part(above)
            for layout_shape in root.iter("sp"):
                same = next(layout_shape.iter("ph"), EMPTY)
                if same is not EMPTY and is_same(same, placeholder, relation):
                    yield from layout_shape.findall("txBody/lstStyle")
            if relation == "slideMaster" and kind in _OF_BODIES:
                yield from root.findall("txStyles/bodyStyle")

    def _part(self, name: str) -> Element:
        if name not in self._known:
            self._known[name] = self._package.part(name) if name else EMPTY
        return self._known[name]


def is_same(above: Element, placeholder: Element, relation: str) -> bool:
    """Return True if a placeholder of a layout or master is the base of the slide's `placeholder`."""
    if relation == "slideLayout":
        return above.get("idx", "0") == placeholder.get("idx", "0")
    kinds = above.get("type", "obj"), placeholder.get("type", "obj")
    return kinds[0] == kinds[1] or _OF_BODIES.issuperset(kinds)


def _of(styles: list[Element], level: int) -> Iterator[Element]:
    for style in styles:
        yield from style.findall(f"lvl{level + 1}pPr")


def _label(says: list[Element], level: int, numbers: ListNumbers) -> str:
    """Count a paragraph and return its label from the first properties that define one."""
    sign = next((part for properties in says for part in properties if part.tag in _KINDS), EMPTY)
    if sign.tag != "buAutoNum":
        numbers.restart("", level)
        return BULLET if sign.tag in ("buChar", "buBlip") else ""
    scheme = sign.get("type", "")
    form = next((form for ending, form in _FORMS if scheme.endswith(ending)), "%{}.").format(level + 1)
    kind = next((kind for beginning, kind in _NUMBERS if scheme.startswith(beginning)), "decimal")
    return numbers.label("", {level: Level(kind, form, whole(sign.get("startAt"), 1))}, level)
