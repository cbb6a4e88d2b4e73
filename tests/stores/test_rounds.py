"""The query by words in PostgreSQL reads long lists only where they can matter, and ranks as if it had read all."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from biblicus import Corpus
from biblicus.stores.postgres import rounds
from biblicus.stores.postgres.rounds import Ranking
from tests.sampling import crossed
from tests.stores.test_conformance import filled, write
from tools.postgres import Server

QUESTIONS = (
    "the tide at the quay", "harbour tide", "harbour gulls boats", "harbour", "spring tide harbour boats",
    "rope harbour", '"spring tide" harbour', '"harbour boats" gulls', "TideTable harbour", "tideTable gulls",
    "harbour nosuchword", "what is Berth 7", "harbour boats gulls rope tide quay",
)  # fmt: skip
FILTERS: tuple[dict[str, Any], ...] = ({}, {"path": ("even/**",)}, {"path": ("even/1*",)})


def _text(number: int) -> str:
    """Words as frequent as their numbers divide: `harbour` is everywhere, `quay` in every 17th."""
    words = ["harbour " * (1 + number % 3), *(["boats"] * (number % 2 == 0)), *(["gulls"] * (number % 3 == 0))]
    words += ["spring tide"] * (number % 4 == 0) + ["tide"] * (number % 5) + ["rope"] * (number % 7 == 0)
    words += ["TideTable"] * (number % 11 == 0) + ["quay"] * (number % 17 == 0)
    return f"# Berth {number}\n\nOf {' and '.join(words)}{' or so' * (number % 13)}.\n"


def _texts(numbers: range) -> dict[str, str]:
    return {f"{'odd' if number % 2 else 'even'}/{number}.md": _text(number) for number in numbers}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, postgres: Server) -> Iterator[Corpus]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": postgres.dsn}}))
        patch.setenv("BIBLICUS_STORE", "team")
        patch.setattr("biblicus.stores.postgres.words._BLOCK", 3_000)  # several blocks of each list
        patch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0)
        with filled(tmp_path_factory.mktemp("rounds") / "harbour", _texts(range(500))) as made:
            made.reindex("lexical")
            write(made.path, _texts(range(500, 600)))
            (made.path / "even/0.md").write_text("Empty.", "utf-8")
            assert made.reindex("lexical").runs[0].built == "incremental"
            yield made


@pytest.fixture
def rankings(monkeypatch: pytest.MonkeyPatch) -> list[Ranking]:
    """Those that were made for questions."""
    made: list[Ranking] = []
    original = Ranking.query

    def noted(self: Ranking) -> Any:
        made.append(self)
        return original(self)

    monkeypatch.setattr(Ranking, "query", noted)
    return made


def _told(corpus: Corpus, question: str, filters: dict[str, Any]) -> list[Any]:
    result = corpus.query(question, recipe="lexical", limit=20, **filters)
    return [(piece.chunk_id, piece.score) for piece in result.evidence]


@pytest.mark.parametrize(("question", "filters"), crossed(QUESTIONS, FILTERS), ids=str)
def test_it_ranks_as_if_all_were_read(
    corpus: Corpus, rankings: list[Ranking], monkeypatch: pytest.MonkeyPatch, question: str, filters: dict[str, Any]
) -> None:
    monkeypatch.setattr(rounds, "_SHARES", ())
    expected = _told(corpus, question, filters)
    assert len(rankings[-1]._rounds()) == 1
    monkeypatch.setattr(rounds, "_FEW", -10_000)
    for shares in ((0.5, 0.25), (0.9, 0.7, 0.5, 0.3, 0.1), (10.0,)):
        monkeypatch.setattr(rounds, "_SHARES", shares)
        assert _told(corpus, question, filters) == expected
    lists = len({one.clause for one in rankings[-1]._asked})
    # One list is read whole, as are those that have fewer chunks than are asked for.
    assert len(rankings[-1]._rounds()) == (1 if filters == FILTERS[-1] or lists == 1 else 2)


def _read(ranking: Ranking, dsn: str) -> int:
    """How many entries of lists the database goes through."""

    def of(node: dict[str, Any]) -> int:
        own = node["Actual Rows"] * node["Actual Loops"] if node["Node Type"] == "ProjectSet" else 0
        return int(own) + sum(of(part) for part in node.get("Plans", ()))

    with psycopg.connect(dsn) as connection:
        ((told,),) = connection.execute(
            b"EXPLAIN (ANALYZE, FORMAT json) " + ranking.query().as_bytes(connection), ranking._values
        ).fetchall()
    return of(told[0]["Plan"])


def test_long_lists_are_not_gone_through(
    corpus: Corpus, rankings: list[Ranking], postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "_SHARES", ())
    _told(corpus, "gulls harbour", {})
    assert _read(rankings[-1], postgres.dsn) >= 800  # 200 and 600 chunks
    monkeypatch.setattr(rounds, "_SHARES", (0.5, 0.25))
    monkeypatch.setattr(rounds, "_FEW", 100)
    _told(corpus, "gulls harbour", {})
    assert _read(rankings[-1], postgres.dsn) < 300
