"""Steps about bibliographies."""

from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.folder import write
from features.steps.web import pdf
from features.world import Table, World, rows, shown


@given(phrase('the PDF "{path}" says'))
def the_pdf_says(world: World, path: str, docstring: str) -> None:
    write(world.path(path), pdf(docstring))


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
