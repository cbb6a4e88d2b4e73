"""Questions made from the items themselves, without a model, and marked as synthetic.

* `title`: an item's title; the answer is its text. Titles of one word, or of several items, are skipped.
* `heading`: a heading; the answer is the section below it. Headings that occur more than once in the corpus
("Introduction") are skipped.

Digests over the seed choose the questions: the same corpus and seed give the same dataset, and a further item changes
little of it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import islice, zip_longest
from operator import itemgetter

from biblicus.config import nearest
from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.extracted.extractions import of_default_recipe, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import CheckFailed, UsageError
from biblicus.measure import datasets
from biblicus.models.answers.evaluation import JudgedQuestion, Judgement
from biblicus.models.extraction import Extraction, Span
from biblicus.models.plain import count
from biblicus.models.requests.measure import SynthesizeRequest

NAME = "synthetic"
KINDS = ("title", "heading")
_WORD = re.compile(r"[^\W\d_]{2,}", re.UNICODE)
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_LEAST = 4
_SECTION = 40
"""Minimum code points of a heading's section."""
_PER_ITEM = 3
"""Maximum number of questions of one kind from one item."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible question. `key`: digest that must be unique in the corpus for the question to have one answer."""

    kind: str
    text: str
    item_id: str
    span: Span
    key: bytes


@dataclass
class Made:
    """The questions, and by kind the number of possible ones and of those left out as `unclear`."""

    questions: list[JudgedQuestion] = field(default_factory=list)
    made: Counter[str] = field(default_factory=Counter)
    possible: Counter[str] = field(default_factory=Counter)
    unclear: Counter[str] = field(default_factory=Counter)


def synthesize(items: Iterable[tuple[str, str, Extraction]], kinds: Sequence[str], count: int, seed: int) -> Made:
    """Return at most `count` questions from (item id, title, extraction), evenly by kind and spread over the items."""
    key_counts: dict[str, Counter[bytes]] = {kind: Counter() for kind in kinds}
    best: dict[str, list[tuple[bytes, Candidate]]] = {kind: [] for kind in kinds}
    for item_id, title, extraction in items:
        for kind in kinds:
            questions = _MAKERS[kind](item_id, title, extraction, key_counts[kind])
            ranked = ((_priority(seed, question), question) for question in questions)
            best[kind] += nsmallest(_PER_ITEM, ranked, key=itemgetter(0))
    result = Made()
    for kind in kinds:
        clear = [entry for entry in best[kind] if key_counts[kind][entry[1].key] == 1]
        result.unclear[kind] = len(best[kind]) - len(clear)
        result.possible[kind] = len(clear)
        best[kind] = _spread(clear)
    for candidate in _in_turn([[question for _, question in best[kind]] for kind in kinds], count):
        result.made[candidate.kind] += 1
        result.questions.append(_question(candidate))
    return result


def _priority(seed: int, candidate: Candidate) -> bytes:
    where = f"{seed}\0{candidate.kind}\0{candidate.item_id}\0{candidate.span.start}"
    return hashlib.sha256(where.encode("utf-8", "surrogatepass")).digest()


def _spread(entries: Sequence[tuple[bytes, Candidate]]) -> list[tuple[bytes, Candidate]]:
    """Sort by priority, the first question of each item before the second of any."""
    turn: Counter[str] = Counter()
    placed = []
    for priority, candidate in sorted(entries, key=lambda entry: entry[0]):
        placed.append((turn[candidate.item_id], priority, candidate))
        turn[candidate.item_id] += 1
    return [(priority, candidate) for _, priority, candidate in sorted(placed, key=lambda entry: entry[:2])]


def _in_turn(lists: Sequence[Sequence[Candidate]], count: int) -> Iterator[Candidate]:
    """Return the lists' members in turn, up to `count`."""
    return islice((member for members in zip_longest(*lists) for member in members if member is not None), count)


def _question(candidate: Candidate) -> JudgedQuestion:
    where = f"{candidate.item_id}\0{candidate.span.start}\0{candidate.text}"
    number = hashlib.sha256(where.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    judgement = Judgement(candidate.item_id, 1, (candidate.span.start, candidate.span.end))
    return JudgedQuestion(f"{candidate.kind}-{number}", candidate.text, (judgement,), (candidate.kind,), "synthetic")


# --- the kinds ---


def _key(text: str) -> bytes:
    """Return a digest that ignores case and spacing."""
    return hashlib.blake2b(" ".join(text.casefold().split()).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _asks(shown: str) -> bool:
    """Return True for a title with two words, or with some characters of a script without spaces."""
    return sum(bool(_WORD.search(word)) for word in shown.split()) >= 2 or len(_WIDE.findall(shown)) >= _WIDE_LEAST


def _titles(item_id: str, title: str, extraction: Extraction, seen: Counter[bytes]) -> Iterator[Candidate]:
    clean_title = " ".join(title.split())
    key = _key(clean_title)
    seen[key] += 1
    span = _trimmed(extraction, *_after_title(extraction, clean_title))
    if _asks(clean_title) and span.end - span.start >= _SECTION:
        yield Candidate("title", clean_title, item_id, span, key)


def _after_title(extraction: Extraction, title: str) -> tuple[int, int]:
    """Return the range after masked text and after a first heading that equals the title."""
    start = extraction.masked[0].end if extraction.masked and extraction.masked[0].start == 0 else 0
    first = next(iter(extraction.headings), None)
    if first is not None and _key(first.title) == _key(title):
        start = max(start, _line_end(extraction.text, first.offset))
    return start, len(extraction.text)


def _headings(item_id: str, title: str, extraction: Extraction, seen: Counter[bytes]) -> Iterator[Candidate]:
    headings = extraction.headings
    for place, heading in enumerate(headings):
        clean_title = " ".join(heading.title.split())
        key = _key(clean_title)
        seen[key] += 1
        after = (next_heading.offset for next_heading in headings[place + 1 :] if next_heading.level <= heading.level)
        end = next(after, len(extraction.text))
        span = _trimmed(extraction, _line_end(extraction.text, heading.offset), end)
        if _asks(clean_title) and span.end - span.start >= _SECTION and key != _key(title):
            yield Candidate("heading", clean_title, item_id, span, key)


def _line_end(text: str, offset: int) -> int:
    """Return the offset after the line that contains `offset`."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _trimmed(extraction: Extraction, start: int, end: int) -> Span:
    part = extraction.text[start:end]
    inner = part.strip()
    lead = len(part) - len(part.lstrip())
    return Span(start + lead, start + lead + len(inner))


_Maker = Callable[[str, str, Extraction, Counter[bytes]], Iterator[Candidate]]
_MAKERS: Mapping[str, _Maker] = {"title": _titles, "heading": _headings}


# --- the dataset ---


@dataclass(frozen=True)
class Synthesized:
    """The new dataset. By kind: `made`, `possible` (candidates), and `unclear` (skipped, as several places answer
    them).

    `items`: number of items with text.
    """

    name: str
    path: str
    questions: int
    items: int
    made: Mapping[str, int]
    possible: Mapping[str, int]
    unclear: Mapping[str, int]


def make(corpus: CorpusFolder, request: SynthesizeRequest, call: Call) -> Synthesized:
    """Make and register the dataset. Raises `UsageError` if it exists, `CheckFailed` if it is empty."""
    kinds = list(dict.fromkeys(request.kinds)) or list(KINDS)
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f'There is no kind "{kind[:60]}"{nearest(kind, KINDS)}', "biblicus datasets synthesize")
    chosen = request.name or NAME
    if chosen in datasets.registered(corpus):
        raise UsageError(f'The dataset "{chosen}" exists.', "biblicus datasets synthesize --name OTHER")
    reading = _Reading(corpus, call)
    outcome = synthesize(reading, kinds, request.count, request.seed)
    if not outcome.questions:
        raise CheckFailed(
            f"{count(reading.items, 'items')} with text gave no question with one clear answer.",
            "biblicus datasets import PATH",
        )
    with corpus.writing(call):
        path = datasets.write(corpus, chosen, outcome.questions)
    counts = ({kind: each[kind] for kind in kinds} for each in (outcome.made, outcome.possible, outcome.unclear))
    return Synthesized(chosen, corpus.shown(path), len(outcome.questions), reading.items, *counts)


class _Reading:
    """Iterates over the items with their text, by path. `items`: number of items with text."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._corpus, self._call = corpus, call
        self.items = 0

    def __iter__(self) -> Iterator[tuple[str, str, Extraction]]:
        extractions = of_default_recipe(self._corpus, self._call)
        catalog = catalog_of(self._corpus)
        for done, item in enumerate(catalog.items.values()):
            self._call.check()
            self._call.progress("read", done, len(catalog.entries))
            if item.doctype in ("code", "data") or not extractions.choose(item.path, item.media_type):
                continue
            outcome = extractions.outcome(raw_of(item))
            if isinstance(outcome, Extraction):
                self.items += 1
                yield item.item_id, item.title, outcome
