"""Editions of a document by the names of its files: `rules-2023.docx`, `rules 2024 final (1).docx`, `rules OLD.md`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from biblicus.text.paths import MEMBER
from biblicus.text.terms import symbols

_YEAR = re.compile(r"(?<![\d.])(?<!\d[-_ ])(?:19|20)\d\d(?![-_. ]?\d)")
"""A year by itself: neither of a day (`2024-06-13`) nor of what is numbered in it (`2024-013`)."""
_VERSION = re.compile(r"(?<![^\W_])(?:v|ver|version|rev|revision|fassung)[-_. ]?(\d{1,3}(?:\.\d{1,9}){0,5})(?![^\W_])")
_VERSIONS = ("v", "version ", "versión ", "revision ", "fassung ", "версия ", "версии ")
"""How people speak of them."""
_OLD = re.compile(
    r"(?<![^\W_])(?:old|outdated|obsolete|veraltet|ancien|vieux|viejo|antiguo|vecchio|bak)(?![^\W_])|(?<=[-_. ])alt$"
)
_DRAFT = re.compile(r"(?<![^\W_])(?:draft|entwurf|brouillon|borrador|bozza|ontwerp|rascunho)(?![^\W_])")
_SETTLED = re.compile(
    r"(?<![^\W_])(?:final|copy|kopie|copie|copia|cópia|new|neu|signed|unterschrieben|latest|aktuell)(?![^\W_])"
    r"|\(\d{1,2}\)"
)
"""What a name also says of an edition that tells nothing of when it was."""
_BETWEEN = re.compile(r"[\W_]+")
_LETTERS = 3
"""Letters of a name, at least, of which there may be editions; a character that is a syllable or a word counts two."""
_WIDE = "\u2e80"
_WANTS_BOTH = re.compile(
    r"\b(?:chang\w+|differ\w*|compar\w+|previous\w*|former\w*|earlier|older?|history|used to"
    r"|geändert|änder\w+|unterschied\w*|vergl\w+|früher\w*|bisher\w*|vorher\w*|alten?"
    r"|ancien\w*|précédent\w*|différen\w+|cambi\w+|anterior\w*|diferencia\w*"
    r"|измен\w+|отлич\w+|различ\w+|разниц\w+|сравн\w+|прежн\w+|раньше|стар\w+)\b|变化|改变|修改|改动|区别|不同|比较|以前|之前",
    re.IGNORECASE,
)


class Edition(NamedTuple):
    """`of`: what the document is called without what tells editions apart. `standing`: 0 of what is old, 1 of a draft,
    2 of any other. `years`, `version`: where the name tells them; `marks`: what tells it, as it is written."""

    of: str
    standing: int
    years: tuple[int, ...]
    version: tuple[int, ...]
    marks: frozenset[str]

    def is_newer(self, other: Edition) -> bool:
        """Whether this one takes the place of another of the same document."""
        if self.standing != other.standing:
            return self.standing > other.standing
        if self.years != other.years:
            return bool(self.years and other.years) and self.years[-1] > other.years[-1]
        return bool(self.version and other.version) and self.version > other.version


@lru_cache(maxsize=4_096)
def of_path(path: str) -> Edition:
    """The edition that a file's name says it is."""
    folder, _, name = path.replace(MEMBER, "/").rpartition("/")
    stem = (name.rpartition(".")[0] or name).casefold()
    years, versions = _YEAR.findall(stem), _VERSION.findall(stem)
    old, drafts = _OLD.findall(stem), _DRAFT.findall(stem)
    standing = 0 if old else 1 if drafts else 2
    for mark in (_YEAR, _VERSION, _OLD, _DRAFT, _SETTLED):
        stem = mark.sub(" ", stem)
    called = _BETWEEN.sub(" ", stem).strip()
    if sum(1 + (letter >= _WIDE) for letter in called if letter.isalpha()) < _LETTERS:
        return Edition(path, 2, (), (), frozenset())
    version = tuple(map(int, versions[-1].split("."))) if versions else ()
    numbers = (f"{word}{number}" for number in versions for word in _VERSIONS)
    marks = frozenset((*years, *numbers, *old, *drafts))
    return Edition(f"{folder}/{called}", standing, tuple(sorted(map(int, years))), version, marks)


def wants_older(question: str) -> bool:
    """Whether a question is about what was before, too."""
    return _WANTS_BOTH.search(question) is not None


_LETTER = r"[^\W\u2e80-\u9fff]"
"""What a word or number goes on with, in scripts with blanks between words."""
_DIGITS = re.compile(r"\d+")
_ASKED, _STEM, _ENDING = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}|[^\W\d_]{3,}"), 4, 2
"""A word of a question, and how many of its letters stand in other forms of it, too: all but the last two."""


_FIRST = re.compile(
    r"\b(?:first|original|initial|erste[nrms]?|ursprüngliche[nrms]?|premi(?:er|ère)|primer[oa]?|prim[oa]|eerste)\s"
    r"(?:(?:version|edition|draft|fassung|version|versión)\s(?:of|des|der|de|du|del)\s(?:the\s)?)?(\w{3,60})",
    re.IGNORECASE,
)
_OF_A_YEAR = r"(?:of|in|from|for|von|aus|im jahr|en|de|del|du|dal|nel|от|за)"


def is_named(question: str, edition: Edition) -> bool:
    """Whether a question names an edition by its year or version."""
    asked = question.casefold()
    marks = [mark for mark in edition.marks if mark in asked]
    return any(re.search(rf"(?<!{_LETTER}){re.escape(mark)}(?!{_LETTER})", asked) for mark in marks)


def without_marks(question: str, paths: Iterable[str]) -> str:
    """A question without the year, the version or the `first` by which it names one of several editions of a document:
    their texts seldom say it of themselves, and `2022` stands in any sentence of that year."""
    called = [of_path(path) for path in dict.fromkeys(paths)]
    of_several = Counter(edition.of for edition in called)
    several = [edition for edition in called if of_several[edition.of] > 1]
    if any(
        _asks_first(question, one) and two.is_newer(one) for one, two in permutations(several, 2) if one.of == two.of
    ):
        question = _FIRST.sub(r"\1", question)
    named = (edition for edition in several if is_named(question, edition))
    for mark in sorted({mark for edition in named for mark in edition.marks}):
        pattern = rf"(?:\b{_OF_A_YEAR}\s+)?(?<!{_LETTER}){re.escape(mark)}(?!{_LETTER})"
        question = re.sub(pattern, " ", question, flags=re.IGNORECASE)
    return question


def is_meant(question: str, path: str, other: str) -> bool:
    """Whether a question means one edition of a document rather than another: the one that it names, else the newer,
    or the older, where it asks for the first."""
    one, second = of_path(path), of_path(other)
    named, its = is_named(question, one), is_named(question, second)
    if named != its:
        return named
    return second.is_newer(one) if _asks_first(question, one) else one.is_newer(second)


def _asks_first(question: str, edition: Edition) -> bool:
    """Whether a question asks for the first edition by what the document is called: "the rent in the first lease"."""
    name = edition.of.rpartition("/")[2]
    named = (match[1].casefold() for match in _FIRST.finditer(question))
    return any(word[: max(_STEM, len(word) - _ENDING)] in name for word in named)


def tells_as_much(question: str, newer: str, older: str) -> bool:
    """Whether the text of one edition holds what that of another holds of a question: else the other tells of something
    that the one does not, as reports of several years do."""
    texts = newer.casefold(), older.casefold()
    for word in _ASKED.findall(_FIRST.sub(r"\1", question).casefold()):
        stem = word[: max(_STEM, len(word) - _ENDING)]
        if not symbols.only_asks(word) and stem in texts[1] and stem not in texts[0]:
            return False
    return True


def headed_alike(one: str | None, other: str | None) -> bool:
    """Whether headings are the same but for numbers: `Rules 2023`, `Rules 2024`."""
    return one == other or _DIGITS.sub("", one or "") == _DIGITS.sub("", other or "")
