"""Finds quotations with citations in Markdown, and the targets that the citations name.

A quotation is a block quote, or a text in double quotation marks of any language. A citation is one that Biblicus
writes, or a handwritten form:

* `[path:12-14]`, `(path:12)`, `— path:12`, or an item's id instead of the path
* `[title](path#L12-L14)`, a link to an item on a service's page, or to the item's source URL
* `— title (path, page 3)`
* `[1]` and `[^1]` with a note in one of these forms: `[1] path:39, page 3  title`, `[^1]: path:39`

This module does not access a corpus: the caller checks if a name belongs to an item. Code is ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from biblicus.text import media
from biblicus.text.counting import LineIndex


class Target(NamedTuple):
    """The target of a citation. `name`: path, item id or URL. `label`: a position such as `page 3`.

    `is_definite`: it can only be a citation of an item, so that an unknown name is an error. `is_relative`: the name is
    a link relative to the document's folder.
    """

    name: str
    lines: tuple[int, int] | None = None
    span: tuple[int, int] | None = None
    label: str = ""
    is_definite: bool = False
    is_relative: bool = False


class Quoted(NamedTuple):
    """A quotation, its first line in the document, and its citations. Each citation is a tuple of possible targets; the
    first that is an item counts. None: the text in place of a citation has no known form."""

    line: int
    words: str
    citations: tuple[tuple[Target, ...], ...]


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_QUOTE = re.compile(r"[ \t]*>(?:[ ]?>)*[ ]?(.*)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_CALLOUT = re.compile(r"\s*\[![A-Za-z]+\][+-]?")
_CODE = re.compile(r"(?<!`)(`+)(?!`)([^`]+)\1(?!`)")
_NOTE = re.compile(r"[ ]{0,3}\[(\^?[\w-]{1,40})\](:)?[ \t]+(\S.*)")
_LINES = re.compile(r"lines? (\d{1,9})(?:-(\d{1,9}))?")
_PLACE = re.compile(r"(.+?):(\d{1,9})(?::\d{1,9}|[-–](\d{1,9}))?(?:, ?(\S.*?))?(?:  .*)?")
_FRAGMENT = re.compile(r"(?:L|lines-|n)(\d{1,9})(?:[-:]L?(\d{1,9}))?")
_BARE_PLACE = re.compile(r"([^\s:]+):(\d{1,9})(?:[-–](\d{1,9}))?(?=[\s.,;]|$)")
_URL = r"<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*"
_LINK = re.compile(rf"!?\[((?:\\.|[^\[\]\\])*)\]\(({_URL})(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"(?:\[\^?[\w-]{1,40}\](?![:(])[ ,]?)+")
_MARK = re.compile(r"\[(\^?[\w-]{1,40})\]")
_DASH = re.compile(r"(?:[—–―]|--?)\s*")
_CLOSING = '"”“»«'
_AFTER = re.compile(rf"[{_CLOSING}][.,;:!?…]?\s*(?=\[|\(|[—–―-])")
_ANY_MARK = '"“”„»«'
_OPENING = {"”": "“„”", "“": "„", "»": "«", "«": "»"}
_LONGEST = 1_000
"""Maximum characters of a citation; longer text in brackets is no citation."""
_MOST_MARKS = 64
"""Maximum quotation marks in a quotation."""


def quoted(text: str) -> Iterator[Quoted]:
    """Yield the quotations with citations in document order."""
    rows = text.split("\n")
    notes = _notes(rows)
    blocks = list(_blocks(rows))
    for number, block in enumerate(blocks):
        if block.is_quote:
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            yield from _of_quote(block, after, notes)
        else:
            yield from _inline(block, notes)


@dataclass
class _Block:
    """Lines of a paragraph, list item or block quote."""

    line: int
    rows: list[str] = field(default_factory=list)
    is_quote: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.rows)


def _blocks(rows: Sequence[str]) -> Iterator[_Block]:
    """Yield the blocks of a document without code."""
    block = _Block(0)
    at = 0
    while at < len(rows):
        row = rows[at]
        if (fence := _FENCE.fullmatch(row)) and not ("`" in fence[1] and "`" in fence[2]):
            if block.rows:
                yield block
            block = _Block(0)
            at = _after_fence(rows, at, fence[1])
            continue
        quote = _QUOTE.fullmatch(row)
        inner = quote[1] if quote else row
        if block.rows and (bool(quote) != block.is_quote or (not quote and _starts_block(row))):
            yield block
            block = _Block(0)
        if quote or row.strip():
            if not block.rows:
                block = _Block(at + 1, is_quote=bool(quote))
            block.rows.append(inner)
        at += 1
    if block.rows:
        yield block


def _starts_block(row: str) -> bool:
    """Return True if a line starts a new block: a blank line, list item or note."""
    if not row.strip() or _ITEM.match(row):
        return True
    note = _NOTE.match(row)
    return note is not None and (bool(note[2]) or (note[1].isdigit() and bool(_places(note[3]))))


def _after_fence(rows: Sequence[str], at: int, fence: str) -> int:
    """Return the row after a fenced block, or the number of rows if it is not closed."""
    for end in range(at + 1, len(rows)):
        row = rows[end].strip()
        if row.startswith(fence) and not row.strip(fence[0]):
            return end + 1
    return len(rows)


# --- citations


def _range(match: re.Match[str], first: int = 1, last: int = 2) -> tuple[int, int]:
    return int(match[first]), int(match[last] or match[first])


def _notes(rows: Sequence[str]) -> Mapping[str, tuple[Target, ...]]:
    """Return the citations in notes by their marks."""
    notes: dict[str, tuple[Target, ...]] = {}
    for row in rows:
        if "[" not in row or not (match := _NOTE.fullmatch(row)):
            continue
        mark, colon, text = match.groups()
        if mark.startswith("^") and not colon:
            continue
        targets = _cited(text, {}) or _cited_at_end(text)
        if targets:
            notes.setdefault(mark, targets[0])
    return notes


def _cited_at_end(text: str) -> tuple[tuple[Target, ...], ...]:
    """Return the citation at the end of a note with other text: the last link or bracket."""
    links = list(_LINK.finditer(text))
    if links:
        return (_of_link(links[-1], is_attribution=False),)
    opening = max(text.rfind("["), text.rfind("("))
    return _cited(text[opening:].rstrip(" ."), {}) if opening > 0 else ()


def _cited(text: str, notes: Mapping[str, tuple[Target, ...]]) -> tuple[tuple[Target, ...], ...]:
    """Return the citations if the text consists of nothing else, otherwise an empty tuple."""
    text = text.strip()
    dash = _DASH.match(text)
    text = text[dash.end() :] if dash else text
    if _MARKS.fullmatch(text):
        return tuple(notes[mark] for mark in _MARK.findall(text) if mark in notes)
    if (link := _LINK.match(text)) and (link.end() == len(text) or text[link.end()] in ",.;"):
        return (_of_link(link, is_attribution=bool(dash), label=text[link.end() :].strip(" ,.;")),)
    if len(text) > 2 and text[0] + text[-1] in ("[]", "()"):
        inner = text[1:-1]
        if (link := _LINK.fullmatch(inner)) is not None:
            return (_of_link(link, is_attribution=False),)
        places = [_places(part.strip(" `")) for part in inner.split(";")]
        return tuple(places) if all(places) else ()
    if places_here := _places(text.strip("`")):
        return (places_here,)
    return (_named(text),) if dash and text.rstrip(".").endswith(")") else ()


def _places(text: str) -> tuple[Target, ...]:
    """Return the targets of `path:12-14`, optionally followed by more, or `path#L12-L14`; words before may be
    included."""
    if len(text) > _LONGEST:
        return ()
    path, hash_sign, fragment = text.partition("#")
    label = ""
    if hash_sign and (match := _FRAGMENT.fullmatch(fragment)):
        lines = _range(match)
    elif (match := _PLACE.fullmatch(text)) and "://" not in match[1]:
        path, label, lines = match[1], match[4] or "", (int(match[2]), int(match[3] or match[2]))
    else:
        return ()
    names = dict.fromkeys((path, path.rpartition(" ")[2]))
    return tuple(Target(name, lines=lines, label=label, is_definite=_is_file(name)) for name in names)


def _is_file(name: str) -> bool:
    """Return True if a name can only be a file's."""
    return " " not in name and ("/" in name or media.of_name(name) is not None)


def _named(text: str) -> tuple[Target, ...]:
    """Return the possible targets of `title (path, page 3)`; titles and paths may contain brackets and commas."""
    targets = []
    text = text.rstrip(".")
    for opening in (at for at, sign in enumerate(text[:_LONGEST], 1) if sign == "("):
        inner = text[opening:-1]
        targets.append(Target(inner))
        for comma in (at for at, sign in enumerate(inner[:_LONGEST]) if sign == "," and inner.startswith(" ", at + 1)):
            label = inner[comma + 2 :]
            match = _LINES.fullmatch(label)
            definite = bool(match or re.fullmatch(r"(?:page|slide|chapter|message) \d+.*", label))
            path = inner[:comma]
            targets.append(
                Target(
                    path,
                    lines=_range(match) if match else None,
                    label="" if match else label,
                    is_definite=definite and _is_file(path),
                )
            )
    return tuple(targets)


def _of_link(link: re.Match[str], *, is_attribution: bool, label: str = "") -> tuple[Target, ...]:
    """Return the target of a link. Without lines, page or span it is a citation only as a block quote's attribution."""
    address = link[2].strip("<>")
    try:
        parts = urlsplit(address)
    except ValueError:
        return ()
    query = parse_qs(parts.query)
    lines = _range(match) if (match := _FRAGMENT.fullmatch(parts.fragment)) else None
    if lines is None and (match := _LINES.fullmatch(label)):
        lines, label = _range(match), ""
    page = re.fullmatch(r"page=(\d{1,9})", parts.fragment)
    label = f"page {page[1]}" if page else label
    span = re.fullmatch(r"(\d{1,12})-(\d{1,12})", query.get("span", [""])[0])
    if (item := re.fullmatch(r"/c/([^/]+)", parts.path)) and (span or lines or is_attribution):
        where = (int(span[1]), int(span[2])) if span else None
        is_definite = bool(span) and not parts.netloc
        return (Target(unquote(item[1]), lines=lines, span=where, label=label, is_definite=is_definite),)
    if not (lines or page or is_attribution):
        return ()
    if parts.scheme or parts.netloc:
        return (Target(address.partition("#")[0], lines=lines, label=label),)
    return (Target(unquote(parts.path), lines=lines, label=label, is_definite=bool(lines or page), is_relative=True),)


# --- quotations


def _of_quote(block: _Block, after: _Block | None, notes: Mapping[str, tuple[Target, ...]]) -> Iterator[Quoted]:
    """Yield a block quote with its citation in its last line, at its end, or in the next paragraph."""
    rows = ["" if _FENCE.fullmatch(row) else row for row in block.rows]
    line = block.line
    while rows and (not rows[0].strip() or _CALLOUT.fullmatch(rows[0])):
        rows, line = rows[1:], line + 1
    while rows and not rows[-1].strip():
        rows.pop()
    if not rows:
        return
    words, citations = _split(rows, notes)
    if not citations and after is not None and not after.is_quote:
        citations = _cited(" ".join(after.rows), notes)
    if citations:
        yield Quoted(line, words, citations)
        return
    inner = list(_inline(_Block(line, rows), notes))
    last = rows[-1] if len(rows) > 1 else " ".join(after.rows) if after is not None and not after.is_quote else ""
    if not inner and _is_attribution(last):
        inner = [Quoted(line, "\n".join(rows[:-1]) if len(rows) > 1 else words, ())]
    yield from inner


def _is_attribution(text: str) -> bool:
    """Return True if a text is written where a citation belongs: after a dash, or in brackets."""
    text = text.strip()
    return bool(_DASH.match(text)) or text[:1] + text[-1:] in ("[]", "()")


def _split(rows: Sequence[str], notes: Mapping[str, tuple[Target, ...]]) -> tuple[str, tuple[tuple[Target, ...], ...]]:
    """Return the words of a block quote and the citation at its end."""
    whole = "\n".join(rows)
    last = len(rows) - 1
    if last and (citations := _cited(rows[last], notes)):
        return "\n".join(rows[:last]), citations
    tail = rows[last][-_LONGEST // 2 :]
    for match in reversed([*re.finditer(r"(?<=\s)[—–―]\s|\[|\(", tail)]):
        if citations := _cited(tail[match.start() :], notes):
            return whole[: len(whole) - len(tail) + match.start()], citations
    return whole, ()


def _inline(block: _Block, notes: Mapping[str, tuple[Target, ...]]) -> Iterator[Quoted]:
    """Yield the texts in quotation marks directly before a citation."""
    text = block.text
    flat = _CODE.sub(lambda match: "\0" * len(match[0]), text).replace("\n", " ")
    marks = [at for at, sign in enumerate(flat) if sign in _ANY_MARK]
    lines = LineIndex(text)
    for match in _AFTER.finditer(flat):
        closing = match.start()
        citations = _cited_here(flat, text, match.end(), notes)
        if (opening := _opening(flat, marks, closing)) is not None:
            yield Quoted(block.line + lines.line_of(opening) - 1, text[opening + 1 : closing], citations)


def _cited_here(
    flat: str, text: str, start: int, notes: Mapping[str, tuple[Target, ...]]
) -> tuple[tuple[Target, ...], ...]:
    """Return the citation that starts here, directly after a quotation."""
    if marks := _MARKS.match(flat, start):
        return _cited(marks[0], notes)
    if link := _LINK.match(flat, start):
        return (_of_link(link, is_attribution=False),)
    if flat[start] in "[(":
        end = flat.find("]" if flat[start] == "[" else ")", start, start + _LONGEST)
        if flat[start : start + 2] == "([" and (link := _LINK.match(flat, start + 1)):
            return (_of_link(link, is_attribution=False),)
        return _cited(text[start : end + 1].replace("\n", " "), notes) if end > 0 else ()
    rest = text[start : start + _LONGEST].replace("\n", " ")
    dash = _DASH.match(rest)
    if dash is None:
        return ()
    if link := _LINK.match(rest, dash.end()):
        return (_of_link(link, is_attribution=True),)
    if place := _BARE_PLACE.match(rest, dash.end()):
        return _cited(place[0], notes)
    for end in (match.end() for match in re.finditer(r"\)(?=[\s.,;]|$)", rest)):
        named = _named(rest[dash.end() : end])
        if any(target.is_definite for target in named) or end >= len(rest.rstrip(" .")):
            return (named,)
    return ()


def _opening(flat: str, marks: Sequence[int], closing: int) -> int | None:
    """Return the start of the quotation that ends at `closing`, pairing marks of the same kind in between. `marks`:
    positions of quotation marks. A straight mark before a word opens, one after a word closes."""
    mark = flat[closing]
    end = bisect_left(marks, closing)
    depth = 0
    for at in reversed(marks[max(0, end - _MOST_MARKS) : end]):
        if mark == '"':
            if flat[at] != '"':
                continue
            opens = at == 0 or flat[at - 1].isspace() or flat[at - 1] in "([{—–-*_'‘"
            closes = not opens
        else:
            opens = flat[at] in _OPENING[mark]
            closes = flat[at] == mark and not opens
        if opens and depth == 0:
            return at
        depth += closes - opens
    return None
