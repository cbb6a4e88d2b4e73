"""TREC run files: what we write every reader ranks as we did, and what others wrote is read as trec_eval reads it."""

from __future__ import annotations

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.errors import ConfigInvalid
from biblicus.measure.formats.trec_runs import decoded, encoded, read_run, write_run
from biblicus.models.answers.evaluation import RankedItem, Row, System

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


def system(*rankings: list[tuple[str, float]]) -> System:
    rows = [
        Row(f"q{n}", "text", {}, [RankedItem(name, name, score, name, 0, 1) for name, score in ranking])
        for n, ranking in enumerate(rankings)
    ]
    return System("a run", "r", "", "", {}, {}, rows)


def read(text: str):
    return read_run([text.encode()], "x.trec")


@given(st.dictionaries(NAMES, st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_what_is_written_is_read_in_the_same_order(scores: dict[str, float]):
    ranking = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    found = read("".join(write_run(system(ranking))))
    assert [item.item_id for item in found.rankings["q0"]] == [name for name, _ in ranking]
    assert found.tag == "a run"


def test_ties_fall_strictly_in_single_precision():
    lines = list(
        write_run(system([("b", 0.5), ("a", 0.5), ("c", 0.5), ("z", 0.0), ("y", 0.0), ("x", -1.0), ("w", -1.0)]))
    )
    scores = [struct.unpack("f", struct.pack("f", float(line.split()[4])))[0] for line in lines]
    assert all(first > second for first, second in pairwise(scores))
    assert scores[0] == 0.5


@given(NAMES)
def test_a_name_is_one_column_and_comes_back(name: str):
    assert len(encoded(name).split()) == 1
    assert decoded(encoded(name)) == name


def test_the_scores_rank_and_the_rank_column_does_not():
    found = read("q1 Q0 late 1 0.1 tag\nq1 Q0 early 2 0.9 tag\n")
    assert [item.item_id for item in found.rankings["q1"]] == ["early", "late"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("q1 Q0 d1 1 0.5\n", "line 1: expected question"),
        ("q1 Q0 d1 1 high tag\n", 'line 1: "high" is no score'),
        ("q1 Q0 d1 1 nan tag\n", '"nan" is no score'),
        ("q1 Q0 d1 1 1e300 tag\n", '"1e300" is no score'),
        ("q1 Q0 d1 1 0.5 tag\nq1 Q0 d1 2 0.4 tag\n", "line 2: the document"),
        ("q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.4 b\n", "line 2: a second tag"),
        ("\n", "no ranking"),
        ("q1 Q0 d\udc80 1 1 t\n", "not UTF-8"),
    ],
)
def test_a_bad_line_is_named(text: str, says: str):
    with pytest.raises(ConfigInvalid, match=r"x\.trec") as caught:
        read_run([text.encode("utf-8", "surrogateescape")], "x.trec")
    assert says in caught.value.message
