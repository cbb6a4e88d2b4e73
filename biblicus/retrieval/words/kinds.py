"""What kind of text a chunk is, as far as that makes it worth less than a page that says the same.

Tests, examples, release notes, lock files and lists of links hold the words of what they are about more densely than
the page that says it. A question that asks for one of them by name gets it undiminished.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from biblicus.text import analysis


class Kind(NamedTuple):
    """`worth`: what its scores are multiplied by, at most 1. `asked`: the words of a question that asks for it."""

    worth: float
    asked: frozenset[str] = frozenset()


PLAIN, TEST, EXAMPLE, RELEASE, LOCK, NAVIGATION = range(6)


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


KINDS = {
    PLAIN: Kind(1.0),
    TEST: Kind(0.7, _words("test tests tested testing testcase unittest pytest conftest spec specs")),
    EXAMPLE: Kind(
        0.75,
        _words(
            "example examples sample samples demo demos benchmark benchmarks beispiel beispiele ejemplo ejemplos"
            " exemple exemples пример примеры 示例 样例"
        ),
    ),
    RELEASE: Kind(
        0.8,
        _words(
            "release releases released changelog change changes changed new news version versions history deprecated"
            " deprecation deprecations removed added since fixed"
        ),
    ),
    LOCK: Kind(0.5, _words("lock lockfile locked pinned dependency dependencies requirements version")),
    NAVIGATION: Kind(0.8, _words("index contents toc sidebar navigation list links")),
}

_FOLDERS = {
    folder: kind
    for kind, folders in (
        (TEST, "test tests __tests__ testdata"),
        (EXAMPLE, "example examples sample samples benchmark benchmarks demos"),
        (RELEASE, "release releases changelog changelogs release_notes release-notes whatsnew"),
        (LOCK, "requirements"),
    )
    for folder in folders.split()
}
_NAMES = (
    (TEST, re.compile(r"test_.*|.*[_.-](?:test|spec)|conftest")),
    (RELEASE, re.compile(r"change(?:s|log)|history|news|release(?:s|[_-]?notes.*)|whats[_-]?new.*")),
    (LOCK, re.compile(r"requirements(?:[._-].*)?")),
    (NAVIGATION, re.compile(r"contents|toc|genindex|_?sidebar|_?nav")),
)
_LOCKS = (".lock", "package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json")

_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()\s]*\)|`[^`<>]*<[^<>]*>`_{1,2}|:(?:doc|ref):`[^`]*`")
_LINKS, _WORDS_A_LINK = 5, 4
_WORD = re.compile(r"\w+")
_TREE = ".. toctree::"
_WORDS_BESIDE_A_TREE = 60


def of(path: str, text: str) -> int:
    """The kind of a chunk, by its path and what it holds."""
    by_path = _of_path(path)
    return NAVIGATION if by_path == PLAIN and _is_navigation(path, text) else by_path


def worths(question: str) -> tuple[float, ...]:
    """What the scores of each kind are multiplied by, for a question."""
    words = frozenset(analysis.plain_analyzer().analyze(analysis.bigrams(analysis.normalised(question))))
    return tuple(1.0 if words & kind.asked else kind.worth for kind in KINDS.values())


@lru_cache(maxsize=4_096)
def _of_path(path: str) -> int:
    *folders, name = path.lower().split("/")
    for folder in folders:
        if folder in _FOLDERS:
            return _FOLDERS[folder]
    if name.endswith(_LOCKS):
        return LOCK
    stem = name.rpartition(".")[0] or name
    return next((kind for kind, pattern in _NAMES if pattern.fullmatch(stem)), PLAIN)


def _is_navigation(path: str, text: str) -> bool:
    """Whether a text does little but link."""
    is_rst = path.endswith(".rst")
    if (text.count(":`") + text.count(">`_") if is_rst else text.count("[")) >= _LINKS:
        rest, links = _LINK.subn(" ", text)
        if links >= _LINKS and len(_WORD.findall(rest)) <= _WORDS_A_LINK * links:
            return True
    return is_rst and _TREE in text and len(text.split()) <= _WORDS_BESIDE_A_TREE
