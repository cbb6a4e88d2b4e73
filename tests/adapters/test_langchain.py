"""The retriever for LangChain, held to LangChain's own kit."""

import asyncio
import sys
from importlib.util import find_spec
from inspect import iscoroutine, signature
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import CorpusNotFound, ExtraMissing, UsageError
from tests.adapters.conftest import made, proved

needs_langchain = pytest.mark.skipif(
    find_spec("langchain_core") is None, reason="the extra [langchain] is not installed"
)
pytestmark = [needs_langchain, pytest.mark.usefixtures("closed")]


def retriever(**options: Any) -> Any:
    """A retriever; imported late, for it takes half a second of every process that shares out tests."""
    from biblicus.connectors.langchain import BiblicusRetriever

    return BiblicusRetriever(**options)


def test_every_test_of_the_kit_passes(shore: Path, monkeypatch: pytest.MonkeyPatch):
    reason = "langchain-tests is not installed"
    kit = pytest.importorskip("langchain_tests.integration_tests.retrievers", reason=reason)  # late, too

    class Kit(kit.RetrieversIntegrationTests):  # type: ignore[misc, name-defined]
        retriever_constructor = property(lambda self: retriever().__class__)
        retriever_query_example = "When is the moon up?"

    monkeypatch.chdir(shore)
    names = [name for name in dir(Kit) if name.startswith("test_")]
    for name in names:
        test = getattr(Kit(), name)
        outcome = test(**({"retriever": retriever()} if "retriever" in signature(test).parameters else {}))
        if iscoroutine(outcome):
            asyncio.run(outcome)
    assert len(names) >= 5


def test_a_document_is_evidence_that_can_be_verified(shore: Path):
    (document,) = retriever(corpus=shore, k=1).invoke("spring tides")
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
        [document.metadata["path"] for document in retriever(corpus=folder, filters=filters).invoke("moon sea")]
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
    asked = retriever(corpus=shore, filters=filters).invoke("moon")
    assert {document.metadata["path"] for document in asked} == paths
    asked = retriever(corpus=shore).invoke("moon", filters=filters)
    assert {document.metadata["path"] for document in asked} == paths


def test_several_corpora_take_turns(shore: Path, inland: Path):
    asked = retriever(corpus=[str(shore), Corpus.open(inland)], k=3)
    for documents in (asked.invoke("moon"), asyncio.run(asked.ainvoke("moon"))):
        assert [document.metadata["path"] == "mill.md" for document in documents] == [False, True, False]


def test_services_are_asked_by_their_addresses(address: str, shore: Path):
    here = retriever(corpus=shore).invoke("moon")
    assert retriever(corpus=f"{address}#shore").invoke("moon") == here
    both = retriever(corpus=[f"{address}#inland", f"{address}#shore"], k=2).invoke("moon", options={"max_tokens": 500})
    assert both[0].metadata["path"] == "mill.md"
    with pytest.raises(UsageError, match="serves several corpora"):
        retriever(corpus=address).invoke("moon")


def test_many_questions_at_once(shore: Path):
    asked = retriever(corpus=shore, k=1)
    replies = asked.batch(["spring tides", "gulls", "lamp"] * 10)
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
        retriever(**{"corpus": shore, **options})


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path):
    with pytest.raises(CorpusNotFound):
        retriever(corpus=tmp_path)


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
