"""Damaged files of every family: each has an outcome, and none costs another one its own."""

import random
from collections.abc import Callable

import pytest

from benchmarks.mutations import ARCHIVES, FAMILIES, is_crash, mutations, outcomes, unpacked
from biblicus.models.extraction import Extraction, NoExtraction
from tests.sampling import each


@each("family", FAMILIES)
def test_each_damaged_file_has_an_outcome_with_sound_offsets(family: str, tally: Callable[..., None]) -> None:
    """Thousands of each: `python -m benchmarks.formats`."""
    reasons = list(outcomes(mutations(family, 24, random.Random(family))))
    assert len(reasons) == 24
    tally(hostile_files=24)
    for outcome in reasons:
        if isinstance(outcome, NoExtraction):
            assert outcome.reason
            assert not outcome.reason.startswith(("the parser crashed", "the parser ended")), outcome
        else:
            assert isinstance(outcome, Extraction)
            assert outcome.text.strip()


@pytest.mark.parametrize("family", ARCHIVES)
def test_each_damaged_archive_is_unpacked_as_far_as_it_goes(family: str, tally: Callable[..., None]) -> None:
    """Thousands of each: `python -m benchmarks.formats`."""
    lists = list(unpacked(family, 40, random.Random(family)))
    assert len(lists) == 40
    tally(hostile_files=40)
    assert any(member.left is None for members in lists for member in members)
    assert not [member for members in lists for member in members if is_crash(member)]
