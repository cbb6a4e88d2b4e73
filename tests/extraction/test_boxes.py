"""Reading order of the boxes of a slide."""

import pytest

from biblicus.extraction.kit.boxes import Box, from_top


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        pytest.param([(0, 9, 5, 11), (0, 1, 5, 3), (0, 5, 5, 7)], [1, 2, 0], id="below each other"),
        pytest.param([(0, 9, 5, 11), (0, 1, 5, 3), (7, 5, 12, 7)], [1, 2, 0], id="steps"),
        pytest.param([(7, 1, 12, 3), (0, 1, 5, 3)], [1, 0], id="a row"),
        pytest.param([(0, 1, 5, 3), (0, 4, 5, 9), (7, 1, 12, 3), (7, 4, 12, 9)], [0, 1, 2, 3], id="columns"),
        pytest.param([(0, 1, 5, 9), (2, 2, 7, 8), None], [0, 1, 2], id="overlapping"),
    ],
)
def test_boxes_are_read_as_they_stand(boxes: list[Box | None], order: list[int]) -> None:
    assert from_top(boxes) == order
