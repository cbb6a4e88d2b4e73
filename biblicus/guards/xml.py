"""Parse XML as data only: no custom entities, nothing fetched, size, depth and element count bounded.

Uses expat with its dangerous handlers disabled. A document type may be present, as in old feeds; one with
declarations is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import NoReturn, Protocol
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, fromstring
from xml.parsers import expat

from biblicus.errors import BadData
from biblicus.guards.side_by_side import no_collection

_DEEPEST = 100
_MOST_ELEMENTS = 500_000
_MOST_ATTRIBUTES = 200
_MOST_NAMES = 10_000
_MOST_OF_A_PART, _DEEPEST_OF_A_PART = 8_000_000, 400
_RELATIONSHIPS = "/relationships"
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,30});")
_XML_OWN = frozenset(("amp", "lt", "gt", "quot", "apos"))

_MISCODED = (LookupError, ValueError)
"""Exceptions of expat for an encoding that Python does not have or that is not a one-byte encoding."""
_ENCODING = "its encoding is not one that is read"


class XmlRefused(BadData):
    """The document is no XML, or uses a refused feature."""

    def __init__(self, cause: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {cause}." if line else f"{cause[:1].upper()}{cause[1:]}.")


_DOCUMENT_TYPE = re.compile(
    r"""\A(?P<before>\ufeff?(?>\s+|<\?.*?\?>|<!--.*?-->)*)"""
    r"""<!DOCTYPE(?>[^>\["']|"[^"]*"|'[^']*')*"""
    r"""(?:\[(?P<declared>(?>[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<)*)\]\s*)?>""",
    re.DOTALL,
)
_DECLARED = re.compile(r"""<!ENTITY\s+([A-Za-z][\w.-]{0,80})\s+(?:"([^"]{0,1000})"|'([^']{0,1000})')\s*>""")
_INCLUDED = re.compile(r"<!ENTITY\s+([A-Za-z][\w.-]{0,80})\s+(?:SYSTEM|PUBLIC)\b")
_USED = re.compile(r"&([A-Za-z][\w.-]{0,80});")
_APART = re.compile(r"(<!\[CDATA\[)|(<!--)")
_MOST_ENTITIES, _GROWTH = 1_000, 1 << 20
_DECLARATION = re.compile(r"\s*<\?xml.*?\?>", re.DOTALL)
_PREFIX = re.compile(r"<([A-Za-z][\w.-]{0,30}):")
_BOUND = re.compile(r"\bxmlns:([A-Za-z][\w.-]{0,30})\s*=")
_MOST_PREFIXES = 20


class Handler(Protocol):
    """Receives the parts of a document in order."""

    def start(self, name: str, attributes: dict[str, str], /) -> object: ...

    def end(self, name: str, /) -> object: ...

    def data(self, text: str, /) -> object: ...


def read(text: str, *, max_bytes: int = 16 << 20, named_entities: bool = False) -> Element:
    """Parse a document and return its root; names with a namespace are `{uri}name`. Raises `XmlRefused`.

    `named_entities`: accept HTML entities such as `&nbsp;`, which XML does not define and many feeds use."""
    if len(text) > max_bytes:
        raise XmlRefused(f"it is larger than {max_bytes:,} bytes")
    if named_entities:
        text = _NAMED.sub(_character, text)
    builder = TreeBuilder()
    _Reader(builder, _name).document(text)  # a string: its encoding declaration is ignored
    return builder.close()


def read_included(text: str) -> Element:
    """Parse a document with HTML entities, which others may include; several top-level elements get a common parent.
    Undeclared namespace prefixes, such as those of an unread document type, are declared. Raises `XmlRefused`."""
    try:
        return read(text, named_entities=True)
    except XmlRefused:
        declaration = _DECLARATION.match(text)
        rest = text[declaration.end() :] if declaration else text
        declared = {"xml", *_BOUND.findall(rest)}
        unbound = [name for name in dict.fromkeys(_PREFIX.findall(rest)) if name not in declared][:_MOST_PREFIXES]
        spaces = "".join(f' xmlns:{name}="{name}"' for name in unbound)
        root = read(f"<included{spaces}>{rest}</included>", named_entities=True)
        return root[0] if len(root) == 1 and not (root.text or "").strip() else root


def with_texts_of_entities(text: str) -> str:
    """Return a document without its document type, with its text entities expanded.
    Entities from other files are removed; unknown ones are replaced by their names. Raises `XmlRefused` if the text
    grows too much."""
    texts: dict[str, str] = {}
    room = _GROWTH

    def told(match: re.Match[str]) -> str:
        nonlocal room
        name = match[1]
        if name is None or name in _XML_OWN or (name not in texts and f"{name};" in html5):
            return match[0]
        replacement = texts.get(name, name)
        room -= len(replacement)
        if room < 0:
            raise XmlRefused("its entities make it much longer")
        return replacement

    if declaration := _DOCUMENT_TYPE.match(text):
        for name, double, single in _DECLARED.findall(declaration["declared"] or "")[:_MOST_ENTITIES]:
            texts[name] = _USED.sub(told, double or single)  # it may use earlier entities
        texts.update(dict.fromkeys(_INCLUDED.findall(declaration["declared"] or ""), ""))
        text = declaration["before"] + text[declaration.end() :]
    parts, at = list[str](), 0
    while mark := _APART.search(text, at):
        closing = "]]>" if mark[1] else "-->"
        end = text.find(closing, mark.end())
        end = len(text) if end < 0 else end + len(closing)
        parts += [_USED.sub(told, text[at : mark.start()]), text[mark.start() : end]]
        at = end
    return "".join((*parts, _USED.sub(told, text[at:])))


@no_collection()  # a tree has no cycles, and the collector takes a third of the time for a large one
def read_part(raw: bytes, *, typed: bool = False) -> Element:
    """Parse a part of an office document or e-book; names have no namespaces, but a reference to another part is
    `r:id`.

    Accepts larger and deeper documents than `read`. A document type is refused unless `typed`. Raises `XmlRefused`."""
    if _is_plain(raw):
        try:
            root = fromstring(raw)
        except ParseError as error:
            raise XmlRefused(expat.ErrorString(error.code), error.position[0]) from None
        except _MISCODED:
            raise XmlRefused(_ENCODING) from None
    else:
        builder = TreeBuilder()
        _part_reader(builder, _name, typed).document(raw)
        root = builder.close()
    names = _Names()
    level, depth = [root], 0
    while level:
        depth += 1
        if typed and depth > _DEEPEST_OF_A_PART:
            raise XmlRefused(f"it is nested deeper than {_DEEPEST_OF_A_PART} elements")
        for element in level:
            element.tag = names[element.tag]
            if element.attrib:
                element.attrib = {names[key]: value for key, value in element.items()}
        level = [child for element in level for child in element]
    return root


class _Names(dict[str, str]):
    """Cache of names without their namespaces."""

    def __missing__(self, name: str) -> str:
        local = _local(name)
        if len(self) < _MOST_NAMES:
            self[name] = local
        return local


def scan_part(raw: bytes, handler: Handler) -> None:
    """Parse a part like `read_part` but send it to `handler`, for parts too large as a tree. Attribute names are
    unchanged."""
    _part_reader(handler, _local, typed=False).document(raw)


def _part_reader(handler: Handler, named: Callable[[str], str], typed: bool) -> _Reader:
    reader = _Reader(handler, named, deepest=_DEEPEST_OF_A_PART, most=_MOST_OF_A_PART)
    if not typed:
        reader.refuse_document_type()
    return reader


def _is_plain(raw: bytes) -> bool:
    """Return true if a part is certainly UTF-8, without a document type and small enough for a tree."""
    declaration = raw[:200].partition(b"?>")[0].lower()
    if b"\0" in declaration or (b"encoding" in declaration and b"utf-8" not in declaration):
        return False
    return b"<!DOCTYPE" not in raw and b"<!ENTITY" not in raw and raw.count(b"<") <= _MOST_OF_A_PART


class _Reader:
    """Parses one document."""

    def __init__(
        self,
        handler: Handler,
        named: Callable[[str], str],
        deepest: int = _DEEPEST,
        most: int = _MOST_ELEMENTS,
    ) -> None:
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._handler, self._named, self._deepest, self._most = handler, named, deepest, most
        self._names: dict[str, str] = {}
        self._depth = self._count = 0
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = handler.data
        self._parser.EntityDeclHandler = self._entity
        self._parser.AttlistDeclHandler = self._declares
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def refuse_document_type(self) -> None:
        self._parser.StartDoctypeDeclHandler = self._document_type

    def document(self, text: str | bytes) -> None:
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            raise XmlRefused(expat.ErrorString(error.code), error.lineno) from None
        except _MISCODED:
            if self._count:
                raise  # from the handler: the encoding is settled before the first element
            raise XmlRefused(_ENCODING) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > self._deepest:
            self._refuse(f"it is nested deeper than {self._deepest} elements")
        if self._count > self._most or len(attributes) > _MOST_ATTRIBUTES:
            self._refuse("it has more elements or attributes than are read")
        self._handler.start(self._called(name), self._named_attributes(attributes))

    def _named_attributes(self, attributes: dict[str, str]) -> dict[str, str]:
        if self._named is _local:
            return attributes
        return {self._called(key): value for key, value in attributes.items()}

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._handler.end(self._called(name))

    def _called(self, name: str) -> str:
        """Return the name that the handler receives."""
        handler_name = self._names.get(name)
        if handler_name is None:
            handler_name = self._named(name)
            if len(self._names) < _MOST_NAMES:
                self._names[name] = handler_name
        return handler_name

    def _document_type(self, *_: object) -> None:
        self._refuse("it has a document type, which no such document needs")

    def _entity(self, *_: object) -> None:
        self._refuse("it declares entities")

    def _declares(self, *_: object) -> None:
        self._refuse("it declares attributes")

    def _refuse(self, cause: str) -> NoReturn:
        raise XmlRefused(cause, self._parser.CurrentLineNumber)


def _name(name: str) -> str:
    return "{" + name if "}" in name else name


def _local(name: str) -> str:
    """Return a name without its namespace; a reference gets the prefix `r:`, because `id` has another meaning."""
    space, _, local = name.rpartition("}")
    return f"r:{local}" if space.endswith(_RELATIONSHIPS) else local


def _character(match: re.Match[str]) -> str:
    name = match[1]
    return match[0] if name in _XML_OWN else html5.get(f"{name};", match[0])
