"""Questions whose answer is known: `eval=true` with the item in `gold`."""

import pytest

from tests.http.conftest import Running

GOLD = "/search?q=moon&eval=true&gold="


@pytest.mark.parametrize(("gold", "rank"), [("tides.md", "1"), ("nowhere.md", "none")])
def test_it_is_told_where_the_known_answer_stood(running: Running, gold: str, rank: str):
    found = running.ask("GET", GOLD + gold)
    assert found.headers["gold-rank"] == rank
    same = running.ask("GET", "/search?q=moon")
    assert "gold-rank" not in same.headers
    assert found.json["evidence"] == same.json["evidence"]


def test_it_is_counted(running: Running):
    running.ask("GET", GOLD + "nowhere.md")
    page = running.ask("GET", "/metrics").raw.decode()
    assert 'biblicus_judged_questions_total{corpus="notes",found="false"}' in page


@pytest.mark.parametrize("half", ["eval=true", "gold=tides.md"])
def test_one_without_the_other_is_refused(running: Running, half: str):
    assert running.ask("GET", f"/search?q=moon&{half}").status == 400
