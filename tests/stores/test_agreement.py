"""Stores bring what the local index brings: misses among the best 200 chunks, over five collections."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.question import Question
from biblicus.runs.parts import parts
from biblicus.search.opened_run import shares
from tests.folders import write
from tests.sampling import some
from tests.stores.test_conformance import store as store

COLLECTIONS = ("cranfield", "cisi", "xquad-de", "xquad-ru", "xquad-zh")
BEST = 200
_DOCUMENTS, _QUESTIONS = 400, 30
_MOST = 0.005
"""The share of chunks that may be missed: of scores that are equal but for what single precision takes from them."""


def _lines(collection: str, name: str, most: int) -> list[dict[str, str]]:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    path = Path(os.environ.get("BIBLICUS_DATA", beside)) / "ir" / collection / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not there; set BIBLICUS_DATA")
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for _, line in zip(range(most), lines, strict=False)]


def _best(corpus: Corpus, questions: Sequence[str]) -> list[set[tuple[str, int]]]:
    """The best chunks of each question, by item and ordinal, as the leg by words of the newest run finds them."""
    folder, manifest = CorpusFolder(corpus.path), corpus.runs()[-1]
    tables = folder.store.open(manifest)
    leg = parts(folder, recipes.find(folder, "lexical")).legs["lexical"]
    reader = folder.store.reader(manifest.run_id, "lexical", leg)
    found = []
    for text in questions:
        question = Question(text, shares(manifest.languages), frozenset())
        hits = reader.search(question, None, BEST, Call())[:BEST]
        found.append({(place.item_id, place.ordinal) for place in tables.places([hit.row for hit in hits]).values()})
    return found


@pytest.mark.parametrize("store", ["postgres", "milvus"], indirect=True)
def test_a_store_misses_nothing_of_the_best_chunks(tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    missed = expected = 0
    for collection in some(COLLECTIONS, 2):
        documents = _lines(collection, "corpus", _DOCUMENTS)
        questions = [line["text"] for line in _lines(collection, "queries", _QUESTIONS)]
        found = []
        for name in ("local", store):
            monkeypatch.setenv("BIBLICUS_STORE", name)
            place = tmp_path / collection
            with Corpus.open(place) if place.exists() else Corpus.init(place) as corpus:
                write(place, {f"{line['_id']}.md": f"# {line['title']}\n\n{line['text']}\n" for line in documents})
                corpus.reindex("lexical")
                found.append(_best(corpus, questions))
        local, theirs = found
        expected += sum(map(len, local))
        missed += sum(len(mine - their) for mine, their in zip(local, theirs, strict=True))
    print(f"\n{store}: {missed} of {expected} chunks missed")  # noqa: T201
    assert expected > len(some(COLLECTIONS, 2)) * _QUESTIONS * 50
    assert missed <= _MOST * expected
