"""Running heads, feet and page numbers of a PDF, which are masked since they interrupt the text.

Only repeated content is masked: the first of several equal lines stays, and so does a number that does not count pages
(`Invoice 17`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from biblicus.models.extraction import Span

_FEWEST = 3
"""Minimum pages with an equal line."""
_LINES, _LONGEST = 2, 120
"""Maximum lines at an edge that may be a running head, and their maximum characters."""
_LETTERS = 4
"""Minimum letters of a running head that is no page number."""
_NUMBERS = 4
"""Maximum numbers of a line that are tested as page numbers."""
_WORDS = 100
"""Minimum words of a page for its first lines to be a running head; shorter pages may be slides with titles."""
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
        """Yield the line without each of its numbers, and the number's difference from the page number."""
        for number in list(_NUMBER.finditer(self.text))[:_NUMBERS]:
            yield f"{self.text[: number.start()]}\0{self.text[number.end() :]}", int(number[0]) - self.page


def running(pages: Sequence[str], starts: Sequence[int]) -> list[Span]:
    """Return the spans of running heads, feet and page numbers in ascending order. `starts`: offset of each page."""
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
    """Yield the repeated lines of each page from its edge inwards. `unsure`: pages on which only a line already known
    from earlier pages counts."""
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
    """Return True if a line is only a page number: `Page 7`, `7 of 90`."""
    return all(word.casefold() in _OF_A_NUMBER for word in _WORD.findall(line))
