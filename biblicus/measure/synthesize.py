"""Synthesize: a dataset of questions from the corpus's own items, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from biblicus.config import nearest
from biblicus.contracts import Call
from biblicus.corpus import recipes
from biblicus.corpus.extractions import Extractions, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of, outcome_of
from biblicus.errors import CheckFailed, UsageError
from biblicus.evaluation.synthesis import KINDS, synthesize
from biblicus.measure import datasets
from biblicus.models.extraction import Extraction

NAME = "synthetic"
COUNT = 100


@dataclass(frozen=True)
class Synthesized:
    """The dataset made. By kind: `made`, `possible` (how many there were to choose from), and `unclear` (left out,
    since more than one place would be their answer). `items`: those that had text."""

    name: str
    path: str
    questions: int
    items: int
    made: Mapping[str, int]
    possible: Mapping[str, int]
    unclear: Mapping[str, int]


def make(
    place: CorpusFolder,
    call: Call,
    *,
    name: str | None = None,
    count: int = COUNT,
    kinds: Sequence[str] = (),
    seed: int = 0,
) -> Synthesized:
    """Make and register the dataset. Raises `UsageError` where it exists, `CheckFailed` where nothing came of it."""
    wanted = list(dict.fromkeys(kinds)) or list(KINDS)
    for kind in wanted:
        if kind not in KINDS:
            raise UsageError(f'There is no kind "{kind[:60]}"{nearest(kind, KINDS)}', "biblicus datasets synthesize")
    if count < 1:
        raise UsageError("At least one question is needed.", "biblicus datasets synthesize -n 100")
    chosen = name or NAME
    if chosen in datasets.registered(place):
        raise UsageError(f'The dataset "{chosen}" exists.', "biblicus datasets synthesize --name OTHER")
    reading = _Reading(place, call)
    found = synthesize(reading, wanted, count, seed)
    if not found.questions:
        raise CheckFailed(
            f"{reading.items} items with text gave no question with one clear answer.", "biblicus datasets import PATH"
        )
    with place.writing(call):
        path = datasets.write(place, chosen, found.questions)
    return Synthesized(
        chosen,
        path.relative_to(place.root).as_posix(),
        len(found.questions),
        reading.items,
        {kind: found.made[kind] for kind in wanted},
        {kind: found.possible[kind] for kind in wanted},
        {kind: found.unclear[kind] for kind in wanted},
    )


class _Reading:
    """The items with their text, one at a time, by path. `items`: how many had text."""

    def __init__(self, place: CorpusFolder, call: Call) -> None:
        self._place, self._call = place, call
        self.items = 0

    def __iter__(self) -> Iterator[tuple[str, str, Extraction]]:
        extractions = Extractions(self._place, self._call, recipes.reading_options(self._place))
        catalog = catalog_of(self._place)
        for done, item in enumerate(catalog.items.values()):
            self._call.check()
            self._call.progress("read", done, len(catalog.entries))
            if item.doctype in ("code", "data") or not extractions.choose(item.media_type):
                continue
            outcome = outcome_of(self._place, item, extractions, raw_of(item))
            if isinstance(outcome, Extraction):
                self.items += 1
                yield item.item_id, item.title, outcome
