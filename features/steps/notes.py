"""Steps about notes on evidence."""

import json

from pytest_bdd import given, then, when

from biblicus import Corpus
from features.phrase import phrase
from features.world import Table, World, same


@given(phrase('the words "{words}" of "{path}" were noted "{text}"'))
def were_noted(world: World, words: str, path: str, text: str) -> None:
    note = world.do("note add", path, text, quote=words)
    world.names["note"] = note["note_id"]


@when("the note is removed")
def is_removed(world: World) -> None:
    world.act("note remove", world.names["note"])


@when(phrase("the notes are exported as {form!}"))
def are_exported(world: World, form: str) -> None:
    world.attempt("note export", **{"as": form})


@then(phrase('the note\'s file is an annotation of "{words}" by "{by}"'))
def is_annotation(world: World, words: str, by: str) -> None:
    (file,) = world.path(".biblicus/notes").iterdir()
    annotation = json.loads(file.read_text("utf-8"))
    of_quote, of_position = annotation["target"]["selector"]
    text = world.do("get", annotation["target"]["source"])["text"]
    assert (annotation["type"], annotation["creator"]["name"]) == ("Annotation", by)
    assert text[of_position["start"] : of_position["end"]] == of_quote["exact"] == words
    assert annotation["id"].endswith(file.stem)


@then(phrase('the notes on "{words}" are'))
def notes_on(world: World, words: str, datatable: Table) -> None:
    same(world.do("note list", words)["notes"], datatable)


@then("the export's quotations still stand")
def export_stands(world: World) -> None:
    path = world.folder.parent / "notes.md"
    path.write_text(world.value["text"], "utf-8")
    with Corpus.open(world.folder) as corpus:
        assert [made.status for made in corpus.verify_citations(path).quotations] == ["ok"]
