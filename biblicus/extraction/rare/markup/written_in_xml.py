"""Extractor of DocBook, DITA, JATS, TEI, Mallard and FictionBook: converted to HTML and read as such.

Sections become headings, definitions entries, listings code, and table rows have column names. Revisions, licences and
indices are dropped; nothing is included or fetched.
The tables name elements without namespaces by their conversion: a name with several meanings is in a group that fits
all, or is resolved by its parent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from xml.etree.ElementTree import Element

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit.characters import lowered, raised
from biblicus.extraction.kit.composing import folded
from biblicus.extraction.kit.texts import OfText, Options
from biblicus.guards import xml
from biblicus.models.extraction import Extraction, NoExtraction

_LOWEST = 6
"""The lowest heading level of HTML."""
_SHORT = 300
"""Maximum characters of an item whose paragraphs are joined on one line."""
_MOVED: Mapping[str, Callable[[str], str]] = {"sup": raised, "sub": lowered, "s": lambda text: ""}
_STYLES = (("strike", "strike"), ("superscript", "superscript"), ("subscript", "subscript"))
"""Parts of the names of styles, with the element that has the same meaning."""
_BESIDE = ("footnote", "fn", "textobject")
_ENDS = (".", "!", "?", ":", "。")
_LINES = frozenset(("li", "td", "th", "dd"))


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


SECTIONS: Mapping[str, str] = {
    **dict.fromkeys(
        _set(
            "set book part chapter appendix preface article partintro section sect1 sect2 sect3 sect4 sect5 simplesect "
            "refentry refsect1 refsect2 refsect3 refsection glossdiv bibliodiv dedication colophon "
            "qandadiv page topic concept task reference troubleshooting glossgroup refbodydiv sec div div0 div1 "
            "div2 div3 div4 div5 div6 div7 TEI TEI.2 teiCorpus FictionBook"
        ),
        "",
    ),
    "refsynopsisdiv": "Synopsis", "abstract": "Abstract", "glossary": "Glossary", "bibliography": "Bibliography",
    "ref-list": "References", "ack": "Acknowledgements", "acknowledgements": "Acknowledgements",
}  # fmt: skip
"""Sections, each with the title to use if it has none."""
TITLES = _set("title head bridgehead article-title refentrytitle book-title")
ABOUT = _set(
    "info bookinfo articleinfo chapterinfo appendixinfo prefaceinfo partinfo setinfo sectioninfo sect1info sect2info "
    "sect3info sect4info sect5info refentryinfo refsect1info refsect2info refsect3info refsectioninfo glossaryinfo "
    "objectinfo blockinfo prolog front teiHeader refmeta description"
)
"""Metadata of a section: authors, dates."""
AROUND = _set("article-meta title-group fileDesc titleStmt title-info")
"""Elements around a title in the metadata."""
SHORTLY = _set("abstract desc subtitle shortdesc")
AUTHORS = _set("author contrib docAuthor credit")
NAMES = ("honorific", "given-names", "firstname", "forename", "surname", "first-name", "middle-name", "last-name")
DATES = _set("pubdate pub-date date")
LEFT_OUT = _set(
    "indexterm remark index toc lot lof beginpage anchor colspec spanspec imagedata videodata audiodata imageobject "
    "videoobject audioobject graphic inline-graphic media journal-meta related-links comment "
    "manvolnum refmiscinfo refclass include fallback revisionHistory revhistory legalnotice keywordset subjectset "
    "topicmeta metadata bookmeta tex-math pb cb milestone fw inlinegraphic xmp "
    "object-id permissions counts custom-meta-group history linktext document-info publish-info binary"
)
AS_HTML: Mapping[str, str] = {
    name: html
    for html, names in (
        ("p", "para simpara p formalpara shortdesc task-cmd subtitle refpurpose docAuthor docDate byline speaker desc"),
        ("p", "text-author mixed-citation element-citation citation"),
        ("ul", "itemizedlist simplelist list ul sl calloutlist steps-unordered listBibl choices stepalternatives"),
        ("ol", "orderedlist procedure substeps steps ol"),
        ("li", "listitem item li sli list-item member step substep stepsection callout choice biblioentry bibliomixed"),
        ("dl", "variablelist glosslist terms dl def-list parml"),
        ("blockquote", "blockquote disp-quote epigraph lq"),
        ("table", "table informaltable simpletable properties choicetable"),
        ("div", "lg l boxed-text poem stanza v"),
        ("figure", "figure fig informalfigure mediaobject table-wrap"),
        ("code", "literal command option filename function varname codeph cmdname filepath monospace parameter tag"),
        ("br", "lb break"),
        ("sup", "superscript sup"),
        ("sub", "subscript sub"),
        ("s", "strike del strikethrough"),
    )
    for name in names.split()
}
OF_ONE_KIND: Mapping[tuple[str, str], str] = {
    ("app-group", "app"): "appendix",
    **{(step, "cmd"): "task-cmd" for step in ("step", "substep")},
}
OF_ANOTHER: Mapping[str, str] = {"cmd": "command"}
"""Names that depend on the parent: an appendix in JATS is an application in Mallard, a step in DITA a command there."""
ENTRIES = _set("varlistentry glossentry dlentry def-item plentry")
TERMS = _set("term glossterm dt pt")
NOTES = _set("footnote fn note")
REFERENCES = _set("xref link ulink ptr ref ext-link uri glossref olink")
TARGETS = ("linkend", "endterm", "target", "href", "url", "xref", "rid", "keyref")
JOINED: Mapping[str, str] = {
    "keycombo": "+", "keyseq": "+", "menuchoice": " → ", "guiseq": " → ", "menucascade": " → ",
}  # fmt: skip
CODE = _set(
    "programlisting screen literallayout synopsis funcsynopsis classsynopsis code codeblock msgblock preformat eg"
)
HOLD_CODE = frozenset(SECTIONS) | _set("item listitem li step note example figure listing body refsection")
ROWS = _set("row tr strow sthead property prophead chrow chhead seglistitem")
HEADS = _set("sthead prophead chhead")
QUOTES = _set("quote q")
BLOCKS = (
    frozenset(SECTIONS)
    | TITLES
    | (
        frozenset(AS_HTML)
        - _set("literal command option filename function varname codeph cmdname filepath monospace")
        - _set("parameter tag lb break subtitle refpurpose desc superscript sup subscript sub strike del")
    )
    | (CODE - _set("code"))
    | ENTRIES
    | ROWS
)


class WrittenInXml(OfText):
    """Extractor that runs in a guarded worker; a malformed document is plain text."""

    guarded = True

    def __init__(self, html: Extractor) -> None:
        self._html = html
        self.fingerprint = f"xml/8 {self._html.fingerprint}"

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        root = xml.read_included(xml.with_texts_of_entities(text))
        outcome = self._html.extract(_page(root).encode("utf-8", "replace"), MediaHint("", "text/html"))
        return outcome if isinstance(outcome, NoExtraction) else replace(outcome, warnings=warnings)


def build(options: Options, given: Given) -> Extractor:
    return WrittenInXml(given.extractor("html", content="all"))


def _page(root: Element) -> str:
    """Return a document as an HTML page."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if element.tag in ("emphasis", "hi"):
            styles = " ".join(element.get(name, "") for name in ("role", "rend", "rendition"))
            element.tag = next((tag for style, tag in _STYLES if style in styles), element.tag)
        for key in [key for key in element.attrib if "}" in key]:
            element.attrib.setdefault(key.rpartition("}")[2], element.attrib[key])
    language = root.get("lang") or root.findtext("description/title-info/lang") or ""
    writer = _Writer(root)
    writer.element(root, 0)
    heads = [f"<title>{escape(title)}</title>" for title in [_title_of(root)] if title]
    heads += [f'<meta name="author" content="{escape(name)}">' for name in _authors(root) if name]
    heads += [f'<meta name="date" content="{escape(day)}">' for day in _dates(root)]
    body = "".join(writer.parts)
    return f'<html lang="{escape(language)}"><head>{"".join(heads)}</head><body>{body}</body></html>'


def _texts(element: Element) -> Iterator[str]:
    """Yield the texts within an element, without dropped elements, notes and pictures."""
    yield element.text or ""
    for child in element:
        apart = " " if child.tag in BLOCKS else ""
        if child.tag not in LEFT_OUT and child.tag not in _BESIDE:
            yield apart
            moved = _MOVED.get(AS_HTML.get(child.tag, ""))
            yield from _texts(child) if moved is None else (moved("".join(_texts(child))),)
            yield apart
        yield child.tail or ""


def _words(element: Element) -> str:
    return folded("".join(_texts(element)))


def _title_of(section: Element) -> str:
    """Return the title of a section: its own, that in its metadata, or a manual page's first name."""
    for child in section:
        if child.tag in TITLES:
            return _words(child)
    names = section.iterfind("refnamediv/refname") if section.tag == "refentry" else ()
    return next(filter(None, [*map(_title_of, _about(section)), *map(_words, names)]), "")


def _authors(root: Element) -> Iterator[str]:
    for about in _about(root):
        for author in about.iter():
            if author.tag in AUTHORS and author.get("contrib-type", "author") == "author":
                parts = [_words(part) for name in NAMES for part in author.iter(name)]
                yield " ".join(filter(None, parts)) or _words(next(author.iter("name"), author))


def _dates(root: Element) -> Iterator[str]:
    for about in _about(root):
        for date in about.iter():
            if date.tag in DATES:
                numbers = [date.findtext(name) or "" for name in ("year", "month", "day")]
                yield "-".join(filter(None, numbers)) or date.get("when") or _words(date)


def _about(root: Element) -> Iterator[Element]:
    """Yield the metadata elements of a document."""
    for child in root:
        if child.tag in ABOUT or child.tag in AROUND:
            yield child


class _Writer:
    """Writes elements as HTML. An unknown element is a block if it contains blocks, else inline text."""

    def __init__(self, root: Element) -> None:
        self.parts: list[str] = []
        self._called: Mapping[str, str] = {
            key: title for element in root.iter() if (key := element.get("id")) and (title := _title_of(element))
        }
        self._parents = {child: parent for parent in root.iter() for child in parent}
        for child, parent in self._parents.items():
            child.tag = OF_ONE_KIND.get((parent.tag, child.tag), OF_ANOTHER.get(child.tag, child.tag))
        self._ways: dict[str, Callable[[Element, int], None]] = {
            **dict.fromkeys(TITLES, self._title),
            **dict.fromkeys(ABOUT, self._about),
            **dict.fromkeys(ENTRIES, self._entry),
            **dict.fromkeys(NOTES, self._note),
            **dict.fromkeys(REFERENCES, self._reference),
            **dict.fromkeys(JOINED, self._joined),
            **dict.fromkeys(CODE, self._code),
            **dict.fromkeys(ROWS, self._row),
            "refnamediv": self._name,
            "cmdsynopsis": self._synopsis,
            "question": self._question,
            "label": self._label,
            "caption": self._caption,
            "textobject": self._picture,
        }
        if root.tag.startswith("TEI"):
            del self._ways["front"]  # here it is part of the text

    def element(self, node: Element, depth: int) -> None:
        """Write an element. `depth`: nesting of the section around it."""
        tag = node.tag
        if tag in LEFT_OUT:
            return
        way = self._ways.get(tag)
        if tag == "item" and self._above(node) == "terms":
            self._entry(node, depth)
        elif tag == "info" and self._above(node) == "step":
            self._within("p", node, depth)
        elif way is not None:
            way(node, depth)
        elif tag in SECTIONS:
            self._section(node, depth + 1)
        elif tag in QUOTES and not self._holds_blocks(node):
            self._within("", node, depth, "“", "”")
        else:
            name = AS_HTML.get(tag, "div" if self._holds_blocks(node) else "")
            self._within(name, node, depth)

    def _above(self, node: Element) -> str:
        """Return the name of the parent element."""
        above = self._parents.get(node)
        return "" if above is None else above.tag

    def _holds_blocks(self, node: Element) -> bool:
        return any(child.tag in BLOCKS for child in node)

    def _within(
        self, name: str, node: Element, depth: int, before: str = "", behind: str = "", covered: str = ""
    ) -> None:
        """Write the content of a node in an HTML element, or without one if `name` is empty."""
        self.parts.append(f"<{name}{covered}>{before}" if name else before)
        self._words(node.text)
        alone = AS_HTML.get(node[0].tag) == "p" if len(node) else False
        is_short = name == "li" and len(node) > 1 and self._is_short(node)
        for at, child in enumerate(node):
            if name in _LINES and alone and (is_short or not at):  # on the line of the item's bullet
                self._words(" " if at or (node.text or "").strip() else None)
                self._within("", child, depth)
                self._words(" " if (child.tail or "").strip() else None)
            else:
                self.element(child, depth)
            self._words(child.tail)
        self.parts.append(f"{behind}</{name}>" if name else behind)

    def _words(self, text: str | None) -> None:
        if text:
            self.parts.append(escape(text, quote=False))

    def _block(self, name: str, words: str) -> None:
        if words:
            self.parts.append(f"<{name}>{escape(words, quote=False)}</{name}>")

    def _is_short(self, item: Element) -> bool:
        """Return True if an item consists of short paragraphs that can be joined."""
        parts = ["p" if child.tag == "info" else AS_HTML.get(child.tag) for child in item]
        return set(parts) == {"p"} and not any(map(self._holds_blocks, item)) and len(_words(item)) <= _SHORT

    def _section(self, node: Element, depth: int) -> None:
        if not _title_of(node) and (title := SECTIONS.get(node.tag)):
            self._heading(title, depth)
        for title_first in [child for child in node if child.tag in TITLES][:1]:
            node.remove(title_first)
            node.insert(0, title_first)
        self._within("div", node, depth)

    def _heading(self, words: str, depth: int) -> None:
        self._block(f"h{min(max(1, depth), _LOWEST)}", words)

    def _title(self, node: Element, depth: int) -> None:
        """Write a title: as a heading in a section, else as a line."""
        above = self._parents.get(node)
        while above is not None and above.tag in ABOUT | AROUND:
            above = self._parents.get(above)
        if node.tag == "bridgehead":
            self._heading(_words(node), depth + 1)
        elif above is None or above.tag in SECTIONS:
            self._heading(_words(node), depth)
        else:
            self._block("caption" if above.tag == "table" else "p", _words(node))

    def _about(self, node: Element, depth: int) -> None:
        """Write only the title and abstract from a section's metadata."""
        for child in node:
            if child.tag in TITLES or child.tag in SHORTLY:
                self.element(child, depth)
            elif child.tag in AROUND:
                self._about(child, depth)

    def _entry(self, node: Element, depth: int) -> None:
        """Write terms with their definitions."""
        is_listed = AS_HTML.get(self._above(node)) == "dl"
        self.parts.append("" if is_listed else "<dl>")
        for child in node:
            if child.tag in TERMS or child.tag == "title":
                self._block("dt", _words(child))
            elif child.tag not in LEFT_OUT:
                self._within("dd", child, depth)
        self.parts.append("" if is_listed else "</dl>")

    def _note(self, node: Element, depth: int) -> None:
        """Write a footnote or inline remark in brackets."""
        if node.tag == "note" and self._holds_blocks(node):
            self._within("div", node, depth)
        elif words := _words(node):
            self._words(f" ({words})")

    def _reference(self, node: Element, depth: int) -> None:
        """Write a reference: its text, or else the title of its target."""
        if _words(node):
            self._within("", node, depth)
        else:
            key = next((node.get(name, "") for name in TARGETS if node.get(name)), "")
            self._words(self._called.get(key.lstrip("#"), key))

    def _joined(self, node: Element, depth: int) -> None:
        """Write a key combination or a menu path."""
        parts = [words for child in node if child.tag != "shortcut" and (words := _words(child))]
        self._words(JOINED[node.tag].join(parts) or _words(node))

    def _code(self, node: Element, depth: int) -> None:
        if node.tag != "code" or self._above(node) in HOLD_CODE:
            lines = "".join(_texts(node)).strip("\n")
            self.parts.append(f"<pre><code>{escape(lines, quote=False)}</code></pre>")
        else:
            self._within("code", node, depth)

    def _row(self, node: Element, depth: int) -> None:
        cell = "th" if node.tag in HEADS or self._above(node) == "thead" else "td"
        self.parts.append("<tr>")
        for child in node:
            name = "th" if child.get("role") == "label" or child.tag == "th" else cell
            self._within(name, child, depth, covered=self._covered(child))
        self.parts.append("</tr>")

    def _covered(self, cell: Element) -> str:
        """Return the attributes of a cell that covers several rows or columns, also as CALS tables state them."""
        down = max(_whole(cell.get("morerows")) + 1, *(_whole(cell.get(name)) for name in ("rowspan", "rows")))
        across = max(_whole(cell.get(name)) for name in ("colspan", "cols"))
        group = self._parents.get(cell)
        while group is not None and group.find("colspec") is None:
            group = self._parents.get(group)
        names = [] if group is None else [spec.get("colname", "") for spec in group.findall("colspec")]
        first, last = cell.get("namest", ""), cell.get("nameend", "")
        if first in names and last in names:
            across = names.index(last) - names.index(first) + 1
        return f' rowspan="{down}"' * (down > 1) + f' colspan="{across}"' * (across > 1)

    def _name(self, node: Element, depth: int) -> None:
        """Write the names of a manual page with its purpose."""
        names = ", ".join(_words(name) for name in node.iter("refname"))
        self._block("p", " — ".join(filter(None, (names, folded(node.findtext("refpurpose") or "")))))

    def _synopsis(self, node: Element, depth: int) -> None:
        self._block("pre", folded(" ".join(map(_argument, node))))

    def _question(self, node: Element, depth: int) -> None:
        self._heading(_words(node), depth + 1)

    def _label(self, node: Element, depth: int) -> None:
        """Write a number, unless it belongs to a section's title or a caption."""
        above = self._parents.get(node)
        if self._above(node) not in SECTIONS and (above is None or above.find("caption") is None):
            self._words(f"{_words(node)} ")

    def _caption(self, node: Element, depth: int) -> None:
        """Write the caption of a figure or table with its number."""
        above = self._parents.get(node)
        number = folded((above.findtext("label") or "") if above is not None else "")
        self._block("figcaption", " ".join(filter(None, (number, *map(_words, [*node] or [node])))))

    def _picture(self, node: Element, depth: int) -> None:
        """Write a picture's description as a sentence."""
        words = _words(node)
        self._block("p", f"{words}." if words and not words.endswith(_ENDS) else words)


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 4 else 0


def _argument(node: Element) -> str:
    """Return an argument of a command synopsis: `[…]` if optional, `{…}` for a choice."""
    if node.tag == "group":
        words = " | ".join(map(_argument, node))
        for part in node:
            words = words.replace(f"[{_words(part)}]", _words(part))
    else:
        words = _words(node) if not any(child.tag in ("arg", "group") for child in node) else _nested(node)
    opening = {"arg": "[]", "group": "[]"}.get(node.tag, "")
    opening = {"plain": "", "req": "{}"}.get(node.get("choice", ""), opening)
    repeated = "..." if node.get("rep") == "repeat" else ""
    return f"{opening[:1]}{words}{opening[1:]}{repeated}"


def _nested(node: Element) -> str:
    parts = [node.text or ""]
    for child in node:
        parts += [_argument(child) if child.tag in ("arg", "group") else _words(child), child.tail or ""]
    return folded("".join(parts))
