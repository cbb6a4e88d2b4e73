"""Bullets and numbers of paragraphs on slides, from the paragraph, its shape, the layout or the master."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import BULLET
from biblicus.extraction.kit.list_numbers import Level, ListNumbers
from biblicus.extraction.office.ooxml import EMPTY, Package, text_of, whole

_OF_BODIES = frozenset(("body", "obj"))
_NUMBERS = (
    ("alphaLc", "lowerLetter"), ("alphaUc", "upperLetter"), ("romanLc", "lowerRoman"), ("romanUc", "upperRoman"),
)  # fmt: skip
_FORMS = (("ParenBoth", "(%{})"), ("ParenR", "%{})"))
_KINDS = frozenset(("buNone", "buChar", "buAutoNum", "buBlip"))


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
