"""Symbols: the name that a definition defines as one term, so that whoever asks for the name finds it first.

A chunk with the heading `sessions.Session.get` that holds `def get` has a term for each of `get`, `Session.get` and
`sessions.Session.get`, beside its words: one whatever the case of its letters, and one as it is spelled, since `Source`
and `source` are two things. A further term says that a function, or a type, is called `get`. A question that names one
of them asks for these terms too. They are digests, which no word of a text can be and no stemmer changes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from biblicus.models.frozen import dataclass

_MARK = "symbol"
_MOST = 3
"""Parts of a name that make it a term of its own: more tell nothing more."""
_FUNCTIONS = ("def", "function", "func", "fn", "fun", "sub", "macro_rules!")
_TYPES = ("class", "interface", "struct", "enum", "trait", "type", "object", "protocol", "record", "union")
_KEYWORDS = (*_FUNCTIONS, *_TYPES, "module", "namespace", "impl", "defmodule")
_KINDS = dict.fromkeys((*_FUNCTIONS, "method", "property", "decorator"), "function") | dict.fromkeys(_TYPES, "type")
"""What a keyword, or a word of a question, says of the name beside it."""
FRAME = frozenset(
    (*_KINDS, "define", "defines", "defined", "definition", "declared", "declaration", "implemented", "implementation",
     "file", "module")
)  # fmt: skip
"""Words with which people ask where a name is defined. They tell nothing of it."""
_METHOD = re.compile(r"(?!\s*(?:return|await|yield|else|new|throw|in|and|or|not)\b)[^\n=;.(,]*")
_CALL = re.compile(r"[^\n]*[;,]\s*$|[^\n]*\)\s*$", re.MULTILINE)
_WORDS = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"\w")
_SEPARATOR = re.compile(r"::|->|[.#\\]")
_NAMED = re.compile(
    r"`(?P<quoted>[^`\n]{1,200})`"
    r"|(?<![\w.])(?P<joined>\w+(?:(?:::|->|[.#\\])\w+)+|_*[^\W_]+_\w*|_+\w+|(?:[^\W_a-z][^\W_A-Z]+){2,}|[^\W_A-Z]+[A-Z]\w*)"
    r"|(?<![\w.])(?P<called>\w+)(?=\(\))"
)
_NAME = re.compile(r"\w+(?:(?:::|->|[.#\\])\w+)*(?:\(\))?")
_ASKED = 16
"""Names of one question."""


@dataclass(frozen=True)
class Asked:
    """A name that a question asks for, as terms. `whole`: in any case, `spelled`: as the question spells it, `parts`:
    of its last parts, `kind`: of what the question says that it is, if it does."""

    whole: str
    spelled: str
    parts: tuple[str, ...]
    kind: str | None


def terms(heading: str | None, text: str) -> tuple[str, ...]:
    """The terms of a chunk of source code: those of its heading's name, where the chunk defines it; else none."""
    if not heading:
        return ()
    parts = heading.split(".")
    kind = _defined(text, parts[-1])
    if kind is None:
        return ()
    endings = _endings(parts)
    return (*map(_term, endings), *map(_spelled, endings), _of_kind(kind, parts[-1]))


def asked(question: str, alone: Sequence[str], kinds: Mapping[str, str]) -> list[Asked]:
    """The names that a question asks for.

    Names are what stands in backticks, is called `so()`, or is joined or humped as only names are. `alone`: further
    words that may be names. `kinds`: see `kinds_told`.
    """
    matched = [match[match.lastgroup or 0] for match in _NAMED.finditer(question)]
    named = [name.removesuffix("()") for name in (*matched, *alone, *kinds) if _NAME.fullmatch(name)]
    names = {tuple(_SEPARATOR.split(name)): kinds.get(name) for name in named}
    return [_asked(parts, kind) for parts, kind in list(names.items())[:_ASKED]]


def _asked(parts: Sequence[str], kind: str | None) -> Asked:
    *shorter, whole = _endings(parts)
    of_kind = _of_kind(kind, parts[-1]) if kind else None
    return Asked(_term(whole), _spelled(whole), tuple(map(_term, reversed(shorter))), of_kind)


def kinds_told(words: Sequence[str], telling: Sequence[str]) -> dict[str, str]:
    """What a question's words say of the words beside them, behind them first: `class Event`, `the group function`.

    `telling`: those of the words that may be names.
    """
    kinds: dict[str, str] = {}
    for at, word in enumerate(words):
        if kind := _KINDS.get(word.lower()):
            beside = (*words[at + 1 : at + 2], *words[max(0, at - 1) : at])
            if name := next((other for other in beside if other in telling), None):
                kinds.setdefault(name, kind)
    return kinds


def spelled_out(words: Sequence[str]) -> tuple[str, ...]:
    """The terms of the name that words make together: `read tide gauge` is `readTideGauge` or `read_tide_gauge`."""
    plain = [word.removesuffix("()") for word in words]
    return (_term("".join(plain)), _term("_".join(plain))) if all(map(str.isidentifier, plain)) else ()


def about(toolkit: str) -> str:
    """The term of every chunk that is about a toolkit: its own pages seldom say its name."""
    return _digest(f"about {' '.join(words_of(toolkit))}")


def is_term(word: str) -> bool:
    """Whether a word may be one of these terms."""
    return word.startswith(_MARK) and word[len(_MARK) :].isdigit()


def words_of(name: str) -> list[str]:
    """The words of a toolkit's name as people may write it: `Scikit-Learn` is `scikit learn`."""
    return _WORDS.findall(name.casefold())


def _endings(parts: Sequence[str]) -> list[str]:
    """`c`, `b.c`, `a.b.c`."""
    return [".".join(parts[-count:]) for count in range(1, min(len(parts), _MOST) + 1)]


def _term(name: str) -> str:
    return _digest(name.casefold())


def _spelled(name: str) -> str:
    return _digest(f"={name}")


def _of_kind(kind: str, name: str) -> str:
    return _digest(f"{kind} {name.casefold()}")


def _digest(name: str) -> str:
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=7).digest()
    return f"{_MARK}{int.from_bytes(digest)}"


def _defined(text: str, name: str) -> str | None:
    """What a chunk that holds the line that defines a name says it is: by a keyword before it, or as a function by an
    argument list behind it. None where it holds no such line."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _JOINED.match(text, end) and not _JOINED.match(text, max(0, at - 1), at):
            before = text[text.rfind("\n", 0, at) + 1 : at]
            words = before.split()
            if words and words[-1] in _KEYWORDS:
                return _KINDS.get(words[-1], words[-1])
            if words and words[0] in _KEYWORDS and words[-1].endswith(")"):
                return _KINDS.get(words[0], words[0])
            if text.startswith("(", end) and _METHOD.fullmatch(before) and not _CALL.match(text, end):
                return "function"
        at = text.find(name, end)
    return None
