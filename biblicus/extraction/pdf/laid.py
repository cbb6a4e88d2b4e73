"""Page text from character positions: columns, singly placed letters, superscript digits, Arabic ligatures.

Pdfium returns characters in drawing order. Only places that may be wrong are measured.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from operator import itemgetter
from statistics import median
from typing import NamedTuple

import pypdfium2

from biblicus.extraction.kit.blocks import Part, in_order
from biblicus.extraction.kit.grids import placed
from biblicus.extraction.pdf.rules import rules
from biblicus.extraction.pdf.scripts import with_fractions, with_scripts
from biblicus.extraction.pdf.tables import Table, tables
from biblicus.extraction.pdf.words import BROKEN, CELL_GAP, PDFIUM_BROKEN, Letters, Word, words_of
from biblicus.models.locator import Spot, column_name

_LAM_ALEF = re.compile("[\u0627\u0622\u0623\u0625]\u0644")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdfb\ufe70-\ufefc]")
_BEGINS_FINAL, _ENDS_FINAL = re.compile(r"\b[ךםןףץ](?=\w)"), re.compile(r"(?<=\w)[ךםןףץ]\b")
"""Final letters of Hebrew at the wrong and the right end of a word."""
_LEFT_TO_RIGHT = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.,:/%+-]*[0-9A-Za-z%])?")
_BROKEN_LINE = re.compile(r"‐\r\n(?=[^\W\d_])")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FEWEST_LINES = 3
"""Minimum lines side by side to be columns."""
_MOST_GUTTERS = 3
_GUTTER, _WORD_GAP = 0.65, 0.18
"""Minimum gap between columns and between words, in letter heights."""
_UPWARDS, _BESIDE = 2, 5
"""Minimum step up to a block that was drawn later, and minimum distance of the beginnings of columns, in letter
heights."""
_SINGLY = 0.5
"""Share of lines with only one or two letters from which on a page's letters count as placed one by one."""


_Item = tuple[tuple[int, int], Table | None, Sequence[Word]]
"""A part of a line or a table: its span, the table, and its words."""


class Laid(NamedTuple):
    """The text of a page. `chars`: pdfium's number of each character. `spots`: rows of tables and
    ends of tables, with the number of their line as offset. `last`: the table that ends the page."""

    text: str
    chars: Sequence[int] = ()
    spots: Sequence[Spot] = ()
    last: Table | None = None


def laid(page: pypdfium2.PdfPage, layer: pypdfium2.PdfTextPage, text: str, before: Table | None = None) -> Laid:
    """Return the text of a page in reading order. `before`: the table that ends the previous page."""
    letters = Letters(layer, text)
    drawn = cache(partial(rules, page, letters.quarters))
    if _RIGHT_TO_LEFT.search(text):
        if _is_placed_singly(text):
            return _by_place(letters, text)
        text = _LAM_ALEF.sub(lambda pair: _ligature(letters, pair), text)
        if len(_BEGINS_FINAL.findall(text)) > len(_ENDS_FINAL.findall(text)):
            text = _from_left(letters, text)
    text = with_scripts(letters, text if letters.quarters else with_fractions(drawn, letters, text))
    quarters, lines = letters.quarters, list(line_spans(text))
    if not quarters and not _may_have_columns(letters, text, lines):
        text = _BROKEN_LINE.sub(PDFIUM_BROKEN + "\0\0", text).replace(PDFIUM_BROKEN, BROKEN)
        return Laid(text, letters.numbers)
    words = list(words_of(letters, text))
    page_tables = [table.after(before) for table in tables(drawn, text, words, quarters)]
    places = _around(text, page_tables) if page_tables else lines
    pieces = _arranged(text, _cut(text, places, words), page_tables, words)
    return _joined(text, letters.numbers, pieces, page_tables)


def _is_mixed(letters: Letters, text: str, lines: Sequence[tuple[int, int]]) -> bool:
    """Return True if a line that was drawn later stands above another, and not in a column at its right."""
    tops: list[float] = []
    lefts: list[float] = []
    for start, end in lines[_FEWEST_LINES:]:
        at = next((at for at in range(start, end) if text[at] > " "), None)
        if at is None:
            continue
        left, bottom, _, top = letters.box(at)
        height = top - bottom
        if tops and bottom > tops[-1] + _UPWARDS * height and left < max(lefts) + _BESIDE * height:
            return True
        if tops and bottom > tops[-1]:
            lefts.clear()
        tops.append(top)
        lefts.append(left)
    return False


def _arranged(
    text: str, places: Iterable[tuple[int, int]], found: Sequence[Table], words: Sequence[Word]
) -> list[tuple[int, int] | Table]:
    """Return the parts of lines and the tables of a page in reading order; parts of a line that follow each other are
    one."""
    items: list[_Item] = []
    begun = 0
    for start, end in places:
        cuts = [start, *_gaps(words, start, end), end]
        for number, (first, last) in enumerate(pairwise(cuts)):
            first += number > 0
            items.append(((first, last), None, words[bisect_left(words, (first,)) : bisect_left(words, (last,))]))
    items += [(min(table.spans), table, table.words) for table in found]
    items.sort(key=itemgetter(0))
    parts = [_part(number, held, table is not None) for number, (_, table, held) in enumerate(items) if held]
    if 2 * len(_RIGHT_TO_LEFT.findall(text)) > len(text):
        parts = [part._replace(left=-part.right, right=-part.left) for part in parts]  # the right column is first
    behind: dict[int, list[int]] = {-1: []}
    for number, (_, _, held) in enumerate(items):
        if held and not (number and _goes_on(text, items[number - 1], items[number])):
            behind[number] = [number]
        else:
            behind[next(reversed(behind))].append(number)  # it stays behind its predecessor, as a blank line does
    pieces: list[tuple[int, int] | Table] = []
    end, before = -1, -2
    for number in (number for first in (-1, *in_order(parts)) for number in behind.get(first, ())):
        (start, stop), table, _ = items[number]
        if table is not None:
            pieces.append(table)
        elif number == before + 1 and start == end + 1:  # the parts of a line that is read as it was drawn
            pieces[-1] = begun, stop
        else:
            begun = start
            pieces.append((start, stop))
        before, end = number, stop if table is None else -2
    return pieces


def _goes_on(text: str, before: _Item, item: _Item) -> bool:
    """Return True if a part of a line begins with the second half of a word, below the first half in its column."""
    (_, end), _, above = before
    (start, _), _, below = item
    if end != start or not above or not below or text[end - 1] != PDFIUM_BROKEN:
        return False
    return below[0].left > above[0].left - _UPWARDS * above[0].height


def _part(number: int, words: Sequence[Word], is_table: bool) -> Part:
    """Return the box of words as a part of the page."""
    _, _, lefts, rights, middles, heights = zip(*words, strict=True)
    low, high = min(middles), max(middles)
    height = high - low if is_table else max(heights)
    return Part(number, 0 if is_table else len(words), min(lefts), max(rights), (high + low) / 2, height)


def _cut(text: str, places: Iterable[tuple[int, int]], words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield pieces of lines, cut at words that pdfium joins to words of another line."""
    cuts = [b.start for a, b in pairwise(words) if a.end == b.start]
    for start, end in places:
        for cut in cuts[bisect_left(cuts, start + 1) : bisect_left(cuts, end)]:
            yield start, cut
            start = cut
        yield start, end


def _around(text: str, found: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a page's lines outside tables."""
    taken = sorted({span for table in found for span in table.spans})
    at = 0
    for start, end in line_spans(text):
        is_cut = False
        while at < len(taken) and taken[at][0] < end:
            if text[start : taken[at][0]].strip("\0 "):
                yield start, taken[at][0]
            start, is_cut = taken[at][1], True
            at += 1
        if text[start:end].strip("\0 ") or not is_cut:
            yield start, end


def _ligature(letters: Letters, pair: re.Match[str]) -> str:
    """Return lam and alef in logical order if one glyph draws both."""
    is_one = letters.tight(pair.start()) == letters.tight(pair.start() + 1)
    return pair[0][::-1] if is_one else pair[0]


# --- columns ---


def _may_have_columns(letters: Letters, text: str, lines: Sequence[tuple[int, int]]) -> bool:
    """Return True if most lines of a page are short, lines do not go down, or a line has a wide gap; of three lines one
    is measured."""
    short = sum(text.count(" ", *line) <= 2 for line in lines)
    if 2 * short > len(lines) or _is_mixed(letters, text, lines):
        return True
    for start, end in lines[_FEWEST_LINES - 1 :: _FEWEST_LINES]:
        at = text.find(" ", start + 1, end - 1)
        while at >= 0:
            before, after = letters.box(at - 1), letters.box(at + 1)
            if after[0] - before[2] > CELL_GAP * max(before[3] - before[1], after[3] - after[1]):
                return True
            at = text.find(" ", at + 1, end - 1)
    return False


def _joined(
    text: str,
    numbers: Sequence[int],
    pieces: Sequence[tuple[int, int] | Table],
    found: Sequence[Table],
) -> Laid:
    """Join pieces of text as lines; a piece that ends with a hyphen within a word continues in the next. Tables stand
    between blank lines."""
    parts: list[str] = []
    chars: list[int] = []
    spots: list[Spot] = []

    def add(words: str, places: Sequence[int]) -> None:
        parts.append(words)
        chars.extend(places)

    def add_caption(lines: Sequence[Sequence[tuple[int, int]]]) -> None:
        for line in lines:
            for at, (start, end) in enumerate(line, 1):
                add(text[start:end], numbers[start:end])
                if not text[start:end].endswith(PDFIUM_BROKEN):
                    add(" " if at < len(line) else "\n", [-1])

    def add_table(table: Table) -> None:
        if parts:
            add("\n", [-1])
        add_caption(table.above)
        line, name = "".join(parts).count("\n"), f"table {sum(spot.kind == 'page' for spot in spots) + 1}"
        above, last = len(table.header), column_name(len(table.columns) + 1)
        body = [row for row in placed([*table.header, *table.rows]) if row.last >= above]
        for number, row in enumerate(body, line):
            spots.append(Spot(number, "table", name, f"A{row.first - above + 1}", f"{last}{row.last - above + 1}"))
        spots.append(Spot(line + len(body), "page"))
        written = "".join(f"{row.text}\n" for row in body)
        add(written, [-1] * len(written))
        add_caption(table.below)
        add("\n", [-1])

    for number, piece in enumerate(pieces):
        if isinstance(piece, Table):
            add_table(piece)
            continue
        words, after = text[slice(*piece)], pieces[number + 1] if number + 1 < len(pieces) else (0, 0)
        following = "" if isinstance(after, Table) else text[slice(*after)]
        is_hyphen = words.endswith(("-", "‐")) and words[-2:-1].isalpha() and following[:1].islower()
        is_broken = is_hyphen or words.endswith(PDFIUM_BROKEN)
        add(words[:-1] if is_broken else words, numbers[slice(*piece)])
        parts.append(BROKEN if is_broken else "\n")
        chars += [] if is_broken else [-1]
    read = "".join(parts).replace(PDFIUM_BROKEN, BROKEN)
    return Laid(read, chars, spots, next((table for table in found if table.ends), None))


def line_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each line."""
    at = 0
    for match in _LINE_END.finditer(text):
        yield at, match.start()
        at = match.end()
    yield at, len(text)


def _gaps(words: Sequence[Word], start: int, end: int) -> list[int]:
    """Return the offsets of the wide gaps of a line; none if they are more than the gutters of a page."""
    here = words[bisect_left(words, (start,)) : bisect_left(words, (end,))]
    least = _GUTTER * 6.0
    gaps = [
        a.end
        for a, b in pairwise(here)
        if (b.left - a.right > least or a.left - b.right > least)
        and max(b.left - a.right, a.left - b.right) > _GUTTER * max(a.height, b.height)
    ]
    return gaps if len(gaps) <= _MOST_GUTTERS else []


# --- letters that are placed singly ---


def _is_placed_singly(text: str) -> bool:
    lines = [line for line in _LINE_END.split(text) if line.strip()]
    single = sum(len(line.strip()) <= 2 for line in lines)
    return len(lines) > _FEWEST_LINES and single > _SINGLY * len(lines)


def _from_left(letters: Letters, text: str) -> str:
    """Return the text of a right-to-left page whose letters were drawn from the left in the order of reading."""
    order: list[int] = []
    after = 0
    for start, end in line_spans(text):
        line = [*range(end - 1, start - 1, -1)]
        for run in _LEFT_TO_RIGHT.finditer(text[start:end][::-1]):
            line[run.start() : run.end()] = line[run.start() : run.end()][::-1]
        order += [*range(after, start), *line]
        after = end
    letters.numbers = [letters.numbers[at] for at in order]
    return "".join([text[at] for at in order])


def _by_place(letters: Letters, text: str) -> Laid:
    """Return the lines of a right-to-left page from the positions of its letters."""
    placed_letters = [
        (letters.numbers[offset], char, letters.tight(offset))
        for offset, char in enumerate(text)
        if char > " " and char != PDFIUM_BROKEN
    ]
    lines: list[str] = []
    chars: list[int] = []
    for line in _grouped(placed_letters):
        line.sort(key=lambda letter: -letter[2][0])
        height = median(box[3] - box[1] for _, _, box in line)
        written: list[tuple[int, str]] = []
        for number, (at, char, box) in enumerate(line):
            if number and line[number - 1][2][0] - box[2] > _WORD_GAP * 2 * height:
                written.append((-1, " "))
            written.append((at, char))
        line_text = "".join(char for _, char in written)
        for run in _LEFT_TO_RIGHT.finditer(line_text):
            written[run.start() : run.end()] = written[run.start() : run.end()][::-1]
        lines += [char for _, char in written] + ["\n"]
        chars += [at for at, _ in written] + [-1]
    return Laid("".join(lines), chars)


_Letter = tuple[int, str, tuple[float, float, float, float]]


def _grouped(letters: Sequence[_Letter]) -> list[list[_Letter]]:
    """Group letters into lines from the top of the page by vertical overlap."""
    lines: list[list[_Letter]] = []
    for letter in sorted(letters, key=lambda one: -(one[2][1] + one[2][3])):
        middle = (letter[2][1] + letter[2][3]) / 2
        if lines and any(box[1] - 2 <= middle <= box[3] + 2 for _, _, box in lines[-1][:4]):
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return lines
