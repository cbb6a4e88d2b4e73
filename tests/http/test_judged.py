"""Questions whose answer is known: `eval=true` with the item in `gold`."""

import pytest

from tests.http.conftest import Running

GOLD = "/search?q=moon&eval=true&gold="


@pytest.mark.parametrize(("gold", "rank"), [("tides.md", "1"), ("nowhere.md", "none")])
def test_it_is_told_where_the_known_answer_stood(running: Running, gold: str, rank: str):
    answer = running.ask("GET", GOLD + gold)
    assert answer.headers["gold-rank"] == rank
    same = running.ask("GET", "/search?q=moon")
    assert "gold-rank" not in same.headers
    assert answer.json["evidence"] == same.json["evidence"]


def test_gold_counts_only_where_the_question_is_measured(running: Running):
    assert running.ask("GET", "/search?q=moon&gold=tides.md").status == 400


@pytest.mark.parametrize("path", ["/search?q=moon", "/answer?q=What+pulls+tides%3F"])
def test_without_a_known_answer_the_scores_are_measured_alone(running: Running, path: str):
    answer = running.ask("GET", f"{path}&eval=true")
    scores = [piece["score"] for piece in running.ask("GET", f"/search?{path.partition('?')[2]}").json["evidence"]]
    assert float(answer.headers["top-score"]) == pytest.approx(scores[0], rel=1e-4)
    assert float(answer.headers["mean-score"]) == pytest.approx(sum(scores) / len(scores), rel=1e-4)
    assert "gold-rank" not in answer.headers
    assert "top-score" not in running.ask("GET", path).headers
