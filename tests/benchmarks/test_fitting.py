"""The fit of the reader: the same bytes from the same table, and the shipped weights are of the shipped table."""

import json

import numpy as np
import pytest

from benchmarks.fitting import classes, fit
from benchmarks.fitting.capture import TABLE
from biblicus.answering.reader.classes import data
from biblicus.answering.reader.features import MODELS, NAMES


@pytest.fixture(scope="module")
def table() -> dict[str, np.ndarray]:
    with np.load(TABLE) as read:
        return dict(read)


def part_of(table: dict[str, np.ndarray], every: int) -> dict[str, np.ndarray]:
    """Return the table with every so manyth question."""
    kept = np.arange(len(table["counts"])) % every == 0
    rows = np.repeat(kept, table["counts"])
    by_row = {name: table[name][rows] for name in ("rows", "gold", "words")}
    return {**table, **by_row, "counts": table["counts"][kept], "about": table["about"][kept]}


def test_a_fit_gives_the_same_bytes_each_time(table):
    part = part_of(table, 12)
    first, again = (json.dumps(fit.fit(part, ["words"]), sort_keys=True) for _ in range(2))
    assert first == again


def test_another_table_gives_other_weights(table):
    one, other = (fit.fit(part_of(table, every), ["words"]) for every in (12, 13))
    assert one["version"] != other["version"]
    assert one["scorers"] != other["scorers"]


def test_the_shipped_weights_are_of_the_shipped_table(table):
    assert data()["version"] == fit.version(table)
    assert data()["classes"] == classes.as_data(table)


def test_each_configuration_weighs_the_features_that_it_knows():
    for name, weights in data()["scorers"].items():
        assert set(weights) == {*NAMES, *name.split("+")[1:]}
    assert len(NAMES) + len(MODELS) <= 24


def test_confidence_rises_with_what_was_fitted():
    for doubt in data()["doubt"].values():
        raw, heights = zip(*doubt["curve"], strict=True)
        assert list(raw) == sorted(raw)
        assert list(heights) == sorted(heights)
        assert 0 <= heights[0] <= heights[-1] <= 1
