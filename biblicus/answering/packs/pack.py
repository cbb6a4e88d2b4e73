"""Builds a context pack from a result: merges, widens, trims to a token budget, numbers and formats the evidence.

`context_pack` reads no files: the caller supplies access to surrounding text and a token counter.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biblicus.answering.packs.formats import NOTHING_FITS, NOTHING_FOUND, Form, form
from biblicus.answering.packs.joining import Around, Home, Joined, join, spanned
from biblicus.errors import UsageError
from biblicus.models.answers.pack import Entry, Pack, PackBudget
from biblicus.models.evidence import Dropped, Evidence, Result
from biblicus.models.plain import made_of
from biblicus.models.requests.answer import ESTIMATE, PackPolicy
from biblicus.text.counting import estimate
from biblicus.text.sentences import cut, sentences

LENGTH = 32
"""Number of hexadecimal digits (128 bits)."""


def marker(question: str, index_version: str, pieces: Sequence[Evidence]) -> str:
    """Return 128 bits of a SHA-256 hash over the question, the index version and all texts of the pack.

    The same pack has the same marker. A document cannot contain it: its author would have to predict a hash of the
    document itself and of unknown other results (about 2^128 trials). The texts are still searched, and another marker
    is taken if one contains it.
    """
    for turn in range(1 << 16):
        parts = [turn, question, index_version, [[piece.hash, *_told(piece)] for piece in pieces]]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:LENGTH]
        if not is_in(digest, (part for piece in pieces for part in (piece.text, *_told(piece)))):
            return digest
    raise AssertionError  # 65,536 different 128-bit hashes cannot all be in the texts


def is_in(mark: str, texts: Iterable[str]) -> bool:
    """Return True if one of the texts contains the marker in any case."""
    return any(mark in text.lower() for text in texts)


def _told(piece: Evidence) -> tuple[str, ...]:
    """Return the untrusted texts of a piece other than its body."""
    return piece.path, piece.title or "", piece.first_heading, piece.citation_url or ""


Count = Callable[[str], int]
"""Counts the tokens of a text."""

_WORTH_IT = 120
"""Minimum remaining characters for a shortened piece, except the first."""
_MARK = "7c0de4fb19a2563d" * (LENGTH // 16)
"""Stand-in for the marker while sizes are counted, as the marker depends on the chosen pieces."""


def context_pack(
    result: Result,
    policy: PackPolicy = PackPolicy(),  # noqa: B008 (frozen)
    *,
    count: Count | None = None,
    around: Around | None = None,
) -> Pack:
    """Return the pack of a result; deterministic for the same arguments.

    `count`: the tokenizer named by `policy.tokenizer`; required unless that is the estimate. `around`: returns the text
    around a piece; without it, pieces are not widened, and chunks are merged only if they show what is between them.
    """
    started = time.perf_counter()
    if count is None and policy.tokenizer != ESTIMATE:
        raise UsageError(f"The tokenizer {policy.tokenizer} has to be handed in as `count`.", "corpus.context(…)")
    packer = _Packer(policy, count or estimate, around or _nothing_around)
    pieces, repeated = _distinct(result.texts)
    chosen, dropped, mark, text = packer.pack(result, pieces)
    return made_of(
        Pack,
        result,
        policy,
        text=text,
        marker=mark,
        entries=tuple(
            Entry.of(
                joined.piece,
                number=number,
                chunks=tuple(part.chunk_id for part in joined.parts),
                shortened=joined.shortened,
                widened=joined.widened,
            )
            for number, joined in enumerate(chosen, 1)
        ),
        dropped=(*_of_query(result.budget), *repeated, *dropped),
        budget=made_of(PackBudget, policy, tokens=policy.max_tokens, used=packer.count(text) if text else 0),
        timings={**result.timings, "pack": round((time.perf_counter() - started) * 1000, 3)},
    )


@dataclass(frozen=True)
class _Packer:
    policy: PackPolicy
    count: Count
    around: Around

    @property
    def form(self) -> Form:
        return form(self.policy.format)

    def pack(self, result: Result, evidence: Sequence[Evidence]) -> tuple[list[Joined], list[Dropped], str, str]:
        """Return the chosen pieces in the policy's order, the dropped ones, the marker and the text. If the formatted
        text exceeds the budget, since tokenizers do not add up exactly, it repeats with less room."""
        groups = join((Joined(piece, (piece,)) for piece in evidence), self.around)
        room = self.policy.max_tokens
        while True:
            admitted, dropped = self._admitted(groups, room)
            admitted = self._widened(admitted, room)
            ordered = sorted(admitted, key=self._place(admitted))
            pieces = [joined.piece for joined in ordered]
            mark = marker(result.query, result.index_version, pieces)
            if not admitted:
                return [], dropped, mark, self._nothing(NOTHING_FITS if evidence else NOTHING_FOUND)
            text = self.form.text(pieces, mark)
            over = self.count(text) - self.policy.max_tokens
            if over <= 0:
                return ordered, dropped, mark, text
            room -= over

    def _nothing(self, sentence: str) -> str:
        """Return the text of an empty pack, or an empty string if it does not fit."""
        text = self.form.none(sentence)
        return text if self.count(text) <= self.policy.max_tokens else ""

    def _admitted(self, groups: Sequence[Joined], room: int) -> tuple[list[Joined], list[Dropped]]:
        """Take pieces by rank until the budget is full; the piece at its end is shortened or dropped."""
        admitted: list[Joined] = []
        dropped: list[Dropped] = []
        spent = _Spent(self, room, len(groups))
        for at, group in enumerate(groups):
            left, limit = spent.left(group)
            fitting = group if spent.size(group) <= left else self._shortened(group, left, spent, first=not admitted)
            if fitting:
                admitted.append(fitting)
                spent.take(fitting)
            if fitting is group:
                continue
            dropped += _lost(group, fitting, limit)
            if limit == "tokens":
                dropped += [drop for later_group in groups[at + 1 :] for drop in _lost(later_group, None, limit)]
                break
        return admitted, dropped

    def _shortened(self, joined: Joined, left: int, spent: _Spent, *, first: bool) -> Joined | None:
        """Return the beginning of a piece that fits, up to a sentence end if possible, or None."""
        text = joined.piece.text
        low, high = 0, len(text)  # `low` characters fit, `high` do not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if spent.size(_ended(joined, text[:middle])) <= left else (low, middle)
        if not low or (low < _WORTH_IT and not first):
            return None
        fitting = _ended(joined, text[: cut(text, low)].rstrip() or text[:low])
        return fitting if spent.size(fitting) <= left else None

    def _widened(self, kept: Sequence[Joined], room: int) -> list[Joined]:
        """Add neighbouring text to the chosen pieces as far as the budget allows."""
        spent = _Spent(self, room, len(kept))
        for joined in kept:
            spent.take(joined)

        def fits(now: Joined, wider: Joined) -> bool:
            spent.give_back(now)
            is_fitting = spent.size(wider) <= spent.left(wider)[0]
            spent.take(wider if is_fitting else now)
            return is_fitting

        return join(widen(kept, self.policy.neighbours, self.around, fits), self.around)

    def _place(self, kept: Sequence[Joined]) -> Callable[[Joined], Any]:
        """Return the sort key of the policy's order."""
        best: dict[str, int] = {}
        for joined in kept:
            best[joined.piece.item_id] = min(joined.piece.rank, best.get(joined.piece.item_id, joined.piece.rank))
        orders: Mapping[str, Callable[[Evidence], Any]] = {
            "rank": lambda piece: piece.rank,
            "source": lambda piece: (best[piece.item_id], piece.item_id, piece.span_start),
            "document": lambda piece: (piece.path, piece.item_id, piece.span_start),
        }
        return lambda joined: orders[self.policy.order](joined.piece)


class _Spent:
    """Remaining token budget, in all and for each item. Numbers are counted at maximum width."""

    def __init__(self, packer: _Packer, room: int, pieces: int) -> None:
        self._packer, self._pieces = packer, pieces
        form = packer.form
        self._left = room - packer.count(form.head(_MARK)) - packer.count(form.tail(_MARK))
        self._most = int(packer.policy.share * packer.policy.max_tokens)
        self._items: Counter[str] = Counter()
        self._sizes: dict[tuple[str, str, int, int], int] = {}

    def size(self, joined: Joined) -> int:
        """Return the tokens of a formatted piece."""
        piece, form = joined.piece, self._packer.form
        key = piece.item_id, piece.hash, piece.span_start, piece.span_end
        if key not in self._sizes:
            self._sizes[key] = self._packer.count(form.block(self._pieces, piece, _MARK) + form.between)
        return self._sizes[key]

    def left(self, joined: Joined) -> tuple[int, str]:
        """Return the tokens available to a piece and the limit that applies."""
        item_room = self._most - self._items[joined.piece.item_id]
        return (self._left, "tokens") if self._left <= item_room else (item_room, "share")

    def take(self, joined: Joined) -> None:
        self._add(joined, self.size(joined))

    def give_back(self, joined: Joined) -> None:
        self._add(joined, -self.size(joined))

    def _add(self, joined: Joined, tokens: int) -> None:
        self._left -= tokens
        self._items[joined.piece.item_id] += tokens


def _ended(joined: Joined, text: str) -> Joined:
    """Return the piece cut to `text`."""
    piece = spanned(joined.piece, text, joined.piece.span_start, joined.piece.line_start)
    parts = tuple(part for part in joined.parts if part.span_start < piece.span_end)
    return Joined(piece, parts, shortened=True, widened=joined.widened)


def _lost(joined: Joined, fitting: Joined | None, bound: str) -> list[Dropped]:
    """Return the parts of a piece that are dropped or shortened."""
    end = fitting.piece.span_end if fitting else -1
    return [
        Dropped(part.chunk_id, part.path, f"{bound}:shortened" if part.span_start < end else bound)
        for part in joined.parts
        if part.span_end > end
    ]


def _distinct(evidence: Sequence[Evidence]) -> tuple[list[Evidence], list[Dropped]]:
    """Return the pieces with distinct text; of duplicates the best-ranked is kept."""
    distinct_pieces: dict[str, Evidence] = {}
    dropped: list[Dropped] = []
    for piece in sorted(evidence, key=lambda piece: piece.rank):
        if not piece.text.strip():
            dropped.append(Dropped(piece.chunk_id, piece.path, "empty"))
        elif piece.text in distinct_pieces:
            dropped.append(Dropped(piece.chunk_id, piece.path, "repeated"))
        else:
            distinct_pieces[piece.text] = piece
    return list(distinct_pieces.values()), dropped


def _of_query(budget: Mapping[str, Any]) -> list[Dropped]:
    """Return the chunks that the query's own budget dropped."""
    return [Dropped(entry["chunk_id"], entry["path"], f"query:{entry['reason']}") for entry in budget["dropped"]]


def _nothing_around(piece: Evidence) -> Home | None:
    return None


Fits = Callable[[Joined, Joined], bool]
"""Checks if the second piece fits instead of the first; if so, it replaces it in the budget."""

_VISIBLE = re.compile(r"\S")
_LONGEST = 1_600
"""Maximum characters of a paragraph or sentence that is added, so that tables without blank lines are not."""


def widen(kept: Sequence[Joined], paragraphs: int, around: Around, fits: Fits) -> list[Joined]:
    """Add up to `paragraphs` paragraphs on each side of each piece, one at a time by rank. The rest of a cut paragraph
    counts as one. Pieces never overlap; shortened ones do not grow."""
    chunks = list(kept)
    for _ in range(paragraphs):
        for at, chunk in enumerate(chunks):
            for grow in (_before, _after):
                if not chunks[at].shortened:
                    chunks[at] = _grown(chunks, at, grow, around(chunk.piece), fits)
    return chunks


def _grown(chunks: Sequence[Joined], at: int, grow: Grow, home: Home | None, fits: Fits) -> Joined:
    """Return the piece with one more paragraph or sentence on one side, if there is one and it fits."""
    now = chunks[at]
    if home is None:
        return now
    low, high = _free(chunks, at, home)
    first = now.piece.span_start - home.start
    for start, end in grow(home.text, low, first, now.piece.span_end - home.start, high):
        line = now.piece.line_start - home.text.count("\n", start, first)
        piece = spanned(now.piece, home.text[start:end], home.start + start, line, home.spots, home.heads)
        wider = replace(now, piece=piece, widened=True)
        if fits(now, wider):
            return wider
    return now


def _free(chunks: Sequence[Joined], at: int, home: Home) -> tuple[int, int]:
    """Return the range in which the piece may grow, in its home's text: up to the home's ends and other pieces."""
    mine = chunks[at].piece
    low, high = home.start, home.start + len(home.text)
    for piece in (chunk.piece for number, chunk in enumerate(chunks) if number != at):
        if (piece.item_id, piece.extraction_id) == (mine.item_id, mine.extraction_id):
            low = max(low, piece.span_end) if piece.span_end <= mine.span_start else low
            high = min(high, piece.span_start) if piece.span_start >= mine.span_end else high
    return low - home.start, high - home.start


Grow = Callable[[str, int, int, int, int], Iterator[tuple[int, int]]]
"""Yields wider spans for text, bounds and span (`low <= start <= end <= high`), the widest first."""


def _before(text: str, low: int, start: int, end: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield spans from the start of the paragraph before or around `start`, then of its last sentence."""
    stop = _visible_before(text, low, start)
    if stop == low:
        return
    first = max(low, stop - _LONGEST - 1)
    begins = _paragraph_start(text, first, stop)
    if begins > first or first == low:
        yield begins, end
    whole_sentences = [span for span in sentences(text, begins, stop) if span.start > first or first == low]
    if whole_sentences and whole_sentences[-1].start > begins:
        yield whole_sentences[-1].start, end


def _after(text: str, low: int, start: int, end: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield spans up to the end of the paragraph after or around `end`, then of its first sentence."""
    visible = _VISIBLE.search(text, end, high)
    if visible is None:
        return
    begins = visible.start()
    last = min(high, begins + _LONGEST + 1)
    stop = _paragraph_end(text, begins, last)
    if stop < last or last == high:
        yield start, stop
    first = next(sentences(text, begins, stop), None)
    if first and first.end < stop:
        yield start, first.end


def _visible_before(text: str, low: int, stop: int) -> int:
    """Return the start of the white space before `stop`, without scanning a long text."""
    while stop > low:
        near = max(low, stop - _LONGEST)
        end = near + len(text[near:stop].rstrip())
        if end > near:
            return end
        stop = near
    return low


def _paragraph_start(text: str, low: int, stop: int) -> int:
    """Return the start of the last paragraph of `text[low:stop]`, after its last blank line."""
    line = text.rfind("\n", low, stop)
    begins = stop
    while line >= low:
        begins = line + 1
        line = text.rfind("\n", low, line)
        if not text[max(line + 1, low) : begins - 1].strip():
            return begins
    return low + len(text[low:stop]) - len(text[low:stop].lstrip())


def _paragraph_end(text: str, start: int, high: int) -> int:
    """Return the end of the first paragraph of `text[start:high]`, before its first blank line."""
    line = text.find("\n", start, high)
    while line >= 0:
        following = text.find("\n", line + 1, high)
        if not text[line + 1 : following if following >= 0 else high].strip():
            return start + len(text[start:line].rstrip())
        line = following
    return start + len(text[start:high].rstrip())
