"""Finds the items that a dataset's judgements name: by the document they were imported from, by id, or by path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from biblicus.models.answers.evaluation import Dataset, JudgedQuestion

KIND = "dataset"
"""The kind of source of an item made from a dataset's document."""

Known = Iterable[tuple[str, str, str]]
"""Items as (id, path, source uri)."""


def uri_of(dataset: str, document_id: str) -> str:
    """The source of an item made from a document of a dataset."""
    return f"{KIND}:{quote(dataset)}/{quote(document_id, safe='')}"


@dataclass(frozen=True)
class Answers:
    """A question's judgements by item id: grades (the highest where one item has several) and relevant spans.

    An item that is not there keeps its place, under a name that no item has: it counts as one that was not found.
    """

    grades: Mapping[str, int]
    spans: Mapping[str, tuple[tuple[int, int], ...]]


class Judgements:
    """A dataset's judgements, resolved against the items that can be ranked. `missing`: what was not found."""

    def __init__(self, dataset: Dataset, items: Known) -> None:
        names = {judgement.item for question in dataset.questions for judgement in question.judgements}
        self._ids = resolved(dataset.name, names, items)
        self.missing = sorted(name for name, item_id in self._ids.items() if item_id is None)

    def of(self, question: JudgedQuestion) -> Answers:
        """The answers to one of the dataset's questions."""
        grades: dict[str, int] = {}
        spans: dict[str, tuple[tuple[int, int], ...]] = {}
        for judgement in question.judgements:
            item_id = self._ids[judgement.item] or absent(judgement.item)
            grades[item_id] = max(grades.get(item_id, judgement.grade), judgement.grade)
            if judgement.span is not None and judgement.grade > 0:
                spans[item_id] = (*spans.get(item_id, ()), judgement.span)
        return Answers(grades, spans)


def absent(name: str) -> str:
    """What stands for an item that is not there: no item has such an id."""
    return f"\0{name}"


def resolved(dataset: str, names: Collection[str], items: Known) -> dict[str, str | None]:
    """Item id by the name that a dataset's judgements, or a run on it, use; None where there is no such item.

    The dataset's own documents come first: two datasets may both call a document "1", and only one item can have
    that id.
    """
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


def missing(dataset: Dataset, items: Known) -> int:
    """How many of the judged items are not there."""
    return len(Judgements(dataset, items).missing)
