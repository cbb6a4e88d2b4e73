"""Definitions in a tree-sitter syntax tree, with their starts.

A definition starts at the comments and attributes directly above it. Pure declarations (a prototype in a header, a
method of an interface) and values (a field, a constant, an enumeration case) count if a comment is above them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from biblicus.models.extraction import Heading

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_BESIDE = _COMMENTS | {"attribute_item", "decorator", "attribute"}
_AROUND = frozenset({"export_statement", "template_declaration", "ambient_declaration", "linkage_specification",
                     "expression_statement"})  # fmt: skip
_HOLDS = frozenset({
    "class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration",
    "record_declaration", "struct_declaration", "trait_declaration", "impl_item", "trait_item", "mod_item",
    "namespace_definition", "namespace_declaration", "class_specifier", "struct_specifier", "internal_module", "module",
    "class", "singleton_class", "enum_item", "struct_item", "enum_specifier", "annotation_type_declaration",
    "type_declaration", "const_declaration", "var_declaration", "union_specifier",
})  # fmt: skip
_DECLARES = frozenset({"declaration", "field_declaration", "function_signature", "method_signature",
                       "function_signature_item"})  # fmt: skip
"""Nodes that declare without defining."""
_VALUED = frozenset({
    "enum_constant", "enum_member_declaration", "enum_variant", "enumerator", "enum_assignment", "enum_case",
    "property_identifier", "property_signature", "public_field_definition", "property_declaration", "const_item",
    "static_item", "type_item", "alias_declaration", "const_declaration", "const_spec", "var_declaration", "var_spec",
    "constant_declaration", "annotation_type_element_declaration", "event_field_declaration", "method_elem",
    "field_declaration", "declaration",
})  # fmt: skip
"""Nodes that have a value or are one of several cases."""
_NAMED_WITHIN = frozenset({
    "variable_declaration", "variable_declarator", "const_spec", "var_spec", "const_element", "property_element",
    "variable_name", "init_declarator", "pointer_declarator", "array_declarator", "reference_declarator",
    "field_identifier", "identifier", "name",
})  # fmt: skip
"""Nodes that may wrap the name of a value."""
_DEFINES = _HOLDS | _DECLARES | {
    "function_declaration", "generator_function_declaration", "method_definition", "method_declaration",
    "constructor_declaration", "function_item", "struct_item", "enum_item", "union_item", "macro_definition",
    "function_definition", "type_declaration", "type_alias_declaration", "annotation_type_declaration",
    "enum_specifier", "union_specifier", "type_definition", "preproc_function_def", "delegate_declaration", "method",
    "singleton_method",
}  # fmt: skip
_BODIES = frozenset({
    "class_body", "interface_body", "enum_body", "enum_body_declarations", "declaration_list", "object_type",
    "field_declaration_list", "statement_block", "enum_declaration_list", "body_statement", "annotation_type_body",
    "enum_member_declaration_list", "enum_variant_list", "enumerator_list",
})  # fmt: skip
_GROUPS = frozenset({"const_declaration", "var_declaration", "enum_body_declarations"})
_CONDITIONS = frozenset({"preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_VALUES = _FUNCTIONS | {"class"}
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name"})
_RECEIVER = re.compile(r"(\w+)(?:\[[^\]]*\])?\s*\)\s*$")
_EXPORTED = re.compile(r"^(?:module\.)?exports\.|\.prototype(?=\.)")
_DEEPEST = 20
_MOST = 50_000


def definitions(text: str, root: Node) -> list[Heading]:
    """Return the definitions as headings with qualified names, each from the line where its comment starts. Code
    outside of all has the empty name, and so has a text with more than 50,000 definitions."""
    return _Scan(text).headings(root)


class _Scan:
    """Scan of a syntax tree from the top."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]
        self._headings = [Heading(0, 1, "")]

    def headings(self, root: Node) -> list[Heading]:
        self._read(root.named_children, "", 0)
        return self._headings if len(self._headings) <= _MOST else self._headings[:1]

    def _read(self, nodes: Iterable[Node], around: str, depth: int) -> None:
        leading: tuple[int, int] | None = None  # rows of the comments directly above
        is_told = False
        before = -1  # last row of the previous node
        for node in nodes:
            first, last = node.start_point[0], node.end_point[0] - (node.end_point[1] == 0)
            if leading is None or leading[1] + 1 < first:
                leading, is_told = None, False
            if node.type in _COMMENTS and first == before:  # a comment at the end of a line belongs to that line
                continue
            if node.type in _BESIDE:
                leading = (leading[0] if leading else first, last)
                is_told = is_told or node.type in _COMMENTS
                continue
            begin = leading[0] if leading else first
            inner = _inside(node)
            name = _name(inner, is_told)
            leading, is_told, before = None, False, last
            within = list(_within(inner)) if depth < _DEEPEST else []
            if name is None and within:  # parts of an unnamed node are read as if they were here
                for part in within:
                    self._read(part, around, depth + 1)
            elif name is None:
                if self._headings[-1].title != around:
                    self._add(begin, around)
            else:
                full = f"{around}.{name}" if around else name
                self._add(begin, full)
                for part in within:
                    self._read(part, full, depth + 1)

    def _add(self, row: int, title: str) -> None:
        heading = Heading(self._starts[row], title.count(".") + 2 if title else 1, title)
        if heading.offset > self._headings[-1].offset:
            self._headings.append(heading)
        elif len(self._headings) == 1 and not self._headings[0].title:
            self._headings[0] = heading


def _inside(node: Node) -> Node:
    """Return the definition inside an export, assignment or template."""
    for _ in range(3):
        inner = next((child for child in node.named_children if child.type in _DEFINES or child.type in _AROUND
                      or child.type in ("lexical_declaration", "assignment_expression")), None)  # fmt: skip
        if node.type not in _AROUND or inner is None or _is_block(node):
            break
        node = inner
    return node


def _is_block(node: Node) -> bool:
    """Return True if a node groups several things without a name, such as `extern "C" { … }`."""
    body = node.child_by_field_name("body")
    return node.type in _CONDITIONS or (node.type == "linkage_specification" and body is not None
                                        and body.type in _BODIES)  # fmt: skip


def _within(node: Node) -> Iterator[list[Node]]:
    """Yield the lists of children that may define things."""
    if node.type in _CONDITIONS:
        yield node.named_children
    elif node.type == "type_declaration":  # Go
        for spec in node.named_children:
            kind = spec.child_by_field_name("type")
            yield from ([part.named_children for part in (kind, *kind.named_children)] if kind is not None else ())
    elif node.type in _GROUPS:
        yield node.named_children
    elif node.type in _HOLDS or _is_block(node):
        for child in node.named_children:
            if child.type in _BODIES:
                above = node.named_children[: node.named_children.index(child)]
                yield [*(sibling for sibling in above if sibling.type in _COMMENTS), *child.named_children]
    elif node.type == "expression_statement":
        for function in _called(node):
            body = function.child_by_field_name("body")
            if body is not None and body.type in _BODIES:
                yield body.named_children


def _called(statement: Node) -> Iterator[Node]:
    """Yield the functions that a JavaScript statement calls or passes, since modules are wrapped in one."""
    node: Node | None = statement
    for _ in range(5):
        if node is None or node.type == "call_expression" or not node.named_children:
            break
        node = node.named_children[0]
    if node is None or node.type != "call_expression":
        return
    arguments = node.child_by_field_name("arguments")
    for part in (node.child_by_field_name("function"), *(arguments.named_children if arguments is not None else ())):
        function = part
        while function is not None and function.type in ("parenthesized_expression", "member_expression"):
            function = next(iter(function.named_children), None)
        if function is not None and function.type in _FUNCTIONS:
            yield function


def _name(node: Node, is_told: bool) -> str | None:
    """Return the qualified name that a node defines, or None. `is_told`: a comment is above the node."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        return next(_assigned(node, is_told), None)
    if node.type == "assignment" and is_told:  # Ruby
        target = node.child_by_field_name("left")
        return _text(target) if target is not None and target.type == "constant" else None
    if node.type == "assignment_expression":
        value, target = node.child_by_field_name("right"), node.child_by_field_name("left")
        is_one = value is not None and value.type in _VALUES and target is not None
        return _written(_EXPORTED.sub("", _text(target))) if is_one else None
    if node.type in _VALUED and is_told and (named := _valued(node)) is not None:
        return _written(_text(named))
    if node.type not in _DEFINES or node.type in _GROUPS or (node.type in _DECLARES and not is_told):
        return None
    if node.type in (
        "struct_specifier",
        "class_specifier",
        "enum_specifier",
        "union_specifier",
    ) and not node.child_by_field_name("body"):
        return None
    named = node.child_by_field_name("name")
    if named is None and node.type == "impl_item":
        named = node.child_by_field_name("type")
    if named is None and node.type == "type_declaration":
        named = next((child.child_by_field_name("name") for child in node.named_children), None)
    if named is None:
        named = _declared(node)
    name = _text(named).partition("<")[0]
    owner = _RECEIVER.search(_text(node.child_by_field_name("receiver")))
    return _written(f"{owner[1]}.{name}" if owner else name)


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text else ""


def _written(name: str) -> str | None:
    """Return a name with dots between its parts, or None if it is no name."""
    name = name.replace("::", ".").replace("\\", ".").strip()
    return name if re.fullmatch(r"[\w.~#$!?=]{1,200}", name) else None


def _assigned(node: Node, is_told: bool) -> Iterator[str]:
    """Yield the names of assigned functions and classes; of any value if a comment is above."""
    for child in node.named_children:
        value, name = child.child_by_field_name("value"), child.child_by_field_name("name")
        if value is not None and (is_told or value.type in _VALUES) and name is not None and name.type == "identifier":
            yield _text(name)


def _valued(node: Node) -> Node | None:
    """Return the first name within a value's node; None for a group of several values."""
    if node.type in _GROUPS and len(node.named_children) > 1:
        return None
    inner: Node | None = node
    for _ in range(5):
        if inner is None or inner.type.endswith("identifier") or inner.type == "name":
            break
        named = inner.child_by_field_name("name") or inner.child_by_field_name("declarator")
        within = [child for child in inner.named_children if child.type in _NAMED_WITHIN]
        within.sort(key=lambda child: child.type.endswith("identifier"))  # an identifier before the name may be a type
        inner = named if named is not None else next(iter(within), None)
    return inner


def _declared(node: Node) -> Node | None:
    """Return the name within C declarators of a function or type."""
    inner: Node | None = node
    is_function = node.type not in _DECLARES
    for _ in range(10):
        if inner is not None and inner.type == "reference_declarator":
            inner = next(iter(inner.named_children), None)
        else:
            inner = inner.child_by_field_name("declarator") if inner is not None else None
        if inner is None:
            break
        is_function = is_function or inner.type == "function_declarator"
        if inner.type in _NAMES:
            return inner if is_function else None
    return None
