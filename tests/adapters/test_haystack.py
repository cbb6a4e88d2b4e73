"""The retriever for Haystack, as a pipeline uses one."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from biblicus.errors import UsageError
from tests.adapters.conftest import proved

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
pytest.importorskip("haystack", reason="the extra [haystack] is not installed: make test-adapters has it")

from haystack import Pipeline
from haystack.components.builders import PromptBuilder

from biblicus.connectors.haystack import BiblicusRetriever

pytestmark = pytest.mark.usefixtures("closed")


def paths(reply: dict[str, Any]) -> list[str]:
    return [document.meta["path"] for document in reply["documents"]]


def test_a_document_is_evidence_that_can_be_verified(shore: Path):
    (document,) = BiblicusRetriever(str(shore), top_k=1).run("spring tides")["documents"]
    assert (document.meta["path"], document.id) == ("springs.md", document.meta["chunk_id"])
    text = (shore / "springs.md").read_text("utf-8")
    assert text[document.meta["span_start"] : document.meta["span_end"]] == document.content
    assert proved(shore, document.content, document.meta) == ["ok"]
    assert document.score == document.meta["score"] > 0
    assert type(document).from_dict(document.to_dict()) == document


def test_it_runs_in_a_pipeline_that_was_written_and_read(shore: Path):
    pipeline = Pipeline()
    pipeline.add_component("retriever", BiblicusRetriever(str(shore), top_k=2, filters={"tag": "moon"}))
    prompt = PromptBuilder("{% for document in documents %}{{ document.content }}{% endfor %}")
    pipeline.add_component("prompt", prompt)
    pipeline.connect("retriever.documents", "prompt.documents")
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=[BiblicusRetriever.__module__])
    assert again.to_dict() == pipeline.to_dict()
    for either in (pipeline, again):
        reply = either.run({"retriever": {"query": "moon", "top_k": 1, "filters": {"tag": "spring"}}})
        assert "Spring tides follow the new moon." in reply["prompt"]["prompt"]


def test_it_runs_beside_an_event_loop(shore: Path):
    pipeline = Pipeline()
    pipeline.add_component("retriever", BiblicusRetriever(str(shore)))
    reply = asyncio.run(pipeline.run_async({"retriever": {"query": "spring tides"}}))
    assert paths(reply["retriever"])[0] == "springs.md"


def test_a_pipeline_is_read_where_its_corpus_is_not():
    retriever = BiblicusRetriever("/nowhere", top_k=3, options={"recipe": "scan"})
    again = BiblicusRetriever.from_dict(retriever.to_dict())
    assert again.to_dict() == retriever.to_dict()
    with pytest.raises(Exception, match="nowhere"):
        again.warm_up()


def condition(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"tag": "spring"}, {"springs.md"}),
        (condition("meta.tags", "in", ["spring"]), {"springs.md"}),
        (condition("meta.keeper", "==", "Ada"), {"tides.md"}),
        (
            {
                "operator": "AND",
                "conditions": [
                    condition("meta.date", ">=", "2026"),
                    condition("meta.doctype", "in", ["doc", "readme"]),
                ],
            },
            {"springs.md"},
        ),
    ],
)
def test_filters_of_either_kind_hold(shore: Path, filters: dict[str, Any], wanted: set[str]):
    assert set(paths(BiblicusRetriever(str(shore), filters=filters).run("moon"))) == wanted
    assert set(paths(BiblicusRetriever(str(shore)).run("moon", filters=filters))) == wanted


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"operator": "OR", "conditions": [condition("meta.tags", "==", "moon")]}, "must all hold, not OR"),
        (condition("meta.score", ">", 1), 'The condition "meta.score >"'),
        (condition("meta.tags", "in", ["moon", "sun"]), 'The condition "meta.tags in"'),
        (condition("meta.keeper", "in", ["Ada", "Bo"]), "compared with one value"),
    ],
)
def test_filters_that_no_corpus_has_are_refused(filters: dict[str, Any], words: str):
    with pytest.raises(UsageError, match=words):
        BiblicusRetriever(filters=filters)


def test_several_corpora_and_services(address: str, shore: Path, inland: Path):
    reply = BiblicusRetriever([str(shore), f"{address}#inland"], top_k=3).run("moon")
    assert paths(reply)[1] == "mill.md"
    assert [document.score for document in reply["documents"]] == [1, 1 / 2, 1 / 3]
