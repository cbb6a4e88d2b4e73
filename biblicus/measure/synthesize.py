"""Synthesize: a dataset of questions from the corpus's own items, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biblicus.config import nearest
from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.extracted.extractions import of_default_recipe, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import CheckFailed, UsageError
from biblicus.evaluation.synthesis import KINDS, synthesize
from biblicus.measure import datasets
from biblicus.models.extraction import Extraction
from biblicus.models.plain import count
from biblicus.models.requests.measure import SynthesizeRequest

NAME = "synthetic"


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
    return Synthesized(
        chosen,
        corpus.shown(path),
        len(outcome.questions),
        reading.items,
        {kind: outcome.made[kind] for kind in kinds},
        {kind: outcome.possible[kind] for kind in kinds},
        {kind: outcome.unclear[kind] for kind in kinds},
    )


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
