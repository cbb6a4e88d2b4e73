"""Detects XML formats by document type and root element."""

from __future__ import annotations

import re

from biblicus.text.media import FLAT, OPEN

_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,64}"
    rb"(?>(?:<\?(?:(?!\?>).){0,400}\?>|<!--(?:(?!-->).){0,2000}-->|<!DOCTYPE[^>\[]{0,400}>)\s{0,64}){0,8}"
    rb"<(?P<name>[\w.:-]{1,40})[^>]{0,8000}",
    re.DOTALL,
)
"""The root element of an XML document."""
_BEGINS_TYPED = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,64}(?>(?:<\?(?:(?!\?>).){0,400}\?>|<!--(?:(?!-->).){0,4000}-->)\s{0,64}){0,8}"
    rb"<!DOCTYPE[^>\[]{0,400}",
    re.DOTALL,
)
"""A document type declaration."""
_ROOTS = (
    ("rss", b"", "application/rss+xml"),
    ("rdf:RDF", b"http://purl.org/rss/", "application/rss+xml"),
    ("feed", b"http://www.w3.org/2005/Atom", "application/atom+xml"),
    ("feed", b"http://purl.org/atom", "application/atom+xml"),
    ("tt", b"ns/ttml", "application/ttml+xml"),
    ("opml", b"", "text/x-opml"),
    ("kml", b"", "application/vnd.google-earth.kml+xml"),
    ("gpx", b"", "application/gpx+xml"),
    ("en-export", b"", "application/enex+xml"),
    ("hibernate-generic", b"", "application/x-confluence+xml"),
    ("office:document", b".opendocument.spreadsheet", f"{OPEN}.spreadsheet{FLAT}"),
    ("office:document", b".opendocument.presentation", f"{OPEN}.presentation{FLAT}"),
    ("office:document", b".opendocument.graphics", f"{OPEN}.graphics{FLAT}"),
    ("office:document", b"urn:oasis:names:tc:opendocument", f"{OPEN}.text{FLAT}"),
)
"""XML formats by root element and a string in or before it."""
_DOCUMENTS = (
    (rb"(?i://DTD DocBook|docbook\.org/(?:ns|xml)/)", "application/docbook+xml"),
    (rb"projectmallard\.org", "application/x-mallard+xml"),
    (rb"//DTD DITA|dita\.oasis-open\.org", "application/dita+xml"),
    (rb"//DTD (?:JATS|Journal )|jats\.nlm\.nih\.gov|<article\b[^>]*\barticle-type=", "application/jats+xml"),
    (rb"tei-c\.org/ns|<TEI(?:\.2|Corpus)?\b", "application/tei+xml"),
)
"""Document formats by a string in the document type or root element."""
_DOCBOOK = frozenset(
    (
        *("set", "book", "part", "chapter", "appendix", "preface", "article", "section"),
        *("sect1", "sect2", "sect3", "sect4", "sect5", "refentry", "refsect1", "refsect2", "glossary", "glossentry"),
        *("bibliography", "legalnotice", "itemizedlist", "variablelist", "para", "simpara"),
    )
)
"""Root elements of DocBook files that declare nothing else; paragraph elements confirm them."""
_COMMENT = re.compile(rb"<!--(?:(?!-->).){0,4000}-->", re.DOTALL)
_OF_A_PROGRAM = re.compile(
    rb"w3\.org/1999/XSL|w3\.org/2001/XMLSchema\"|<(?:xsl|xs|xsd|rng|grammar|project|mime-info)\b"
)
"""Formats for programs, which may name the format they process."""
_PARAGRAPH = re.compile(rb"<(?:sim)?para\b")


def written_as(head: bytes) -> str | None:
    """Return the media type of an XML document by its first bytes, or None."""
    head = _COMMENT.sub(b"", head)
    match = _ROOT.match(head)
    if match is None:
        typed = _BEGINS_TYPED.match(head)
        return _document(typed[0]) if typed else None
    name, beginning = match["name"].decode("ascii", "replace"), match[0]
    if named := next((kind for element, mark, kind in _ROOTS if element == name and mark in beginning), None):
        return named
    if _OF_A_PROGRAM.search(beginning):
        return None
    written = _document(beginning)
    is_docbook = written is None and name in _DOCBOOK and _PARAGRAPH.search(head) is not None
    return "application/docbook+xml" if is_docbook else written


def _document(beginning: bytes) -> str | None:
    """Return the document format that a document type or root element names, or None."""
    return next((kind for mark, kind in _DOCUMENTS if re.search(mark, beginning)), None)
