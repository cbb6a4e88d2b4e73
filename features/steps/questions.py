"""Steps that ask."""

from pytest_bdd import given, then, when

from features.phrase import phrase
from features.steps.imports import numbers, options
from features.world import Table, World


def asked(question: str) -> str:
    return question.replace("\\n", "\n").replace("\\t", "\t")


@when(phrase('"{question!}" is asked[ with]'))
def ask(world: World, question: str, datatable: Table | None = None) -> None:
    world.attempt("query", asked(question), **numbers(options(datatable)))


@when(phrase('"{words}" is asked in quotes'))
def ask_in_quotes(world: World, words: str) -> None:
    world.attempt("query", f'"{words}"')


@when(phrase('a question of {count#} words about "{word}" is asked'))
def ask_at_length(world: World, count: str, word: str) -> None:
    words = [f"filler{number % 700}" for number in range(int(count) - 1)]
    world.attempt("query", " ".join([word, *words]))


@given(phrase('the recipe "{recipe}" was asked for "{question}"'))
def was_asked(world: World, recipe: str, question: str) -> None:
    assert len(world.do("query", question, recipe=recipe)["evidence"]) > 1


@given(phrase('the evidence for "{question}" is kept'))
def keep(world: World, question: str) -> None:
    world.names["kept"] = world.do("query", question)
    world.names["digest"] = world.do("stats")["corpus_digest"]


@then(phrase('a query[ of "{recipe}"] for "{question}" returns evidence from "{path}"'))
def query_returns(world: World, recipe: str | None, question: str, path: str) -> None:
    assert path in [piece["path"] for piece in world.do("query", question, recipe=recipe)["evidence"]]


@then(phrase('a query[ of "{recipe}"] for "{question}" is refused as "{code}"'))
def query_is_refused(world: World, recipe: str | None, question: str, code: str) -> None:
    outcome = world.surface.do(world.folder, "query", question, recipe=recipe)
    assert outcome.error is not None
    assert outcome.error["code"] == code


@then(phrase('nothing is found for "{question}"'))
def nothing_found_for(world: World, question: str) -> None:
    assert world.do("query", question)["evidence"] == []
