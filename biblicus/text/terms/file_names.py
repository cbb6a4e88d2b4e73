"""The names of files as terms that only the same name has: `=trees.py`, `=pep484` of `PEP 484` and `pep-0484.rst`."""

from __future__ import annotations

import re

_FILE = re.compile(r"(?<![\w.-])\w[\w.+-]{0,120}\.[a-z]\w{0,7}(?![\w-])", re.IGNORECASE)
_JOINED = re.compile(r"(?<![\w.-])[^\W_]+(?:[-_][^\W_]+)+(?![\w-]|\.\w)")
_NUMBERED = re.compile(r"(?<![\w.-])([^\W\d_]{2,16})[ \t_-]?0*(\d{1,6})(?![\w-]|\.\d)")
_NUMBER_FIRST = re.compile(r"0*(\d{1,6})[-_ ]\D")
_ASKED = 16
"""Terms of one question."""


def of(path: str) -> tuple[str, ...]:
    """What a file is called: its whole name; the name without its end, where that is joined; a word with a number, or
    the folder's with the number that it begins with (`rfcs/0012-traits.md` is `=rfc12`)."""
    *folders, name = path.rsplit("/", 2)[-2:]
    stem = name.rpartition(".")[0] or name
    terms = [f"={name.lower()}"] if _FILE.fullmatch(name) else []
    terms += [f"={stem.lower()}"] if _JOINED.fullmatch(stem) else []
    if numbered := _NUMBERED.fullmatch(stem):
        terms.append(_numbered(numbered[1], numbered[2]))
    elif folders and folders[0].isalpha() and (begins := _NUMBER_FIRST.match(stem)):
        terms.append(_numbered(folders[0].removesuffix("s"), begins[1]))
    return tuple(terms)


def asked(question: str) -> tuple[list[str], list[str]]:
    """The names of files that a question may say: those that are none but a file's, and those that are joined words."""
    whole = [f"={name.lower()}" for name in _FILE.findall(question)]
    whole += [_numbered(word, number) for word, number in _NUMBERED.findall(question)]
    joined = [f"={name.lower()}" for name in _JOINED.findall(question)]
    return whole[:_ASKED], joined[:_ASKED]


def names(question: str, path: str) -> bool:
    """Whether a question says what a file is called, and that is called so."""
    return not {*asked(question)[0]}.isdisjoint(of(path))


def _numbered(word: str, number: str) -> str:
    return f"={word.lower()}{number}"
