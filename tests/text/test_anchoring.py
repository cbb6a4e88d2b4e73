"""Quoted words are found again after edits, at their own place or not at all. `make test-notes`: 10,000 edits."""

import os
import random
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from biblicus.text.anchoring import place_of, quote_of, spans_of

EDITS = int(os.environ.get("BIBLICUS_NOTE_EDITS", "300"))
_ROUND = 25
"""Edits of one text before the next one begins."""
_WORDS = [
    *[
        "moon",
        "tide",
        "lamp",
        "keeper",
        "rope",
        "low",
        "water",
        "at",
        "six",
        "nine",
        "the",
        "of.",
        "and,",
        "pull",
        "£",
        "潮",
        "wall",
    ],
    "a\n",
]


def _text(chance: random.Random) -> str:
    """A text in which a third of the sentences stand more than once."""
    known = [" ".join(chance.choices(_WORDS, k=chance.randint(3, 12))) + ". " for _ in range(20)]
    return "".join(known + chance.choices(known, k=10))


Letters = list[tuple[str, int]]
"""A text: each character with a number of its own, which a copy has not."""


def _edited(letters: Letters, chance: random.Random, fresh: Iterator[int]) -> Letters:
    """The text after one edit: characters cut, replaced, or copied from elsewhere, or a part moved."""
    start = chance.randrange(len(letters) + 1)
    end = min(len(letters), start + chance.choice((0, 0, 1, 5, 40, 200)))
    before, part, after = letters[:start], letters[start:end], letters[end:]
    if chance.random() < 0.15:
        rest = before + after
        to = chance.randrange(len(rest) + 1)
        return rest[:to] + part + rest[to:]
    other = chance.randrange(len(letters) + 1)
    copied = "".join(letter for letter, _ in letters[other : other + chance.randint(1, 60)])
    new = chance.choice(("", chance.choice(_WORDS), copied))
    return before + [(letter, next(fresh)) for letter in new] + after


def _stands_once(text: str, words: str) -> bool:
    first = text.find(words)
    return first >= 0 and text.find(words, first + 1) < 0


def test_words_are_found_at_their_own_place_or_are_lost(tally: Callable[..., None]):
    chance, fresh = random.Random(59), count()
    wrong, lost, found = 0, 0, 0
    for _ in range(max(1, EDITS // _ROUND)):
        letters = [(letter, next(fresh)) for letter in _text(chance)]
        spans = [(start, start + chance.randint(3, 60)) for start in chance.choices(range(len(letters) - 60), k=8)]
        text = "".join(letter for letter, _ in letters)
        noted = [(quote_of(text, start, end), letters[start:end]) for start, end in spans]
        for _ in range(_ROUND):
            letters = _edited(letters, chance, fresh)
            text = "".join(letter for letter, _ in letters)
            for quote, own in noted:
                place, stands_once = place_of(text, quote), _stands_once(text, quote.exact)
                lost += place is None and stands_once
                if place is not None:
                    found += 1
                    is_own = letters[place : place + len(own)] == own
                    around = text[: place + len(own)].endswith(quote.prefix + quote.exact) and text.startswith(
                        quote.exact + quote.suffix, place
                    )
                    wrong += not (is_own or stands_once or around)
    tally(edits=max(_ROUND, EDITS))
    assert (wrong, lost) == (0, 0)
    assert found > EDITS


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Low water. New words. Low water at six.", None),
        ("Before it: Low water at six. Low water at nine.", 11),
        ("Low water. Low water. Low water.", None),
        ("nothing", None),
    ],
)
def test_of_words_that_stand_often_the_context_decides(text: str, place: int | None):
    quote = quote_of("Low water at six. Low water at nine.", 0, len("Low water"))
    assert place_of(text, quote) == place


@pytest.mark.parametrize(
    ("words", "stretches"),
    [
        ("oil every month", ["oil\n  every\n\nmonth"]),
        ("The winch", ["The winch"]),
        ("inch needs", ["inch needs"]),
        ("n", ["n", "n", "n"]),
        (" ", []),
        ("no (such", []),
    ],
)
def test_white_space_of_words_may_differ(words: str, stretches: list[str]):
    text = " The winch needs oil\n  every\n\nmonth.\n"
    assert [text[start:end] for start, end in spans_of(text, words)] == stretches
