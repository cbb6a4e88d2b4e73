"""Answerer `dspy`: a DSPy program, compiled or not, with the same contract as `llm`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering.grounding import claims_of
from biblicus.answering.llm import confidence, grounded, parted, summary
from biblicus.config import user_folder
from biblicus.contracts import Answerer, Call, Given, LLMClient
from biblicus.errors import BiblicusError, ExtraMissing, LLMError, NoLLM
from biblicus.models.answers.answer import Drafted
from biblicus.models.digest import digest
from biblicus.models.evidence import Result


class Options(BaseModel):
    """Options of the answerer. `program`: JSON file of a compiled program; by default `dspy/answer.json` in the user's
    configuration folder if it exists. `tokens`: of the evidence. `output_tokens`: of each reply."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    program: Path | None = None
    tokens: Annotated[int, Field(ge=200, le=200_000)] = 4_000
    output_tokens: Annotated[int, Field(ge=64, le=32_000)] = 1_024


def build(options: Options, given: Given) -> Answerer:
    """Return the answerer. Raises `ExtraMissing`, `NoLLM`, and `ConfigInvalid` for an invalid program."""
    try:
        import dspy  # noqa: F401  (only to say what is missing)
    except ImportError as error:
        raise ExtraMissing("The answerer dspy", "dspy") from error
    if given.llm is None:
        raise NoLLM("The answerer dspy")
    return DSPyAnswerer(options, given.llm)


class DSPyAnswerer:
    """Answerer that drops unsupported claims without asking again (see `contracts.Answerer`)."""

    def __init__(self, options: Options, llm: LLMClient) -> None:
        from biblicus.answering import dspy_program

        usual = user_folder("config") / "dspy" / "answer.json"
        self._options = options
        self._llm = llm
        self._program = dspy_program.load(options.program or (usual if usual.is_file() else None))

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        """Return the answer. Raises `LLMError`, also if DSPy cannot parse a reply."""
        import dspy

        from biblicus.answering import dspy_program

        pack = dspy_program.packed(result, self._options.tokens)
        pieces = dspy_program.pieces_of(pack)
        if not pieces:
            return Drafted((), 0.0, True, "There is no evidence to answer from.", model=self._llm.name)
        engine = dspy_program.Engine(self._llm, call, self._options.output_tokens)
        try:
            with dspy.context(lm=engine.model(), adapter=dspy.ChatAdapter()):
                prediction = self._program(question=question, evidence=pack.text)
            claims = claims_of(dspy_program.plain(prediction.statements))
        except BiblicusError:
            raise
        except Exception as error:  # dspy raises errors of many types
            if engine.failure is not None:
                raise engine.failure from error
            cause = f"DSPy makes nothing of its reply ({type(error).__name__})"
            raise LLMError(self._llm.name, cause, "the same with another model") from error
        gave_up = bool(prediction.insufficient)
        statements, left_out = parted(grounded(claims, pieces))
        return Drafted(
            statements,
            doubted(confidence(statements, len(left_out), result, gave_up=gave_up), prediction.confidence),
            gave_up or not statements,
            summary(statements, left_out, pieces, gave_up=gave_up),
            left_out,
            engine.usage.as_object(),
            self._llm.name,
            f"dspy:{digest(self._program.dump_state(), 12)}",
        )


def doubted(measured: float, stated: float) -> float:
    """Return the lower of the measured and the program's own confidence; an invalid one is ignored."""
    return round(min(measured, stated), 4) if 0 <= stated <= 1 else measured
