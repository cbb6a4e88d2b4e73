"""Reading order of the boxes of a slide."""

import pytest

from biblicus.extraction.kit.blocks import Box, Part, from_top, in_order


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


FORMULA = [
    (11, 122, 315, 715), (15, 143, 539, 699), (10, 122, 255, 665), (2, 251, 285, 662), (3, 295, 328, 662),
    (1, 330, 345, 665), (5, 341, 397, 662), (5, 400, 539, 664), (6, 137, 185, 651), (2, 90, 161, 631),
    (12, 122, 291, 616), (1, 151, 157, 383), (1, 151, 157, 410), (1, 151, 157, 437),
]  # fmt: skip
CASES = [
    (6, 210, 419, 695), (9, 90, 333, 651), (1, 333, 335, 655), (1, 332, 335, 647), (5, 336, 379, 651),
    (2, 110, 151, 631), (4, 205, 264, 611), (2, 264, 306, 618.3), (5, 335, 394, 616.5), (1, 398, 402, 621.9),
    (1, 398, 402, 613.8), (3, 412, 442, 616.4), (4, 264, 325, 600.2), (2, 335, 364, 603.9), (5, 359, 403, 599.8),
    (8, 110, 295, 572.7), (6, 90, 431, 546),
]  # fmt: skip


@pytest.mark.parametrize("lines", [FORMULA, CASES], ids=["a formula in one line", "cases of a formula"])
def test_parts_of_formulas_are_no_columns(lines: list[tuple[int, float, float, float]]) -> None:
    parts = [Part(number, *line, 10.9) for number, line in enumerate(lines)]
    assert in_order(parts) == list(range(len(parts)))


def test_boxes_of_a_diagram_that_were_drawn_at_once_stay_whole() -> None:
    boxes = [
        Part(10 * box + line, 6, 60 + 90 * box, 125 + 90 * box, 690 - 10 * box - 12 * line, 10)
        for box in range(3)
        for line in range(10)
    ]
    boxes[14] = boxes[14]._replace(right=235)  # closes the gutter
    assert in_order([*boxes, Part(30, 4, 60, 325, 740, 10)]) == [30, *range(30)]


@pytest.mark.parametrize(
    ("left", "order"), [(185, [0, 4, 1, 2, 3]), (260, [2, 0, 4, 1, 3])], ids=["a label", "a mark across the page"]
)
def test_turned_words_stand_first_only_across_others(left: float, order: list[int]) -> None:
    lines = [(8, 72, 293, 739, 9), (15, 72, 540, 500, 9), (3, left, left + 12, 400, 85), (2, 249, 417, 420, 9)]
    parts = [Part(number, *line) for number, line in enumerate([*lines, (9, 72, 347, 665, 9)])]
    assert in_order(parts) == order
