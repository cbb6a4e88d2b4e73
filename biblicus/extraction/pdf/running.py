"""What the pages of a PDF repeat at their edges: running heads and feet, and the numbers of pages.

They stand in the middle of what is told from one page to the next, so that they are no part of what is ranked and
quoted. Only what the text says elsewhere is left out: of lines that are the same the first one stays, and so does a
number that does not count the pages (`Invoice 17`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from biblicus.models.extraction import Span

_FEWEST = 3
"""Pages with a line at least, for it to be one of these."""
_LINES, _LONGEST = 2, 120
"""Lines at an edge that may be one, and their characters, at most."""
_LETTERS = 4
"""Letters of one at least that is no number."""
_NUMBERS = 4
"""Numbers of a line that may count the pages, at most."""
_WORDS = 100
"""Words of a page at least for what stands above them to be a running head, and not the title of a slide, where no page
before has it."""
_NUMBER = re.compile(r"\d{1,5}")
_WORD = re.compile(r"[^\W\d_]+")
_OF_A_NUMBER = frozenset(
    {"page", "p", "pp", "pg", "of", "seite", "s", "von", "página", "pagina", "pág", "pag", "de", "di", "sur", "sida",
     "strana", "стр", "страница", "из"}
)  # fmt: skip
_LINE = re.compile(r"[^\n]*\S[^\n]*\n?")


class _Line(NamedTuple):
    page: int
    span: Span
    text: str

    def counting(self) -> Iterator[tuple[str, int]]:
        """The line without each of its numbers, and how much that is beyond the number of the page."""
        for number in list(_NUMBER.finditer(self.text))[:_NUMBERS]:
            yield f"{self.text[: number.start()]}\0{self.text[number.end() :]}", int(number[0]) - self.page


def running(pages: Sequence[str], starts: Sequence[int]) -> list[Span]:
    """The ranges that are running heads, feet and page numbers, ascending. `starts`: where each page begins in the
    whole text."""
    masked: list[Span] = []
    tops, feet = [], []
    for number, page in enumerate(pages):
        lines = [_Line(number, Span(*match.span()), match[0].strip()) for match in _LINE.finditer(page)]
        tops.append(lines[:_LINES])
        feet.append(lines[: -_LINES - 1 : -1] if len(lines) > _LINES else [])
    short = {number for number, page in enumerate(pages) if len(page.split()) < _WORDS}
    for edge, unsure in ((tops, short), (feet, set[int]())):
        for line in _repeated(edge, unsure):
            start = starts[line.page]
            masked.append(Span(start + line.span.start, start + line.span.end))
    return sorted(masked)


def _repeated(edges: Sequence[Sequence[_Line]], unsure: Set[int]) -> Iterator[_Line]:
    """The lines that are repeated, of each page those from its edge on; of those pages that are unsure by themselves
    what others before have told to be one."""
    candidates = [line for lines in edges for line in lines if len(line.text) <= _LONGEST and line.page not in unsure]
    same = Counter(line.text for line in candidates)
    counted = Counter(counting for line in candidates for counting in line.counting())
    met: set[str] = set()
    for lines in edges:
        for line in lines:
            counts = next((without for without, beyond in line.counting() if counted[without, beyond] >= _FEWEST), None)
            says = counts if counts is not None else line.text
            letters = sum(map(str.isalpha, says))
            if counts is None and (same[line.text] < _FEWEST or letters < _LETTERS):
                break
            if line.page in unsure and says not in met:
                break
            if says in met or (counts is not None and _only_a_number(says)):
                yield line
            met.add(says)


def _only_a_number(line: str) -> bool:
    """Whether a line is the number of a page and no more: `Page 7`, `7 of 90`."""
    return all(word.casefold() in _OF_A_NUMBER for word in _WORD.findall(line))
