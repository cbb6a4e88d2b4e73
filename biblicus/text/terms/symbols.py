"""Toolkits as terms: a chunk about one is found by its name, which its own pages seldom say."""

from __future__ import annotations

import hashlib
import re

_MARK = "symbol"
_WORDS = re.compile(r"[^\W_]+")


def about(toolkit: str) -> str:
    """The term of every chunk that is about a toolkit: its own pages seldom say its name."""
    return _digest(f"about {' '.join(words_of(toolkit))}")


def words_of(name: str) -> list[str]:
    """The words of a toolkit's name as people may write it: `Scikit-Learn` is `scikit learn`."""
    return _WORDS.findall(name.casefold())


def _digest(name: str) -> str:
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=7).digest()
    return f"{_MARK}{int.from_bytes(digest)}"
