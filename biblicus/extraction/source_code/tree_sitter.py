"""Source code of other languages than Python, with its definitions as headings, by tree-sitter (extra `[code]`).

A recipe that names it gets it: `extraction: {tree-sitter: {}}`. So the same recipe gives the same chunks everywhere, or
says what to install.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtraMissing
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, Heading, NoExtraction

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

__all__ = ["MEDIA_TYPES", "Options", "build"]

_TYPESCRIPT = "tree_sitter_typescript"
_GRAMMARS: Mapping[str, Sequence[tuple[str, str]]] = {
    "text/javascript": [("tree_sitter_javascript", "language")],
    "text/x-typescript": [(_TYPESCRIPT, "language_typescript"), (_TYPESCRIPT, "language_tsx")],
    "text/x-go": [("tree_sitter_go", "language")],
    "text/x-rust": [("tree_sitter_rust", "language")],
    "text/x-java": [("tree_sitter_java", "language")],
    "text/x-c": [("tree_sitter_c", "language"), ("tree_sitter_cpp", "language")],
    "text/x-c++": [("tree_sitter_cpp", "language")],
}
"""Media type to its grammars: the next one is tried where one finds errors."""
MEDIA_TYPES = tuple(_GRAMMARS)

_BESIDE = frozenset({"comment", "line_comment", "block_comment", "attribute_item", "decorator", "attribute"})
_AROUND = frozenset({"export_statement", "template_declaration", "ambient_declaration", "linkage_specification",
                     "expression_statement"})  # fmt: skip
_HOLDS = frozenset({
    "class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration",
    "record_declaration", "impl_item", "trait_item", "mod_item", "namespace_definition", "class_specifier",
    "struct_specifier", "internal_module", "module",
})  # fmt: skip
_DEFINES = _HOLDS | {
    "function_declaration", "generator_function_declaration", "method_definition", "method_declaration",
    "constructor_declaration", "function_item", "struct_item", "enum_item", "union_item", "macro_definition",
    "function_definition", "type_declaration", "type_alias_declaration", "annotation_type_declaration",
    "enum_specifier", "union_specifier",
}  # fmt: skip
_BODIES = frozenset({
    "class_body", "interface_body", "enum_body", "enum_body_declarations", "declaration_list", "object_type",
    "field_declaration_list", "statement_block",
})  # fmt: skip
_VALUES = frozenset({"arrow_function", "function_expression", "class", "generator_function"})
_RECEIVER = re.compile(r"(\w+)(?:\[[^\]]*\])?\s*\)\s*$")
_DEEPEST = 20
_MOST = 50_000


class TreeSitter:
    """Decodes the whole file; a file that no grammar reads has the definitions that could be told."""

    guarded = True

    def __init__(self) -> None:
        modules = sorted({module for grammars in _GRAMMARS.values() for module, _ in grammars})
        try:
            names = ["tree_sitter", *modules]
            parts = [f"{name.removeprefix('tree_sitter_')} {version(name.replace('_', '-'))}" for name in names]
        except ModuleNotFoundError as error:
            raise ExtraMissing("tree-sitter", "code") from error
        self.fingerprint = f"tree-sitter/1 {' '.join(parts)}"
        self._parsers: dict[tuple[str, str], Parser] = {}

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        data = text.encode("utf-8", "replace")
        trees = []
        for grammar in _GRAMMARS.get(hint.media_type, ()):
            trees.append(self._parser(grammar).parse(data).root_node)
            if not trees[-1].has_error:
                break
        if not trees:
            return Extraction(text, warnings=warnings)
        root = trees[-1] if not trees[-1].has_error else trees[0]
        return Extraction(text, headings=tuple(_Scan(text).headings(root)), warnings=warnings)

    def _parser(self, grammar: tuple[str, str]) -> Parser:
        if grammar not in self._parsers:
            from tree_sitter import Language, Parser

            self._parsers[grammar] = Parser(Language(getattr(_modules()[grammar[0]], grammar[1])()))
        return self._parsers[grammar]


def _modules() -> dict[str, ModuleType]:
    """The grammars, by name."""
    import tree_sitter_c
    import tree_sitter_cpp
    import tree_sitter_go
    import tree_sitter_java
    import tree_sitter_javascript
    import tree_sitter_rust
    import tree_sitter_typescript

    modules = (
        tree_sitter_c,
        tree_sitter_cpp,
        tree_sitter_go,
        tree_sitter_java,
        tree_sitter_javascript,
        tree_sitter_rust,
        tree_sitter_typescript,
    )
    return {module.__name__: module for module in modules}


class _Scan:
    """One tree, read from the top: what is defined, and where."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(line_feed.end() for line_feed in re.finditer("\n", text))]
        self._found = [Heading(0, 1, "")]

    def headings(self, root: Node) -> list[Heading]:
        self._read(root, "", 0)
        return self._found if len(self._found) <= _MOST else self._found[:1]

    def _read(self, within: Node, around: str, depth: int) -> None:
        leading: tuple[int, int] | None = None  # rows of the comments that stand directly above
        for child in within.named_children:
            first, last = child.start_point[0], child.end_point[0] - (child.end_point[1] == 0)
            if child.type in _BESIDE:
                leading = (leading[0] if leading and leading[1] + 1 >= first else first, last)
                continue
            begin = leading[0] if leading and leading[1] + 1 >= first else first
            leading = None
            inner = _inside(child)
            name = _name(inner)
            if name is None:
                if self._found[-1].title != around:
                    self._add(begin, around)
                continue
            full = f"{around}.{name}" if around else name
            self._add(begin, full)
            if inner.type in _HOLDS and depth < _DEEPEST:
                for body in inner.named_children:
                    if body.type in _BODIES:
                        self._read(body, full, depth + 1)

    def _add(self, row: int, title: str) -> None:
        heading = Heading(self._starts[row], title.count(".") + 2 if title else 1, title)
        if heading.offset > self._found[-1].offset:
            self._found.append(heading)
        elif len(self._found) == 1 and not self._found[0].title:
            self._found[0] = heading


def _inside(node: Node) -> Node:
    """What is exported, or made a template."""
    for _ in range(3):
        inner = next((child for child in node.named_children if child.type in _DEFINES or child.type in _AROUND
                      or child.type == "lexical_declaration"), None)  # fmt: skip
        if node.type not in _AROUND or inner is None:
            break
        node = inner
    return node


def _name(node: Node) -> str | None:
    """The name of what a node defines, with its receiver's; None where it defines nothing."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        return next(_assigned(node), None)
    if node.type not in _DEFINES:
        return None
    if node.type in (
        "struct_specifier",
        "class_specifier",
        "enum_specifier",
        "union_specifier",
    ) and not node.child_by_field_name("body"):
        return None
    named: Any = node.child_by_field_name("name")
    if named is None and node.type == "impl_item":
        named = node.child_by_field_name("type")
    if named is None and node.type == "type_declaration":
        named = next((child.child_by_field_name("name") for child in node.named_children), None)
    if named is None:
        named = _declared(node)
    if named is None or named.text is None:
        return None
    name = re.sub(r"<.*", "", named.text.decode("utf-8", "replace"), flags=re.DOTALL).replace("::", ".").strip()
    receiver = node.child_by_field_name("receiver")
    if receiver is not None and receiver.text and (owner := _RECEIVER.search(receiver.text.decode("utf-8", "replace"))):
        name = f"{owner[1]}.{name}"
    return name if re.fullmatch(r"[\w.~#$]{1,200}", name) else None


def _assigned(node: Node) -> Iterator[str]:
    """Names of functions and classes that a declaration gives a name."""
    for child in node.named_children:
        value, name = child.child_by_field_name("value"), child.child_by_field_name("name")
        if value is not None and value.type in _VALUES and name is not None and name.text:
            yield name.text.decode("utf-8", "replace")


def _declared(node: Node) -> Node | None:
    """The name within the declarators of C."""
    inner: Node | None = node
    for _ in range(10):
        inner = inner.child_by_field_name("declarator") if inner is not None else None
        if inner is None or inner.type in ("identifier", "field_identifier", "qualified_identifier", "destructor_name"):
            return inner
    return None


def build(options: Options, given: Given) -> Extractor:
    """The extractor for source code that tree-sitter has a grammar for. Raises `ExtraMissing`."""
    return TreeSitter()
