"""Patterns of lines: code, sentences, titles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from biblicus.models.extraction import Span

CODE = re.compile(
    r"(?:[;{}]|\)[ \t]*:|[^\w\s.]=)[ \t]*$|^[ \t]*(?:#include|#define|>>>|\.\.\.[ \t]|\$ |template ?<|import \w"
    r"|from [\w.]+ "
    r"import|def \w|class \w+[(:]|public:|private:|return[ ;]|using namespace|@\w+\(?|//|/\*)|\w\([^()]*\);?[ \t]*$"
    r"|^[ \t]*[}\])]"
)
SENTENCE = re.compile(
    r"[ \t]*(?:(?:[^\W\d_][\w'’-]*|(?::[a-z:]+:)?`{1,2}[^`\n]{1,80}`{1,2}_{0,2}|\*{1,2}[^*\n]{1,80}\*{1,2})"
    r"[,.;:]?[ \t]+){7}"
)
WORDS = re.compile(r"[ \t]*[^\W\d_][\w' -]*(?:[.,:]|\([\w' -]*(?:\)[.,:]?)?)?\s*")
"""A comment line that is prose, although it may start like code: `return the last one`."""
_SMALL = 3
"""Maximum letters of words that titles write in lower case (`of`, `the`, `and`)."""


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def lines_of(text: str) -> Iterator[Span]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield Span(start, end)
        start = end + 1


def is_titled(words: Sequence[str], least: int = 2) -> bool:
    """Return True if the words are capitalised like a title, with at least `least` longer words."""
    longer = [word for word in (word.strip("()[]\"'“”,") for word in words) if len(word) > _SMALL]
    return sum(word[0].isupper() for word in longer) >= least and not any(word[0].islower() for word in longer)
