"""The retriever for LlamaIndex, as LlamaIndex uses one."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from biblicus.errors import UsageError
from tests.adapters.conftest import proved

pytest.importorskip("llama_index.core", reason="the extra [llama-index] is not installed: make test-adapters has it")

from llama_index.core import MockEmbedding, get_response_synthesizer
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, NodeRelationship, QueryBundle
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from biblicus.connectors.llama_index import BiblicusRetriever

pytestmark = pytest.mark.usefixtures("closed")


def paths(nodes: Any) -> list[str]:
    return [found.node.metadata["path"] for found in nodes]


def test_a_node_is_evidence_that_can_be_verified(shore: Path):
    (found,) = BiblicusRetriever(shore, similarity_top_k=1).retrieve("spring tides")
    node = found.node
    assert (node.metadata["path"], node.node_id) == ("springs.md", node.metadata["chunk_id"])
    text = (shore / "springs.md").read_text("utf-8")
    assert text[node.start_char_idx : node.end_char_idx] == node.get_content(MetadataMode.NONE)
    assert node.relationships[NodeRelationship.SOURCE].node_id == node.metadata["item_id"]
    assert proved(shore, node.text, node.metadata) == ["ok"]
    assert found.score == node.metadata["score"] > 0
    shown = node.get_content(MetadataMode.LLM)
    assert "path: springs.md" in shown
    assert "item_sha256" not in shown


def test_it_answers_beside_an_event_loop_and_in_a_query_engine(shore: Path):
    retriever = BiblicusRetriever(shore, similarity_top_k=2)
    assert paths(asyncio.run(retriever.aretrieve(QueryBundle("spring tides")))) == paths(
        retriever.retrieve("spring tides")
    )
    engine = RetrieverQueryEngine(retriever, get_response_synthesizer(llm=MockLLM()))
    response = engine.query("spring tides")
    assert paths(response.source_nodes)[0] == "springs.md"
    assert "new moon" in str(response)
    assert MockEmbedding(embed_dim=1)


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"tag": "spring"}, {"springs.md"}),
        (MetadataFilters(filters=[MetadataFilter(key="tags", value="moon")]), {"springs.md", "tides.md"}),
        (
            MetadataFilters(
                filters=[MetadataFilter(key="tags", value=["moon", "spring"], operator=FilterOperator.ALL)]
            ),
            {"springs.md"},
        ),
        (
            MetadataFilters(
                filters=[
                    MetadataFilter(key="date", value="2025", operator=FilterOperator.GTE),
                    MetadataFilter(key="date", value="2025-12", operator=FilterOperator.LTE),
                ]
            ),
            {"gulls.md"},
        ),
        (MetadataFilters(filters=[MetadataFilter(key="keeper", value="Ada")]), {"tides.md"}),
    ],
)
def test_filters_of_either_kind_hold(shore: Path, filters: Any, wanted: set[str]):
    assert set(paths(BiblicusRetriever(shore, filters=filters).retrieve("moon"))) == wanted


def test_filters_that_no_corpus_has_are_refused(shore: Path):
    either = MetadataFilters(filters=[MetadataFilter(key="tags", value="moon")], condition=FilterCondition.OR)
    with pytest.raises(UsageError, match="must all hold"):
        BiblicusRetriever(shore, filters=either)
    more = MetadataFilters(filters=[MetadataFilter(key="score", value=1, operator=FilterOperator.GT)])
    with pytest.raises(UsageError, match='The condition "score >"'):
        BiblicusRetriever(shore, filters=more)


def test_several_corpora_and_services(address: str, shore: Path, inland: Path):
    found = BiblicusRetriever([shore, f"{address}#inland"], similarity_top_k=3).retrieve("moon")
    assert paths(found)[1] == "mill.md"
    assert [entry.score for entry in found] == [1, 1 / 2, 1 / 3]
