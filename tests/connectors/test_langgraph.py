"""The LangGraph graph and its examples; skipped without the extras, which say how to get them."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import ExtraMissing
from tests.answering.language_models import Saying, in_turn, reply, statement
from tests.folders import corpus_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "graphs"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    return corpus_of(
        folder,
        {
            "lamp.txt": "The lamp was lit in 1842. It burns oil.",
            "boats.txt": "A lamp hangs in every boat of the harbour.",
        },
    )


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def graph(*args: Any, **options: Any) -> Any:
    pytest.importorskip("langgraph", reason="the extra [langgraph] is not installed")
    from biblicus.connectors.langgraph import answering_graph

    return answering_graph(*args, **options)


def test_without_the_extra_it_says_what_to_install(corpus: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "langgraph", None)
    monkeypatch.setitem(sys.modules, "langgraph.graph", None)
    from biblicus.connectors.langgraph import answering_graph

    with pytest.raises(ExtraMissing) as caught:
        answering_graph(corpus)
    assert caught.value.hint == 'pip install "biblicus-corpus[langgraph]"'


def test_it_takes_the_words_of_other_graphs(corpus: Path):
    state = graph(corpus, answerer="quote").invoke({"q": "When was the lamp lit?", "k": 8})
    assert str(state["answer"]) == "The lamp was lit in 1842."
    assert state["citations"] == [state["result"].evidence[0].chunk_id]


def test_every_step_is_an_operation_and_the_answer_is_the_same(corpus: Path):
    made = graph(corpus, answerer="quote")
    steps = [name for step in made.stream({"question": "When was the lamp lit?"}) for name in step]
    assert steps == ["parse", "retrieve", "rerank", "answer", "cite"]
    state = made.invoke({"question": "When was the lamp lit?"})
    with Corpus.open(corpus) as opened:
        assert state["answer"].statements == opened.answer("When was the lamp lit?", answerer="quote").statements
    assert [verdict.status for verdict in state["verdicts"]] == ["ok"]


def test_an_open_corpus_answers_from_the_runs_that_it_keeps_open(corpus: Path):
    with Corpus.open(corpus) as opened:
        made = graph(opened, answerer="quote")
        state = made.invoke({"question": "When was the lamp lit?"})
        assert state["answer"].statements == opened.answer("When was the lamp lit?", answerer="quote").statements
        assert made.invoke({"question": "What does it burn?"})["result"].run_id == state["result"].run_id
        assert opened.asker.root == corpus


def test_a_reranker_decides_the_order_that_the_answerer_sees(corpus: Path):
    model = in_turn(reply(insufficient=True))

    def boats_first(question: str, texts: Any, call: Any) -> list[float]:
        return [float("boat" in text) for text in texts]

    state = graph(corpus, llm=model, reranker=boats_first).invoke({"question": "Where is a lamp?"})
    assert [piece.path for piece in state["result"].evidence] == ["boats.txt", "lamp.txt"]
    assert [piece.rank for piece in state["result"].evidence] == [1, 2]
    assert model.prompts[0].index("boats.txt") < model.prompts[0].index("lamp.txt")


def test_a_model_answers_within_the_graph(corpus: Path):
    model = in_turn(reply(statement("It burns oil.", (1, "burns oil"))))
    state = graph(corpus, llm=model).invoke({"question": "What does the lamp burn?", "limit": 1})
    assert state["answer"].answer == "It burns oil."
    assert [verdict.status for verdict in state["verdicts"]] == ["ok"]


def test_a_kept_conversation_is_no_source(corpus: Path):
    (corpus / "talk.md").write_text("---\ndoctype: conversation\n---\nThe lamp was lit in 1842, the lamp was lit.\n")
    with Corpus.open(corpus) as opened:
        opened.reindex()
    state = graph(corpus, answerer="quote").invoke({"question": "When was the lamp lit?"})
    assert {piece.path for piece in state["result"].evidence} == {"lamp.txt", "boats.txt"}


def test_the_example_of_the_graph_runs(corpus: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("langgraph", reason="the extra [langgraph] is not installed")
    example("answering_graph").main(str(corpus), "When was the lamp lit?")
    printed = capsys.readouterr().out
    assert "retrieve: result" in printed
    assert "1842" in printed
    assert "lamp.txt: ok" in printed


def test_the_example_of_a_compiled_program_runs(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("dspy", reason="the extra [dspy] is not installed")
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"text": "When was the lamp lit?", "answers": ["1842"]}) + "\n")
    said = json.dumps([statement("In 1842.", (1, "lit in 1842"))])
    model = Saying(
        lambda _: (
            f"[[ ## statements ## ]]\n{said}\n\n[[ ## insufficient ## ]]\nFalse\n\n"
            "[[ ## confidence ## ]]\n0.9\n\n[[ ## completed ## ]]"
        )
    )
    example("compile_dspy").main(str(corpus), str(questions), str(tmp_path / "answer.json"), model)
    assert "1 examples taken over" in capsys.readouterr().out
    with Corpus.open(corpus) as opened:
        found = opened.answer(
            "When was the lamp lit?", answerer="dspy", llm=model, program=str(tmp_path / "answer.json")
        )
    assert found.answer == "In 1842."
