"""Extractor of HTML: the main content as text, one block a line, with headings, declared title, author and date.

Menus, scripts and page frames are dropped if they are clearly no content; doubtful menus stay, since losing a sentence
is worse. Lexbor (selectolax) parses by the HTML standard; nothing is executed or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit import front_matter
from biblicus.extraction.kit.characters import formula, in_font, lowered, raised, with_fractions
from biblicus.extraction.kit.texts import nothing
from biblicus.extraction.web import nodes, references, tables
from biblicus.extraction.web.byline import byline, properties
from biblicus.extraction.web.page_links import is_only_a_link, main_element
from biblicus.models.extraction import CAPTION, ENTRY, Extraction, Heading, NoExtraction, named
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record
from biblicus.text.decoding import decode

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_PARAGRAPHS = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "figure", "hr", "details")
)
_LINES = frozenset(
    (
        *("html", "body", "center", "div", "section", "article", "main", "header", "footer", "aside", "address"),
        *("form", "li", "dt", "dd", "thead", "tbody", "tfoot", "tr", "br", "caption", "figcaption", "legend"),
        *("summary", "option"),
    )
)
_APART = frozenset(("FENCE", "FRAGMENT", "TITLE", "NAMED", "QUOTE"))
_INDENTED = re.compile(r"border(?:-left)?:\s*(?:none|0)")
"""Style of a block quote that is used only for indentation."""
_LISTED = frozenset(("dt", "div", "p"))
"""Elements that are list entries if they contain only a link."""
_MOVED = {"sup": raised, "sub": lowered, "super": raised}
"""Functions by element, or by `vertical-align`."""
_PARTS_OF_A_FRACTION = 4
"""Parts of text before a denominator that are joined with it into a fraction."""
_SKIPPED = "SKIPPED"
_MOST_FRAMES, _FEWEST_WORDS, _LONGEST_ALT = 50, 2, 500
"""Maximum frames of a page; minimum words and maximum characters of an image description."""
_FEWEST_SIGNS, _UNSPACED = 4, "\u0e00"
"""Minimum characters of a description in a script without spaces, and the first of these."""
HIDDEN, _LONGEST_HIDDEN = "hidden_text", 500
"""Metadata field with invisible text, and its maximum characters."""
_NO_TABLE = tables.NONE
_DEEPEST = 4
"""Maximum nesting of definition lists whose terms are entries."""
_FENCE = "```"
_SPACE = re.compile(r"[ \t\n\r\f]+")


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """`content`: `main` drops menus and the page's frame, `all` keeps all text of the body. `mark_quotes`: start the
    lines of block quotes with `> `, as in plain-text mail."""

    content: Literal["main", "all"] = "main"
    mark_quotes: bool = False


class Html:
    """Extractor that runs in a guarded worker, since Lexbor is C code and some malicious nestings are slow."""

    guarded = True

    def __init__(self, options: Options) -> None:
        self._main_only = options.content == "main"
        self._mark_quotes = options.mark_quotes
        self.fingerprint = f"html/37 selectolax/{version('selectolax')}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        from selectolax.lexbor import LexborHTMLParser

        text, _, lossy = decode(raw)
        front = front_matter.read(text)
        page = LexborHTMLParser(front_matter.apart(text, front)[1])
        nodes.apply_rules(page)
        nodes.move_captions(page)
        page_title, language, metadata = nodes.title(page), nodes.language(page), {**properties(page), **byline(page)}
        writer = _Writer(self._mark_quotes, nodes.look_of(page))
        if page.body is not None:
            names = references.names_of(page, page.body) if self._main_only else {}
            main = main_element(page) if self._main_only else page.body
            writer.names = names
            writer.write(main, nodes.titled(main, page_title))
        if not writer.length:
            return nothing()
        full_text = "".join(writer.parts) + "\n"
        return Extraction(
            full_text,
            headings=tuple(writer.headings),
            title=nodes.without_site(page_title, writer.headings),
            language=language,
            metadata={**metadata, **({HIDDEN: writer.hidden} if writer.hidden else {}), **front.metadata},
            warnings=(*front.warnings, *("Some bytes could not be decoded; each stands as U+FFFD.",) * lossy),
        )


def build(options: Options, given: Given) -> Extractor:
    return Html(options)


class _Writer:
    """Joins the texts of a tree: folds white space, puts blocks on separate lines, keeps `pre` unchanged."""

    def __init__(self, mark_quotes: bool, look: nodes.Look) -> None:
        self._mark_quotes, self._look = mark_quotes, look
        self._hidden: list[list[str]] = []  # invisible texts, each in parts
        self._quotes = 0  # number of open block quotes that are marked
        self.parts: list[str] = []
        self.length = 0
        self.headings: list[Heading] = []
        self.names: Mapping[int, references.Name] = {}  # headings with additional data by `mem_id`
        self._break = 0  # line feeds before the next text
        self._space = False  # white space before the next text
        self._bullet = ""  # bullet or label before the next text
        self._numbers: list[int | None] = []  # last item number of each open list; None if unnumbered
        self._pre = 0
        self._rows = 0  # number of open data rows, whose blocks stay on one line
        self._tables: list[tables.Table] = []  # open tables
        self._ends: list[int] = []  # `mem_id` of each open row
        self._across: list[tuple[Sequence[str], Sequence[tables.Shown]]] = []  # of each open cell, what it covers
        self._raised: list[int] = []  # index of the first part of each open superscript or subscript
        self._frames: list[LexborHTMLParser] = []  # documents in frames, which must outlive their nodes
        self._title: int | None = None  # `mem_id` of the element that is the page's title
        self._heading: tuple[int, int, int] | None = None  # level, offset (-1 before its text), first part
        self._lists = 0  # number of open definition lists
        self._around: list[Heading | None] = []  # the heading around each open definition list, table and figure
        self._caption = 0  # `mem_id` of the last caption of a table or figure
        self._other_terms: list[str] = []  # further terms of the open entry
        self._defined = ""  # name that the open entry defines, if marked up
        self._resumed: Heading | None = None  # heading to resume after a definition list or captioned table

    def write(self, root: LexborNode, title: int | None) -> None:
        """Append the text of an element without recursion, since a malicious page may be nested deeply. `title`: the
        `mem_id` of the element that is the page's title but not marked up as a heading."""
        self._title = title
        pending: list[LexborNode | str | nodes.Look] = [root]
        while pending:
            node = pending.pop()
            if isinstance(node, str):
                self._close(node)
            elif isinstance(node, nodes.Look):
                self._look = node
            elif node.is_text_node:
                self._text(node.text_content or "")
            elif node.is_element_node and not nodes.is_unseen(node):
                pending += self._looked(node)
                caption = None if self._rows or self._look.hides else nodes.caption(node)
                if caption is not None:
                    pending.append("CAPTIONED")
                    self._caption = caption.mem_id
                    self._around.append(self._section)
                opened = self._open(node)
                pending.append(opened)
                child = self._framed(node) if opened == "iframe" else None if opened == _SKIPPED else node.last_child
                while child is not None:
                    if child.mem_id != self._caption:
                        pending.append(child)
                    child = child.prev
                if caption is not None:
                    pending.append(caption)

    def _looked(self, node: LexborNode) -> list[nodes.Look]:
        """Apply the style of an element; return the style to restore after it."""
        before, self._look = self._look, self._look.of(node)
        if self._look.hides and not before.hides:
            self._hidden.append([])
        return [] if self._look == before else [before]

    @property
    def hidden(self) -> str:
        """The invisible texts, each once."""
        texts = dict.fromkeys(" ".join("".join(parts).split()) for parts in self._hidden)
        return "; ".join(text for text in texts if any(map(str.isalnum, text)))[:_LONGEST_HIDDEN]

    def _framed(self, frame: LexborNode) -> LexborNode | None:
        """Return the last node of the document in a frame's `srcdoc` attribute."""
        if len(self._frames) == _MOST_FRAMES:
            return None
        from selectolax.lexbor import LexborHTMLParser

        self._frames.append(LexborHTMLParser(frame.attributes.get("srcdoc") or ""))
        body = self._frames[-1].body
        return None if body is None else body.last_child

    def _open(self, node: LexborNode) -> str:
        """Start an element; return what `_close` needs for it."""
        tag = node.tag or ""
        if tag == "tr" and not tables.is_layout(node):
            self._block(1)
            self._rows += 1
            self._ends.append(node.mem_id)
            return "ROW"
        if tag in tables.CELLS:
            if not self._rows:
                self._block(1)
                return ""
            return self._cell(node)
        if tag == "table":
            self._tables.append(tables.table_of(node))
        if moved := tag if tag in _MOVED else nodes.vertical(node) if tag in nodes.SPANS else "":
            self._raised.append(len(self.parts))
            return moved
        if tag == "math" and (words := formula(nodes.element_of(node)).strip()):
            if not self._look.hides:  # invisible, because a picture shows the formula
                self._text(f" {words} ")
            return _SKIPPED
        if tag in ("img", "svg"):
            self._image(node)
        if tag == "svg":
            return _SKIPPED
        if tag == "input":
            self._text(nodes.box(node))
        if tag == "iframe":
            return tag if node.attributes.get("srcdoc") else _SKIPPED
        if tag in nodes.HEADINGS:
            self._bullet = ""  # of an item that begins with this element
        self._block(2 if tag in _PARAGRAPHS else 1 if tag in _LINES else 0)
        if tag == "blockquote" and self._mark_quotes and not _INDENTED.search(node.attributes.get("style") or ""):
            self._quotes += 1
            return "QUOTE"
        if tag == "li" and not references.is_layout(node):
            self._bullet = self._mark(node)
        elif tag in nodes.LISTS:
            self._numbers.append(nodes.number(node, "start", 1) - 1 if nodes.is_numbered(node) else None)
        elif tag in _LISTED and not (self._rows or self._bullet) and is_only_a_link(node):
            self._bullet = "- "
            return "LINK"
        elif tag == "pre":
            self._pre += 1
            if not (self._rows or self._bullet or self._look.hides) and nodes.is_code(node):
                self._append(_FENCE + "\n")
                return "FENCE"
        elif tag in nodes.HEADINGS or node.mem_id == self._title or node.mem_id in self.names:
            return self._head(node, tag)
        elif tag == "div" and not (self._rows or self._look.hides) and references.is_code(node):
            self._block(2)
            self._append(_FENCE + "\n")
            return "FRAGMENT"
        elif tag == "dl":
            self._lists += 1
            self._around.append(self._section)
        elif node.mem_id == self._caption:
            level = self._section.level if self._section else 1
            self._heading = (level + 1 if level >= ENTRY else CAPTION, -1, 0)
            return "CAPTION"
        elif tag == "dt" and 0 < self._lists <= _DEEPEST and not self._rows and nodes.is_entry(node):
            self._heading = (ENTRY + self._lists - 1, -1, 0)
            self._other_terms, self._defined = nodes.terms_after(node), nodes.defined(node)
            return "ENTRY"
        return tag

    @property
    def _section(self) -> Heading | None:
        """The heading that the next text is under."""
        return self._resumed or (self.headings[-1] if self.headings else None)

    def _cell(self, node: LexborNode) -> str:
        """Start a data cell with its column's name, after the merged cells that precede it."""
        table = self._tables[-1] if self._tables else _NO_TABLE
        place = table.places.get(node.mem_id, tables.Place(0))
        row = node.parent.mem_id if node.parent is not None else 0
        names = () if row in table.heads else table.names
        begun = node.prev is not None
        for cell in place.before:
            begun = self._shown_again(cell, names, begun)
        self._across.append((names, place.across))
        if names and not node.text().strip() and node.css_first("img") is None:
            return "CELL"  # other cells have their own names
        if begun and self._break == 0:
            self._space = False
            if not table.is_form:
                self._append(" | ")
            elif node.text().strip():
                self._append(" " if self.parts[-1].endswith((":", "：")) else ": ")
        if place.column < len(names) and names[place.column]:
            self._bullet = names[place.column] + ": "
        return "CELL"

    def _shown_again(self, cell: tables.Shown, names: Sequence[str], begun: bool) -> bool:
        """Write a merged cell again in a further row or column; return True once the row has text."""
        if not cell.words:
            return begun
        name = names[cell.column] if cell.column < len(names) else ""
        if begun and self._break == 0:
            self._space = False
            self._append(" | ")
        self._bullet = f"{name}: " if name else ""
        self._append(cell.words)
        return True

    def _image(self, node: LexborNode) -> None:
        """Write the description of an image, unless the surrounding text contains it."""
        words = " ".join((node.attributes.get("alt") or node.attributes.get("aria-label") or "").split())
        around = node.parent.text() if node.parent is not None else ""
        is_telling = len(words.split()) >= _FEWEST_WORDS or (len(words) >= _FEWEST_SIGNS and max(words) >= _UNSPACED)
        if is_telling and words not in " ".join(around.split()):
            self._text(f" [Image: {words[:_LONGEST_ALT]}] ")

    def _move(self, tag: str) -> None:
        """Convert the text since the start of the element to superscript or subscript."""
        start = self._raised.pop()
        written = "".join(self.parts[start:])
        first = max(start - _PARTS_OF_A_FRACTION, 0 if self._heading is None else self._heading[2])
        before = "".join(self.parts[first:start])
        moved = with_fractions(before + _MOVED[tag](written)) if written.strip() else before + written
        if moved != before + written:
            self.parts[first:] = [moved]
            self.length += len(moved) - len(before + written)

    def _mark(self, item: LexborNode) -> str:
        """Return the bullet or number of an item in the innermost list."""
        if not self._numbers or self._numbers[-1] is None:
            return "- "
        self._numbers[-1] = number = nodes.number(item, "value", self._numbers[-1] + 1)
        return f"{number}. "

    def _head(self, node: LexborNode, tag: str) -> str:
        """Start a heading."""
        named = self.names.get(node.mem_id)
        level = ENTRY if named and named.is_member else int(tag[1]) if tag in nodes.HEADINGS else 1
        self._block(2)
        if named is None or named.name:
            self._heading, self._defined = (level, -1, 0), named.name if named else ""
        return "NAMED" if named else "TITLE"

    def _close(self, tag: str) -> None:
        """End an element."""
        if tag == "ROW":
            table = self._tables[-1] if self._tables else _NO_TABLE
            for cell in table.places.get(self._ends.pop(), tables.Place(0)).before:
                self._shown_again(cell, table.names, True)
            self._rows -= 1
            self._block(1)
        elif tag in _MOVED:
            self._move(tag)
        elif tag == "QUOTE":
            self._quotes -= 1
        elif tag in ("li", "LINK", "CELL"):
            self._bullet = ""
            names, across = self._across.pop() if tag == "CELL" else ((), ())
            for cell in across if names else ():
                self._shown_again(cell, names, True)
        elif tag in nodes.LISTS:
            self._numbers.pop()
        elif tag in ("pre", "FENCE"):
            self._pre -= 1
            if tag == "FENCE":
                self._append(_FENCE if self.parts[-1].endswith("\n") else "\n" + _FENCE)
        elif tag == "table":
            self._tables.pop()
        elif tag == "CAPTIONED" or (tag == "dl" and self._lists):
            self._lists -= tag == "dl"
            above = self._around.pop()
            if self.headings and above != self.headings[-1]:
                self._resumed = above or (Heading(0, 1, "") if tag == "CAPTIONED" else None)
        elif tag == "FRAGMENT":
            self._block(1)
            self._append(_FENCE)
        elif tag in ("ENTRY", "TITLE", "NAMED", "CAPTION") and self._heading is not None:
            level, offset, first = self._heading
            self._heading = None
            written = "".join(self.parts[first:]) if offset >= 0 else ""
            if words := written.split():
                offset += len(written) - len(written.lstrip())  # preformatted text may start with white space
                name, terms = " ".join(words), []
                if tag in ("ENTRY", "NAMED"):
                    name = self._defined or name
                if tag == "ENTRY":
                    terms = self._other_terms
                self.headings.append(Heading(offset, level, named((name, *terms))[:300]))
        apart = tag in _PARAGRAPHS or tag in _APART
        self._block(2 if apart else 1 if tag in _LINES or tag in ("ENTRY", "LINK", "CAPTION") else 0)

    def _block(self, lines: int) -> None:
        """Start a new block after `lines` line feeds. In a data row it is only separated by a space, and the first
        block of a list item stays on the bullet's line."""
        if lines and self._look.hides:
            self._append(" ")
        elif lines and self._rows:
            self._space = True
        elif not self._bullet:
            self._break = max(self._break, lines)

    def _text(self, text: str) -> None:
        text = in_font(text, self._look.font) if self._look.font else text
        if self._pre or self._look.hides:
            if text:
                self._append(text)
            return
        words = _SPACE.sub(" ", text)
        if words == " " or not words:
            self._space = self._space or bool(words)
            return
        self._space = self._space or words[0] == " "
        self._append(words.strip(" "))
        self._space = words[-1] == " "

    def _append(self, text: str) -> None:
        """Append text after pending white space; invisible text is stored separately."""
        if self._look.hides:
            self._hidden[-1].append(text)
            return
        due = (
            "\n" * self._break
            if self._break
            else " "
            if self._space and not "".join(self.parts[-1:]).endswith(" | ")
            else ""
        )
        if due and self.length:
            self.parts.append(due)
            self.length += len(due)
        if self._heading is not None and self._heading[1] < 0:
            self._heading = (self._heading[0], self.length, len(self.parts))
        elif self._resumed is not None and self._heading is None:
            self.headings.append(Heading(self.length, self._resumed.level, self._resumed.title))
        self._resumed = None
        is_numbered = self._bullet[:1].isdigit() and nodes.OWN_NUMBER.match(text)
        text = text if is_numbered else self._bullet + text
        if self._quotes and ("\n" in due or not self.length):
            text = "> " * self._quotes + text
        self.parts.append(text)
        self.length += len(text)
        self._break, self._space, self._bullet = 0, False, ""
