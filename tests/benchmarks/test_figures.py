"""A figure says whether its bar holds, by the value as measured."""

import dataclasses
import json
import subprocess
from pathlib import Path

import pytest

from benchmarks.figures import Figure, table
from benchmarks.page import before

TIMES = Figure("full", "full against raw", "×", 3.0, 4.0, 2.5, "3 s against 1 s")
QUALITY = Figure("quality", "quality on scifact", "nDCG@10", 0.7, 0.68)
HELP = Figure("help", "imports", "modules", 0, 0)


@pytest.mark.parametrize(
    ("figure", "measured", "verdict"),
    [
        (TIMES, 4.001, "miss"),
        (TIMES, 4.0, "ok"),
        (TIMES, 2.5, "aim"),
        (QUALITY, 0.6799, "miss"),
        (QUALITY, 0.68, "ok"),
        (HELP, 1, "miss"),
        (HELP, 0, "ok"),
    ],
)
def test_a_verdict_compares_the_unrounded_value_with_bar_and_aim(figure, measured, verdict):
    assert dataclasses.replace(figure, measured=measured).verdict == verdict


def test_quality_must_reach_its_bar_and_everything_else_stay_below():
    assert QUALITY.cells()[1] == "≥ 0.680"
    assert TIMES.cells()[1] == "≤ 4.00×"


def test_the_table_has_a_row_for_each_figure_in_aligned_columns():
    head, first, second = table([TIMES, QUALITY]).splitlines()
    assert head.index("bar") == first.index("≤") == second.index("≥")
    assert "3.00×" in first
    assert first.endswith("3 s against 1 s")


def test_a_figure_as_json_carries_its_verdict():
    data = TIMES.as_object()
    assert (data["command"], data["measured"], data["verdict"]) == ("full", 3.0, "ok")


def test_a_figure_stands_beside_what_it_was():
    were = [dataclasses.replace(TIMES, measured=3.25), dataclasses.replace(QUALITY, name="quality elsewhere")]
    head, first, second = table([TIMES, QUALITY], were).splitlines()
    assert first[head.index("before") :].split()[:2] == ["3.25×", "ok"]
    assert second[head.index("before") :].split() == ["ok"]


def test_what_it_was_is_told_by_the_last_release_and_before_the_first_by_what_is_kept(tmp_path: Path):
    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(("git", *who, *words), cwd=tmp_path, check=True, capture_output=True)

    kept = tmp_path / "benchmarks" / "measured.json"
    kept.parent.mkdir()
    for measured in (1.0, 2.0):
        kept.write_text(json.dumps([dataclasses.replace(TIMES, measured=measured).as_object()]))
        assert [figure.measured for figure in before(tmp_path)] == [1.0]
        if measured == 1.0:
            git("init", "-q")
            git("add", ".")
            git("commit", "-qm", "one")
            git("tag", "v1.0.0")


@pytest.mark.parametrize("rows", [None, "", "[1]", '[{"name": "of a figure that had another field", "won": 1}]'])
def test_where_it_is_not_told_what_it_was_nothing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str | None):
    monkeypatch.setenv("PATH", "")  # no git
    (tmp_path / "benchmarks").mkdir()
    if rows is not None:
        (tmp_path / "benchmarks" / "measured.json").write_text(rows)
    assert before(tmp_path) == []
