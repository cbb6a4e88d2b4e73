"""Symbols: the name that a definition defines as one term, so that whoever asks for the name finds it first.

A chunk with the heading `sessions.Session.get` that holds `def get` has a term for each of `get`, `Session.get` and
`sessions.Session.get`, beside its words; a question that names one of them asks for that term too. The terms are
digests, which no word of a text can be and no stemmer changes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

_MARK = "symbol"
_MOST = 3
"""Parts of a name that make it a term of its own: more tell nothing more."""
_KEYWORDS = (
    "def", "class", "function", "func", "fn", "fun", "interface", "struct", "enum", "trait", "type", "object", "module",
    "namespace", "protocol", "record", "union", "impl", "sub", "defmodule", "macro_rules!",
)  # fmt: skip
_METHOD = re.compile(r"(?!\s*(?:return|await|yield|else|new|throw|in|and|or|not)\b)[^\n=;.(,]*")
_CALL = re.compile(r"[^\n]*[;,]\s*$|[^\n]*\)\s*$", re.MULTILINE)
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


def terms(heading: str | None, text: str) -> tuple[str, ...]:
    """The terms of a chunk of source code: those of its heading's name, where the chunk defines it; else none."""
    if not heading:
        return ()
    parts = heading.split(".")
    return tuple(map(_term, _endings(parts))) if _defines(text, parts[-1]) else ()


def asked(question: str, alone: Sequence[str]) -> list[tuple[str, ...]]:
    """For each name that a question asks for, the terms that it may have: the fullest first.

    Names are what stands in backticks, is called `so()`, or is joined or humped as only names are. `alone`: further
    words that may be names.
    """
    matched = [match[match.lastgroup or 0] for match in _NAMED.finditer(question)]
    named = [name for name in (*matched, *alone) if _NAME.fullmatch(name)]
    spelled = dict.fromkeys(tuple(_SEPARATOR.split(name.removesuffix("()"))) for name in named)
    return [tuple(map(_term, reversed(_endings(parts)))) for parts in list(spelled)[:_ASKED]]


def spelled_out(words: Sequence[str]) -> tuple[str, ...]:
    """The terms of the name that words make together: `read tide gauge` is `readTideGauge` or `read_tide_gauge`."""
    plain = [word.removesuffix("()") for word in words]
    return (_term("".join(plain)), _term("_".join(plain))) if all(map(str.isidentifier, plain)) else ()


def _endings(parts: Sequence[str]) -> list[str]:
    """`c`, `b.c`, `a.b.c`."""
    return [".".join(parts[-count:]) for count in range(1, min(len(parts), _MOST) + 1)]


def _term(name: str) -> str:
    digest = hashlib.blake2b(name.casefold().encode("utf-8", "replace"), digest_size=7).digest()
    return f"{_MARK}{int.from_bytes(digest)}"


def _defines(text: str, name: str) -> bool:
    """Whether a chunk holds the line that defines a name: a keyword before it, or an argument list behind it."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _JOINED.match(text, end) and not _JOINED.match(text, max(0, at - 1), at):
            before = text[text.rfind("\n", 0, at) + 1 : at]
            words = before.split()
            if words and (words[-1] in _KEYWORDS or (words[0] in _KEYWORDS and words[-1].endswith(")"))):
                return True
            if text.startswith("(", end) and _METHOD.fullmatch(before) and not _CALL.match(text, end):
                return True
        at = text.find(name, end)
    return False
