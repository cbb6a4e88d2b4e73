"""Steps about what comes from outside the folder, and goes again."""

from typing import Any

from pytest_bdd import given, then, when

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.service.verbs import RECEIVE
from features.phrase import phrase, raw
from features.steps.folder import write
from features.world import Table, World, listed, rows


def options(table: Table | None) -> dict[str, Any]:
    """The one row of a table of options, named as on the command line; `yes` sets a flag. No table, no options."""
    (row,) = rows(table) if table else ({},)
    return {key: True if value == "yes" else value for key, value in row.items()}


def numbers(found: dict[str, Any]) -> dict[str, Any]:
    """Options with the numbers among them as numbers."""
    return {key: int(value) if str(value).lstrip("-").isdigit() else value for key, value in found.items()}


@given("a folder outside with the files")
def outside_files(world: World, datatable: Table) -> None:
    for row in rows(datatable):
        write(world.outside / row["path"], raw(row["text"]))


@given(phrase('"{path}" outside was since edited to "{text}"'))
def edited_outside(world: World, path: str, text: str) -> None:
    (world.outside / path).write_bytes(raw(text))


@given(phrase('"{path}" outside is a link to "{target}"'))
def link_outside(world: World, path: str, target: str) -> None:
    (world.outside / path).symlink_to(target)


@given(phrase('the document "{names}" was sent'))
@given(phrase('the documents "{names}" were sent one by one'))
@when(phrase('the documents "{names}" are sent one by one'))
def documents_were_sent(world: World, names: str) -> None:
    """As over a wire: each is a text of its own, indexed at once; its name is its run's, too."""
    world.untouched = False
    with Corpus.open(world.folder) as corpus:
        for name in listed(names):
            request = ReceiveRequest(text=f"The word {name} by itself.", filename=f"{name}.txt")
            world.names[name] = corpus._asker.ask(RECEIVE, request, Call()).run_id


@when(phrase('"{path}" outside is ingested[ with]'))
def ingest(world: World, path: str, datatable: Table | None = None) -> None:
    world.attempt("ingest", str(world.outside / path), **options(datatable))


@when(phrase('the text "{text!}" is ingested[ with]'))
def ingest_text(world: World, text: str, datatable: Table | None = None) -> None:
    world.attempt("ingest", text=raw(text).decode(), **options(datatable))


@then(phrase('the source of "{path}" is a "{kind}" named "{uri}"'))
def the_source_is(world: World, path: str, kind: str, uri: str) -> None:
    """The URI is a name and, for files, a digest of where it lay; the bytes' digest and the second stand beside it."""
    item = world.items()[path]
    source = item["source"]
    assert (source["kind"], source["uri"].split("#")[0]) == (kind, uri)
    assert source["ref"] == f"sha256:{item['sha256']}"
    assert source["retrieved_at"].endswith("Z")
