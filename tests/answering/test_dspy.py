"""The answerer `dspy`: the same contract, and a program that optimisers compile. Skipped without the extra."""

import json
from pathlib import Path
from typing import Any

import pytest

from biblicus.answering.dspy_answerer import Options, build
from biblicus.contracts import Call, Given
from biblicus.errors import ConfigInvalid, ExtraMissing, LLMError, NoLLM
from biblicus.models.answers.answer import Drafted
from tests.answering.language_models import Saying, careless, statement
from tests.answering.test_llm import found, verified


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "dspy", None)
    with pytest.raises(ExtraMissing) as caught:
        build(Options(), Given(llm=Saying(lambda _: "")))
    assert caught.value.hint == 'pip install "biblicus-corpus[dspy]"'


@pytest.fixture
def dspy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    return pytest.importorskip("dspy", reason="the extra [dspy] is not installed")


def chat(*statements: dict[str, Any], insufficient: bool = False, confidence: float = 1.0) -> str:
    """A reply in the form that DSPy asks for."""
    body = {"statements": json.dumps(list(statements)), "insufficient": insufficient, "confidence": confidence}
    return "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in {**body, "completed": ""}.items())


def answered(model: Saying, **options: Any) -> Drafted:
    drafted = build(Options(**options), Given(llm=model)).answer("What pulls the tides?", found(), Call())
    verified(drafted, found())
    return drafted


def test_a_program_answers_with_exact_citations(dspy: Any):
    model = Saying(lambda _: chat(statement("It burns oil.", (2, "burns  OIL")), statement("Cheese.", (9, ""))))
    drafted = answered(model)
    assert [(one.text, one.citations[0].text) for one in drafted.statements] == [("It burns oil.", "burns oil")]
    assert [one.text for one in drafted.left_out] == ["Cheese."]
    assert drafted.usage is not None
    assert drafted.usage["requests"] == 1
    assert str(drafted.prompt).startswith("dspy:")
    assert "The lamp was lit in 1842." in model.prompts[0]


@pytest.mark.parametrize(("stated", "share"), [(0.01, None), (1.0, 1.0), (7.0, 1.0), (float("nan"), 1.0)])
def test_it_is_no_surer_than_what_it_cites_and_no_surer_than_it_says(dspy: Any, stated: float, share: float | None):
    def asked(confidence: float) -> float:
        return answered(
            Saying(lambda _: chat(statement("It burns oil.", (2, "burns oil")), confidence=confidence))
        ).confidence

    assert asked(stated) == (stated if share is None else asked(1.0))
    assert 0.01 < asked(1.0) < 1


def test_a_careless_model_gets_nothing_through_that_does_not_hold(dspy: Any):
    answered(Saying(lambda prompt: chat(*careless(prompt)["statements"])))


def test_a_reply_that_is_of_no_form_is_an_error(dspy: Any):
    with pytest.raises(LLMError, match="DSPy makes nothing of its reply"):
        answered(Saying(lambda _: "Surely the moon."))


def test_a_failure_of_the_model_stays_what_it_was(dspy: Any):
    def fails(_: str) -> str:
        raise LLMError("test-model", "there is no connection", "ollama serve")

    with pytest.raises(LLMError) as caught:
        answered(Saying(fails))
    assert caught.value.hint == "ollama serve"


def test_without_a_model_it_says_what_to_define(dspy: Any):
    with pytest.raises(NoLLM):
        build(Options(), Given())


def test_a_program_is_compiled_against_questions_with_answers(dspy: Any, tmp_path: Path):
    from biblicus.answering import dspy_program

    good = statement("The lamp was lit in 1842.", (2, "lit in 1842"))
    model = Saying(lambda _: chat(good))
    examples = [dspy_program.example(found(), ["1842"]), dspy_program.example(found(), ["1842"])]
    with dspy.context(lm=dspy_program.language_model(model), adapter=dspy.ChatAdapter()):
        optimiser = dspy.BootstrapFewShot(metric=dspy_program.metric, max_bootstrapped_demos=1, max_labeled_demos=0)
        compiled = optimiser.compile(dspy_program.CitingProgram(), trainset=examples)
    assert len(compiled.answer.demos) == 1
    path = tmp_path / "answer.json"
    compiled.save(str(path))
    told = Saying(lambda _: chat(good))
    drafted = answered(told, program=path)
    assert drafted.statements[0].text == "The lamp was lit in 1842."
    assert told.prompts[0].count("<assistant>") == 1, "the example that it was compiled with"
    assert drafted.prompt != answered(model).prompt


def test_the_metric_wants_right_answers_and_citations_that_hold(dspy: Any):
    from biblicus.answering import dspy_program

    asked = dspy_program.example(found(), ["1842"])
    unanswerable = dspy_program.example(found(), [])

    def score(example: Any, *statements: dict[str, Any]) -> float:
        prediction = dspy.Prediction(statements=list(statements), insufficient=not statements)
        return float(dspy_program.metric(example, prediction))

    right, wrong = statement("In 1842.", (2, "lit in 1842")), statement("In 1842.", (9, ""))
    assert score(asked, right) == 1.0
    assert score(asked, wrong) == 0.0
    assert score(asked, statement("It burns oil.", (2, "burns oil"))) == 0.5
    assert score(asked) == 0.0
    assert score(unanswerable) == 1.0
    assert score(unanswerable, right) == 0.0


def test_a_program_that_is_none_is_refused(dspy: Any, tmp_path: Path):
    (tmp_path / "bad.json").write_text("{}")
    (tmp_path / "bad.pkl").write_bytes(b"")
    for name in ("bad.json", "bad.pkl", "gone.json"):
        with pytest.raises(ConfigInvalid):
            build(Options(program=tmp_path / name), Given(llm=Saying(lambda _: "")))


def test_a_program_that_cites_chunks_is_compiled_loaded_and_checked(dspy: Any, tmp_path: Path):
    from biblicus.answering.dspy_program import AnswerSignature, language_model
    from biblicus.answering.grounding import checked, context_lines

    evidence = found().evidence
    dspy.Predict(AnswerSignature).save(str(tmp_path / "program.json"))
    program = dspy.Predict(AnswerSignature)
    program.load(str(tmp_path / "program.json"))
    said = {"answer": "It burns oil.", "citations": json.dumps([evidence[1].chunk_id]), "confidence": 0.9}
    reply = "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in {**said, "completed": ""}.items())
    model = Saying(lambda _: reply)
    with dspy.context(lm=language_model(model), adapter=dspy.ChatAdapter()):
        prediction = program(question="What does it burn?", context=context_lines(evidence))
    assert f"[chunk_id={evidence[0].chunk_id} score=" in model.prompts[0]
    holds = checked(prediction.answer, prediction.citations, evidence)
    assert (holds.answer, [piece.chunk_id for piece in holds.citations]) == ("It burns oil.", [evidence[1].chunk_id])
    assert checked("Cheese is green.", prediction.citations, evidence) == ("", (), 0.0)
