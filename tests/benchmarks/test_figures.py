"""A figure says whether its bar holds, by the value as measured."""

import dataclasses

import pytest

from benchmarks.figures import Figure, table

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
