"""Removes copies from results: the same content counts once, and the paths of copies are listed with it.

Copies are chunks with equal text, and for pages in two formats (`deck.pptx`, `deck.pdf`) or several versions
(`docs/1.4/moor.md`, `docs/2.0/moor.md`) chunks with mostly equal text.
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
"""Minimum share of a text's shingles in others for it to be a copy."""
_SHINGLE = 3
"""Words of a shingle (Broder 1997): word order matters, white space and punctuation do not."""
_AS_GOOD = 0.9
"""Minimum score of a newer version relative to an older one to replace it."""
_MOST = 200
"""Maximum copies removed from a result; more would read thousands of candidates."""
_AHEAD = 5
"""Number of following candidates examined for a better copy."""
_VERSION = re.compile(r"(.*?(?<![\d.]))(?:v\.?(\d+(?:[._]\d+)*)|(\d{1,3}(?:\.\d+)+))(?:\.x)?")
"""A name that ends with a version: `v2`, `moor-1.4`, `python3.11`; no bare numbers or dates (`2024.03.01`)."""
_CALLED = {"latest": 2, "stable": 2, "current": 2, "main": 0, "master": 0, "trunk": 0, "dev": 0, "next": 0}
_RELEASE = 1
_ASKED = re.compile(rf"\bv(?:ersion)?[ .]*(\d+(?:[._]\d+)*)|(?<![\d.])(\d{{1,3}}(?:\.\d+)+)|\b({'|'.join(_CALLED)})\b")
"""A version named in a question."""


class _Version(NamedTuple):
    """A version in a path, and its sort key: development versions (0), releases by number, `latest`."""

    called: str
    order: tuple[int, ...]


class Copies:
    """Candidates removed as copies. `question`: determines the preferred version.

    `dropped`: all of them. `of`: their paths by the chunk id of the one kept.
    """

    def __init__(self, question: str) -> None:
        self._asked = {word for match in _ASKED.finditer(question.casefold()) for word in match.groups() if word}
        self.dropped: list[Dropped] = []
        self.of: dict[str, list[str]] = {}
        self._shingles: dict[str, frozenset[int]] = {}

    def left_out(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield the candidates without copies of others.

        The best one stays, unless an equally good copy is less deep in archives and folders, or a newer or requested
        version is almost as good: that one then takes its position and score.
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
        """Return the candidate, or the preferred copy of it with its score. Candidates with weights or reranked ones
        are not replaced."""
        stages = candidate.chunk.stages
        if WEIGHTS in stages or RERANK in stages:
            return candidate
        if not versions and not upcoming.has_next(candidate.score):
            return candidate
        best, newest = candidate, self._newness(versions)
        for copy in upcoming.down_to(candidate.score * (_AS_GOOD if versions else 1)):
            its_name, its_versions = _name_and_versions(copy.path) if versions else ("", ())
            if versions and its_name == name:
                if self._newness(its_versions) > newest and self._is_said(candidate, [copy]):
                    best, newest = copy, self._newness(its_versions)
            elif copy.score == candidate.score and copy.text == candidate.text and _depth(copy) < _depth(best):
                best = copy
        return best if best.score == candidate.score else with_score(best, candidate.score)

    def _newness(self, versions: Sequence[_Version]) -> tuple[bool, list[tuple[int, ...]]]:
        return any(version.called in self._asked for version in versions), [version.order for version in versions]

    def _is_said(self, candidate: Candidate, others: Sequence[Candidate]) -> bool:
        """Return True if the others together contain most of a candidate's text."""
        own_shingles = self._shingles_of(candidate)
        theirs = frozenset[int]().union(*map(self._shingles_of, others))
        return len(own_shingles & theirs) >= _SAME * len(own_shingles)

    def _shingles_of(self, candidate: Candidate) -> frozenset[int]:
        if candidate.chunk_id not in self._shingles:
            self._shingles[candidate.chunk_id] = shingles(candidate.text)
        return self._shingles[candidate.chunk_id]

    def _drop(self, candidate: Candidate, original: Candidate) -> None:
        self.dropped.append(Dropped(candidate.chunk_id, candidate.path, "duplicate"))
        paths = self.of.setdefault(original.chunk_id, [])
        if candidate.path not in (*paths, original.path):
            paths.append(candidate.path)


class _Told:
    """Candidates with texts of equal length, with what is shown for each. Texts are loaded from the second one on and
    only their hashes are kept, since thousands may be alike in a log."""

    def __init__(self) -> None:
        self._unread: list[tuple[Candidate, Candidate]] = []
        self._by_text: dict[int, list[tuple[Candidate, Candidate]]] = {}

    def append(self, candidate: Candidate, shown: Candidate) -> None:
        self._unread.append((candidate, shown))

    def shown_for(self, candidate: Candidate) -> Candidate | None:
        """Return what is shown for the latest candidate with the same text, or None."""
        for earlier, preferred in self._unread:
            self._by_text.setdefault(hash(earlier.text), []).append((earlier, preferred))
        self._unread.clear()
        if not self._by_text:
            return None
        text = candidate.text
        alike = self._by_text.get(hash(text), ())
        return next((preferred for earlier, preferred in reversed(alike) if earlier.text == text), None)


class _Upcoming(Iterator[Candidate]):
    """Iterates over candidates with lookahead. `passed`: chunk ids to skip."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._rest = iter(candidates)
        self._seen: deque[Candidate] = deque()
        self.passed: set[str] = set()

    def __next__(self) -> Candidate:
        candidate = self._seen.popleft() if self._seen else next(self._rest)
        return next(self) if candidate.chunk_id in self.passed else candidate

    def has_next(self, score: float) -> bool:
        """Return True if the next candidate has at least this score."""
        if not self._seen and (candidate := next(self._rest, None)) is not None:
            self._seen.append(candidate)
        return bool(self._seen) and self._seen[0].score >= score

    def down_to(self, score: float) -> list[Candidate]:
        """Return the next few candidates that have at least this score."""
        while len(self._seen) < _AHEAD and (not self._seen or self._seen[-1].score >= score):
            if (candidate := next(self._rest, None)) is None:
                break
            self._seen.append(candidate)
        return [candidate for candidate in self._seen if candidate.score >= score]


def _depth(candidate: Candidate) -> tuple[int, int]:
    return candidate.path.count(MEMBER), candidate.path.count("/")


@lru_cache(8_192)
def _name_and_versions(path: str) -> tuple[str, tuple[_Version, ...]]:
    """Return a path without versions and extension, and the versions in it."""
    *folders, name = path.split("/")
    names, versions = [], []
    for part in (*folders, name.rpartition(".")[0] or name):
        key = part.casefold()
        if key in _CALLED:
            names.append("")
            versions.append(_Version(key, (_CALLED[key],)))
        elif (key[-1:].isdecimal() or key.endswith(".x")) and (match := _VERSION.fullmatch(key)):
            names.append(match[1])
            number = match[2] or match[3]
            versions.append(_Version(number, (_RELEASE, *map(int, re.split(r"[._]", number)))))
        else:
            names.append(part)
    return "/".join(names), tuple(versions)


def shingles(text: str) -> frozenset[int]:
    """Return the hashes of all runs of three words; a shorter text is one run."""
    words = re.findall(r"\w+", text.casefold())
    if len(words) < _SHINGLE:
        return frozenset({hash(tuple(words))})
    return frozenset(hash(tuple(words[at : at + _SHINGLE])) for at in range(len(words) - _SHINGLE + 1))


def repeated(texts: Sequence[str], share: float) -> list[int]:
    """Return the indices of texts whose shingles overlap with an earlier kept text by at least `share` (Jaccard)."""
    shingle_sets: list[frozenset[int]] = []
    places = []
    for place, text in enumerate(texts):
        mine = shingles(text)
        if any(_are_alike(mine, shingle_set, share) for shingle_set in shingle_sets):
            places.append(place)
        else:
            shingle_sets.append(mine)
    return places


def _are_alike(a: frozenset[int], b: frozenset[int], share: float) -> bool:
    small, large = sorted((len(a), len(b)))
    if small < share * large:  # even containment would not reach the share
        return False
    common = len(a & b)
    return common >= share * (len(a) + len(b) - common)
