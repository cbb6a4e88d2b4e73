"""Steps about datasets: written outside or in the corpus, imported, listed."""

import json
from typing import Any

from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.folder import write
from features.world import Table, World, listed, rows, same


def _lines(found: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found).encode()


@given(phrase('a dataset folder "{name}" outside with the documents'))
def dataset_folder(world: World, name: str, datatable: Table) -> None:
    documents = [{"_id": row["id"], "title": row["title"], "text": row["text"]} for row in rows(datatable)]
    write(world.outside / name / "corpus.jsonl", _lines(documents))


@given(phrase('the dataset "{name}" outside asks'))
def dataset_asks(world: World, name: str, datatable: Table) -> None:
    asked = rows(datatable)
    write(
        world.outside / name / "queries.jsonl", _lines([{"_id": row["id"], "text": row["question"]} for row in asked])
    )
    judged = [f"{row['id']}\t{document}\t1\n" for row in asked for document in listed(row["relevant"])]
    write(world.outside / name / "qrels/test.tsv", "".join(["query-id\tcorpus-id\tscore\n", *judged]).encode())


@given(phrase('the document "{document}" of "{name}" outside now says "{text}"'))
def document_says(world: World, document: str, name: str, text: str) -> None:
    file = world.outside / name / "corpus.jsonl"
    found = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    write(file, _lines([{**one, "text": text} if one["_id"] == document else one for one in found]))


@given(phrase('the file "{file}" of the dataset "{name}" outside is'))
def dataset_file(world: World, file: str, name: str, docstring: str) -> None:
    write(world.outside / name / file, docstring.replace("\\t", "\t").encode())


@given(phrase('the file "{file}" outside is'))
def file_outside(world: World, file: str, docstring: str) -> None:
    write(world.outside / file, docstring.encode())


@given(phrase('the questions "{name}"'))
def the_questions(world: World, name: str, datatable: Table) -> None:
    """`relevant`: `item`, `item=grade`, `item@start-end`. The id of a question is its text."""
    lines = [
        {"id": row["query"], "query": row["query"], "relevant": [_relevant(cell) for cell in listed(row["relevant"])]}
        for row in rows(datatable)
    ]
    write(world.path(f".biblicus/datasets/{name}/questions.jsonl"), _lines(lines))


def _relevant(cell: str) -> dict[str, Any]:
    item, _, span = cell.partition("@")
    item, _, grade = item.partition("=")
    found: dict[str, Any] = {"item": item, "grade": int(grade or 1)}
    return {**found, "span": [int(end) for end in span.split("-")]} if span else found


@then(phrase('the import leaves aside "{path}" because "{reason}"'))
def leaves_aside(world: World, path: str, reason: str) -> None:
    (note,) = world.value["failed"]
    assert note["path"] == path
    assert reason in note["reason"]


@then("each imported document names its source")
def names_its_source(world: World) -> None:
    found = [item for path, item in world.items().items() if path.startswith("imports/")]
    assert {item["source"]["kind"] for item in found} == {"dataset"}
    assert {item["source"]["uri"] for item in found} == {
        f"dataset:lights/{name}" for name in ("1", "2", "a%2F%C3%9F", "void")
    }
    assert all(item["source"]["ref"] and item["source"]["retrieved_at"] for item in found)


@given(phrase('the file "{path}" was since given the line "{line}"'))
def given_a_line(world: World, path: str, line: str) -> None:
    world.path(path).write_bytes(world.path(path).read_bytes() + f"{line}\n".encode())


@then(phrase('the file "{path}" ends with "{text}"'))
def ends_with(world: World, path: str, text: str) -> None:
    assert world.path(path).read_text("utf-8").endswith(f"{text}\n")


@then("the import counts")
def import_counts(world: World, datatable: Table) -> None:
    same([world.value], datatable)
