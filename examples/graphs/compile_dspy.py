"""Compiles the answering program of `biblicus answer --answerer dspy` against questions whose answers are known.

    pip install "biblicus-corpus[dspy]"
    python examples/graphs/compile_dspy.py path/to/corpus questions.jsonl answer.json

Each line of the questions is {"text": …, "answers": […]}. The model is the one that your configuration names. Put the
result into `~/.config/biblicus/dspy/answer.json`, and `--answerer dspy` uses it.
"""

import json
import sys
from pathlib import Path

import dspy

from biblicus import Corpus
from biblicus.answering import dspy_program
from biblicus.corpus.folder import CorpusFolder
from biblicus.search import language_models as llms


def main(folder: str, questions: str, target: str, model=None) -> None:
    asked = [json.loads(line) for line in Path(questions).read_text("utf-8").splitlines() if line.strip()]
    client = model or llms.for_answerer(CorpusFolder(Path(folder)), "dspy")
    with Corpus.open(folder) as corpus:
        examples = [dspy_program.example(corpus.query(one["text"]), one["answers"]) for one in asked]
    with dspy.context(lm=dspy_program.language_model(client), adapter=dspy.ChatAdapter()):
        optimiser = dspy.BootstrapFewShot(metric=dspy_program.metric, max_bootstrapped_demos=2, max_labeled_demos=0)
        compiled = optimiser.compile(dspy_program.CitingProgram(), trainset=examples)
    compiled.save(target)
    print(f"{len(compiled.answer.demos)} examples taken over into {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
