"""Copies: what says the same is evidence once, wherever else it stands; the rest is passed over, and named with it.

Copies are pieces with the same text; of pages that are there in two formats (`deck.pptx`, `deck.pdf`) or in several
versions (`docs/1.4/moor.md`, `docs/2.0/moor.md`), pieces that say the same for the most part.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from biblicus.models.evidence import Dropped
from biblicus.retrieval.budget import Candidate
from biblicus.search.candidates import RERANK, with_score
from biblicus.search.weighting import WEIGHTS
from biblicus.text.paths import MEMBER

_SAME = 0.8
"""The share of a text's runs of words that others hold: then they say the same."""
_AS_GOOD = 0.9
"""The share of an older version's score that a newer one has at least, where that takes its place."""
_MOST = 200
"""Copies that are passed over. What is more of them stays, so that a question never reads thousands."""
_AHEAD = 5
"""Candidates that are looked at before the one at hand is settled."""
_VERSION = re.compile(r"(.*?(?<![\d.]))(?:v\.?(\d+(?:[._]\d+)*)|(\d{1,3}(?:\.\d+)+))(?:\.x)?")
"""A name that ends with a version: `v2`, `moor-1.4`, `python3.11`. Bare numbers and dates (`2024.03.01`) are none."""
_CALLED = {"latest": 2, "stable": 2, "current": 2, "main": 0, "master": 0, "trunk": 0, "dev": 0, "next": 0}
_RELEASE = 1
_ASKED = re.compile(rf"\bv(?:ersion)?[ .]*(\d+(?:[._]\d+)*)|(?<![\d.])(\d{{1,3}}(?:\.\d+)+)|\b({'|'.join(_CALLED)})\b")
"""What a question calls a version."""


class _Version(NamedTuple):
    """A version as a path calls it, and what it is ordered by: first (0) work on the next release, then releases by
    their numbers, last what is called the latest."""

    called: str
    order: tuple[int, ...]


class Copies:
    """The candidates that were passed over because others say the same. `question`: what was asked.

    `dropped`: all of them. `of`: their paths, by the chunk id of the one that was kept.
    """

    def __init__(self, question: str) -> None:
        self._asked = {word for match in _ASKED.finditer(question.casefold()) for word in match.groups() if word}
        self.dropped: list[Dropped] = []
        self.of: dict[str, list[str]] = {}
        self._shingles: dict[str, frozenset[int]] = {}

    def left_out(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The candidates without copies of others.

        The best one stays. One as good that lies less deep in archives and folders takes its place and score, and so
        does a newer version that is almost as good, or the one that is asked for.
        """
        by_length: dict[int, _Told] = {}
        by_name: dict[str, dict[str, list[Candidate]]] = {}
        upcoming = _Upcoming(candidates)
        for candidate in upcoming:
            if len(self.dropped) >= _MOST:
                yield candidate
                continue
            name, versions = _name_and_versions(candidate.path)
            before = by_name.setdefault(name, {})
            length = candidate.length
            same = by_length.setdefault(length, _Told())
            original = same.shown_for(candidate) if length else None
            if (
                original is None
                and (before and (len(before) > 1 or candidate.source not in before))
                and (others := [each for source in before for each in before[source] if source != candidate.source])
            ):
                original = others[0] if self._is_said(candidate, others) else None
            if original is not None:
                self._drop(candidate, original)
                continue
            preferred = self._preferred(candidate, name, versions, upcoming) if length else candidate
            if preferred is not candidate:
                self._drop(candidate, preferred)
                upcoming.passed.add(preferred.chunk_id)
                by_length.setdefault(preferred.length, _Told()).append(preferred, preferred)
            same.append(candidate, preferred)
            before.setdefault(preferred.source, []).append(preferred)
            yield preferred

    def _preferred(
        self, candidate: Candidate, name: str, versions: Sequence[_Version], upcoming: _Upcoming
    ) -> Candidate:
        """The candidate, or in its place, with its score, the copy of it that is to be shown. What is weighted, or was
        put in order by a reranker, keeps its place."""
        stages = candidate.chunk.stages
        if WEIGHTS in stages or RERANK in stages:
            return candidate
        if not versions and not upcoming.has_next(candidate.score):
            return candidate
        best, newest = candidate, self._newness(versions)
        for other in upcoming.down_to(candidate.score * (_AS_GOOD if versions else 1)):
            its_name, its_versions = _name_and_versions(other.path) if versions else ("", ())
            if versions and its_name == name:
                if self._newness(its_versions) > newest and self._is_said(candidate, [other]):
                    best, newest = other, self._newness(its_versions)
            elif other.score == candidate.score and other.text == candidate.text and _depth(other) < _depth(best):
                best = other
        return best if best.score == candidate.score else with_score(best, candidate.score)

    def _newness(self, versions: Sequence[_Version]) -> tuple[bool, list[tuple[int, ...]]]:
        return any(version.called in self._asked for version in versions), [version.order for version in versions]

    def _is_said(self, candidate: Candidate, others: Sequence[Candidate]) -> bool:
        """Whether the others together say what this one does."""
        own = self._shingles_of(candidate)
        theirs = frozenset[int]().union(*map(self._shingles_of, others))
        return len(own & theirs) >= _SAME * len(own)

    def _shingles_of(self, candidate: Candidate) -> frozenset[int]:
        if candidate.chunk_id not in self._shingles:
            from biblicus.retrieval.duplicates import shingles  # lazy: few pages are there twice

            self._shingles[candidate.chunk_id] = shingles(candidate.text)
        return self._shingles[candidate.chunk_id]

    def _drop(self, candidate: Candidate, original: Candidate) -> None:
        self.dropped.append(Dropped(candidate.chunk_id, candidate.path, "duplicate"))
        paths = self.of.setdefault(original.chunk_id, [])
        if candidate.path not in (*paths, original.path):
            paths.append(candidate.path)


class _Told:
    """Candidates with texts of one length, and what is shown for each. Texts are read from the second one on, and of
    each no more than its hash is kept: of one log, thousands may be alike in length and score."""

    def __init__(self) -> None:
        self._unread: list[tuple[Candidate, Candidate]] = []
        self._by_text: dict[int, list[tuple[Candidate, Candidate]]] = {}

    def append(self, candidate: Candidate, shown: Candidate) -> None:
        self._unread.append((candidate, shown))

    def shown_for(self, candidate: Candidate) -> Candidate | None:
        """What is shown for the latest of them that has the same text."""
        for other, shown in self._unread:
            self._by_text.setdefault(hash(other.text), []).append((other, shown))
        self._unread.clear()
        if not self._by_text:
            return None
        text = candidate.text
        alike = self._by_text.get(hash(text), ())
        return next((shown for other, shown in reversed(alike) if other.text == text), None)


class _Upcoming(Iterator[Candidate]):
    """Candidates one by one, with a look at those that come next. `passed`: chunk ids of those that are passed over."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._rest = iter(candidates)
        self._seen: deque[Candidate] = deque()
        self.passed: set[str] = set()

    def __next__(self) -> Candidate:
        candidate = self._seen.popleft() if self._seen else next(self._rest)
        return next(self) if candidate.chunk_id in self.passed else candidate

    def has_next(self, score: float) -> bool:
        """Whether the next one has this score or a better one."""
        if not self._seen and (candidate := next(self._rest, None)) is not None:
            self._seen.append(candidate)
        return bool(self._seen) and self._seen[0].score >= score

    def down_to(self, score: float) -> list[Candidate]:
        """Those of the next few that have this score or a better one."""
        while len(self._seen) < _AHEAD and (not self._seen or self._seen[-1].score >= score):
            if (candidate := next(self._rest, None)) is None:
                break
            self._seen.append(candidate)
        return [candidate for candidate in self._seen if candidate.score >= score]


def _depth(candidate: Candidate) -> tuple[int, int]:
    return candidate.path.count(MEMBER), candidate.path.count("/")


@lru_cache(8_192)
def _name_and_versions(path: str) -> tuple[str, tuple[_Version, ...]]:
    """What a path is called but for versions and its extension, and the versions that it names."""
    *folders, name = path.split("/")
    names, versions = [], []
    for part in (*folders, name.rpartition(".")[0] or name):
        called = part.casefold()
        if called in _CALLED:
            names.append("")
            versions.append(_Version(called, (_CALLED[called],)))
        elif (called[-1:].isdecimal() or called.endswith(".x")) and (match := _VERSION.fullmatch(called)):
            names.append(match[1])
            number = match[2] or match[3]
            versions.append(_Version(number, (_RELEASE, *map(int, re.split(r"[._]", number)))))
        else:
            names.append(part)
    return "/".join(names), tuple(versions)
