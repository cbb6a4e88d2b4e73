"""The arithmetic behind the tide board on the quay.

The gauge stands a little higher than chart datum, and nobody wants to take it down to move it, so every reading is
corrected here. Heights are metres above chart datum, times are hours.
"""

GAUGE_OFFSET = 0.37
"""Metres by which the gauge reads too low since it was rehung in 2016."""

TWELFTHS = (0, 1, 3, 6, 9, 11, 12)
"""How many twelfths of the range have run after each sixth of the tide (the rule of twelfths)."""


def corrected_height(reading: float) -> float:
    """The height of the water for a raw reading of the gauge."""
    return round(reading + GAUGE_OFFSET, 2)


def height_at(hours_after_low: float, low: float, high: float, duration: float = 6.2) -> float:
    """The height while the tide rises from `low` to `high` within `duration` hours."""
    sixths = min(max(hours_after_low / duration * 6, 0.0), 6.0)
    whole = min(int(sixths), 5)
    run = TWELFTHS[whole] + (TWELFTHS[whole + 1] - TWELFTHS[whole]) * (sixths - whole)
    return round(low + (high - low) * run / 12, 2)


def can_cross_bar(draught: float, height: float) -> bool:
    """Whether a boat may cross the bar: half a metre of water must stay under the keel."""
    bar = 1.1  # metres below chart datum, sounded in May 2025
    return height + bar - draught >= 0.5
