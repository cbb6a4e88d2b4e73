"""The names of files as terms that only the same name has: `=trees.py`, `=pep484` of `PEP 484` and `pep-0484.rst`,
`=date20250910` of `10 September 2025` and `2025-09-10.md`, which is `=day0910`, too."""

from __future__ import annotations

import re
from functools import lru_cache

MOST = 4
"""Terms of one file."""
_FILE = re.compile(r"(?<![\w.-])\w[\w.+-]{0,120}\.[a-z]\w{0,7}(?![\w-])", re.IGNORECASE)
_JOINED = re.compile(r"(?<![\w.-])[^\W_]+(?:[-_][^\W_]+)+(?![\w-]|\.\w)")
_NUMBERED = re.compile(r"(?<![\w.-])([^\W\d_]{2,16})[ \t_/-]?0*(\d{1,6})(?![\w-]|\.\d)")
_NUMBERED_FIRST = re.compile(r"([^\W\d_]{2,8})[-_]?0+(\d{1,5})[-_][^\W\d_]")
"""What is numbered and called: `nep-0021-indexing.rst`, not `python-3-guide.md` or `budget-2025-plan.md`."""
_ENTITLED = re.compile(r"([A-Z]{2,8})[ -]?0*(\d{1,6})(?=[ ]?[:—–]|[ ]-[ ]|[ ]?\Z)")
"""What a title begins with that is numbered: `JEP-201: Deckhands as code`, `NEP 21 — Indexing`."""
_DIGITS = re.compile(r"\d+")
_NUMBER_FIRST = re.compile(r"0*(\d{1,6})[-_ ]\D")
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w-]|\.\d)", re.IGNORECASE)
_OF_A_VERSION = re.compile(r"(?:.*[-_ ])?v?(\d{1,4}(?:\.\d{1,4}){1,3})", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_DATED = re.compile(r"(\d{4})([-_.]?)([01]\d)\2([0-3]\d)(?!\d)")
_MONTHS = {
    beginning: number
    for number, beginnings in enumerate(
        (
            "jan ene янв", "feb fév fev фев", "mar mär мар", "apr abr avr апр", "may mai май мая", "jun juin июн",
            "jul juil июл", "aug ago aoû авг", "sep set сен", "oct okt out окт", "nov ноя", "dec dez dic déc дек",
        ),
        1,
    )
    for beginning in beginnings.split()
}  # fmt: skip
"""What the names of months begin with, in seven languages."""
_DATES = (
    r"(?<![\w.-])(?P<year>\d{4})(?:-|年)(?P<month>\d\d?)(?:-|月)(?P<day>\d\d?)(?:日|(?![\w-]))",
    r"(?<![\w.])(?P<day>\d\d?)\.[ \t]?(?P<month>\d\d?)\.[ \t]?(?P<year>\d{4})(?![\w-])",
    (
        r"(?<![\w.])(?P<day>\d\d?)(?:st|nd|rd|th|\.|º)?[ \t]+(?:of |de )?(?P<month>[^\W\d_]{3,10})\.?,?[ \t]+(?:de )?"
        r"(?P<year>\d{4})(?![\w-])"
    ),
    r"(?<![\w.])(?P<month>[^\W\d_]{3,9})\.?[ \t]+(?P<day>\d\d?)(?:st|nd|rd|th)?,?[ \t]+(?P<year>\d{4})(?![\w-])",
)
"""How people write a day. Compiled when a text with a digit is first held against them."""
_WITHOUT_YEAR = (
    r"(?<![\w.])(?P<day>\d\d?)(?:st|nd|rd|th|\.|º)?[ \t]+(?:of |de )?(?P<month>[^\W\d_]{3,10})(?![\w-])",
    r"(?<![\w.])(?P<month>[^\W\d_]{3,9})\.?[ \t]+(?P<day>\d\d?)(?:st|nd|rd|th)?(?![\w.-])",
)
_ASKED = 16
"""Terms of one question."""


@lru_cache(maxsize=4_096)
def of(path: str, title: str = "") -> tuple[str, ...]:
    """What a file is called: its whole name; the name without its end, where that is joined; the day that it begins
    with, in its year and in any; a word with a number, or the folder's with the number that it begins with
    (`rfcs/0012-traits.md` is `=rfc12`); the version that it ends with (`=v3.0`). A number that its title begins with is
    its own, too, where its name or its folder's has it (`COVID-19: …` in `flu.md` is of no series). Up to `MOST`
    terms."""
    *folders, name = path.rsplit("/", 2)[-2:]
    stem = name.rpartition(".")[0] or name
    terms = [f"={name.lower()}"] if _FILE.fullmatch(name) else []
    terms += [f"={stem.lower()}"] if _JOINED.fullmatch(stem) else []
    if dated := _DATED.match(stem):
        terms += [f"=date{dated[1]}{dated[3]}{dated[4]}", f"=day{dated[3]}{dated[4]}"]
    elif numbered := _NUMBERED.fullmatch(stem) or _NUMBERED_FIRST.match(stem):
        terms.append(_numbered(numbered[1], numbered[2]))
    elif folders and folders[0].isalpha() and (begins := _NUMBER_FIRST.match(stem)):
        terms.append(_numbered(folders[0].removesuffix("s"), begins[1]))
    elif version := _OF_A_VERSION.fullmatch(stem):
        terms.append(f"=v{version[1]}")
    if (entitled := _ENTITLED.match(title)) and _has_number("/".join((*folders, stem)), entitled[2]):
        terms += {_numbered(entitled[1], entitled[2])}.difference(terms)
    return tuple(terms[:MOST])


@lru_cache(maxsize=256)
def asked(question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of files that a question may say: those that are none but a file's, and those that are joined words
    or a version."""
    whole = [f"={name.lower()}" for name in _FILE.findall(question)]
    joined = [f"={name.lower()}" for name in _JOINED.findall(question)]
    rest = question if _DIGIT.search(question) else ""
    for date in _DATES if rest else ():
        whole += [day for match in re.finditer(date, rest) if (day := _day(match))]
        rest = re.sub(date, lambda match: " " if _day(match) else match[0], rest)
    for date in _WITHOUT_YEAR if rest else ():
        whole += [f"=day{day}" for match in re.finditer(date, rest) if (day := _in_any_year(match))]
    whole += [_numbered(word, number) for word, number in _NUMBERED.findall(rest)]
    joined += [f"=v{version}" for version in _VERSION.findall(rest)]
    return tuple(whole[:_ASKED]), tuple(joined[:_ASKED])


def _day(match: re.Match[str]) -> str | None:
    """The term of a day; None where a word is no month's name."""
    day = _in_any_year(match)
    return f"=date{match['year']}{day}" if day else None


def _in_any_year(match: re.Match[str]) -> str | None:
    """Month and day, two digits each; None where a word is no month's name."""
    word = match["month"].lower()
    month = int(word) if word.isdecimal() else _MONTHS.get(word[:3]) or _MONTHS.get(word[:4])
    return f"{month:02}{int(match['day']):02}" if month else None


def names(question: str, path: str, title: str | None = None) -> bool:
    """Whether a question says what a file is called, and that is called so."""
    return not {*asked(question)[0]}.isdisjoint(of(path, title or ""))


def _has_number(path: str, number: str) -> bool:
    return any(digits.lstrip("0") == number for digits in _DIGITS.findall(path))


def _numbered(word: str, number: str) -> str:
    return f"={word.lower()}{number}"
