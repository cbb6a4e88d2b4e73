"""What `llm` lets through of a model that paraphrases, misquotes, invents, and cites what it was not shown.

The model is `careless` of the tests: no language model, but as bad as one can be. Every citation of every answer is
proved by `verify` against the corpus.
"""

from __future__ import annotations

import json

from benchmarks.figures import Figure
from benchmarks.quality import load, write
from benchmarks.workbench import Workbench, data_folder
from biblicus.connectors.python import Corpus
from biblicus.models.reading import Verdict
from tests.answering.language_models import Saying, careless

COLLECTIONS = ("xquad-en", "scifact")


def measure(bench: Workbench) -> list[Figure]:
    """One row `careless`: the share of accepted citations that verify, over every question of both collections."""
    proved = cited = left_out = stated = asked = 0
    for name in COLLECTIONS:
        collection = load(data_folder() / "ir" / name)
        place = bench.place / f"careless-{name}"
        write(collection, place)
        with Corpus.init(place) as corpus:
            corpus.reindex("lexical")
            for question in collection.questions.values():
                answer = corpus.answer(question, llm=Saying(careless), recipe="lexical")
                pieces = [citation.as_object() for one in answer.statements for citation in one.citations]
                proved += sum(verdict.status == "ok" for verdict in _verdicts(corpus, pieces))
                cited += len(pieces)
                stated += len(answer.statements)
                left_out += len(answer.left_out)
                asked += 1
    detail = f"{asked:,} questions, {stated:,} statements with {cited:,} citations; {left_out:,} left out"
    share = proved / cited if cited else 0.0
    return [Figure("careless", "citations of a careless model that verify", "share", share, 1.0, detail=detail)]


def _verdicts(corpus: Corpus, pieces: list[dict[str, object]]) -> list[Verdict]:
    return list(corpus.verify(json.dumps(pieces).encode())) if pieces else []
