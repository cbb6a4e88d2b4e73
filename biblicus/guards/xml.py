"""XML as data only: no entity of its own, nothing fetched, bounded in size, depth and number of elements.

Read by expat with the handlers that could surprise turned off. A document type may be named, as old feeds do; one that
declares anything is refused.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from biblicus.errors import BadData

_DEEPEST = 100
_MOST_ELEMENTS = 500_000
_MOST_ATTRIBUTES = 200
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,30});")
_XML_OWN = frozenset(("amp", "lt", "gt", "quot", "apos"))


class XmlRefused(BadData):
    """The document is no XML, or uses what Biblicus does not accept."""

    code = "xml_refused"

    def __init__(self, cause: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {cause}." if line else f"{cause[:1].upper()}{cause[1:]}.")


def read(text: str, *, max_bytes: int = 16 << 20, named_entities: bool = False) -> Element:
    """The document's root; names with a namespace are `{uri}name`. Raises `XmlRefused`.

    `named_entities`: take those of HTML (`&nbsp;`) for what they mean, as no XML does and many feeds need.
    """
    if len(text) > max_bytes:
        raise XmlRefused(f"it is larger than {max_bytes:,} bytes")
    if named_entities:
        text = _NAMED.sub(_character, text)
    return _Reader().document(text)


class _Reader:
    """One document."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._builder = TreeBuilder()
        self._depth = self._count = 0
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._builder.data
        self._parser.EntityDeclHandler = self._entity
        self._parser.AttlistDeclHandler = self._declares
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def document(self, text: str) -> Element:
        try:
            self._parser.Parse(text, True)  # a text: what it says of its encoding is not heeded
        except expat.ExpatError as error:
            raise XmlRefused(expat.ErrorString(error.code), error.lineno) from None
        return self._builder.close()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > _DEEPEST:
            self._refuse(f"it is nested deeper than {_DEEPEST} elements")
        if self._count > _MOST_ELEMENTS or len(attributes) > _MOST_ATTRIBUTES:
            self._refuse("it has more elements or attributes than are read")
        self._builder.start(_name(name), {_name(key): value for key, value in attributes.items()})

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(_name(name))

    def _entity(self, *_: object) -> None:
        self._refuse("it declares entities")

    def _declares(self, *_: object) -> None:
        self._refuse("it declares attributes")

    def _refuse(self, cause: str) -> NoReturn:
        raise XmlRefused(cause, self._parser.CurrentLineNumber)


def _name(name: str) -> str:
    return "{" + name if "}" in name else name


def _character(match: re.Match[str]) -> str:
    name = match[1]
    return match[0] if name in _XML_OWN else html5.get(f"{name};", match[0])
