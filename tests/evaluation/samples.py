"""An evaluation made up for the tests of reports: drawn by a seed, with hostile words where one asks for them."""

import random
from collections.abc import Sequence

from biblicus.measure.comparison import compare
from biblicus.measure.metrics import means
from biblicus.models.answers.evaluation import Evaluation, Gate, RankedItem, Row, System

METRICS = ("ndcg@10", "recall@100", "mrr@10")
HOSTILE = (
    "<script>alert(1)</script>\u202egnp.exe\x1b[31m ]]> | `x` ![i](http://evil.example/p.png) @someone &amp; \"q\" 'p'"
)


def evaluation(
    names: Sequence[str] = ("lexical", "vector", "hybrid"), questions: int = 60, *, hostile: bool = False, seed: int = 1
) -> Evaluation:
    """Systems of which each is a little better than the one before."""
    draws = random.Random(seed)
    hard = [draws.random() for _ in range(questions)]
    systems = [
        _system(name, number, hard, hostile, random.Random(f"{seed}{name}")) for number, name in enumerate(names)
    ]
    gates = (
        Gate("ndcg@10 < 0.1", names[-1], True, "ndcg@10 is 0.712"),
        Gate("ndcg@10 < baseline - 0.01", names[-1], False, "ndcg@10 is 0.612, the baseline has 0.701", ("q3", "q1")),
    )
    return Evaluation(
        HOSTILE if hostile else "scifact",
        "a" * 64,
        questions,
        3,
        "2026-11-20T22:55:00Z",
        systems,
        compare(systems, METRICS),
        {"biblicus": "0.2.0", "tantivy": "0.27.0"},
        {"k": 10, "aggregation": "max"},
        gates if hostile else (),
    )


def _system(name: str, number: int, hard: Sequence[float], hostile: bool, draws: random.Random) -> System:
    rows = []
    for at, difficulty in enumerate(hard):
        value = round(max(0.0, min(1.0, 1.15 - difficulty + number * 0.04 + draws.gauss(0, 0.2))), 1)
        words = HOSTILE if hostile else f"How far do {at} tides reach, and what does the moon have to do with it?"
        items = [f"i{draws.randrange(30)}" for _ in range(12)]
        ranking = [
            RankedItem(item, f"notes/{item}-of-the-sea.md", 9.0 - place, f"{item}:0", 10, 90)
            for place, item in enumerate(dict.fromkeys(items))
        ]
        metrics = {"ndcg@10": value, "recall@100": min(1.0, value + 0.1), "mrr@10": value / 2}
        tags = ("tides",) if at % 2 else ("tides", "moon")
        rows.append(Row(f"q{at}", words, metrics, ranking, 1.0, tags, "human", {items[3]: 1}))
    system = {
        "latency_p50": 1.3 * 4**number,
        "latency_p95": 2.0 * 4**number,
        "index_bytes": 3e6 * (number + 1),
        "build_ms": 900.0,
    }
    shown = f"{name}{HOSTILE}" if hostile else name
    run = f"20261120T225500Z-{name}-3f2a9c"
    return System(shown, f"{name}-9a8b7c6d", run, "0f" * 8, means([row.metrics for row in rows]), system, rows)


def passages(found: Evaluation, *, hostile: bool = False) -> dict[tuple[str, int, int], str]:
    """The text of every ranked item."""
    text = HOSTILE if hostile else "The moon pulls the water towards itself, and the land turns below it. " * 8
    return {(i.item_id, i.start, i.end): text for s in found.systems for row in s.rows for i in row.ranking}
