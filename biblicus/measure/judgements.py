"""Resolves the items of a dataset's judgements: by their imported document, by id, or by path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from biblicus.corpus.catalog import Catalog
from biblicus.models.answers.evaluation import Dataset, JudgedQuestion

KIND = "dataset"
"""Kind of source of items made from a dataset's documents."""

Known = Iterable[tuple[str, str, str]]
"""Items as (id, path, source URI)."""


def uri_of(dataset: str, document_id: str) -> str:
    """Return the source URI of an item made from a dataset's document."""
    return f"{KIND}:{quote(dataset)}/{quote(document_id, safe='')}"


@dataclass(frozen=True)
class Answers:
    """A question's judgements by item id: grades (the highest if an item has several) and relevant spans.

    Missing items stay under a name that no item has, so they count as not found.
    """

    grades: Mapping[str, int]
    spans: Mapping[str, tuple[tuple[int, int], ...]]


class Judgements:
    """A dataset's judgements by item id. `missing`: names of items that are not among those given."""

    def __init__(self, dataset: Dataset, items: Known) -> None:
        names = {judgement.item for question in dataset.questions for judgement in question.judgements}
        self._ids = resolved(dataset.name, names, items)
        self.missing = sorted(name for name, item_id in self._ids.items() if item_id is None)

    def of(self, question: JudgedQuestion) -> Answers:
        """Return the judgements of one question."""
        grades: dict[str, int] = {}
        spans: dict[str, tuple[tuple[int, int], ...]] = {}
        for judgement in question.judgements:
            item_id = self._ids[judgement.item] or absent(judgement.item)
            grades[item_id] = max(grades.get(item_id, judgement.grade), judgement.grade)
            if judgement.span is not None and judgement.grade > 0:
                spans[item_id] = (*spans.get(item_id, ()), judgement.span)
        return Answers(grades, spans)


def absent(name: str) -> str:
    """Return a placeholder id for a missing item."""
    return f"\0{name}"


def resolved(dataset: str, names: Collection[str], items: Known) -> dict[str, str | None]:
    """Return the item id, or None, for each name in a dataset's judgements or in a run on it. The dataset's own
    documents have priority: two datasets may both contain a document "1", but only one item can have that id."""
    sources = {uri_of(dataset, name): name for name in names}
    by_source: dict[str, str] = {}
    by_id: dict[str, str] = {}
    by_path: dict[str, str] = {}
    for item_id, path, uri in items:
        if (name := sources.get(uri)) is not None:
            by_source[name] = item_id
        if item_id in names:
            by_id[item_id] = item_id
        if path in names:
            by_path[path] = item_id
    return {name: by_source.get(name) or by_id.get(name) or by_path.get(name) for name in names}


def catalogued(catalog: Catalog) -> list[tuple[str, str, str]]:
    """Return the items of a catalog as (id, path, source URI)."""
    return [(item.item_id, path, item.source.uri) for path, item in catalog.items.items()]
