"""API reference pages of Javadoc, Doxygen and rustdoc: the names that headings define, without the decoration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MADE_BY = re.compile(r"javadoc|doxygen|rustdoc", re.IGNORECASE)
_BESIDE = ", ".join(
    (
        *(".notable-traits", ".tooltip", ".rightside", ".out-of-band", ".srclink", "a.src", "a.anchor", ".sub"),
        *(".sidebar", "#copy-path", "#synthetic-implementations", "#synthetic-implementations-list"),
        *("#blanket-implementations", "#blanket-implementations-list"),
        *(".subNav", ".topNav", ".bottomNav", ".fixedNav", ".skipNav", ".sub-nav", ".top-nav", ".skip-nav"),
        *(".inheritance", ".sub-title", ".subTitle"),
        *(".overload", ".permalink", ".ttc", ".header > .summary", ".dynheader", ".dyncontent", ".ingroups"),
        *("#titlearea", "#nav-path", "#main-nav", ".mlabels-right"),
    )
)
"""Elements that rustdoc, Javadoc and Doxygen put around and beside names."""
_SUMMARY, _DETAILS = ".summary, .memberdecls", ".details, .detail, .memitem"
"""Lists of a class's members with a line each, and the full descriptions."""
_SHOWN = frozenset(("fragment", "type-signature", "member-signature", "memproto", "compoundTemplParams"))
_LAYOUT = frozenset(("blockList", "blockListLast"))
_BEFORE_DESCRIPTION = ".class-description > dl, .description > ul > li > dl, .class-description > hr"
_CLASS = "h1.title, h2.title, h1.fqn, .main-heading h1, .headertitle > .title"
_KIND = re.compile(
    r"(?:annotation (?:type|interface)|class|interface|enum(?: class)?|record(?: class)?|exception|struct|trait|macro"
    r"|function|module|primitive type|type alias|type definition|union|keyword|constant|static|crate|derive macro"
    r"|attribute macro)\s+(?=\S+$)|(?<=\S)\s+(?:class|struct|union|namespace|interface|file|concept|enum)"
    r"(?: template)? reference$",
    re.IGNORECASE,
)
_PARAMETERS = re.compile(r"\s*<.*>")
_MEMBERS = ".detail > h3, .details h4, h2.memtitle"
_FIELDS = "dl.section > dt, dl.params > dt, dl.tparams > dt, dl.retval > dt, dl.exception > dt"
"""Doxygen's fields of a member, whose names have no colon."""
_NO_HEADINGS = ".method-toggle .docblock h5, .method-toggle .docblock h6, #trait-implementations-list .code-header"
_OF_RUST = re.compile(r"(?:ty)?(?:method|variant|structfield|associatedconstant)\.(\w+?)(?:-\d+)?")


class Name(NamedTuple):
    """The name that a heading defines, empty for no heading. `is_member`: it belongs to the page's class."""

    name: str
    is_member: bool = True


def names_of(page: LexborHTMLParser, body: LexborNode) -> Mapping[int, Name]:
    """Return the names that the headings of a reference page define, by `mem_id`; members are qualified. Decoration
    beside the names is removed. Other pages give nothing."""
    if not _is_made_so(page):
        return {}
    for node in body.css(_BESIDE):
        node.decompose()
    for node in body.css(_BEFORE_DESCRIPTION):
        if any("block" in _classes(sibling) for sibling in _after(node)):
            node.decompose()
    if body.css_first(_DETAILS) is not None:
        for node in body.css(_SUMMARY):
            node.decompose()
    names: dict[int, Name] = {}
    class_name, joiner = "", "."
    if (title := body.css_first(_CLASS)) is not None:
        name = _PARAMETERS.sub("", _KIND.sub("", " ".join(title.text().split())))
        class_name = name.replace(":", ".").rpartition(".")[2].strip()
        is_of_doxygen = title.tag == "div"
        names[title.mem_id] = Name(class_name or name, is_member=is_of_doxygen)
        if is_of_doxygen and class_name.isidentifier():  # the code below gives its kind and module
            title.inner_html = class_name
        joiner = "::" if body.css_first(".memtitle") is not None or _is_of_rust(page) else "."
    for heading in body.css("h2.groupheader"):
        if class_name and heading.text().strip() == "Detailed Description":
            heading.decompose()  # it belongs to the title's name
    for heading in body.css(_MEMBERS):
        name = " ".join(heading.text().split()).removesuffix("()")
        if class_name and name == class_name:
            names[heading.mem_id] = Name(f"{class_name} constructor")
        elif class_name and name.removeprefix("~").replace("_", "a").isalnum():
            names[heading.mem_id] = Name(f"{class_name}{joiner}{name}")
    for section in body.css("section[id]"):
        header = section.css_first(".code-header")
        if header is not None and (match := _OF_RUST.fullmatch(section.attributes.get("id") or "")):
            names[header.mem_id] = Name(f"{class_name}::{match[1]}" if class_name else match[1])
    for field in body.css(_FIELDS):
        field.insert_child(":")
    for heading in body.css(_NO_HEADINGS):
        names[heading.mem_id] = Name("")
    return names


def is_code(node: LexborNode) -> bool:
    """Return True if a block of a reference page is code: a signature or an example."""
    return not _SHOWN.isdisjoint(_classes(node))


def is_layout(item: LexborNode) -> bool:
    """Return True if a list item is only layout of a reference page."""
    return not _LAYOUT.isdisjoint(_classes(item))


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


def _is_made_so(page: LexborHTMLParser) -> bool:
    """Return True if one of these generators made the page."""
    declared = (node.attributes.get("content") or "" for node in page.css("meta[name=generator]"))
    if any(map(_MADE_BY.match, declared)):
        return True
    return _MADE_BY.search("".join(_comments(page))) is not None or _is_of_rust(page)


def _is_of_rust(page: LexborHTMLParser) -> bool:
    return page.css_first("body.rustdoc, #rustdoc-vars, meta[name=generator][content=rustdoc]") is not None


def _comments(page: LexborHTMLParser) -> Iterator[str]:
    """Yield the comments in the head of a page."""
    node = page.head.first_child if page.head is not None else None
    while node is not None:
        if node.tag == "-comment":
            yield node.html or ""
        node = node.next


def _after(node: LexborNode) -> Iterator[LexborNode]:
    following = node.next
    while following is not None:
        if following.is_element_node:
            yield following
        following = following.next
