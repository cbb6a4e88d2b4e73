"""Steps that are one act: the sentence, and the verb with its words and options.

A hole's name in braces is its text. `@` is before the name of a run or of another value that the scenario keeps,
`outside/`, `folder/` and `site/` before a path. What stands in the table of a step are more options.
"""

from collections.abc import Callable
from typing import Any

from pytest_bdd import given, parsers, when

from features.phrase import phrase
from features.steps.imports import numbers, options
from features.world import Table, World

GIVEN = {
    '"{item}" was promoted to "{layer}" by "{reviewer}"': "promote: {item} to={layer} reviewer={reviewer}",
    '"{item}" was retracted': "retract: {item}",
    '"{item}" was retracted, and nothing indexed': "retract: {item} index=False",
    '"{name}" was removed': "remove: {name}",
    '"{path}" outside was ingested': "ingest: outside/{path}",
    'a new persona "{name}" was written': "personas new: {name}",
    "everything counts twice as much": "weight set: published/** 2",
    'questions were synthesized as "{name}"': "datasets synthesize: name={name}",
    'the alert "{name}" on "{question}" in "{glob}"': "alerts add: {name} {question} path={glob}",
    'the alert "{name}" on "{question}"': "alerts add: {name} {question}",
    'the alert "{name}" was removed': "alerts remove: {name}",
    "the corpus was reindexed": "reindex",
    "the corpus was trusted": "trust",
    'the dataset "{name}" outside was imported': "datasets import: outside/{name}",
    'the feed "{path}" is the source "{name}"': "sources add: site{path} name={name} kind=feed allow_private=True",
    'the folder "{path}" outside is a source': "sources add: outside/{path} allow_local=True",
    'the page "{path}" was ingested': "ingest: site{path} allow_private=True",
    'the repository "{name}" is a source[ with]': "sources add: outside/{name}.git allow_local=True",
    'the run "{name}" was kept no longer': "runs keep: @{name} release=True",
    'the run "{name}" was kept': "runs keep: @{name}",
    'the run "{name}" was pruned': "runs prune: @{name}",
    'the section "{at}" is the source "{id}"[ with]': "sources add: site{at} name={id} kind=site allow_private=True",
    'the share "{address}" is a source': "sources add: share:{address}",
    "the sources were synced": "sources sync",
    'the weight of "{target}" is {factor!} for "{toolkit}"': "weight set: {target} {factor} namespace={toolkit}",
}
WHEN = {
    '"{address}" is ingested': "ingest: {address}",
    '"{item}" is promoted to "{layer}" by "{reviewer}"': "promote: {item} to={layer} reviewer={reviewer}",
    '"{item}" is retracted': "retract: {item}",
    '"{name}" is published': "publish: {name}",
    '"{name}" is removed[ with]': "remove: {name}",
    '"{name}" is synced[ with]': "sources sync: {name}",
    '"{one}" and "{other}" are removed': "remove: {one} {other}",
    '"{path}" is ingested with': "ingest: folder/{path}",
    '"{question!}" is answered by "{persona}"[ with]': "answer: {question} persona={persona}",
    '"{question!}" is asked after what changed': "query: {question} refresh=True",
    '"{question!}" is asked of the recipe "{recipe}"': "query: {question} recipe={recipe}",
    '"{question!}" is asked of the run "{name}"': "query: {question} run=@{name}",
    '"{question}" is asked of the layer "{layer}"': "query: {question} layer={layer}",
    'a new persona "{name}" is written': "personas new: {name}",
    'a new recipe "{name}" is written': "recipes new: {name}",
    'an alert "{name}" on "{question}" is added': "alerts add: {name} {question}",
    'it is asked what is said of "{path}"': "context-of: {path}",
    "it is checked what could not be read": "check: failed=True",
    "questions are synthesized[ with]": "datasets synthesize",
    'the address "{address}" is listed': "sources add: {address}",
    'the answerer "{name}" is asked "{question!}"[ with]': "answer: {question} answerer={name}",
    'the answers to "{name}" are measured[ with]': "eval: {name} per_query=True answerer=quote",
    'the bibliography "{name}" is brought in[ with]': "bibliography: outside/{name}",
    "the cache is pruned": "check: prune_cache=True",
    "the catalog is refreshed by committed rules alone": "ingest: ignore_local_excludes=True",
    "the corpus is checked to the last byte": "check: read_data=True",
    "the corpus is checked": "check",
    "the corpus is counted": "stats",
    'the corpus is reindexed with the recipe file "{file}" outside': "reindex: recipe=outside/{file}",
    "the corpus is reindexed[ with]": "reindex",
    "the corpus is repaired": "check: read_data=True repair=True",
    "the corpus is trusted": "trust",
    'the dataset "{name}" is evaluated against "{run}"[ with]': "eval: {name} per_query=True baseline=@{run}",
    'the dataset "{name}" outside is imported': "datasets import: outside/{name}",
    "the datasets are listed": "datasets list",
    "the doctor asks the web, too": "doctor: remote=True allow_private=True",
    "the doctor is asked": "doctor",
    "the events after those are read": "events: after=@cursor",
    "the events are read": "events",
    "the facets are asked for[ with]": "facets",
    'the file "{path}" of the folder is ingested': "ingest: folder/{path}",
    'the folder is made a corpus named "{name}"': "init: name={name}",
    "the folder is made a corpus": "init",
    "the golden questions are asked": "eval: golden=True",
    'the item "{item}" is shown': "show: {item}",
    "the items are listed[ with]": "list",
    'the page "{path}" is ingested': "ingest: site{path} allow_private=True",
    'the persona "{name}" is checked': "personas check: {name}",
    'the persona "{name}" is shown': "personas show: {name}",
    "the personas are listed": "personas list",
    'the publication "{name}" is asked for "{question}"': "query: {question} publication={name}",
    "the recipes are listed": "recipes list",
    'the repository "{name}" is listed as "{other}"': "sources add: outside/{name}.git name={other} allow_local=True",
    'the repository "{name}" is listed without more': "sources add: outside/{name}.git",
    'the run "{name}" is pruned[ with]': "runs prune: @{name}",
    'the run "{name}" is verified': "runs verify: @{name}",
    'the run called "{name}" is verified': "runs verify: {name}",
    'the runs "{one}" and "{other}" are compared': "runs diff: @{one} @{other}",
    "the runs are pruned with": "runs prune",
    'the source "{name}" is removed[ with]': "sources remove: {name}",
    "the sources are checked": "check: sources=True",
    "the sources are listed": "sources list",
    "the statistics are asked for": "stats",
    'the weight of "{target}" is cleared': "weight clear: {target}",
    'the words "{words}" of "{path}" are noted "{text}" by "{by}"': "note add: {path} {text} quote={words} by={by}",
}


class Holes(parsers.re):
    """A phrase whose holes come as one mapping."""

    def parse_arguments(self, name: str) -> dict[str, Any]:
        return {"holes": super().parse_arguments(name)}


def value(world: World, word: str, holes: dict[str, str]) -> Any:
    mark, slash, rest = word.partition("/")
    if word.startswith("@"):
        return world.names[word[1:].format_map(holes)]
    if slash and mark in ("outside", "folder"):
        return str(getattr(world, mark) / rest.format_map(holes))
    if word.startswith("site{"):
        return world.names["site"] + word.removeprefix("site").format_map(holes)
    return word == "True" if word in ("True", "False") else word.format_map(holes)


def act(do: Callable[..., object], act: str, world: World, holes: dict[str, str], table: Table | None) -> None:
    verb, _, words = act.partition(": ")
    parts = [word.rpartition("=") for word in words.split()]
    named = {name: value(world, word, holes) for name, _, word in parts if name}
    more = {key.replace("-", "_"): said for key, said in numbers(options(table)).items() if said != ""}
    do(verb, *(value(world, word, holes) for name, _, word in parts if not name), **named, **more)


for sentence, words in GIVEN.items():

    @given(Holes(phrase(sentence).regex.pattern))
    def was_done(world: World, holes: dict[str, str], words: str = words, datatable: Table | None = None) -> None:
        act(world.do, words, world, holes, datatable)


for sentence, words in WHEN.items():

    @when(Holes(phrase(sentence).regex.pattern))
    def is_done(world: World, holes: dict[str, str], words: str = words, datatable: Table | None = None) -> None:
        act(world.attempt, words, world, holes, datatable)
