"""Steps about programs that know a corpus by the names of other frameworks."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from biblicus import Corpus
from biblicus.errors import BiblicusError
from features.phrase import phrase
from features.steps.commands import Typed
from features.steps.folder import write
from features.world import Table, World, listed, rows


@pytest.fixture
def own_corpus(world: World) -> Iterator[Corpus]:
    with Corpus.open(world.folder) as corpus:
        yield corpus


@pytest.fixture
def program() -> dict[str, Any]:
    """What a program was given."""
    return {}


def _store(corpus: Corpus) -> tuple[Any, str]:
    from biblicus.core_services import CorpusStore

    return CorpusStore(corpus), corpus.asker.corpus.config.corpus_id


@then(phrase('the store lists "{paths}"'))
def store_lists(own_corpus: Corpus, paths: str) -> None:
    store, corpus_id = _store(own_corpus)
    assert [document.path for document in store.list_documents(corpus_id)] == listed(paths)


@then(phrase('the store gives "{path}" the text "{text}"'))
def store_gives(own_corpus: Corpus, path: str, text: str) -> None:
    store, corpus_id = _store(own_corpus)
    assert store.get_document(corpus_id, path).text.rstrip("\n") == text


@then(phrase('the store finds "{path}" by the hash of its text'))
def store_finds(own_corpus: Corpus, path: str) -> None:
    store, corpus_id = _store(own_corpus)
    document = store.get_document(corpus_id, path)
    assert store.find_by_hash(corpus_id, document.content_hash) == document
    assert store.find_by_hash(corpus_id, "sha256:" + "0" * 64) is None


@when(phrase('the ingestion service is given "{text}" twice'))
def ingested_twice(own_corpus: Corpus, program: dict[str, Any], text: str) -> None:
    from biblicus.core_services import IngestionService

    service = IngestionService(own_corpus)
    program["first"], program["second"] = service.ingest(text, source="web"), service.ingest(text, source="cli")


@then("the first document is new, and the second is the first")
def second_is_first(program: dict[str, Any]) -> None:
    (first, is_new), (second, is_new_again) = program["first"], program["second"]
    assert (is_new, is_new_again, second) == (True, False, first)
    assert first.metadata == {"source": "web"}


@when(phrase('the search service is asked for "{question}" in the mode "{mode}" with the recipe "{recipe}"'))
def searched(own_corpus: Corpus, program: dict[str, Any], question: str, mode: Any, recipe: str) -> None:
    from biblicus.core_services import SearchService

    try:
        program["hits"] = SearchService(own_corpus, recipe=recipe).search(question, mode=mode, k=2)
    except BiblicusError as error:
        program["error"] = error


@then(parsers.parse('its best hit is of "{path}" with the score {score:g}'))
def best_hit(program: dict[str, Any], path: str, score: float) -> None:
    assert (program["hits"][0].path, program["hits"][0].score) == (path, score)


@then("all its scores are between 0 and 1")
def scores_between(program: dict[str, Any]) -> None:
    assert 0 < len(program["hits"]) <= 2
    assert all(0 <= hit.score <= 1 for hit in program["hits"])


@then(phrase('it is refused with "{words}"'))
def refused_with(program: dict[str, Any], words: str) -> None:
    assert words in program["error"].message


@then(parsers.parse("the embedding provider gives {length:d} numbers for each text"))
def embeds(length: int) -> None:
    from biblicus.core_services import EmbeddingProvider

    provider = EmbeddingProvider("minilm-int8")
    assert [len(vector) for vector in provider.embed(["the moon", "a lamp"])] == [length, length]
    assert provider.dimension == length


@then(phrase('the catalog\'s header has the latest run id "{name}"'))
def header_has_latest(world: World, name: str) -> None:
    line = (world.folder / ".biblicus" / "catalog.json").read_text(encoding="utf-8").splitlines()[0]
    assert json.loads(line.split(', "items"')[0] + "}")["latest_run_id"] == world.names[name]


@given(phrase('the list "{file}" of the repository "{name}"'))
def listed_repository(world: World, file: str, name: str) -> None:
    address = world.outside / f"{name}.git"
    world.path(file).write_text(f"repositories:\n- {{url: {address}, toolkit: {name}}}\n")


@then("the sources that are printed are")
def printed_sources(typed: Typed, datatable: Table) -> None:
    sources = [source["entry"] for source in json.loads(typed.out)["sources"]]
    found = [
        {
            **{key: source[key] for key in ("name", "url", "toolkit", "ref")},
            "doctypes": ", ".join(f"{rule['doctype']} {rule['path']}" for rule in source["doctypes"]),
        }
        for source in sources
    ]
    assert found == rows(datatable)


@given(parsers.parse("a corpus with {count:d} harbours and questions about them, half of them unanswered here"))
def harbours(world: World, count: int) -> None:
    questions = []
    for at in range(count):
        name = "".join(chr(97 + int(digit)) for digit in f"{at:02}") * 3
        world.path(f"{name}.txt").parent.mkdir(parents=True, exist_ok=True)
        world.path(f"{name}.txt").write_text(f"A boat pays {at + 3} pounds a night at the harbour {name}.\n")
        asked = {"query": f"What does a boat pay at the harbour {name}?", "relevant": [f"{name}.txt"]}
        questions.append({"id": f"pays-{at}", **asked, "answers": [f"{at + 3} pounds"]})
        questions.append(
            {"id": f"depth-{at}", "query": f"How deep is the harbour {name} at night?", "unanswerable": True}
        )
    world.do("init")
    world.do("reindex")
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    write(world.path(".biblicus/datasets/doubt/questions.jsonl"), lines.encode())


def _figures(typed: Typed) -> dict[str, float]:
    (system,) = json.loads(typed.out)["systems"]
    figures: dict[str, float] = system["system"]
    return figures


@then(phrase('the figures have "{names}"'))
def figures_have(typed: Typed, names: str) -> None:
    assert set(listed(names)) <= _figures(typed).keys()


@then("the fit is no worse on what was held out")
def fit_is_no_worse(typed: Typed) -> None:
    figures = _figures(typed)
    assert figures["calibrated_after"] <= figures["calibrated_before"]


@then("the answers of the recipe use the fit")
def answers_use_fit(world: World, own_corpus: Corpus) -> None:
    from biblicus.corpus import calibrations

    question = "What does a boat pay at the harbour aaaaaa?"
    fit = calibrations.read(own_corpus.asker.corpus, "lexical")
    assert fit is not None
    with_fit = own_corpus.answer(question).confidence
    calibrations.path_of(own_corpus.asker.corpus, "lexical").unlink()
    assert with_fit == fit.applied(own_corpus.answer(question).confidence)
