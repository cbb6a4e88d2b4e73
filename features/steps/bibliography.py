"""Steps about bibliographies."""

from pytest_bdd import given, then, when

from features.phrase import phrase
from features.steps.folder import write
from features.steps.imports import options
from features.steps.web import pdf
from features.world import Table, World, rows, same, shown


@given(phrase('the PDF "{path}" says'))
def the_pdf_says(world: World, path: str, docstring: str) -> None:
    write(world.path(path), pdf(docstring))


@given(phrase('the bibliography "{name}"'))
def the_bibliography(world: World, name: str, docstring: str) -> None:
    write(world.outside / name, docstring.encode())


@when(phrase('the bibliography "{name}" is brought in'))
def brought_in(world: World, name: str) -> None:
    world.attempt("bibliography", str(world.outside / name))


@when(phrase('the bibliography "{name}" is brought in with'))
def brought_in_with(world: World, name: str, datatable: Table) -> None:
    world.attempt("bibliography", str(world.outside / name), **options(datatable))


@then("the items are known as")
def known_as(world: World, datatable: Table) -> None:
    same(world.value["matched"], datatable)


@then("no item is known")
def none_known(world: World) -> None:
    assert world.value["matched"] == []


@then("the bibliography has alone")
def has_alone(world: World, datatable: Table) -> None:
    same(world.value["unmatched"], datatable)


@then(phrase('"{path}" could be one of "{keys}"'))
def could_be(world: World, path: str, keys: str) -> None:
    assert [(entry["path"], shown(entry["keys"])) for entry in world.value["ambiguous"]] == [(path, keys)]


@then(phrase('the catalog tells of "{path}"'))
def catalog_tells(world: World, path: str, datatable: Table) -> None:
    assert world.value is not None
    item = world.items()[path]
    (wanted,) = rows(datatable)
    found = {**item["metadata"], "title": item["title"]}
    assert {key: shown(found.get(key)) for key in wanted} == wanted


@given(phrase('"{path}" has the sidecar'))
def has_the_sidecar(world: World, path: str, docstring: str) -> None:
    write(world.path(f"{path}.biblicus.yml"), docstring.encode())
