"""Two repositories that look alike: no answer about one comes from the other, in any recipe."""

from pathlib import Path

import pytest

from biblicus import Corpus, Filters
from features.model import Meaning

TOPICS = ("retries", "timeouts", "sessions", "tokens", "streams", "caches", "routes", "hooks")


@pytest.mark.parametrize("recipe", ["lexical", "scan", "vector", "hybrid"])
def test_no_answer_comes_from_the_wrong_toolkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recipe: str) -> None:
    model = Meaning()
    monkeypatch.setattr("biblicus.runs.embedders.find", lambda place, name: model)
    for toolkit in ("alpha", "beta"):
        for number in range(24):
            topic = TOPICS[number % len(TOPICS)]
            text = f"---\ntoolkit: {toolkit}\n---\n# {topic}\n\nHow {topic} are set, part {number}, by hand.\n"
            path = tmp_path / toolkit / f"{topic}-{number}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    wrong = asked = 0
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex(recipe)
        for topic in TOPICS:
            for toolkit in ("alpha", "beta"):
                chosen = Filters(toolkit=(toolkit,))
                found = corpus.query(f"How are {topic} set by hand?", recipe=recipe, filters=chosen, limit=50).evidence
                assert found
                asked += 1
                wrong += any(not piece.path.startswith(f"{toolkit}/") for piece in found)
    assert (asked, wrong) == (16, 0)
