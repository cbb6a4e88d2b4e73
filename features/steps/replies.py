"""Steps that compare a part of a reply, or of an error, with a table, with a text, or with nothing."""

from functools import reduce
from operator import getitem
from typing import Any

from pytest_bdd import then

from features.phrase import phrase
from features.world import Table, World, same

TABLES = {
    "it is orphaned": "orphaned",
    "the bibliography has alone": "unmatched",
    "the contexts are": "contexts",
    "the datasets are": "datasets list: datasets",
    "the events are": "events",
    "the items are known as": "matched",
    "the log says": "editorial log: events",
    "the notes are": "note list: notes",
    "the personas are": "personas",
    "the plan's steps are": "plan steps",
    "the queries are": "queries",
    "the weights are": "weight list: weights",
    "they are the sources": "sources",
    "what was left out is": "dropped",
}
"""The sentence, and where its rows are: the keys of a part of the last reply, or of what a verb replies now."""
EMPTY = {
    "it has no citation": "citation_url",
    "it says that nothing was repaired": "repaired",
    "no item is known": "matched",
    "nothing is left to be said of the layers": "editorial status: notes",
    "there are no findings": "findings",
    "there are no notes": "note list: notes",
    "there are no personas": "personas",
    "there are no problems": "problems",
    "there are no sources": "sources list: sources",
}

IS = {
    'its citation is "{text}"': "citation_url",
    'the answer is "{text!}"': "answer",
    'the assessment is "{text}"': "assessment strength",
    'the hint is "{text}"': "error: hint",
    'the plan was made by "{text}"': "plan by",
    'the publication is "{text}" there': "outcome",
}
SAYS = {
    'the answer holds "{text!}"': "answer",
    'the export says "{text!}"': "text",
    'the hint says "{text!}"': "error: hint",
    'the message says "{text!}"': "error: message",
    'the plan\'s note says "{text}"': "plan note",
    'the summary says "{text!}"': "reasoning_summary",
    'the text says "{text}"': "text",
}


def part(world: World, where: str) -> Any:
    verb, _, keys = where.rpartition(":")
    return reduce(getitem, keys.split(), world.error if verb == "error" else world.do(verb) if verb else world.value)


for sentence, where in TABLES.items():

    @then(sentence)
    def rows_are(world: World, datatable: Table, where: str = where) -> None:
        same(part(world, where), datatable)


for sentence, where in EMPTY.items():

    @then(sentence)
    def is_empty(world: World, where: str = where) -> None:
        assert part(world, where) in ([], None)


for sentence, where in IS.items():

    @then(phrase(sentence))
    def is_text(world: World, text: str, where: str = where) -> None:
        assert part(world, where) == text


for sentence, where in SAYS.items():

    @then(phrase(sentence))
    def says(world: World, text: str, where: str = where) -> None:
        assert text in part(world, where)
