"""The retriever for LangChain, held to LangChain's own kit."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import CorpusNotFound, ExtraMissing, UsageError
from tests.adapters.conftest import made, proved

pytest.importorskip("langchain_core", reason="the extra [langchain] is not installed")
kit = pytest.importorskip("langchain_tests.integration_tests.retrievers", reason="langchain-tests is not installed")

from biblicus.connectors.langchain import BiblicusRetriever  # noqa: E402  (after the extra was looked for)

pytestmark = pytest.mark.usefixtures("closed")


@pytest.mark.anyio
class TestTheKit(kit.RetrieversIntegrationTests):  # type: ignore[misc, name-defined]
    """Every test of `RetrieversIntegrationTests`."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture(autouse=True)
    def _stand(self, shore: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(shore)

    @property
    def retriever_constructor(self) -> type[BiblicusRetriever]:
        return BiblicusRetriever

    @property
    def retriever_query_example(self) -> str:
        return "When is the moon up?"


def test_a_document_is_evidence_that_can_be_verified(shore: Path):
    (document,) = BiblicusRetriever(corpus=shore, k=1).invoke("spring tides")
    with Corpus.open(shore) as corpus:
        (piece,) = corpus.query("spring tides", limit=1).evidence
    assert (document.page_content, document.id) == (piece.text, piece.chunk_id)
    assert (document.metadata["span_start"], document.metadata["path"]) == (piece.span_start, "springs.md")
    assert proved(shore, document.page_content, document.metadata) == ["ok"]


def test_a_kept_conversation_is_no_document_unless_asked_for(tmp_path: Path):
    texts = {
        "tides.md": "# Tides\n\nThe moon pulls the sea twice a day.\n",
        "talk.md": "---\ndoctype: conversation\n---\n# What pulls the sea?\n\nThe moon pulls the sea.\n",
    }
    folder = made(tmp_path / "shore", texts)
    paths = [
        [document.metadata["path"] for document in BiblicusRetriever(corpus=folder, filters=filters).invoke("moon sea")]
        for filters in ({}, {"doctype": "conversation"})
    ]
    assert paths == [["tides.md"], ["talk.md"]]


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"tag": "moon"}, {"tides.md", "springs.md"}),
        ({"tag": ["moon", "spring"]}, {"springs.md"}),
        ({"where": {"keeper": "Ada"}}, {"tides.md"}),
        ({"since": "2026"}, {"springs.md"}),
        ({"path": ["*.txt"], "language": "en"}, {"lamp.txt"}),
    ],
)
def test_filters_hold_for_a_retriever_and_for_one_question(shore: Path, filters: dict[str, Any], paths: set[str]):
    asked = BiblicusRetriever(corpus=shore, filters=filters).invoke("moon")
    assert {document.metadata["path"] for document in asked} == paths
    asked = BiblicusRetriever(corpus=shore).invoke("moon", filters=filters)
    assert {document.metadata["path"] for document in asked} == paths


def test_several_corpora_take_turns(shore: Path, inland: Path):
    retriever = BiblicusRetriever(corpus=[str(shore), Corpus.open(inland)], k=3)
    for documents in (retriever.invoke("moon"), asyncio.run(retriever.ainvoke("moon"))):
        assert [document.metadata["path"] == "mill.md" for document in documents] == [False, True, False]


def test_services_are_asked_by_their_addresses(address: str, shore: Path):
    here = BiblicusRetriever(corpus=shore).invoke("moon")
    assert BiblicusRetriever(corpus=f"{address}#shore").invoke("moon") == here
    both = BiblicusRetriever(corpus=[f"{address}#inland", f"{address}#shore"], k=2).invoke(
        "moon", options={"max_tokens": 500}
    )
    assert both[0].metadata["path"] == "mill.md"
    with pytest.raises(UsageError, match="serves several corpora"):
        BiblicusRetriever(corpus=address).invoke("moon")


def test_many_questions_at_once(shore: Path):
    retriever = BiblicusRetriever(corpus=shore, k=1)
    replies = retriever.batch(["spring tides", "gulls", "lamp"] * 10)
    assert [documents[0].metadata["path"] for documents in replies] == ["springs.md", "gulls.md", "lamp.txt"] * 10


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"filters": {"tags": "moon"}}, UsageError, 'no filter "tags"; known: tag, type'),
        ({"options": {"limit": 3}}, UsageError, 'no option "limit"; known: max_tokens'),
        ({"filters": {"doctype": "novel"}}, UsageError, "no doctype novel"),
        ({"corpus": []}, UsageError, "one corpus or more"),
        ({"corpus": "/nowhere"}, Exception, "nowhere"),
    ],
)
def test_what_cannot_be_asked_is_refused_when_it_is_made(
    shore: Path, options: dict[str, Any], error: type[Exception], words: str
):
    with pytest.raises(error, match=words):
        BiblicusRetriever(**{"corpus": shore, **options})


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path):
    with pytest.raises(CorpusNotFound):
        BiblicusRetriever(corpus=tmp_path)


@pytest.mark.parametrize(
    ("module", "needs", "extra"),
    [
        ("langchain", "langchain_core.callbacks", "langchain"),
        ("llama_index", "llama_index.core.base.base_retriever", "llama-index"),
        ("haystack", "haystack", "haystack"),
    ],
)
def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, module: str, needs: str, extra: str
):
    monkeypatch.setitem(sys.modules, needs, None)
    monkeypatch.delitem(sys.modules, f"biblicus.connectors.{module}", raising=False)
    with pytest.raises(ExtraMissing) as caught:
        __import__(f"biblicus.connectors.{module}")
    assert caught.value.hint == f'pip install "biblicus-corpus[{extra}]"'
