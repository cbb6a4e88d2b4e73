"""Damaged files of every family: each has an outcome, and none costs another one its own."""

from __future__ import annotations

import random

import pytest

from benchmarks.mutations import FAMILIES, mutations, outcomes
from biblicus.models.extraction import Extraction, NoExtraction


@pytest.mark.parametrize("family", FAMILIES)
def test_each_damaged_file_has_an_outcome_with_sound_offsets(family: str) -> None:
    """Thousands of each: `python -m benchmarks.formats`."""
    reasons = list(outcomes(mutations(family, 24, random.Random(family))))
    assert len(reasons) == 24
    for outcome in reasons:
        if isinstance(outcome, NoExtraction):
            assert outcome.reason
            assert not outcome.reason.startswith(("the parser crashed", "the parser ended")), outcome
        else:
            assert isinstance(outcome, Extraction)
            assert outcome.text.strip()
